"""The parts of a report, one module each, which exports its PART."""
