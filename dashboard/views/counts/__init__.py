"""The page Counts files."""
