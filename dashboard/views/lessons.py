"""Page 7: five short guided stories, each a link with its settings."""

from pathlib import Path

import streamlit as st

from core.fitting.cross_validation import Progress
from dashboard import text
from dashboard.session import current, job_panel
from dashboard.session.current import Current, Settings
from dashboard.teach import lessons
from dashboard.teach.lessons import LESSONS, Answer, Lesson
from data.sets import catalogue

VIEWS = Path(__file__).parent
TITLES = {"orders": "Orders", "step": "Step through", "subsequences": "Subsequences"}


def main() -> None:
    """The stories, with numbers as soon as they are there."""
    st.title("Lessons")
    st.markdown(
        "Five short stories. Each link opens a page with everything set; the numbers are computed here and now."
    )
    task_set, digest = current.built_in(catalogue.DEFAULT, 0)
    now = Current(task_set, digest, Settings(), catalogue.DEFAULT, False, 0, False)

    def work(report: job_panel.Report[tuple[Answer, ...]]) -> tuple[Answer, ...]:
        def progress(k: int) -> Progress:
            report.note(LESSONS[k].title)
            return report.part(k, len(LESSONS))

        return lessons.answers(progress, report.keep)

    def so_far(partial: tuple[Answer, ...]) -> None:
        st.caption(f"{len(partial)} of {len(LESSONS)} have their numbers.")

    found = current.result(now, "lessons", "Computing the numbers", work, so_far) or ()
    for k, lesson in enumerate(LESSONS):
        show(k, lesson, found[k] if k < len(found) else None)


def show(k: int, lesson: Lesson, answer: Answer | None) -> None:
    """One story."""
    with st.container(border=True, key=f"lesson-{k + 1}"):
        st.subheader(f"{k + 1}. {lesson.title}", anchor=False)
        st.markdown(lesson.story)
        if answer is not None:
            with st.container(horizontal=True, gap="large"):
                for label, value in answer.numbers:
                    st.metric(label, value, width="content")
            st.markdown(f"**{text.md(answer.sentence)}**")
        st.markdown(lesson.look)
        if (VIEWS / f"{lesson.page}.py").exists():
            st.page_link(
                f"views/{lesson.page}.py",
                label=f"Open {TITLES[lesson.page]} with {', '.join(f'{n} {v}' for n, v in lesson.link.items())}",
                icon=":material/arrow_forward:",
                query_params=lesson.link,
            )


main()
