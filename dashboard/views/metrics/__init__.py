"""The page Metrics."""
