"""What the page Campaign computes; draws nothing."""
