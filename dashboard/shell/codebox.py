"""The link and the code that do what is on screen: Python and command line, to be pasted as they are."""

from __future__ import annotations

import json
import shlex
from pathlib import PurePath

import streamlit as st

from core.curriculum.learn import CSetting
from dashboard import text as words
from dashboard.parts import link_codes
from dashboard.session import links
from dashboard.session.current import Current, Pair
from data.files import formats

_BOX = "code-box"


def show(now: Current, page: str) -> None:
    """The sidebar's last part."""
    default = "multiseqmt" if page == "subsequences" else "seqmt"
    method = links.choice("method", ("seqmt", "multiseqmt", "treemt"), default)
    choices = link_codes.decode(links.text("whatif"), now.task_set.names) if page == "step" else ()
    C = (link_codes.fixed_C(links.text("ifC")) if choices else None) or now.settings.C
    # Opening it runs the whole page: a step forward alone leaves the sidebar as it was (see `is_open`).
    with st.expander("Link and code", icon=":material/link:", key=_BOX, on_change="rerun"):
        st.caption("This link shows exactly what is on screen.")
        st.code(links.address(), language=None, wrap_lines=True)
        if now.uploaded:
            st.caption("It names the uploaded set by its digest; whoever opens it uploads the same file first.")
        st.caption("The same in Python")
        st.code(python(now, method, C, choices), language="python", wrap_lines=True)
        st.caption("and on the command line")
        st.code(command(now, method, C, choices), language="bash", wrap_lines=True)
        st.download_button(
            "Report (HTML)",
            data=lambda: report(now),
            file_name="curriculab-report.html",
            mime="text/html",
            key="download-report",
            on_click="ignore",
            icon=":material/download:",
            help="This task set by every method, with live plots, in one page that works offline; takes some seconds.",
        )
        st.download_button(
            "This task set (NPZ)",
            data=lambda: formats.dump(now.task_set, "npz"),
            file_name=file_name(now) if now.uploaded else f"{PurePath(now.task_set.name.partition('?')[0]).name}.npz",
            mime="application/octet-stream",
            key="download-set",
            on_click="ignore",
            icon=":material/download:",
        )


def is_open() -> bool:
    """Whether somebody reads the box now, so that it must follow every change of what is on screen."""
    return bool(st.session_state.get(_BOX))


def report(now: Current) -> bytes:
    """The self-contained report of the set at these settings."""
    from dashboard.reports.report import set_report

    return set_report(now.problem, now.settings.C, now.settings.delta).encode()


def file_name(now: Current) -> str:
    """The file that the code reads: the upload itself, or, with a share held out, the NPZ downloaded here."""
    name = words.short(PurePath(now.origin.replace("\\", "/")).name, 80).replace("…", "_")
    return f"{PurePath(name).stem}-with-test.npz" if now.holdout else name


def python(now: Current, method: str, C: CSetting, choices: tuple[Pair, ...] = ()) -> str:
    """A script with the same result."""
    settings = now.settings
    if now.uploaded:
        loading = ["from data import formats", "", f"task_set = formats.read({file_name(now)!r}).task_set"]
    else:
        seed = f", seed={settings.seed}" if settings.seed else ""
        loading = ["from data import catalogue", "", f"task_set = catalogue.load({now.origin!r}{seed})"]
    arguments = [f"task_set, {method!r}", f"C={C!r}"]
    if settings.normalize is not None:
        arguments.append(f"normalize={settings.normalize!r}")
    if settings.bias is not None:
        arguments.append(f"bias={settings.bias}")
    arguments += [f"seed={settings.seed}", f"delta={settings.delta!r}"]
    if choices:
        arguments.append(f"choices={list(choices)!r}")
    return "\n".join(
        [
            "from core import learn",
            *loading,
            f"learned = learn({', '.join(arguments)})",
            "print(learned.order)",
            "print(learned.bound.value, learned.mean_test_error)",
        ]
    )


def command(now: Current, method: str, C: CSetting, choices: tuple[Pair, ...] = ()) -> str:
    """The command with the same result."""
    settings = now.settings
    parts = ["curriculab", "learn", file_name(now) if now.uploaded else now.origin, "--method", method]
    if C != "shared":
        parts += ["--C", C if isinstance(C, str) else f"{C:g}"]
    if settings.normalize is not None:
        parts += ["--normalize", settings.normalize]
    if settings.bias is not None:
        parts.append("--bias" if settings.bias else "--no-bias")
    if settings.seed:
        parts += ["--seed", str(settings.seed)]
    if settings.delta != 0.05:
        parts += ["--delta", f"{settings.delta:g}"]
    if choices:
        parts += ["--choices", json.dumps([list(pair) for pair in choices])]
    return shlex.join(parts)
