"""The dashboard's entry script, run by Streamlit: it only reads the link, shows the sidebar and navigates."""

import html
from pathlib import Path

import streamlit as st

from dashboard.server import warmup

warmup.wait()

from dashboard import text
from dashboard.components import figure_card, sidebar, slides, theme_watch
from dashboard.components.own_data import mapping
from dashboard.components.own_data import state as bring
from dashboard.server import streamlit_internals
from dashboard.session import current, links

HERE = Path(__file__).resolve().parent
PAGES = {
    "tasks": ("Tasks", ":material/category:"),
    "step": ("Step through", ":material/footprint:"),
    "subsequences": ("Subsequences", ":material/account_tree:"),
    "orders": ("Orders", ":material/swap_vert:"),
    "compare": ("Compare", ":material/leaderboard:"),
    "runs": ("Runs", ":material/history:"),
    "lessons": ("Lessons", ":material/school:"),
    "draw": ("Draw", ":material/draw:"),
}
"""Title and icon of every page by its folder, which is its address; the first one's is the root."""
WITHOUT_SET = ("runs", "lessons", "draw")  # they have something to show when no task set is selected

st.set_page_config(page_title="Curriculab", page_icon=str(HERE / "icon.svg"), layout="wide")
st.html(HERE / "style.css")
st.html(HERE / "print.css")
if theme_watch.dark():
    st.html(HERE / "style-dark.css")
st.logo(HERE / ("wordmark-dark.svg" if theme_watch.dark() else "wordmark.svg"), size="large")
pages = [
    st.Page(f"pages/{name}/page.py", title=title, icon=icon, url_path=name, default=name == "tasks")
    for name, (title, icon) in PAGES.items()
]
page = st.navigation(pages, expanded=True)
here = page.url_path or "tasks"
links.read(here)
wanted = links.page_to_open()
if wanted in PAGES and wanted != here:
    st.switch_page(f"pages/{wanted}/page.py")
bring.watch(here)
with st.sidebar:
    missing = sidebar.show(here)
    theme_watch.show()
if bring.is_open():
    with figure_card.guarded():
        mapping.show()
elif missing and here not in WITHOUT_SET:
    st.title(page.title)
    st.warning(text.md(missing), icon=":material/upload_file:")
else:
    slides.show(here)
    if about := current.about():
        st.html(f"<p class='print-only'>{html.escape(about)}</p>")
    with figure_card.guarded():
        page.run()
streamlit_internals.forget_callbacks()
