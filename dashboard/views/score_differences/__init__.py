"""The page Score differences."""
