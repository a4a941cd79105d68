"""Figures: functions from a result to a Plotly figure."""
