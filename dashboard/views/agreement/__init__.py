"""The page Agreement."""
