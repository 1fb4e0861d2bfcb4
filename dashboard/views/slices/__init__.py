"""The page Slices."""
