"""The dashboard's entry script, run by Streamlit: it only reads the link, shows the sidebar and navigates."""

import html
from pathlib import Path

import streamlit as st

from dashboard.session import tidying

tidying.wait()

from dashboard import text
from dashboard.parts import framing
from dashboard.session import current, links
from dashboard.session.frontpage import PAGES
from dashboard.shell import sidebar, slides, themewatch, upload
from dashboard.shell.bring import mapping
from dashboard.shell.bring import state as bring

HERE = Path(__file__).resolve().parent
WITHOUT_SET = ("runs", "lessons", "draw")  # they have something to show when no task set is selected

st.set_page_config(page_title="Curriculab", page_icon=str(HERE / "icon.svg"), layout="wide")
st.html(HERE / "style.css")
st.html(HERE / "print.css")
if themewatch.dark():
    st.html(HERE / "style-dark.css")
st.logo(HERE / ("wordmark-dark.svg" if themewatch.dark() else "wordmark.svg"), size="large")
pages = [
    st.Page(f"views/{name}.py", title=title, icon=icon, url_path=name, default=name == "tasks")
    for name, title, icon in PAGES
    if (HERE / "views" / f"{name}.py").exists()
]
page = st.navigation(pages, expanded=True)
links.read(page.url_path or "tasks")
wanted = upload.page_wanted()
for other in pages:
    if (other.url_path or "tasks") == wanted and other.url_path != page.url_path:
        st.switch_page(other)
bring.watch(page.url_path or "tasks")
with st.sidebar:
    missing = sidebar.show(page.url_path or "tasks")
    themewatch.show()
if bring.is_open():
    with framing.guarded():
        mapping.show()
elif missing and page.url_path not in WITHOUT_SET:
    st.title(page.title)
    st.warning(text.md(missing), icon=":material/upload_file:")
else:
    slides.show(page.url_path or "tasks")
    if about := current.about():
        st.html(f"<p class='print-only'>{html.escape(about)}</p>")
    with framing.guarded():
        page.run()
tidying.forget_callbacks()
