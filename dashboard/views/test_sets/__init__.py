"""The page Test sets."""
