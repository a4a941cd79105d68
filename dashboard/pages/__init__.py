"""The pages, one folder for each: `page.py`, which Streamlit runs, and the cards that belong to this page alone."""
