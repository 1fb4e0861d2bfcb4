"""Cached queries of the page Campaign; draws nothing."""
