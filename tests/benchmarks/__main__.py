"""`make bench`: ours against peers in one run on one machine; a table, JSON and docs/performance.md.

`python -m tests.benchmarks` does a part of the long literal work, the same on both sides (a few minutes);
`--full` does all of it, and is what docs/performance.md and the targets are about.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # before numpy: one BLAS thread for the peers (ours keeps to one by itself)

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # what is started has its bytecode at hand, as when installed
from tests.benchmarks.main import main  # noqa: E402 - after the environment is set

if __name__ == "__main__":
    main()
