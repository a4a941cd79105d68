"""`make mutate`: break a sample of the code in small ways and count what the tests notice.

    python -m tests.mutation [--sample 400] [--seed 0] [--minutes 30] [--fresh] [--write]

mutmut makes the mutants (`making.py`), and for each the tests that reach its function are run (`trying.py`). A mutant
that changes nothing a user or caller can see is listed in `equivalent.txt` with the reason, and does not count.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MUTANTS = ROOT / "mutants"
PAGE = ROOT / "docs" / "testing.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
NO_TEST, UNSURE, SURVIVED = 33, 34, 0
AREAS = ("core", "data", "dashboard")


def main() -> None:
    """Generate, sample, run, count, and say what survived."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("--sample", type=int, default=400, help="mutants to try (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=30.0, help="time for the mutants (default: %(default)s)")
    parser.add_argument("--only", default="", help="only mutants whose name begins so, such as core.curriculum")
    parser.add_argument("--fresh", action="store_true", help="make everything anew; else what did not change is kept")
    parser.add_argument("--write", action="store_true", help="write the score into docs/testing.md")
    arguments = parser.parse_args()
    if arguments.fresh:
        shutil.rmtree(MUTANTS, ignore_errors=True)
    subprocess.run([sys.executable, str(HERE / "making.py")], cwd=ROOT, check=True)
    names = [name for name in mutants() if name.startswith(arguments.only)]
    sample = random.Random(arguments.seed).sample(names, min(arguments.sample, len(names)))
    tried = subprocess.run(
        [sys.executable, str(HERE / "trying.py"), str(arguments.minutes)],
        cwd=ROOT, input="\n".join(sample), stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    codes = dict(line.split() for line in tried.stdout.splitlines())
    text = report({name: int(code) for name, code in codes.items()}, len(names), arguments.seed)
    print(text)
    if arguments.write:
        head, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
        PAGE.write_text(f"{head}{BEGIN}\n\n{text}\n{END}{rest.split(END)[1]}", encoding="utf-8")


def mutants() -> list[str]:
    """All names."""
    known = (json.loads(path.read_text(encoding="utf-8")) for path in MUTANTS.rglob("*.meta"))
    return sorted(name for one in known for name in one["exit_code_by_key"])


def equivalent() -> dict[str, str]:
    """Mutants that change nothing anyone can see, with the reason: a line `NAME  reason` each."""
    lines = (HERE / "equivalent.txt").read_text(encoding="utf-8").splitlines()
    said = (line for line in lines if line.strip() and not line.startswith("#"))
    return dict(line.split(maxsplit=1) for line in said)


def report(tried: dict[str, int], total: int, seed: int) -> str:
    """The score as a table by area, and what survived."""
    same = equivalent()
    counts: dict[str, Counter[str]] = {area: Counter() for area in AREAS}
    survivors = []
    for name, code in sorted(tried.items()):
        area = next(area for area in AREAS if name.startswith(area))
        verdict = "equivalent" if name in same else "survived" if code in (SURVIVED, NO_TEST, UNSURE) else "killed"
        counts[area][verdict] += 1
        if verdict == "survived":
            survivors.append(name + (" (no test reaches it)" if code == NO_TEST else ""))
    rows = [("all", sum(counts.values(), Counter[str]())), *counts.items()]
    lines = [
        f"{sum(rows[0][1].values())} of {total:,} mutants, drawn with seed {seed}, {date.today().isoformat()}.",
        "",
        "| where | killed | survived | equivalent | score |",
        "|---|---|---|---|---|",
    ]
    for area, count in rows:
        judged = count["killed"] + count["survived"]
        score = f"{100 * count['killed'] / judged:.0f} %" if judged else "–"
        lines.append(f"| {area} | {count['killed']} | {count['survived']} | {count['equivalent']} | {score} |")
    lines += ["", "Survived:", "", *(f"- `{name}`" for name in survivors)] if survivors else []
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
