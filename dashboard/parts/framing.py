"""A figure on a page: its finding as title, the chart with a text alternative, how to read it, its table, downloads.

show.figure(
    figure,                      # from dashboard.figures.*, drawn with `now.dark`
    key="difficulty",            # unique on the page; also the name of downloaded files
    title="Harder tasks ...",    # the finding or the question; plain text, it is escaped here
    read="Each dot is ...",      # how to read this, Markdown of our own
    alt="Scatter of ...",        # text alternative, plain text
    table=frame,                 # pandas.DataFrame twin, shown on demand and downloaded as CSV
    on_select=callback,          # optional: a click on a point calls it; read `show.clicked(key)` in it
)
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.errors import CurriculabError
from dashboard import text

_LOG = logging.getLogger(__name__)
CONFIG = {
    "displaylogo": False,
    "responsive": True,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"],
    "toImageButtonOptions": {"format": "svg", "scale": 2},
}


def figure(
    chart: go.Figure,
    *,
    key: str,
    title: str,
    read: str,
    alt: str,
    table: pd.DataFrame | None = None,
    on_select: Callable[[], None] | None = None,
    level: int = 4,
    static: bool = False,
) -> None:
    """Show a figure with everything that belongs to it."""
    with st.container(key=f"figure-{key}", gap="xsmall"):
        heading(title, level)
        picture = CONFIG["toImageButtonOptions"] | {"filename": f"curriculab-{key}"}  # type: ignore[operator]
        config = CONFIG | {"toImageButtonOptions": picture, "staticPlot": static}
        st.plotly_chart(
            chart,
            key=chart_key(key),
            theme=None,
            width="stretch",
            config=config,
            alt=alt,
            on_select=on_select or "ignore",
            selection_mode="points",
        )
        below(chart, key=key, read=read, table=table)


def below(chart: go.Figure | None, *, key: str, read: str, table: pd.DataFrame | None) -> None:
    """The row under a chart: how to read it, its table, its downloads."""
    with st.container(horizontal=True, gap="small", key=f"below-{key}"):
        with st.popover("How to read this", type="tertiary", icon=":material/help:"):
            st.markdown(read)
        if table is not None:
            with st.popover("Table", type="tertiary", icon=":material/table:"):
                st.dataframe(table, hide_index=True, key=f"table-{key}", alt=f"Table of {key}")
                st.download_button(
                    "Download CSV",
                    data=lambda: csv_bytes(table),
                    file_name=f"curriculab-{key}.csv",
                    mime="text/csv",
                    key=f"csv-{key}",
                    on_click="ignore",
                    icon=":material/download:",
                )
        if chart is not None:
            st.download_button(
                "HTML",
                data=lambda: chart.to_html(include_plotlyjs=True).encode(),
                file_name=f"curriculab-{key}.html",
                mime="text/html",
                key=f"html-{key}",
                on_click="ignore",
                type="tertiary",
                icon=":material/download:",
                help="This figure as a page of its own that works offline.",
            )


@contextmanager
def guarded() -> Iterator[None]:
    """Tell what goes wrong inside in a sentence, so that the rest of the screen stays usable."""
    try:
        yield
    except CurriculabError as error:
        st.error(text.md(str(error)), icon=":material/error:")
    except Exception as error:
        _LOG.exception("a page failed")
        st.error(
            text.md(f"This page met a problem that nobody foresaw ({type(error).__name__}: {error}). ")
            + "Nothing is lost: the address holds your selection. The log of the server says more.",
            icon=":material/error:",
        )


def heading(title: str, level: int = 4) -> None:
    """A heading of plain text."""
    st.markdown(f"{'#' * level} {text.md(title)}", anchors=False)


def chart_key(key: str) -> str:
    """The widget key of a figure's chart."""
    return f"chart-{key}"


def clicked(key: str) -> Any:
    """The `customdata` of the point that was clicked in a figure, or None; for use in `on_select`."""
    event = st.session_state.get(chart_key(key))
    points = event["selection"]["points"] if event else []
    return points[0].get("customdata") if points else None


def csv_bytes(table: pd.DataFrame) -> bytes:
    """A table as CSV; a name that looks like a formula gets an apostrophe."""
    safe = table.copy()
    for column in safe.columns:
        if not pd.api.types.is_numeric_dtype(safe[column]):
            safe[column] = [
                f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" and cell else cell
                for cell in safe[column]
            ]
    return safe.to_csv(index=False).encode("utf-8")
