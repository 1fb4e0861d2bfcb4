"""The page Two systems."""
