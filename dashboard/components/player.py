"""Forward, back, play and jump, by mouse and keyboard; the step is in the link.

The browser counts presses and asks for a step by its number (see `player.js`), since people press faster than a server
draws; Play waits until a step is on screen before it goes on. Answers by digit come with the screen they were given on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dashboard.session import links, widgets

SECONDS = 1.6
"""Between two steps when playing."""
_KEY, _SCREENS = "player", "screens"
"""Each sends, as `at`, the wanted step and `seq`, the number of that wish."""
_player = widgets.own_part("player", __file__)
_screens = widgets.own_part(
    "screens", __file__, html=Path(__file__).with_name("screens.html").read_text(encoding="utf-8")
)


def show(names: Sequence[str]) -> int:
    """The controls of a curriculum whose steps have these names; returns the step on screen, from 1."""
    step = links.whole("step", 1, 1, len(names))
    seq = widgets.sent(_KEY, "at").get("seq", 0)
    data = {"kind": _KEY, "step": step, "seq": seq, "steps": list(names), "pace": int(1000 * SECONDS)}
    _player(key=_KEY, data=data, on_at_change=_moved)
    return step


def screens(
    names: Sequence[str],
    at: int,
    chapter: int,
    go: Callable[[int, Mapping[int, int]], None],
    *,
    choices: Sequence[int],
    word: str,
    quiet: bool = False,
    slides: bool = False,
) -> None:
    """The controls of a chapter's screens: `go` gets the wanted one, from 1, or one more for what comes after them.

    `choices` are the numbers of choices of the screens' questions, 0 where none is open; `go` also gets the choices
    made since, from 0, by the number of their screen. `word` is on the button forward, which is less prominent while
    something on the screen waits (`quiet`). Among `slides`, keys go through the figures, and 0 is what comes before the
    first screen.
    """
    data = {
        "kind": _SCREENS,
        "step": at,
        "seq": widgets.sent(_SCREENS, "at").get("seq", 0),
        "steps": list(names),
        "slides": slides,
        "most": len(names) + 1,
        "choices": list(choices),
        "chapter": chapter,
        "next": word,
        "quiet": quiet,
        "top": True,
    }

    def moved() -> None:
        wish = widgets.sent(_SCREENS, "at")
        wanted, answers = wish.get("step"), _answers(wish, choices)
        if wish.get("chapter") == chapter and isinstance(wanted, int) and (wanted != at or answers):
            go(min(max(wanted, 0), len(names) + 1), answers)

    _screens(key=_SCREENS, data=data, on_at_change=moved)


def _answers(wish: dict[str, Any], choices: Sequence[int]) -> dict[int, int]:
    """The answers of a wish that fit an open question, from 0, by screen, from 1."""
    sent = wish.get("answers")
    pairs = [pair for pair in sent if isinstance(pair, list) and len(pair) == 2] if isinstance(sent, list) else []
    return {
        screen: choice - 1
        for screen, choice in pairs
        if isinstance(screen, int) and isinstance(choice, int)
        if 1 <= screen <= len(choices) and 1 <= choice <= choices[screen - 1]
    }


def _moved() -> None:
    """Put the wanted step in the link; `links.whole` brings it into its range."""
    step = widgets.sent(_KEY, "at").get("step")
    if isinstance(step, int) and links.text("step", "1") != str(step):
        links.put(step=None if step == 1 else step, pick=None)
