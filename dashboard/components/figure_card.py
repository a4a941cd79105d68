"""A figure on a page: its finding as title, the chart with a text alternative, how to read it, its table, downloads.

figure_card.figure(
    figure,                      # from dashboard.figures.*, plotted with `now.dark`
    key="difficulty",            # unique on the page; also the name of downloaded files
    title="Harder tasks ...",    # the finding or the question; plain text, it is escaped here
    read="Each dot is ...",      # how to read this, Markdown of our own
    alt="Scatter of ...",        # text alternative, plain text
    table=frame,                 # pandas.DataFrame twin, shown on demand and downloaded as CSV
    on_click=callback,           # optional: gets the `customdata` of a point that is clicked
)
"""

from __future__ import annotations

import logging
import mimetypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.errors import CurriculabError
from dashboard import text, theme
from dashboard.figures.plot import Picture
from dashboard.reports.page import figure_page
from dashboard.server.serving import error_for_visitor, serving
from dashboard.session import current, links
from data.tables.writer import safe_cell

_LOG = logging.getLogger(__name__)
_MIME = mimetypes.MimeTypes()  # those of Python, whatever the machine has
CONFIG = {
    "displaylogo": False,
    "responsive": True,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"],
}


def figure(
    chart: go.Figure,
    *,
    key: str,
    title: str,
    read: str,
    alt: str,
    table: pd.DataFrame | None = None,
    on_click: Callable[[Any], object] | None = None,
    controls: Callable[[], None] | None = None,
) -> None:
    """Show a figure with everything that belongs to it; `controls` are shown between title and chart.

    Cards beside each other are of one height. A slide has nothing but title and chart.
    """
    slide = large()
    with st.container(key=f"figure-{key}", gap="xsmall", height="stretch"):
        heading(title)
        if controls is not None and not slide:
            controls()
        config = CONFIG | {
            "toImageButtonOptions": {"format": "svg", "scale": 2, "filename": f"curriculab-{key}"},
            "staticPlot": not chart.data,  # a picture alone
            "displayModeBar": False if slide else "hover",
        }
        st.plotly_chart(
            theme.enlarged(chart) if slide else chart,
            key=f"chart-{key}",
            theme=None,
            width="stretch",
            config=config,
            alt=alt,
            on_select="ignore" if on_click is None else partial(tell_click, key, on_click),
            selection_mode="points",
            height="stretch" if slide else "content",
        )
        if not slide:
            with st.container(horizontal=True, gap="small", key=f"below-{key}"):
                _below(chart, key, title, read, table)


def show(picture: Picture) -> None:
    """Show a picture: a figure that was made with its words."""
    figure(**vars(picture))


def large() -> bool:
    """Whether figures are slides: one at a time, readable from the last row."""
    return links.text("slides") == "1"


def _below(chart: go.Figure, key: str, title: str, read: str, table: pd.DataFrame | None) -> None:
    """How to read the chart, its table, its downloads."""
    with st.expander("How to read this", icon=":material/help:"):
        st.markdown(read)
    if table is not None:
        # Its rows are sent when somebody opens it; below the figure, which stays in sight.
        with st.expander(
            "Table", icon=":material/table:", key=f"show-table-{key}", on_change=links.ignore_stale_address
        ) as twin:
            if twin.open:
                _table(table, key)
    about = current.about_figure()
    download(
        "HTML",
        lambda: figure_page(chart, title, about).encode(),
        f"curriculab-{key}.html",
        f"html-{key}",
        type="tertiary",
        help="This figure as a page of its own that works offline.",
    )


def _table(table: pd.DataFrame, key: str) -> None:
    st.dataframe(table, hide_index=True, key=f"table-{key}", alt=f"Table of {key}")
    # At once: what is made at the click is lost when the page runs just then.
    download("Download CSV", csv_bytes(table), f"curriculab-{key}.csv", f"csv-{key}")


def download(label: str, data: bytes | Callable[[], bytes], name: str, key: str, **look: Any) -> None:
    """A button that saves a file of that name, which is given or made at the click, and does not run the page again."""
    mime = _MIME.guess_type(name)[0] or "application/octet-stream"
    look = {"icon": ":material/download:"} | look
    st.download_button(label, data, name, mime, key=key, on_click="ignore", **look)


@contextmanager
def guarded(
    what: str = "This page", after: str = "Nothing is lost: the address holds your selection."
) -> Iterator[None]:
    """Tell what goes wrong inside in a sentence, so that the rest of the screen stays usable."""
    try:
        yield
    except CurriculabError as error:
        st.error(text.md(error_for_visitor(error)), icon=":material/error:")
    except Exception as error:
        _LOG.exception("%s failed", what)
        why = "" if serving().public else f" ({type(error).__name__}: {error})"
        st.error(
            text.md(f"{what} met a problem that nobody foresaw{why}. {after} The log of the server says more."),
            icon=":material/error:",
        )


def heading(title: str, level: int = 4) -> None:
    """A heading of plain text."""
    st.markdown(f"{'#' * level} {text.md(title)}", anchors=False)


def tell_click(key: str, on_click: Callable[[Any], object]) -> None:
    """Tell what was clicked in a figure; one that is drawn anew reports an empty selection."""
    event = st.session_state.get(f"chart-{key}")
    points = event["selection"]["points"] if event else []
    found = points[0].get("customdata") if points else None
    if found is not None:
        on_click(found[0] if isinstance(found, list) and len(found) == 1 else found)


def csv_bytes(table: pd.DataFrame) -> bytes:
    """A table as CSV; a name that looks like a formula gets an apostrophe."""
    return table.map(safe_cell).rename(columns=safe_cell).to_csv(index=False).encode()
