"""The warnings: one module for each, which exports WARNING, its entry in the register."""
