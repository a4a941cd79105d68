"""Page 1: what is being learned."""

import streamlit as st

from dashboard import cached

now = cached.current()
st.title("Tasks")
learned = cached.learned(now, "indsvm")
if learned is not None:
    st.write(learned.mean_test_error)
