"""The dashboard's entry script, run by Streamlit: it only reads the link, shows the sidebar and navigates."""

from pathlib import Path

import streamlit as st

from dashboard import text
from dashboard.parts import framing
from dashboard.session import cache, links
from dashboard.shell import sidebar, themewatch

HERE = Path(__file__).resolve().parent
PAGES = (
    ("tasks", "Tasks", ":material/category:"),
    ("step", "Step through", ":material/footprint:"),
    ("subsequences", "Subsequences", ":material/account_tree:"),
    ("orders", "Orders", ":material/swap_vert:"),
    ("compare", "Compare", ":material/leaderboard:"),
    ("runs", "Runs", ":material/history:"),
    ("lessons", "Lessons", ":material/school:"),
)
WITHOUT_SET = ("runs", "lessons")  # they have something to show when no task set is selected

st.set_page_config(page_title="Curriculab", page_icon=str(HERE / "icon.svg"), layout="wide")
st.html(HERE / "style.css")
if themewatch.dark():
    st.html(HERE / "style-dark.css")
st.logo(HERE / ("wordmark-dark.svg" if themewatch.dark() else "wordmark.svg"), size="large")
links.read()
pages = [
    st.Page(f"views/{name}.py", title=title, icon=icon, url_path=name, default=name == "tasks")
    for name, title, icon in PAGES
    if (HERE / "views" / f"{name}.py").exists()
]
page = st.navigation(pages, expanded=True)
with st.sidebar:
    missing = sidebar.show(page.url_path or "tasks")
    themewatch.show()
if missing and page.url_path not in WITHOUT_SET:
    st.title(page.title)
    st.warning(text.md(missing), icon=":material/upload_file:")
else:
    with framing.guarded():
        page.run()
cache.settle()
