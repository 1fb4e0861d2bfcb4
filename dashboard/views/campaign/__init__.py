"""The page Campaign."""
