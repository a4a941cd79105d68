"""The page that a browser loads first: where the server is, and which scripts are fetched at once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import streamlit
from starlette.requests import Request

import dashboard
from dashboard.server import frontpage

STATIC = Path(streamlit.__file__).parent / "static"


def test_every_page_has_a_view_and_gets_the_front_page() -> None:
    routes = {route.path: route for route in frontpage.routes()}
    assert sorted(routes) == ["/", *sorted(f"/{name}" for name, _, _ in frontpage.PAGES)]
    for path, route in routes.items():
        if path == "/tasks":
            continue
        with pytest.raises(StopIteration) as ended:
            route.endpoint(None).send(None)
        answer = ended.value.value
        assert answer.body.decode() == frontpage.text()
        assert answer.headers["cache-control"] == "no-cache"
    for name, title, _ in frontpage.PAGES:
        assert title
        assert (Path(dashboard.__file__).parent / "pages" / name / "page.py").is_file()


@pytest.mark.parametrize(
    ("asked", "led_to"), [("/tasks", "./"), ("/tasks?set=plane-tree&C=10", "./?set=plane-tree&C=10")]
)
def test_the_address_of_the_first_page_leads_to_the_root_with_what_it_holds(asked: str, led_to: str) -> None:
    path, _, query = asked.partition("?")
    [route] = [route for route in frontpage.routes() if route.path == path]
    scope = {"type": "http", "path": path, "query_string": query.encode(), "headers": [(b"host", b"a.example")]}
    with pytest.raises(StopIteration) as ended:
        route.endpoint(Request(scope)).send(None)
    assert ended.value.value.status_code == 307
    assert ended.value.value.headers["location"] == led_to


def test_what_is_fetched_at_once_is_there_and_streamlits_own_page_is_kept() -> None:
    plain = (STATIC / "index.html").read_text(encoding="utf-8")
    page = frontpage.text()
    added = page.replace(plain[: plain.index("<title>")], "", 1).split("<title>")[0]
    assert page == plain.replace("<title>", f"{added}<title>", 1)
    names = re.findall(r'href="\./static/js/([^"]+)"', added)
    assert sorted(name.split(".")[0] for name in names) == sorted(frontpage.SOON)
    for name in names:
        assert (STATIC / "static" / "js" / name).is_file()
        assert added.count(name) == 2  # fetched, and run
    assert "BACKEND_BASE_URL" in added
