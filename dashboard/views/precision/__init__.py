"""The page Precision."""
