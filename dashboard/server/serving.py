"""How this server is run: for one person on their own machine, or `--public`, where strangers come.

`curriculab --public` says so in the environment, before anything else is started; everybody asks `serving()`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from data.redaction import without_folders

PUBLIC = "CURRICULAB_PUBLIC"
ALLOW_RUNS = "CURRICULAB_ALLOW_RUNS"


@dataclass(frozen=True, slots=True)
class Serving:
    """What visitors may do, and how much of it.

    `turns` of all visitors compute at once, `turns_each` of one; `seconds` is the longest that one computation may
    take and `fit_seconds` a single fit, which nothing can stop (None: as long as it needs), `waiting` and
    `waiting_each` how many may wait; `bundle_megabytes` is the most that an imported run may unpack to,
    `upload_cells` and `set_cells` the most numbers of an upload and of a built-in
    set with turned knobs, `held_megabytes` what the task sets of all visitors may take together (None: no limit).
    Files as browsers send them: `window_megabytes` of one window (two of the largest size, for the task set and for a
    run to import), `files_megabytes` of all.
    """

    public: bool
    runs: bool
    turns: int = 2
    turns_each: int = 2
    seconds: float | None = None
    fit_seconds: float | None = None
    waiting: int = 1000
    waiting_each: int = 100
    upload_megabytes: int = 200
    uploads_each: int = 4
    bundle_megabytes: int = 200
    upload_cells: int | None = None
    set_cells: int | None = None
    held_megabytes: float | None = None
    window_megabytes: int = 45
    files_megabytes: int = 400


OWN_MACHINE = Serving(public=False, runs=True)


def serving() -> Serving:
    """As the environment says."""
    if not os.environ.get(PUBLIC):
        return OWN_MACHINE
    return Serving(
        public=True,
        runs=bool(os.environ.get(ALLOW_RUNS)),
        turns_each=1,
        seconds=120.0,
        fit_seconds=5.0,
        waiting=60,
        waiting_each=6,
        upload_megabytes=20,
        uploads_each=2,
        bundle_megabytes=8,
        upload_cells=5_000_000,
        set_cells=8_000_000,
        held_megabytes=800.0,
    )


def told(what: Exception | str) -> str:
    """What went wrong, for the screen: strangers are told no folders of the server."""
    return without_folders(str(what)) if serving().public else str(what)
