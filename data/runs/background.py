"""A run that the dashboard started, in a process of its own: it computes the run of its id, when it has its turn.

    python -m data.runs.background ID [JOBS]

One such run of a store is computed at a time, on all cores; the others wait. What ends it is kept with the run.
"""

from __future__ import annotations

import sys
import traceback

from core.errors import CurriculabError
from data.assembly import LEAST
from data.runs.computation import STOPPED, check_open, compute_run
from data.runs.lock import computing, turn
from data.runs.schema import patiently
from data.runs.store import Store
from data.sources.catalogue import open_source


def compute_in_turn(store: Store, identity: int, jobs: int | None = None) -> None:
    """Wait for the turn, then compute what is missing; an error is kept as why the run stopped."""
    run = store.run(identity)
    check_open(run)
    with computing(store.folder, identity):
        try:
            patiently(lambda: store.stop(identity, ""))
            with turn(store.folder, identity):
                source = open_source(run.settings.source)
                if source.digest != run.digest:  # begun without small tasks
                    source, _ = source.with_least(LEAST)
                compute_run(store, run, source, jobs, held=True)
        except CurriculabError as error:
            store.stop(identity, str(error))
            raise
        except KeyboardInterrupt:
            store.stop(identity, STOPPED)
            raise
        except BaseException as error:
            store.stop(identity, f"it met a problem that nobody foresaw ({type(error).__name__})")
            raise


def main(arguments: list[str]) -> int:
    """0, or 2 with a line on standard error, or 130 when interrupted."""
    try:
        with Store() as store:
            compute_in_turn(store, int(arguments[0]), int(arguments[1]) if arguments[1:] else None)
    except CurriculabError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except Exception:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
