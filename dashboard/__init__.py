"""Everything a person touches: the Streamlit app, figures, the command line, reports."""
