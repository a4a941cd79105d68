"""Uploads: read, confirmed, and held by the session alone, each by the digest of what was read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import streamlit as st

from core.errors import CurriculabError
from core.tasks import TaskSet
from dashboard import text as words
from dashboard.session import links
from data.files import formats
from data.runs.splits import with_test_split

MOST = 4
"""Uploads that a session holds; the oldest goes first."""
_HELD = "_uploads"
_READ = "_upload_read"
MIME = {"csv": "text/csv", "npz": "application/octet-stream", "parquet": "application/octet-stream"}


@dataclass(frozen=True, eq=False, slots=True)
class Held:
    """A task set of this session, with its file name and what was assumed when it was read."""

    filename: str
    task_set: TaskSet
    assumptions: tuple[str, ...]
    digest: str


def held() -> dict[str, Held]:
    """The session's uploads by digest, shortened as in links."""
    found: dict[str, Held] = st.session_state.setdefault(_HELD, {})
    return found


def find(digest: str) -> Held | None:
    """The upload that a link names; links carry the first 16 letters."""
    return held().get(digest[:16])


def hold(read: Held) -> str:
    """Keep an upload; returns the name it has in links."""
    uploads = held()
    uploads[read.digest[:16]] = read
    while len(uploads) > MOST:
        uploads.pop(next(iter(uploads)))
    return f"upload:{read.digest[:16]}"


def with_test(read: Held, share: int, seed: int) -> tuple[TaskSet, str]:
    """The set, with that percentage of each class held out where it has no test data; and its digest."""
    if not share or read.task_set.has_test:
        return read.task_set, read.digest
    return _split(read.digest, share, seed, read.task_set)


@st.cache_resource(max_entries=8, show_spinner=False, scope="session")
def _split(digest: str, share: int, seed: int, _task_set: TaskSet) -> tuple[TaskSet, str]:
    split = with_test_split(_task_set, share / 100, seed)
    return split, split.digest


def show() -> None:
    """The uploader, what was read, and the button that uses it."""
    file = st.file_uploader(
        "A task set: CSV, Parquet, NPZ or ZIP",
        key="w-upload",
        help="CSV and Parquet: columns `task`, `label`, perhaps `split` (train or test), then numeric features. "
        "Nothing leaves this server, and other sessions do not see it.",
    )
    if file is not None:
        read = _read(file.getvalue(), file.name)
        if isinstance(read, str):
            st.error(words.md(read), icon=":material/error:")
        else:
            _confirm(read)
    _test_share()
    _patterns()


def _read(contents: bytes, filename: str) -> Held | str:
    """What the file holds, or the sentence on what is wrong; read once a file."""
    key = (hashlib.sha256(contents).hexdigest(), filename)
    if st.session_state.get(_READ, (None, None))[0] != key:
        try:
            with st.spinner("Reading the file …"):
                reading = formats.read(contents, filename)
                found: Held | str = Held(filename, reading.task_set, reading.assumptions, reading.task_set.digest)
        except CurriculabError as error:
            found = str(error)
        st.session_state[_READ] = (key, found)
    answer: Held | str = st.session_state[_READ][1]
    return answer


def _confirm(read: Held) -> None:
    task_set = read.task_set
    points = sum(task.n_points for task in task_set.tasks)
    tests = sum(task.n_test for task in task_set.tasks)
    used = links.text("set") == f"upload:{read.digest[:16]}"
    st.markdown(
        f"**Read:** {len(task_set)} task{'s' * (len(task_set) > 1)} ({words.md(words.listed(task_set.names))}), "
        f"{points:,} training and {tests:,} test points, {task_set.n_features:,} features. "
        f"Digest {read.digest[:12]}."
    )
    for assumption in read.assumptions:
        st.caption(f"• {words.md(assumption)}")
    if used:
        st.success("This is the task set on screen.", icon=":material/check:")
    else:
        st.button("Use this task set", type="primary", key="use-upload", on_click=_use, args=(read,))


def _use(read: Held) -> None:
    links.put(set=hold(read), holdout=None, normalize=None, bias=None)
    links.keep_settings()


def _test_share() -> None:
    """For an upload on screen that has no test data: how much to hold out."""
    here = find(links.text("set").removeprefix("upload:"))
    if here is None or here.task_set.has_test:
        return
    st.session_state["w-holdout"] = links.whole("holdout", 0, 0, 90)
    st.number_input(
        f"Test data to hold out of {words.md(words.quoted(here.filename))}, in % of each class",
        min_value=0,
        max_value=90,
        step=10,
        key="w-holdout",
        help="This set has no test data. Without it there is no test error; the criterion and the bound need none.",
        on_change=lambda: links.put(holdout=st.session_state["w-holdout"] or None),
    )


def _patterns() -> None:
    with st.popover("Templates and examples", type="tertiary", icon=":material/download:"):
        st.caption("A template to fill in, and a small real set, in each format.")
        for kind in formats.KINDS:
            with st.container(horizontal=True):
                for what, make in (("template", formats.template), ("example", formats.example)):
                    st.download_button(
                        f"{kind.upper()} {what}",
                        data=lambda make=make, kind=kind: make(kind),  # type: ignore[misc]
                        file_name=f"curriculab-{what}.{kind}",
                        mime=MIME.get(kind, "application/zip"),
                        key=f"{what}-{kind}",
                        on_click="ignore",
                    )
