"""What the pages ask of the core, computed once: one module per subject. Draws nothing."""
