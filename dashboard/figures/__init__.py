"""Figures: results in, go.Figure out. Pure functions, no Streamlit."""
