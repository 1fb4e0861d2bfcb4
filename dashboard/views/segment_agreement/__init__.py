"""The page Segment agreement."""
