"""How the server runs: its limits, who computes when, what is ready at the start, and the door to Streamlit itself.

Doors: `serving.serving`, `scheduler`, `streamlit_internals`.
"""
