"""The page N-grams."""
