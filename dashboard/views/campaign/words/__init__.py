"""The sentences of the page Campaign."""
