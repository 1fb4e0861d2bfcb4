"""How figures look on pages and in print; each module is public."""
