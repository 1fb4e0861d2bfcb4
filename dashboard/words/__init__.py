"""Results in plain English. Pure functions of results."""
