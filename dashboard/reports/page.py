"""Self-contained HTML pages of text, tables and live plots: a report of many sections, or one figure."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable

import pandas as pd
import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from dashboard import theme
from dashboard.figures.plot import Picture

STYLE = """
body { font: 17px/1.5 "Source Sans 3", "Helvetica Neue", Arial, sans-serif; color: #1c2733; background: #fff;
  max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
table { border-collapse: collapse; margin: 0.5rem 0; } th, td { padding: 0.2rem 0.8rem; text-align: right; }
th { border-bottom: 2px solid #9aa5b1; } td { border-bottom: 1px solid #e4e8ec; }
th:first-child, td:first-child { text-align: left; } .scroll { overflow-x: auto; }
p.read { color: #52606d; } summary { cursor: pointer; color: #52606d; } dt { font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
@page { size: A4; margin: 15mm; }
@media print { body { font-size: 11pt; max-width: none; margin: 0; padding: 0; } section { break-inside: avoid; }
  h2 { break-after: avoid; margin-top: 1rem; } details { display: none; } .js-plotly-plot { max-width: 100%; } }
"""
MOST_ROWS = 500


def page(title: str, settings: dict[str, str], pictures: Iterable[Picture]) -> str:
    """A report: the whole document of its settings and pictures; all text is escaped here."""
    rows = "".join(f"<dt>{html.escape(k)}</dt><dd>{html.escape(v)}</dd>" for k, v in settings.items())
    sections = [_section(picture, number) for number, picture in enumerate(pictures, start=1)]
    body = "\n".join([f"<section><h2>Settings</h2><dl>{rows}</dl></section>", *sections])
    return _document(title, STYLE, f"<h1>{html.escape(title)}</h1>\n{body}")


def figure_page(chart: go.Figure, title: str, about: str) -> str:
    """One figure in its own theme, with its title and `about`: the set and its settings, plain text."""
    ink = theme.ink(chart.layout.template.layout.font.color == theme.DARK.text)
    style = (
        f"body {{ background: {ink.paper}; color: {ink.text}; font: 17px/1.4 {theme.FONT}; margin: 1.5rem; }} "
        f"h1 {{ font-size: 1.4rem; margin: 0; }} p {{ color: {ink.muted}; margin: 0.3rem 0 1rem; }}"
    )
    heading = f"<h1>{html.escape(title)}</h1><p>{html.escape(about)}</p>"
    return _document(f"{title} ({about})" if about else title, style, heading + _plot(chart, "figure"))


def _document(title: str, style: str, body: str) -> str:
    """Scripts are allowed to this page alone, and nothing may be fetched."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{style}</style>\n<script>{get_plotlyjs()}</script>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _plot(chart: go.Figure, name: str) -> str:
    """A live figure; the document holds Plotly."""
    config = {"displaylogo": False, "responsive": True}
    shown: str = chart.to_html(full_html=False, include_plotlyjs=False, div_id=name, config=config)
    return shown


def _section(picture: Picture, number: int) -> str:
    title, alt, read = map(html.escape, (picture.title, picture.alt, picture.read))
    shown = f'<h2>{title}</h2><div role="img" aria-label="{alt}">{_plot(picture.chart, f"figure-{number}")}</div>'
    if read:
        shown += f'<p class="read">{read}</p>'
    if picture.table is not None:
        shown += f"<details><summary>Table</summary>{_table(picture.table)}</details>"
    return f"<section>{shown}</section>"


def _table(frame: pd.DataFrame) -> str:
    head = "".join(f"<th>{html.escape(str(column))}</th>" for column in frame.columns)
    rows = [
        "<tr>" + "".join(f"<td>{html.escape(_cell(value))}</td>" for value in row) + "</tr>"
        for row in frame.head(MOST_ROWS).itertuples(index=False, name=None)
    ]
    cut = f"<p class='read'>The first {MOST_ROWS} of {len(frame)} rows.</p>" if len(frame) > MOST_ROWS else ""
    return f'<div class="scroll"><table><tr>{head}</tr>{"".join(rows)}</table></div>{cut}'


def _cell(value: object) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float):
        return f"{value:.2g}" if 0 < abs(value) < 0.01 else f"{value:.4g}" if abs(value) >= 100 else f"{value:.2f}"
    return str(value)
