"""`make fuzz`: so many spoiled files of every format, under a limit of memory; the first that does harm is kept.

python -m tests.fuzz [FILES] [FIRST_SEED]
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

from tests.fuzz.files import once, seeds

LIMIT_BYTES = 2 * 2**30
"""Of memory, beside what is imported: a file of at most 2 MB must not take more."""


def main(count: int, first: int) -> int:
    """0 if every file was read or refused in a sentence."""
    seeds()
    warnings.simplefilter("ignore")
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + LIMIT_BYTES, mapped + LIMIT_BYTES))
    tried: Counter[str] = Counter()
    slowest = (0.0, -1)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            began = time.monotonic()
            try:
                kind, _ = once(seed, Path(folder))
            except BaseException:
                traceback.print_exc()
                print(f"\nseed {seed} does harm: python -m tests.fuzz 1 {seed}")
                return 1
            tried[kind] += 1
            slowest = max(slowest, (time.monotonic() - began, seed))
            if sum(tried.values()) % 1000 == 0:
                print(f"{sum(tried.values()):,} files", flush=True)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - base
    print(
        f"{sum(tried.values()):,} files ({', '.join(f'{kind} {n}' for kind, n in sorted(tried.items()))}): each read "
        f"or refused in a sentence; slowest {slowest[0]:.2f} s (seed {slowest[1]}), "
        f"memory grew by {grown / 2**20:.0f} MB"
    )
    return 0


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:]]
    sys.exit(main(given[0] if given else 10_000, given[1] if given[1:] else 0))
