"""Results with declared fields, and their tables, JSON, LaTeX and XLSX; each module is public."""
