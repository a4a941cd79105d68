"""Hide until I guess: the reader says which task comes next before the bars appear; all guesses are in the link.

`hide=1` switches it on, `guesses=1.4_2.7` says that task 4 of the set was guessed at step 1 and task 7 at step 2; the
score follows from them.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.curriculum.steps import Step
from dashboard import text
from dashboard.components import figure_card, step_text
from dashboard.figures import pictures
from dashboard.pages.step.cards import View
from dashboard.session import links, widgets
from dashboard.session.current import Current

MOST_PICTURES = 16


def hiding() -> bool:
    """Whether the reader wants to guess."""
    return links.text("hide") == "1"


def switch() -> None:
    """On or off; the guesses stay."""
    st.toggle(
        "Hide until I guess",
        help="At every step you first say which task comes next; then the bars appear. Your score is in the link.",
        **widgets.synced("w-hide", hiding(), lambda on: links.put(hide=1 if on else None)),
    )


def guesses_of_link(names: Sequence[str]) -> dict[int, str]:
    """The task guessed at each step, from 1; what fits no task is left out."""
    found = {}
    for part in links.text("guesses").split("_"):
        step, _, task = part.partition(".")
        if step.isdecimal() and task.isdecimal() and 1 <= int(task) <= len(names):
            found[int(step)] = names[int(task) - 1]
    return found


def put_guess(names: Sequence[str], number: int, task: str) -> None:
    """Add a guess to those of the link."""
    guesses = guesses_of_link(names) | {number: task}
    links.put(guesses="_".join(f"{step}.{names.index(task) + 1}" for step, task in sorted(guesses.items())))


def tasks_left(view: View) -> list[str]:
    """The tasks that are left, in the order of the set, which tells nothing of their criterion."""
    left = {candidate.task for candidate in view.step.candidates}
    return [name for name in view.now.task_set.names if name in left]


def is_open(view: View) -> bool:
    """Whether the reader still has to guess here; the last task needs no guess."""
    return hiding() and view.number not in guesses_of_link(view.now.task_set.names) and len(tasks_left(view)) > 1


def ask(view: View) -> None:
    """The tasks that are left with what can be seen of them, and a button for each."""
    now, number, left = view.now, view.number, tasks_left(view)
    names = now.task_set.names
    with st.container(key="figure-guess"):
        figure_card.heading(f"Which task comes at step {number}?")
        st.markdown(
            "The method takes the candidate with the lowest **error term** (how badly its weights fit) plus "
            "**complexity term** (how far they move from the source). Which will it be?"
        )
        with st.container(horizontal=True, key="guess-choices"):
            for task in left:
                key = f"guess-{number}-{names.index(task)}"
                st.button(text.md(now.labels[task]), key=key, on_click=put_guess, args=(names, number, task))
    _picture(now, left[:MOST_PICTURES])


def _picture(now: Current, shown: Sequence[str]) -> None:
    """Points in the plane or images of these tasks, where they have any."""
    key, title, task_set = "guess-pictures", "What is left to learn", now.task_set
    if task_set.n_features == 2:
        figure_card.show(pictures.panels(task_set, key, title, now.dark, shown))
    elif task_set.image_shape is not None:
        height = 90 + 32 * max(len(shown), 4)
        figure_card.show(pictures.tiles(task_set, shown, key, title, now.dark, height))


def answer(view: View) -> None:
    """Who was right, why, and the score so far."""
    guesses, order = guesses_of_link(view.now.task_set.names), view.shown.order
    judged = [order[step - 1] == task for step, task in guesses.items() if 1 <= step <= len(order)]
    guess = guesses.get(view.number)
    if not judged:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="guess-answer"):
        told = "" if guess is None else f"{text.md(verdict(guess, view.step))} "
        st.markdown(f"{told}**Score: {sum(judged)} of {len(judged)}.**")
        st.button(
            "Guess again from the start",
            key="guess-reset",
            icon=":material/undo:",
            on_click=lambda: links.put(guesses=None, step=None, pick=None),
        )


def verdict(guess: str, step: Step) -> str:
    """What became of a guess, as plain text."""
    if guess == step.chosen.task:
        return f"You guessed {text.quoted(guess)}, and so it is."
    own = [candidate for candidate in step.candidates if candidate.task == guess]
    if not own:
        return f"You guessed {text.quoted(guess)}, which was learned before this step."
    best = min(own, key=lambda candidate: candidate.criterion)
    better = sum(candidate.criterion < best.criterion for candidate in step.candidates)
    return (
        f"You guessed {text.quoted(guess)}: its criterion is {best.criterion:.3f}, and {better} of "
        f"{len(step.candidates)} candidates {'has' if better == 1 else 'have'} a lower one. "
        f"It is {step_text.named(step.chosen)}."
    )
