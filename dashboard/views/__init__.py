"""The pages, one script each, in the order of the navigation: widgets, one cached call, figures.

Nothing imports a page; Streamlit runs it.
"""
