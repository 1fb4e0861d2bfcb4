"""The page Agreement by class."""
