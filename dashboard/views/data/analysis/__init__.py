"""What the page Data computes; draws nothing."""
