"""The page References."""
