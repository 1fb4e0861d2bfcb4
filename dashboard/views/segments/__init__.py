"""The page Segments."""
