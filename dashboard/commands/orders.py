"""`curriculab orders`: every order of the tasks, with its bound and test error."""

from __future__ import annotations

import argparse
import csv
import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from dashboard.commands.options import Subparsers, add_learner, command, load
from dashboard.commands.output import check_writable, write_text
from dashboard.commands.progress import terminal_progress
from dashboard.commands.tables import printable, table

if TYPE_CHECKING:
    from core import Learned
    from core.analysis.all_orders import Orders


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = command(
        subparsers, "orders", run, "try every order of the tasks", "curriculab orders digits-levels:8 --csv orders.csv"
    )
    add_learner(parser)
    parser.add_argument(
        "--limit",
        type=int,
        default=5040,
        metavar="N",
        help="where there are more orders, a random sample of so many (default: 5040)",
    )
    parser.add_argument(
        "--own-C",
        action="store_true",
        help="with --C shared: every order picks its own C (default: all use SeqMT's, so that bounds compare)",
    )
    parser.add_argument("--csv", metavar="FILE|-", help="write a row per order, '-' for standard output")


def run(arguments: argparse.Namespace) -> None:
    """Walk the orders, then write them, or else say which is best and where greedy search stands."""
    if arguments.csv not in (None, "-"):
        check_writable(Path(arguments.csv))
    from core import learn
    from core.analysis.all_orders import every_order

    task_set = load(arguments)
    settings = {
        "C": arguments.C,
        "normalize": arguments.normalize,
        "bias": arguments.bias,
        "seed": arguments.seed,
        "delta": arguments.delta,
        "solver": arguments.solver,
    }
    with terminal_progress("trying orders") as progress:
        orders = every_order(task_set, limit=arguments.limit, own_C=arguments.own_C, progress=progress, **settings)
    if arguments.csv is not None:
        write_text(arguments.csv, as_csv(orders))
        return
    with terminal_progress("learning SeqMT") as progress:
        greedy = learn(task_set, "seqmt", progress=progress, **settings)
    print("\n".join(summary(orders, greedy)))


def as_csv(orders: Orders) -> str:
    """A row per order: the tasks by position, its C, its bound, and its mean test error; empty where there is none."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([*range(1, len(orders.names) + 1), "C", "bound", "test_error"])
    for row, bound in enumerate(orders.bounds):
        C = "" if math.isnan(orders.C[row]) else float(orders.C[row])
        error = "" if orders.test_errors is None else float(orders.test_errors[row])
        writer.writerow([*orders.named(row), C, float(bound), error])
    return text.getvalue()


def summary(orders: Orders, greedy: Learned) -> Iterator[str]:
    """The lines that `orders` prints: what was tried, the best and the worst, and SeqMT's place among them."""
    count = len(orders.orders)
    errors = orders.test_errors
    all_orders = math.factorial(len(orders.names))
    tried = f"all {count} orders" if orders.complete else f"a random sample of {count} of {all_orders} orders"
    yield f"{tried} of {printable(greedy.task_set, 200)}, C {greedy.C}, seed {greedy.seed}"
    yield ""
    picked = [("lowest bound", orders.best_by_bound), ("highest bound", int(orders.bounds.argmax()))]
    if errors is not None:
        picked += [("lowest test error", int(errors.argmin())), ("highest test error", int(errors.argmax()))]
    found = [
        (label, orders.named(row), float(orders.bounds[row]), None if errors is None else float(errors[row]))
        for label, row in picked
    ]
    if greedy.bound is not None:
        found.append(("SeqMT", greedy.order, greedy.bound.value, greedy.mean_test_error))
    rows = [
        (label, f"{bound:.4f}", "-" if error is None else f"{error:.1%}", " > ".join(map(printable, order)))
        for label, order, bound, error in found
    ]
    yield table(("", "bound", "test error", "order"), rows, right=(1, 2))
    if greedy.bound is not None:
        yield ""
        yield f"SeqMT's bound is number {orders.rank_by_bound(greedy.bound.value)} of {count} from the lowest"
