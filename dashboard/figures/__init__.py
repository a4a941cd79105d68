"""Figures: `info(result)`, then `figure(info, ...)`, a Plotly figure with colours from the theme, without Streamlit.

One module per figure; `plot` has the parts of all, among them `matrix`, which draws every heat map.
"""
