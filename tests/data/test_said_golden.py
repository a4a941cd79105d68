"""Every sentence about a file, a bundle or a run, in full, and every limit to the last unit (tests/golden)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core import Task, TaskSet
from core.errors import CurriculabError
from core.experiments.experiment import Settings
from data import limits
from data.archives.formats import dump, read
from data.assembly import about_line, clean_feature_names, parse_about
from data.recipes.labels import file_signs
from data.runs import run as fields
from data.runs.bundle import import_bundle
from data.runs.outcomes import outcome_from
from data.runs.store import Store
from data.sources.catalogue import template
from data.sources.file import FileSource, with_test_split
from data.tables.column import column_of
from data.tables.writer import csv_text
from data.task_names import clean_task_name, shown_file
from tests.data import test_bundles as bundles
from tests.data.badfiles import BAD, FRAME, GOOD, X, Y, npz, parquet, zipped
from tests.golden import same

parts = bundles.parts  # the fixture
PARTS = "task,label,split,x1,x2\na,1,train,0.5,1\nb,1,test,9,9\nb,1,Train,0.3,3\na,0,train,0.1,2\nb,0,TRAINING,0.2,4\n"
GOOD_FILES: dict[str, tuple[str, str | bytes]] = {
    "plain": ("d.csv", GOOD),
    "blanks": ("d.csv", GOOD.replace(",", ", ")),
    "semicolons": ("d.csv", GOOD.replace(",", ";")),
    "tabs": ("d.tsv", GOOD.replace(",", "\t")),
    "bars": ("d.csv", GOOD.replace(",", "|")),
    "words": ("d.csv", GOOD.replace(",", " ")),
    "commas": ("d.csv", GOOD.replace(",", ";").replace(".", ",")),
    "y": ("d.csv", GOOD.replace("label", "y")),
    "same columns": ("d.csv", GOOD.replace("x2", "x1")),
    "yes and no": ("d.csv", GOOD.replace(",1,0", ",yes,0").replace(",0,0", ",no,0")),
    "pictures": ("d.csv", GOOD.replace("x1", "image,x1").replace(",1,0", ",1,i.png,0").replace(",0,0", ",0,j.png,0")),
    "counted rows": ("d.csv", "".join(f"{k or ''},{line}\n" for k, line in enumerate(GOOD.splitlines()))),
    "UTF-16": ("d.csv", GOOD.replace("a,", "é,").encode("utf-16")),
    "Windows": ("d.csv", GOOD.replace("a,", "é,").encode("cp1252")),
    "parts": ("d.csv", PARTS),
    "named": ("d.csv", GOOD.replace("x1,x2", "width,height")),
    "arrays": ("d.npz", npz(a__X=X, a__y=Y, b__X=X, b__y=Y, b__X_test=X[:2], b__y_test=np.array([0, 1]))),
    "images": ("d.npz", npz(a__X=X.reshape(4, 2, 1), a__y=Y)),
    "odd arrays": ("d.npz", npz(a__X=X, a__y=Y.astype(str)[:, None], semantic_order=np.array(["z"]), groups=X, more=X)),
    "parquet": ("d.parquet", parquet(FRAME.assign(v=[1.0, 2, 3, 4]))),
    "text": ("d.zip", zipped({"x/a_train.txt": "1 2\n3 4\n", "x/a_test.txt": "1 2\n3 4\n5 6\n7 8\n"})),
    "text with commas": ("d.zip", zipped({"a_train.txt": "1,5;2\n3;4,5\n", "readme.md": "hello"})),
}  # fmt: skip


def label_signs(values: list[object], decimal_comma: bool = False) -> tuple[list[float], str]:
    """The signs of a column of these labels, and the sentence on them."""
    signs, said = file_signs(column_of("label", pd.Series(values), decimal_comma), "f")
    return signs.tolist(), said


def sentence(work: Callable[[], object]) -> str:
    """The refusal, or what came of it."""
    try:
        return f"fine: {work()!r}"
    except (CurriculabError, ValueError, TypeError) as error:
        return f"{type(error).__name__}: {error}"


def test_files_that_are_refused_and_files_that_are_read() -> None:
    said = []
    for case, (name, contents, _) in BAD.items():
        data = contents.encode() if isinstance(contents, str) else contents
        said.append(f"{case} | {sentence(lambda data=data, name=name: read(data, name))}")
    for case, (name, contents) in GOOD_FILES.items():
        reading = read(contents.encode() if isinstance(contents, str) else contents, name)
        said.append(f"{case} | {' / '.join(reading.assumptions)}")
        for task in reading.task_set.tasks:
            test = "" if task.X_test is None else f" test {task.X_test.tolist()} {task.y_test.tolist()}"
            said.append(f"    {task.name} {task.X.tolist()} {task.y.tolist()}{test}")
        known = reading.task_set
        said.append(f"    {known.name} {known.feature_names} {known.image_shape} {known.normalize} {known.bias}")
    same("reading", "\n".join(said))


def test_files_that_are_written() -> None:
    rich = TaskSet(
        "rich",
        (
            Task("=cmd|' /C calc'!A0", X, np.array([1.0, 1, -1, -1]), X[:2], np.array([1.0, -1])),
            Task("b ü", X + 0.1, np.array([1.0, 1, -1, -1]), X[:2] / 3, np.array([1.0, -1])),
        ),
        semantic_order=("b ü", "=cmd|' /C calc'!A0"),
        groups={"=cmd|' /C calc'!A0": "one|two", "b ü": "-3"},
        image_shape=(1, 2),
        normalize="none",
        bias=False,
        feature_names=("@width", "the height"),
        recipe="recipe=groups&task=t",
    )
    bare = TaskSet("bare", (Task("a", X, np.array([1.0, 1, -1, -1])),))
    said = [dump(rich, "csv").decode(), dump(bare, "csv").decode(), template("csv").decode()]
    for kind in ("npz", "csv", "parquet", "zip"):
        for task_set in (rich, bare):
            try:
                back = read(dump(task_set, kind), f"back.{kind}")
            except CurriculabError as error:
                said.append(f"{kind}: {error}")
                continue
            known = back.task_set
            said.append(
                f"{kind}: {known.names} {known.semantic_order} {known.groups} {known.image_shape} {known.recipe}"
            )
            said.append(f"    {known.normalize} {known.bias} {known.feature_names} {known.tasks[0].X.tolist()}")
            said.append("    " + " / ".join(back.assumptions))
    table = csv_text(["=a", 1], [["+1", "-x", "@y", "\tz", "\rz", "plain", 2.5, -1, "", None]])
    same("writing", "\n".join([*said, repr(table)]))


def test_what_is_known_of_a_set_as_a_line() -> None:
    names = ("a", "b", "c")
    tasks = tuple(Task(name, np.eye(2, 6), np.array([1.0, -1.0])) for name in names)
    groups = {"a": "x y", "b": "x|y", "c": "&="}
    whole = about_line(TaskSet("s", tasks, ("b", "a", "c"), groups, (2, 3), "none", False, None, "r=1&s=2"))
    lines = (
        "", "order=1.2", "order=1.2.2", "order=3.1.2", "groups=a|b", "groups=a|b|", "groups=a|b|c", "image=2x3",
        "image=2x4", "image=6", "image=1234567x1", "image=-2x-3", "features=u|v|w|x|y|z", "features=u", "bias=0",
        "features=x1|x2|x3|x4|x5|x6", "normalize=none", "normalize=l1", "bias=1", "recipe=" + "r" * 8001,
        "recipe=a%0Ab", "recipe=" + "r" * 8, "x" * 100_001,
    )  # fmt: skip
    headings = (
        ["x1", "x2"], ["x0", "x1"], ["f1", "f2"], ["1", "2"], ["V1", "V2"], ["x1", "x3"], ["", "b"], ["a\n", "n" * 300],
    )  # fmt: skip
    said = [whole, about_line(TaskSet("s", tasks)), repr(parse_about(whole, names, 6))]
    said += [f"{line[:40]} -> {parse_about(line, names, 6)!r}" for line in lines]
    said += [f"{given!r}"[:60] + f" -> {clean_feature_names(given)!r}"[:120] for given in headings]
    same("about", "\n".join(said))


def test_every_limit_is_where_it_is_said_to_be() -> None:
    cases: list[Callable[[], object]] = [
        lambda: limits.check_bytes("f", 0),
        lambda: limits.check_bytes("f", 1),
        lambda: limits.check_bytes("f", 200 * 2**20),
        lambda: limits.check_bytes("f", 200 * 2**20 + 1),
        lambda: limits.check_unpacked("f", 512 * 2**20),
        lambda: limits.check_unpacked("f", 512 * 2**20 + 1),
        lambda: limits.check_line("f", 5 * 2**20),
        lambda: limits.check_line("f", 5 * 2**20 + 1),
        lambda: limits.check_shape("f", 1_000_000, 50),
        lambda: limits.check_shape("f", 1_000_001, 1),
        lambda: limits.check_shape("f", 1000, 50_000),
        lambda: limits.check_shape("f", 1, 50_001),
        lambda: limits.check_shape("f", 1001, 50_000),
        lambda: limits.check_tasks("f", 0),
        lambda: limits.check_tasks("f", 500),
        lambda: limits.check_tasks("f", 501),
        *(
            lambda name=name: clean_task_name(name, "f")
            for name in (" a ", "", "n" * 200, "n" * 201, "a\tb", "a\u2066b")
        ),
        *(lambda name=name: shown_file(name) for name in ("a.csv", "x/y/a.csv", "n" * 100 + ".csv", "a\nb.csv", "")),
        *(
            lambda values=values: label_signs(values)
            for values in (
                ["1", "1.0", "-1"], ["True", "false"], [True, False], ["b", "a"], ["1_0", "2"], ["10", "9"], [None, 1],
                ["1", "2", "3"], ["1", "2", "3", "4", "5"], ["x" * 20, "x" * 21], ["inf", "1"], ["0,5", "0.5"], [2, 2],
            )
        ),
        lambda: label_signs(["0,5", "0,25"], decimal_comma=True),
    ]  # fmt: skip
    same("limits", "\n".join(sentence(case) for case in cases))


def test_fields_of_a_run_are_of_their_kind() -> None:
    known = {"source": "s", "methods": ["seqmt"]}
    cases: dict[str, Callable[[], object]] = {
        **{f"line {k}": lambda k=k: len(fields.line("a" * k, 5)) for k in (0, 5, 6)},
        "line of bytes": lambda: fields.line(b"a", 5),
        "hidden": lambda: fields.line("a\nb", 5),
        **{f"name {k}": lambda k=k: len(fields.task_name("a" * k)) for k in (0, 1, 200, 201)},
        **{f"number {v!r}": lambda v=v: fields.number(v) for v in (1, 0.5, -2, True, "1", math.nan, math.inf)},
        **{f"count {v!r}": lambda v=v: fields.count(v) for v in (0, 7, -1, 1.0, True, "1")},
        **{f"uid {v!r}": lambda v=v: fields.matched(fields.UID, v) for v in ("a-Z9", "a" * 64, "a" * 65, "", "a/b", 5)},
        **{
            f"digest {v[:2]}{len(v)}": lambda v=v: len(fields.matched(fields.DIGEST, v))
            for v in ("a" * 64, "a" * 63, "A" * 64, "g" * 64)
        },
        **{
            f"moment {v!r}": lambda v=v: fields.moment(v)
            for v in (
                "2026-01-02T03:04:05+00:00", "2026-01-02T03:04:05+02:00", "2026-01-02T03:04:05", "2026", "x" * 41, 5,
            )
        },
        **{
            f"versions {v}": lambda v=v: fields.versions(v) for v in ({"a": "1.0+x!-"}, {"a": "b c"}, {"ä": "1"}, [1])
        },
        "40 versions": lambda: len(fields.versions({f"p{k}": "1" for k in range(40)})),
        "41 versions": lambda: len(fields.versions({f"p{k}": "1" for k in range(41)})),
        **{
            f"settings {more}": lambda more=more: fields.settings(known | more).as_dict()
            for more in (
                {}, {"bias": None}, {"bias": True}, {"bias": 1}, {"C": 10}, {"C": "each"}, {"C": True}, {"C": None},
                {"delta": 0.5}, {"delta": "x"}, {"solver": "kernel"}, {"solver": "a b"}, {"seed": 3}, {"seed": -1},
                {"limit": 50_000}, {"limit": 50_001}, {"limit": 0}, {"methods": ("seqmt",)}, {"methods": ["seqmt", 3]},
                {"methods": ["seqmt"] * 100}, {"methods": ["seqmt"] * 101}, {"repeats": 3, "normalize": "none"},
                {"source": "x" * 12_096}, {"source": "x" * 12_097},
            )
        },
        "no settings": lambda: fields.settings([1]),
    }  # fmt: skip
    said = {name: sentence(case).partition("; install it")[0] for name, case in cases.items()}
    same("fields", "\n".join(f"{name[:60]} | {words[:300]}" for name, words in said.items()))


def test_outcomes_that_cannot_be() -> None:
    good = (
        '{"repeat":0,"method":"seqmt","seconds":1.5,"order":["b","a"],"sources":{"a":"b","b":null},'
        '"chosen_C":{"a":1.0,"b":10.0},"test_error":{"a":0.0,"b":1.0},"bound":{"value":0.5}}'
    )
    walk = (
        '{"repeat":1,"seconds":1,"names":["a","b"],"orders":[[0,1],[1,0]],"test_errors":[0.0,1.0],"bounds":[0.5,2.5],'
        '"complete":true,"method":"orders"}'
    )
    changes = [
        (good, "", ""), (good, '"seqmt"', '"magic"'), (good, '"a":0.0,', '"a":-0.01,'), (good, '"b":1.0}', '"b":1.01}'),
        (good, '["b","a"]', "[]"), (good, '["b","a"]', '["b"]'), (good, '["b","a"]', '["b","a","a"]'),
        (good, '["b","a"]', '["b","c"]'), (good, '"a":"b"', '"a":"c"'), (good, '"a":1.0,', ""), (good, "1.5", '"1.5"'),
        (good, '"repeat":0', '"repeat":-1'), (good, '{"value":0.5}', "null"), (good, '"value"', f'"{"v" * 21}"'),
        (good, "0.5", "NaN"), (good, '{"a":"b","b":null}', '{"a":"b"}'), (good, '"bound"', '"bind"'),
        (walk, "", ""), (walk, "[1,0]", "[1,1]"), (walk, "[0.0,1.0]", "[0.0,1.1]"), (walk, "[0.0,1.0]", "[0.0]"),
        (walk, "[0.0,1.0]", "[-0.1,1.0]"), (walk, '"a","b"', '"a","a"'), (walk, "[[0,1],[1,0]]", "[]"),
        (walk, "true", "1"),
        (walk, "[0.5,2.5]", "[0.5]"), (walk, "true", "false"),
    ]  # fmt: skip
    said = []
    for text, old, new in changes:
        changed = text.replace(old, new, 1) if old else text
        said.append(f"{old} -> {new} | {sentence(lambda changed=changed: outcome_from(changed))}")
    same("outcomes", "\n".join(said))


def test_bundles_that_are_refused(parts: object, tmp_path: Path) -> None:
    said = []
    with Store(tmp_path / "home") as store:
        for harm, change in bundles.HARMS.items():
            bundle = bundles.pack(tmp_path / "run.zip", *bundles.changed(parts, change))  # type: ignore[arg-type]
            said.append(f"{harm} | {sentence(lambda bundle=bundle: import_bundle(store, bundle))}")
        assert store.runs() == ()
    same("bundles", "\n".join(said))


@pytest.mark.parametrize("gigabytes", [0.001, 0.1])
def test_memory_is_predicted_by_its_formula(gigabytes: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """8 bytes for twice the inner products of all points, six times those of the largest task, and the points twice."""
    monkeypatch.setenv(limits.MEMORY_ENVIRONMENT, str(gigabytes))
    y = np.array([1.0, -1.0])
    large = Task("a", np.ones((300, 4)), np.tile(y, 150), np.ones((50, 4)), np.tile(y, 25))
    tasks = TaskSet("s", (large, Task("b", np.ones((100, 4)), np.tile(y, 50))))
    needed = 8 * (2 * 400**2 + 6 * 300**2 + 2 * 450 * 4)
    assert limits.predicted_bytes(tasks) == needed
    assert limits.allowed_bytes() == gigabytes * 1e9
    if needed <= gigabytes * 1e9:
        limits.check_memory(tasks)
        return
    with pytest.raises(limits.TooLargeError) as refused:
        limits.check_memory(tasks)
    fewer = re.findall(r"about (\d+) of them", str(refused.value))[0]
    assert limits.predicted_bytes(tasks, int(fewer) / 400) <= gigabytes * 1e9 < limits.predicted_bytes(tasks, 0.51)
    assert str(refused.value) == (
        "learning from 400 training points (300 in the largest task) would take about 0.0 GB of memory, and 0.0 GB "
        f"may be used; take fewer points: about {fewer} of them, shared out in the same way, would do"
    )


def test_memory_is_half_of_the_machine_unless_told_and_pools_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    for told in (None, "much"):
        monkeypatch.delenv(limits.MEMORY_ENVIRONMENT, raising=False)
        if told is not None:
            monkeypatch.setenv(limits.MEMORY_ENVIRONMENT, told)
        assert limits.allowed_bytes() == limits.machine_bytes() / 2
    assert 2e8 < limits.machine_bytes() < 1e14
    y = np.array([1.0, -1.0])
    many = TaskSet("s", tuple(Task(f"t{k}", np.ones((600, 1)), np.tile(y, 300)) for k in range(20)))
    assert limits.predicted_bytes(many) == 8 * (2 * 100_000_000 + 6 * 600**2 + 2 * 12_000)


def test_how_points_are_held_out_is_said_and_done() -> None:
    y = np.repeat([1.0, -1.0], [10, 4])
    task = Task("t", np.arange(14.0)[:, None], y)
    tested = Task("u", np.arange(14.0)[:, None], y, np.ones((2, 1)), np.array([1.0, -1.0]))
    one, both = TaskSet("s", (task,)), TaskSet("s", (task, tested))
    said = []
    for sampler in (FileSource.of(one), FileSource.of(both), FileSource.of(TaskSet("s", (tested,)))):
        said.append(sampler.sentence)
        said += [repr(drawn.X.ravel().tolist()) for drawn in sampler.sample(3).tasks]
    said += [repr(with_test_split(one, share, 5).tasks[0].X_test.ravel().tolist()) for share in (0.01, 0.3, 0.99)]
    said += [sentence(lambda share=share: with_test_split(one, share)) for share in (0.0, 1.0)]
    lonely = replace(one, tasks=(Task("l", np.ones((3, 1)), np.array([1.0, 1, -1])),))
    said += [sentence(lambda: with_test_split(lonely)), repr(Settings("s", ("seqmt",)).as_dict())]
    same("holding-out", "\n".join(said))
