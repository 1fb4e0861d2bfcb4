"""The page Report."""
