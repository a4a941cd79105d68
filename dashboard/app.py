"""The dashboard's entry script, run by Streamlit."""

import streamlit as st

st.set_page_config(page_title="Curriculab", layout="wide")
st.title("Curriculab")
st.write("See how a learner should order its tasks.")
