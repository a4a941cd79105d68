"""Page 7: lessons one does. A screen at a time: an idea, a figure, a guess, then the answer, computed here and now."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard import text
from dashboard.components import figure_card, order_editor, player, theme_watch
from dashboard.lessons import LESSONS
from dashboard.lessons import lesson as teaching
from dashboard.lessons.lesson import C_GRID, Lesson, Picture, Question, Screen, Seen
from dashboard.session import current, links, widgets
from dashboard.session.current import Current, Settings

PAGES = Path(__file__).parents[1]
TITLES = {"orders": "Orders", "step": "Step through", "subsequences": "Subsequences", "draw": "Draw"}


def main() -> None:
    """The list of lessons, or one screen of one of them."""
    number = links.whole("lesson", 0, 0, len(LESSONS))
    if number == 0:
        overview()
    else:
        teach(number, LESSONS[number - 1])


def overview() -> None:
    """Every lesson with one line and a button."""
    with st.container(key="figure-overview" if figure_card.large() else "overview"):
        st.title("Lessons")
        if not figure_card.large():
            st.markdown(
                "Each lesson is a handful of screens. Look, **guess**, and then see the answer, computed while you "
                "wait. You need to know what a linear classifier is, and nothing else."
            )
        _listed()


def _listed() -> None:
    for number, lesson in enumerate(LESSONS, start=1):
        with st.container(key=f"lesson-{number}", horizontal=True, vertical_alignment="center", border=True):
            with st.container():
                figure_card.heading(f"{number}. {lesson.title}")
                if not figure_card.large():
                    st.markdown(lesson.about)
            st.button(
                f"Start lesson {number}",
                key=f"start-{number}",
                shortcut=str(number),
                type="primary" if number == 1 else "secondary",
                on_click=go,
                args=(number,),
            )


def go(number: int) -> None:
    """Begin a lesson, or show the list of them (0), in one change of the link, as each is a place to go back to."""
    links.put(lesson=number or None, screen=None, figure=None, guess=None, mine=None, lessonC=None)


def teach(number: int, lesson: Lesson) -> None:
    """One lesson: what it needs is computed once, then a screen at a time is shown."""
    task_set = current.built_in(lesson.task_set, 0)
    now = Current(task_set, Settings(), theme_watch.dark())
    with st.container(horizontal=True, vertical_alignment="center", key="lesson-of"):
        st.caption(f"Lesson {number} of {len(LESSONS)}: {lesson.title}", width="content")
        st.button("All lessons", key="all-lessons", type="tertiary", on_click=go, args=(0,))
    study = current.result(
        now, f"lesson-{number}", f"Computing lesson {number}", lambda report: lesson.study(task_set, report)
    )
    if study is None:
        return
    seen = Seen(links.text("guess"), chosen_C(), chosen_order(now), now.dark)
    screens = lesson.screens(study, seen)
    guesses = teaching.checked(seen.guesses, screens)
    place = links.whole("screen", 1, 1, len(screens))
    show(now, number, screens, place, guesses)
    if place == len(screens):
        finish(number, lesson)


def chosen_C() -> float:
    """The C of the slider."""
    options = {f"{C:g}": C for C in C_GRID}
    return options[links.choice("lessonC", tuple(options), "1000")]


def chosen_order(now: Current) -> tuple[str, ...]:
    """The reader's own order; at first one that nobody would choose."""
    names = now.task_set.names
    return links.decode_order(links.text("mine"), names) or (*names[1::2], *names[::2])


def show(now: Current, number: int, screens: tuple[Screen, ...], place: int, guesses: str) -> None:
    """A screen with its way back and on."""
    screen = screens[place - 1]
    guess = Seen(guesses).guess(place)
    open_yet = screen.question is not None and guess is None
    with st.container(key="slide-words"):
        st.title(screen.title)
        st.markdown(screen.words)
        if screen.tool == "C":
            slider()
    with st.container(key="lesson-screen"):
        left, right = st.columns(2, gap="medium")
    with left:
        draw(screen.picture())
    with right:
        with st.container(key="figure-question"):
            if screen.tool == "arrange" and open_yet:
                order_editor.show(chosen_order(now), now, {})
            if screen.question is not None:
                ask(screen.question, number, place, guess)
            if screen.then and not open_yet:
                st.markdown(screen.then)
        with st.container():  # also when empty, so that the controls below keep their place and count on
            if screen.reveal is not None and not open_yet:
                draw(screen.reveal())
        steer(number, screens, place, guesses, open_yet)


def ask(question: Question, number: int, place: int, guess: int | None) -> None:
    """The choices, or what was guessed and what is so.

    Keys name the screen: a click that was made before the next screen was drawn never counts for that one.
    """
    figure_card.heading(question.asked)

    def put(choice: int | None) -> None:
        links.put(guess=teaching.with_guess(links.text("guess"), place, choice))

    if guess is None:
        for k, choice in enumerate(question.choices):
            st.button(
                choice,
                key=f"choice-{number}-{place}-{k + 1}",
                shortcut=str(k + 1),  # shown on the button; the key itself is heard by the player
                width="stretch",
                on_click=put,
                args=(k,),
            )
        return
    right = guess == question.right
    said = f"You said: {question.choices[guess]}."
    verdict = f"**{said} That is right.**" if right else f"**{said} It is: {question.choices[question.right]}.**"
    (st.success if right else st.info)(
        f"{verdict} {question.told}", icon=":material/check_circle:" if right else ":material/lightbulb:"
    )
    st.button(
        "Guess again",
        key=f"again-{number}-{place}",
        type="tertiary",
        icon=":material/undo:",
        on_click=put,
        args=(None,),
    )


def slider() -> None:
    """How much a mistake costs; the figure follows."""
    st.select_slider(
        "C, how much a mistake costs",
        C_GRID,
        format_func=lambda value: f"{value:g}",
        **widgets.synced("w-lesson-C", chosen_C(), lambda value: links.put(lessonC=f"{value:g}")),
    )


def steer(number: int, screens: tuple[Screen, ...], place: int, guesses: str, open_yet: bool) -> None:
    """Back, next, any screen, and the score; the next lesson follows the last screen, the list the last lesson."""
    after = number % len(LESSONS) and number + 1

    def turn(screen: int, answers: Mapping[int, int]) -> None:
        made = links.text("guess")
        for answered, choice in answers.items():
            made = teaching.with_guess(made, answered, choice)
        if links.whole("lesson", 0, 0, len(LESSONS)) != number:  # left by a click that was made before the key
            links.ignore_stale_address()
        elif 1 <= screen <= len(screens):
            links.put(screen=None if screen == 1 else screen, figure=None, guess=made)
        else:
            go(after if screen else 0)

    right, made = teaching.score(guesses, screens)
    last = place == len(screens)
    with st.container(vertical_alignment="center", key="steer", gap="small"):
        player.screens(
            [screen.title for screen in screens],
            place,
            number,
            turn,
            choices=teaching.open_choices(guesses, screens),
            word="Skip" if open_yet and not last else "Next" if not last else "Next lesson" if after else "All lessons",
            quiet=open_yet or last,
            slides=figure_card.large(),
        )
        scored = f" Score: **{right} of {made}**." if made else ""
        st.markdown(f"Screen {place} of {len(screens)}.{scored}", width="content")


def draw(picture: Picture) -> None:
    """One figure of a lesson, framed as everywhere; no taller than it needs, as nothing stands beside it."""
    with st.container():
        figure_card.figure(
            picture.chart,
            key=picture.key,
            title=picture.title,
            read=picture.read,
            alt=picture.alt,
            table=picture.table,
        )


def finish(number: int, lesson: Lesson) -> None:
    """The next lesson, and where the same can be looked at more closely."""
    with st.container(horizontal=True, key="finish", vertical_alignment="center"):
        if number < len(LESSONS):
            st.button(
                f"Lesson {number + 1}: {LESSONS[number].title}",
                key="next-lesson",
                type="primary",
                icon=":material/school:",
                on_click=go,
                args=(number + 1,),
            )
        if (PAGES / lesson.page / "page.py").exists():
            st.page_link(
                f"pages/{lesson.page}/page.py",
                label=text.md(f"Look closer on {TITLES[lesson.page]}"),
                icon=":material/arrow_forward:",
                query_params=dict[str, Any](lesson.link),
            )


main()
