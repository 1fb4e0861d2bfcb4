"""What can be taken along: pages as files."""
