"""What a session holds: its files, its address, its settings, and work that is done once."""
