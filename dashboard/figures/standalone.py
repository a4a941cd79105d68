"""A figure as a page of its own that works offline: with its title, what it shows, and the paper it was drawn for."""

from __future__ import annotations

import html

import plotly.graph_objects as go

from dashboard import theme


def page(chart: go.Figure, title: str, about: str) -> str:
    """The HTML; title and `about` (the set and its settings) are plain text."""
    ink = theme.ink(chart.layout.template.layout.font.color == theme.DARK.text)
    style = (
        f"body {{ background: {ink.paper}; color: {ink.text}; font: 17px/1.4 {theme.FONT}; margin: 1.5rem; }} "
        f"h1 {{ font-size: 1.4rem; margin: 0; }} p {{ color: {ink.muted}; margin: 0.3rem 0 1rem; }}"
    )
    named = html.escape(f"{title} ({about})" if about else title)
    heading = f"<h1>{html.escape(title)}</h1><p>{html.escape(about)}</p>"
    shown: str = chart.to_html(include_plotlyjs=True, config={"displaylogo": False, "responsive": True})
    return shown.replace("<head>", f"<head><title>{named}</title><style>{style}</style>", 1).replace(
        "<body>", f"<body>{heading}", 1
    )
