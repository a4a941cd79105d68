"""Figures: `info(result)`, then `figure(info, ...)`, a Plotly figure with colours from the theme, without Streamlit.

One module a figure; `matrix` draws every heat map.
"""
