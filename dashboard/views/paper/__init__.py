"""The page The 2002 paper."""
