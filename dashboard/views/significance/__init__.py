"""The page Significance."""
