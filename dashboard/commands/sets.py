"""`curriculab sets`: the built-in task sets."""

from __future__ import annotations

import argparse
import json

from dashboard.commands.options import Subparsers, command

FACTS = ("name", "story", "kind", "tasks", "licence", "origin", "note", "semantic_order", "groups", "image_shape")
"""What is told of every set in JSON, by the names that a source has for them; null where there is none."""


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = command(subparsers, "sets", run, "list the built-in task sets", "curriculab sets --json")
    parser.add_argument("--json", action="store_true", help="print a JSON list instead")


def run(arguments: argparse.Namespace) -> None:
    """Print every source of the catalogue with its story, or with what it still needs."""
    from data.sources import catalogue

    if arguments.json:
        listed = [
            {name: getattr(source, name) or None for name in FACTS}
            | {
                "knobs": [{"name": k.name, "default": k.default, "help": k.help} for k in source.knobs],
                "available": source.available,
                "missing": source.missing or None,
                "default": source.name == catalogue.DEFAULT,
            }
            for source in catalogue.sources()
        ]
        print(json.dumps(listed, indent=2))
        return
    for source in catalogue.sources():
        size = f" ({source.tasks} tasks)" if source.tasks else ""
        default = ", the default" if source.name == catalogue.DEFAULT else ""
        print(f"{source.name}{size}{default}\n    {source.story}")
        if source.note:
            print(f"    {source.note}")
        if not source.available:
            print(f"    Not available yet: {source.missing}")
