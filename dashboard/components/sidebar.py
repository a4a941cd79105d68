"""What is always at hand: the task set, the learner's settings, the link and the code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import streamlit as st

from core.curriculum.learn import CSetting
from core.errors import CurriculabError
from core.fitting.cross_validation import C_GRID
from core.measure import MEASURES, Measure
from core.task_set import Normalize
from dashboard import text
from dashboard.components import code_box, figure_card, lecture, local_data, theme_watch, thumbnail, upload
from dashboard.components.own_data import state as bring
from dashboard.server.serving import error_for_visitor
from dashboard.session import current, links, uploads, widgets
from dashboard.session.current import Current, Settings
from data.sources import catalogue, offered
from data.sources.source import LARGEST_SEED, BuiltIn, Source

UPLOADED = uploads.PREFIX
OWN_TASKS = {"lessons": "Lessons bring their own tasks.", "draw": "This page shows the tasks you draw."}
"""Pages that do not show the selected set, and what they show instead."""
KINDS = {
    "offered": "This server's sets",
    "real": "Images of digits",
    "plane": "Points in the plane",
    "synthetic": "Made up, at the paper's sizes",
    "optional": "Sensors",
    "local": "Local copies of the paper's data",
}


def show(page: str) -> str:
    """Show the sidebar and select what it says; a sentence on what to do if that task set is not there."""
    wanted = links.text("set", catalogue.DEFAULT)
    now, missing = None, "The task set of this link cannot be shown. Choose another in the sidebar."
    with part("The last change"):
        widgets.tell_failure()
    with part("The choice of the task set"):
        now, missing = selected(wanted)
        lecture.apply(now)
    if page in OWN_TASKS:
        st.caption(f"{OWN_TASKS[page]} What is chosen here is for the other pages.")
    with lecture.control("set"), part("The list of task sets"):
        choose_set(wanted, now)
    current.choose(now)
    if now is not None:
        with lecture.control("learner"), part("The box of the learner"):
            choose_settings(now)
        with lecture.control("code"), part("The box of link and code"):
            code_box.show(now, page)
    return missing


@contextmanager
def part(what: str) -> Iterator[None]:
    """Tell what fails inside in a sentence, with a way out; the rest of the sidebar and the page stay."""
    failed = True
    with figure_card.guarded(what, "The rest of this screen still works."):
        yield
        failed = False
    if failed:  # a link, not a button: it begins a new session, whatever is wrong with this one
        st.html("<a href='./' style='color: inherit'>Start afresh</a>, with the first task set and its settings.")


def selected(wanted: str) -> tuple[Current | None, str]:
    """The task set of that name with the settings of the link; or None, and a sentence on what to do."""
    settings, dark = read_settings(), theme_watch.dark()
    try:
        if wanted.startswith(UPLOADED):
            held = uploads.find()
            if held is None:
                return None, (
                    f"This link shows an uploaded task set ({uploads.wanted()[:12]}) that is not here (any more): "
                    "upload the same file under 'Your own tasks' in the sidebar, and this screen is back; or choose "
                    "another set."
                )
            return upload.drawn(held, links.whole("holdout", 0, 0, 90), settings, dark), ""
        if wanted.startswith(offered.PREFIX):
            found = offered.find(wanted)
            if found is None:
                return None, "This link shows a set that this server no longer offers. Choose another in the sidebar."
            links.put(key=None, recipe=found.recipe)
            return upload.drawn(found, 0, settings, dark), ""
        links.put(key=None, recipe=None)
        return Current(current.built_in(wanted, settings.seed, local_data.folder()), settings, dark), ""
    except CurriculabError as error:
        why = error_for_visitor(error)
        return None, f"The task set of this link cannot be shown: {why}. Choose another in the sidebar."


def choose_set(wanted: str, now: Current | None) -> None:
    """The built-in sets with their stories, the session's uploads, and the way to upload."""
    built_in = [source for source in catalogue.sources(local_data.folder()) if source.available]
    stories = {source.name: source for source in (*offered.sources(), *built_in)}
    base = wanted.partition("?")[0]
    held = {f"{UPLOADED}{digest}": reading for digest, reading in uploads.held().items()}
    options = [*stories, *held]
    if base not in options:
        options.insert(0, base)

    def label(option: str) -> str:
        if option in held:
            return f"{text.short(held[option].filename, 30)} (uploaded)"
        if option.startswith(offered.PREFIX):
            return f"{text.short(option.removeprefix(offered.PREFIX), 30)} (this server's)"
        return option if not option.startswith(UPLOADED) else f"{option[:19]} (not here)"

    st.selectbox(
        "Task set",
        options,
        index=options.index(base),  # also what a browser falls back to that has drawn it anew and forgotten its value
        format_func=label,
        **widgets.synced("w-set", base, links.choose_set, typed=True),
        filter_mode="contains",  # what is typed in full is selected, not what resembles it
    )
    if st.button(
        "All sets and their stories",
        key="all-sets",
        type="tertiary",
        icon=":material/menu_book:",
        on_click=links.ignore_stale_address,
    ):
        all_sets(list(stories.values()))
    own = wanted.startswith(UPLOADED) or bring.now() is not None
    with st.expander("Your own tasks", icon=":material/upload_file:", expanded=own), part("The box of your own tasks"):
        upload.show(now)
    small = None if now is None else thumbnail.picture(now.task_set, now.dark)
    if small is not None:
        st.image(small, width="stretch")
    source: Source | None = stories.get(wanted)
    if source is None and not wanted.startswith(UPLOADED):
        with suppress(CurriculabError):
            source = catalogue.find(wanted, local_data.folder())
    if source is not None:
        st.caption(text.md(f"{source.story} {source.note}".strip()))
        if isinstance(source, BuiltIn):
            with st.expander("Change this set", icon=":material/tune:"):
                _knobs(source)
    here = offered.find(wanted) if wanted.startswith(offered.PREFIX) else None
    if here is not None and here.assumptions:
        with st.expander("What was left out, filled or assumed", icon=":material/info:"):
            upload.show_said(here.assumptions)
    local_data.show()


@st.dialog("Task sets", width="medium")
def all_sets(sources: Sequence[Source]) -> None:
    """All task sets with their stories, in groups, from which one is chosen."""
    for kind, heading in KINDS.items():
        members = [source for source in sources if source.kind == kind]
        if members:
            st.markdown(f"##### {heading}", anchors=False)
        for source in members:
            with st.container(key=f"set-{source.name}", gap="xxsmall"):
                pressed = st.button(f"**{text.md(source.name)}**", key=f"choose-{source.name}", type="tertiary")
                st.caption(text.md(f"{source.story} {source.note}".strip()))
            if pressed:  # no callback: those of a dialog run before the page knows its link
                links.choose_set(source.name)
                links.rerun()


def _knobs(source: BuiltIn) -> None:
    for knob in source.knobs:
        number = int if knob.whole else float  # Streamlit refuses a mix of the two
        value = number(source.values.get(knob.name, knob.default))

        def changed(wanted: float, name: str = knob.name) -> None:
            links.put(set=source.turned(**{name: wanted}).full_name)
            links.keep_settings()

        st.number_input(
            knob.label.capitalize(),
            min_value=number(knob.least),
            max_value=number(knob.most),
            step=number(knob.step),
            help=knob.help,
            **widgets.synced(f"w-knob-{source.name}-{knob.name}", value, changed),
        )
    st.caption(f"From {text.md(source.origin)} ({text.md(source.licence)}).")


def read_settings() -> Settings:
    """The settings in the link; what makes no sense stands at its default."""
    C: CSetting = "each" if links.text("C").lower() == "each" else links.fixed_C() or "shared"
    normalize: Normalize | None = {"l2": "l2", "none": "none"}.get(links.text("normalize"))  # type: ignore[assignment]
    bias = {"1": True, "0": False}.get(links.text("bias"))
    delta = links.number("delta", 1e-9, 1.0) or 0.05
    seed = links.whole("seed", 0, 0, LARGEST_SEED)
    measure: Measure = links.choice("measure", MEASURES, "error")  # type: ignore[assignment]
    return Settings(C, normalize, bias, seed, delta, measure)


def choose_settings(now: Current) -> None:
    """The learner's settings."""
    settings = now.settings
    changed = any(name in links.state() for name in links.OF_LEARNER)
    with st.expander("Learner", icon=":material/settings:", expanded=changed):
        fixed = settings.C if isinstance(settings.C, float) else None
        st.segmented_control(
            "C, how much a mistake costs",
            ["shared", "each", "fixed"],
            required=True,
            help="**shared**: one C for the whole method, by cross-validation. **each**: every fit picks its own C, "
            "given its source. **fixed**: the C you give, with no cross-validation.",
            **widgets.synced(
                "w-C",
                "fixed" if fixed is not None else settings.C,
                lambda chosen: _put(C={"shared": None, "fixed": 100}.get(chosen, "each")),
            ),
        )
        if fixed is not None:
            st.select_slider(
                "C",
                sorted({*C_GRID.tolist(), fixed}),
                format_func=lambda value: f"{value:g}",
                **widgets.synced("w-C-fixed", fixed, lambda C: _put(C=f"{C:g}")),
            )
        widgets.choice(
            "measure",
            "Measure",
            {"error": "error", "balanced": "balanced error"},
            "error",
            lambda by: _put(measure=_unless("error", by)),
            help="What cross-validation and Orders count. **error**: the share of wrong points. **balanced error**: "
            "the mean of the errors on positive and on negative points, so that a small class counts as much as a "
            "large one.",
        )
        asked = now.task_set
        st.toggle(
            "Scale every point to length 1",
            **widgets.synced(
                "w-norm", now.normalizes, lambda on: _put(normalize=_unless(asked.normalize, "l2" if on else "none"))
            ),
        )
        st.toggle(
            "Append a bias coordinate 1",
            **widgets.synced("w-bias", now.has_bias, lambda on: _put(bias=_unless(str(int(asked.bias)), str(int(on))))),
        )
        st.number_input(
            "δ, how often the bound may fail",
            min_value=0.0001,
            max_value=1.0,
            step=0.01,
            format="%.4g",
            **widgets.synced("w-delta", settings.delta, lambda delta: _put(delta=_unless("0.05", f"{delta:g}"))),
        )
        st.number_input(
            "Seed",
            min_value=0,
            max_value=LARGEST_SEED,
            step=1,
            help="Which points are drawn, and the folds of cross-validation.",
            **widgets.synced("w-seed", settings.seed, lambda seed: _put(seed=_unless("0", str(seed)))),
        )
        st.button("Reset settings", on_click=lambda: _put(**dict.fromkeys(links.OF_LEARNER)), disabled=not changed)


def _put(**values: str | int | None) -> None:
    links.put(**values)
    links.drop_whatif()


def _unless(default: str, value: str) -> str | None:
    return None if value == default else value
