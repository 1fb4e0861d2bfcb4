"""The probes, one module each, which exports PROBE, its entry in the register."""
