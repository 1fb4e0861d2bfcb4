"""The parts of a report, one module for each, which exports its PART."""
