"""Cached queries of the page Data; draws nothing."""
