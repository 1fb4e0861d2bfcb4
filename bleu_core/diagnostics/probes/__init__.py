"""The probes: one module for each, which exports PROBE, its entry in the register."""
