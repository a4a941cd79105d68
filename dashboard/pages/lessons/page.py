"""Page 7: lessons one does. A screen at a time: an idea, a figure, a guess, then the answer, computed here and now."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dashboard.components import figure_card, order_editor, player, theme_watch
from dashboard.lessons import LESSONS
from dashboard.lessons import lesson as teaching
from dashboard.lessons.lesson import C_GRID, Lesson, Question, Screen, Seen
from dashboard.session import current, links, widgets
from dashboard.session.current import Current, Settings

SLIDER = tuple(f"{C:g}" for C in C_GRID)
TITLES = {"orders": "Orders", "step": "Step through", "subsequences": "Subsequences"}


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
    found = current.result(now, f"lesson-{number}", f"Computing lesson {number}", lesson.study)
    if found is None:
        return
    screens = lesson.screens(found, Seen(float(chosen_C()), chosen_order(now), now.dark))
    place = links.whole("screen", 1, 1, len(screens))
    show(now, number, screens, place, teaching.answers(links.text("guess"), screens))
    if place == len(screens):
        finish(number, lesson)


def chosen_C() -> str:
    """The C of the slider."""
    return links.choice("lessonC", SLIDER, "1000")


def chosen_order(now: Current) -> tuple[str, ...]:
    """The reader's own order; at first one that nobody would choose."""
    names = now.task_set.names
    return links.decode_order(links.text("mine"), names) or (*names[1::2], *names[::2])


def show(now: Current, number: int, screens: Sequence[Screen], place: int, made: Sequence[int | None]) -> None:
    """A screen with its way back and on; `made` are the guesses."""
    screen, guess = screens[place - 1], made[place - 1]
    with st.container(key="slide-words"):
        st.title(screen.title)
        st.markdown(screen.words)
        if screen.tool == "C":
            put = widgets.synced("w-lesson-C", chosen_C(), lambda C: links.put(lessonC=C))
            st.select_slider("C, how much a mistake costs", SLIDER, **put)
    with st.container(key="lesson-screen"):
        left, right = st.columns(2, gap="medium")
    with left, st.container():  # no taller than the figure needs: nothing stands beside it
        figure_card.show(screen.picture())
    with right:
        with st.container(key="figure-question"):
            if screen.tool == "arrange" and guess is None:
                order_editor.show(chosen_order(now), now, {})
            ask(screen.question, number, place, guess)
            if screen.then and guess is not None:
                st.markdown(screen.then)
        with st.container():  # also when empty, so that the controls below keep their place and count on
            if screen.reveal is not None and guess is not None:
                figure_card.show(screen.reveal())
        steer(number, screens, place, made)


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


def steer(number: int, screens: Sequence[Screen], place: int, made: Sequence[int | None]) -> None:
    """Back, next, any screen, and the score; the next lesson follows the last screen, the list the last lesson."""
    after = number % len(LESSONS) and number + 1

    def turn(screen: int, answers: Mapping[int, int]) -> None:
        guesses = links.text("guess")
        for answered, choice in answers.items():
            guesses = teaching.with_guess(guesses, answered, choice)
        if links.whole("lesson", 0, 0, len(LESSONS)) != number:  # left by a click that was made before the key
            links.ignore_stale_address()
        elif 1 <= screen <= len(screens):
            links.put(screen=None if screen == 1 else screen, figure=None, guess=guesses)
        else:
            go(after if screen else 0)

    right, count = teaching.score(made, screens)
    open_yet, last = made[place - 1] is None, place == len(screens)
    with st.container(vertical_alignment="center", key="steer", gap="small"):
        player.screens(
            [screen.title for screen in screens],
            place,
            number,
            turn,
            choices=teaching.open_choices(made, screens),
            word="Skip" if open_yet and not last else "Next" if not last else "Next lesson" if after else "All lessons",
            quiet=open_yet or last,
            slides=figure_card.large(),
        )
        scored = f" Score: **{right} of {count}**." if count else ""
        st.markdown(f"Screen {place} of {len(screens)}.{scored}", width="content")


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
        st.page_link(
            f"pages/{lesson.page}/page.py",
            label=f"Look closer on {TITLES[lesson.page]}",
            icon=":material/arrow_forward:",
            query_params=dict[str, Any](lesson.link),
        )


main()
