"""The link and the code that do what is on screen: Python and command line, to be pasted as they are."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

import streamlit as st

from core.curriculum.learn import CSetting
from core.curriculum.steps import Pair
from dashboard import text
from dashboard.components import figure_card, lecture
from dashboard.session import current, job_panel, links, uploads
from dashboard.session.current import Current, Settings
from dashboard.session.job import Work
from data.archives import formats, screen_file

_BOX = "code-box"
_REPORT = "_report_wanted"  # the set and settings whose report was asked for


def show(now: Current, page: str) -> None:
    """The sidebar's last part; what is in it is sent only to those who open it."""
    # Opening it runs the whole page: a step forward alone leaves the sidebar as it was (see `is_open`).
    with st.expander("Link and code", icon=":material/link:", key=_BOX, on_change=links.ignore_stale_address):
        if is_open():
            _inside(now, page)


def _inside(now: Current, page: str) -> None:
    name = PurePath(now.task_set.name.partition("?")[0]).name
    default = "multiseqmt" if page == "subsequences" else "seqmt"
    method = links.choice("method", ("seqmt", "multiseqmt", "treemt"), default)
    forced = page == "step" or (page == "subsequences" and links.text("method") == method)
    choices = links.decode_choices(links.text("whatif"), now.task_set.names) if forced else ()
    C = (links.fixed_C("ifC") if choices else None) or now.settings.C
    st.caption("This link shows exactly what is on screen.")
    st.code(links.address(), language=None, wrap_lines=True)
    if uploads.wanted():
        st.caption(
            "It names the uploaded set by its digest; whoever opens it uploads the same file first. Only the "
            "address of this window opens the upload itself."
        )
    lecture.offer(now)
    st.caption("The same in Python")
    st.code(python(now, method, C, choices), language="python", wrap_lines=True)
    st.caption("and on the command line")
    st.code(command(now, method, C, choices), language="bash", wrap_lines=True)
    _report(now)
    stem = PurePath(file_name(now)).stem if now.uploaded else name
    figure_card.download(
        "This task set (NPZ)", lambda: formats.dump(now.task_set, "npz"), f"{stem}.npz", "download-set"
    )
    state = links.state()  # as it is now, not when the button is pressed
    figure_card.download(
        "All of this screen as one file",
        lambda: screen_file.dump_bundle(now.task_set, state, page),
        f"{name}{screen_file.ENDING}",
        "download-bundle",
        help="Task set, page, settings and what-if. Whoever drops it in under *Your own tasks* is where you are.",
    )


def is_open() -> bool:
    """Whether somebody reads the box now, so that it must follow every change of what is on screen."""
    return bool(st.session_state.get(_BOX))


def _report(now: Current) -> None:
    """A button that asks for the report, its progress, and the file when it is done."""
    wanted = (now.key, now.settings)
    if st.button(
        "Report (HTML)",
        key="make-report",
        on_click=links.ignore_stale_address,
        icon=":material/description:",
        help="This task set learned by SeqMT, MultiSeqMT and TreeMT, SeqMT's steps with their bars, the bound and, "
        "up to five tasks, all orders: live plots in one page that works offline; takes some seconds.",
    ):
        st.session_state[_REPORT] = wanted
    if st.session_state.get(_REPORT) != wanted:
        if st.session_state.pop(_REPORT, None) is not None:  # another set or other settings: nobody waits for it
            job_panel.session_jobs().cancel("report")
        return
    made = report(now)
    if made is not None:
        figure_card.download("Download the report", lambda: made, "curriculab-report.html", "download-report")


def report(now: Current) -> bytes | None:
    """The self-contained report of the set at these settings; None while a worker makes it."""

    def work(progress: Work[bytes]) -> bytes:
        from dashboard.reports.report import set_report

        return set_report(now.problem, now.task_set.digest, now.settings.C, now.settings.delta, progress).encode()

    return current.result(now, "report", "Making the report", work)


def file_name(now: Current) -> str:
    """The file that the code reads: the upload, or the NPZ downloaded here if a share of a task set is held out."""
    name = _source_file(now)
    return f"{PurePath(name).stem}-with-test.npz" if now.holdout and now.table is None else name


def _source_file(now: Current) -> str:
    """The uploaded file's name, as it can be typed."""
    return text.short(PurePath(now.name.replace("\\", "/")).name, 80).replace("…", "_")


def python(now: Current, method: str, C: CSetting, choices: tuple[Pair, ...] = ()) -> str:
    """A script with the same result."""
    settings = now.settings
    seed = f", seed={settings.seed}" if settings.seed else ""
    if now.table is not None:
        made = f"make_tasks({_source_file(now)!r}, {now.table.recipe.as_python()}{seed})"
        loading = ["from data import make_tasks", "", f"task_set = {made}"]
    elif now.upload is not None:
        least = f".with_least({now.upload.least})" if now.upload.least > 1 and not now.holdout else ""
        loading = ["from data import formats", "", f"task_set = formats.read({file_name(now)!r}).task_set{least}"]
    else:
        loading = ["from data import catalogue", "", f"task_set = catalogue.load({now.name!r}{seed})"]
    given = _given(now, C, choices, ("C", "seed", "delta"))
    return "\n".join(
        [
            "from core import learn",
            *loading,
            f"learned = learn(task_set, {method!r}, {', '.join(f'{name}={value!r}' for name, value in given.items())})",
            "print(learned.order)",
            f"print(learned.bound.value, learned.{'mean_test_error' if settings.measure == 'error' else 'mean_error'})",
        ]
    )


def command(now: Current, method: str, C: CSetting, choices: tuple[Pair, ...] = ()) -> str:
    """The command with the same result."""
    return shlex.join(["curriculab", "learn", *words(now, C, choices, ("--method", method))])


def words(now: Current, C: CSetting, choices: tuple[Pair, ...] = (), more: Sequence[str] = ()) -> list[str]:
    """The set, `more` and the settings, as any command takes them."""
    if now.table is not None:
        parts = [_source_file(now), *now.table.recipe.as_words(), *more]
    else:
        parts = [file_name(now) if now.uploaded else now.name, *more]
    if now.uploaded and now.table is None and now.task_set.with_least() is not now.task_set:
        parts += ["--least", "1"]
    for name, value in _given(now, C, choices).items():
        if name == "bias":
            parts.append("--bias" if value else "--no-bias")
        else:
            parts += [f"--{name}", json.dumps(value) if name == "choices" else text.setting(value)]
    return parts


def _given(now: Current, C: CSetting, choices: Sequence[Pair], always: Sequence[str] = ()) -> dict[str, Any]:
    """What `core.learn` is given beside its defaults, and `always`; the command has options of the same names."""
    given = now.settings.learner() | {"C": C, "choices": list(choices)}
    usual = Settings().learner() | {"choices": []}
    return {name: value for name, value in given.items() if value != usual[name] or name in always}
