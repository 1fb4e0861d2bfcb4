"""The warnings, one module each, which exports WARNING, its entry in the register."""
