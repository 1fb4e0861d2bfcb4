"""The page System agreement."""
