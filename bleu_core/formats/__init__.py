"""Readers of the files people exchange: bytes in, columns and judgments out, with a report of each file."""
