"""Hide until I guess: the reader says which task comes next before the bars appear; all guesses are in the link.

`hide=1` switches it on, `guesses=1.4_2.7` says that task 4 of the set was guessed at step 1 and task 7 at step 2; the
score follows from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.curriculum.steps import Step
from dashboard import text
from dashboard.components import figure_card, step_text
from dashboard.figures import images, scatter
from dashboard.session import current, links, widgets
from dashboard.session.current import Current

MOST_PICTURES = 16


def hiding() -> bool:
    """Whether the reader wants to guess."""
    return links.text("hide") == "1"


def switch() -> None:
    """On or off; the guesses stay."""
    hide_key = widgets.synced_key("w-hide", hiding())
    st.toggle(
        "Hide until I guess",
        key=hide_key,
        help="At every step you first say which task comes next; then the bars appear. Your score is in the link.",
        on_change=lambda: links.put(hide=1 if st.session_state[hide_key] else None),
    )


def made(names: Sequence[str]) -> dict[int, str]:
    """The task guessed at each step, from 1; what fits no task is left out."""
    found = {}
    for part in links.text("guesses").split("_"):
        step, _, task = part.partition(".")
        if step.isdecimal() and task.isdecimal() and 1 <= int(task) <= len(names):
            found[int(step)] = names[int(task) - 1]
    return found


def put(guesses: Mapping[int, str], names: Sequence[str]) -> None:
    """Keep guesses in the link."""
    place = {name: k for k, name in enumerate(names, start=1)}
    links.put(guesses="_".join(f"{step}.{place[task]}" for step, task in sorted(guesses.items())))


def score(guesses: Mapping[int, str], order: Sequence[str]) -> tuple[int, int]:
    """How many guesses were right, and how many were made."""
    judged = [order[step - 1] == task for step, task in guesses.items() if 1 <= step <= len(order)]
    return sum(judged), len(judged)


def choices(now: Current, step: Step) -> list[str]:
    """The tasks that are left, in the order of the set, which tells nothing of their criterion."""
    left = {candidate.task for candidate in step.candidates}
    return [name for name in now.task_set.names if name in left]


def is_open(now: Current, step: Step, number: int) -> bool:
    """Whether the reader still has to guess here; the last task needs no guess."""
    return hiding() and number not in made(now.task_set.names) and len(choices(now, step)) > 1


def ask(now: Current, step: Step, number: int) -> None:
    """The tasks that are left with what can be seen of them, and a button for each."""
    names, left = now.task_set.names, choices(now, step)
    with st.container(key="figure-guess"):
        figure_card.heading(f"Which task comes at step {number}?")
        st.markdown(
            "The method takes the candidate with the lowest **error term** (how badly its weights fit) plus "
            "**complexity term** (how far they move from the source). Which will it be?"
        )
        with st.container(horizontal=True, key="guess-choices"):
            for task in left:
                st.button(
                    text.md(now.labels[task]),
                    key=f"guess-{number}-{now.task_set.index(task)}",
                    on_click=lambda task=task: put(made(names) | {number: task}, names),
                )
    _pictures(now, left)


def _pictures(now: Current, left: Sequence[str]) -> None:
    shown = tuple(left[:MOST_PICTURES])
    title, key = "What is left to learn", "guess-pictures"
    if now.task_set.n_features == 2:
        prepared = scatter.Preparation(now.normalizes, now.has_bias)
        figure_card.figure(
            current.drawn(now, (key, shown), lambda: scatter.planes(now.task_set, shown, {}, prepared, now.dark)),
            key=key,
            title=title,
            read="A panel a task, all on the same axes. Circles are the positive class, crosses the negative one.",
            alt=f"Points of the tasks {text.listed(shown, 8)} in the plane.",
        )
    elif now.task_set.image_shape is not None:
        found = images.tiles(now.task_set, shown)
        height = 90 + 32 * max(len(shown), 4)
        figure_card.figure(
            current.drawn(now, (key, shown), lambda: images.tiles_figure(found, now.dark, height)),
            key=key,
            title=title,
            read="A row a task: some training images of the positive class, then some of the negative one.",
            alt=f"Training images of the tasks {text.listed(shown, 8)}.",
        )


def answer(now: Current, step: Step, number: int, order: Sequence[str]) -> None:
    """Who was right, why, and the score so far."""
    names = now.task_set.names
    guesses = made(names)
    guess = guesses.get(number)
    right, count = score(guesses, order)
    with st.container(horizontal=True, vertical_alignment="center", key="guess-answer"):
        if guess is not None:
            st.markdown(f"{text.md(verdict(guess, step))} **Score: {right} of {count}.**")
        elif count:
            st.markdown(f"**Score: {right} of {count}.**")
        if count:
            st.button("Guess again from the start", key="guess-reset", on_click=_again, icon=":material/undo:")


def _again() -> None:
    links.put(guesses=None, step=None, pick=None)


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
