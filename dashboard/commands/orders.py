"""`curriculab orders`: every order of the tasks, with its bound and test error."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.errors import SettingsError
from dashboard.commands.options import Subparsers, add_learner, add_set, command, learner, load, problem_of
from dashboard.commands.terminal import check_writable, percent, plain, printable, table, terminal_progress, write_text
from dashboard.text import error_name

if TYPE_CHECKING:
    from core import Learned
    from core.orders.all_orders import Orders

VACUOUS = "bounds above 1/2 on half the expected error guarantee nothing; they only rank the orders"


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = command(
        subparsers, "orders", run, "try every order of the tasks", "curriculab orders mnist-levels:2 --C 1000 --best"
    )
    add_set(parser)
    add_learner(parser)
    parser.add_argument(
        "--limit",
        type=int,
        metavar="N",
        help="where there are more orders, a random sample of so many (default: 5040)",
    )
    parser.add_argument(
        "--own-C",
        action="store_true",
        help="with --C shared: every order picks its own C (default: all use SeqMT's, so that bounds compare)",
    )
    parser.add_argument(
        "--best",
        action="store_true",
        help="only the order with the lowest bound: exact up to 10 tasks, else best found",
    )
    parser.add_argument(
        "--beam", type=int, metavar="K", help="with --best: keep K orders at every step instead of an exact search"
    )
    parser.add_argument(
        "--method",
        metavar="NAME",
        help="with --best: seqmt (one sequence), multiseqmt (subsequences) or treemt (a forest); exact up to 7 tasks",
    )
    parser.add_argument("--csv", metavar="FILE|-", help="write a row per order, '-' for standard output")


def run(arguments: argparse.Namespace) -> None:
    """Walk the orders, then write them, or else say which is best and where greedy search stands."""
    check_writable(arguments.csv)
    if arguments.beam is not None and not arguments.best:
        raise SettingsError("--beam goes with --best: it is how wide the search for the lowest bound is")
    if arguments.method is not None and not arguments.best:
        raise SettingsError("--method goes with --best: without it every order of one sequence is tried")
    given = {"--csv": arguments.csv, "--limit": arguments.limit, "--own-C": arguments.own_C or None}
    for option, value in given.items():
        if arguments.best and value is not None:
            raise SettingsError(f"{option} goes without --best, which tells of one order alone; leave one of them out")
    if arguments.best:
        print("\n".join(best(arguments)))
        return
    from core import learn
    from core.orders.all_orders import LIMIT, every_order
    from core.statistics.data_checks import unequal
    from dashboard.figures.class_balance import learned_words

    task_set = load(arguments)
    settings = learner(arguments)
    limit = LIMIT if arguments.limit is None else arguments.limit
    with terminal_progress("trying orders") as progress:
        orders = every_order(task_set, limit=limit, own_C=arguments.own_C, progress=progress, **settings)
    if arguments.csv is not None:
        write_text(arguments.csv, as_csv(orders))
        return
    with terminal_progress("learning SeqMT") as progress:
        greedy = learn(task_set, "seqmt", progress=progress, **settings)
    print("\n".join(summary(orders, greedy)))
    if unequal(task_set) and greedy.answers is not None:
        print(plain(learned_words(greedy)))


def best(arguments: argparse.Namespace) -> Iterator[str]:
    """The lines that `orders --best` prints: the lowest bound beside greedy search's."""
    from core import METHODS, best_order

    problem = problem_of(arguments, load(arguments))
    with terminal_progress("searching the lowest bound") as progress:
        found = best_order(
            problem,
            arguments.C,
            method=arguments.method or "seqmt",
            delta=arguments.delta,
            beam=arguments.beam,
            progress=progress,
        )
    how = "exact" if found.exact else f"best found, keeping {found.width} at every step"
    greedy = found.greedy
    yield f"{how}: {printable(greedy.task_set, 200)}, C {arguments.C}, seed {greedy.seed}, {found.fits} fits"
    yield ""
    rows = []
    for label, learned in (("lowest bound", found.learned), (METHODS[greedy.method], greedy)):
        assert learned.bound is not None
        chains = " | ".join(" > ".join(map(printable, chain)) for chain in chains_of(learned))
        rows.append((label, f"{learned.bound.value:.4f}", percent(learned.mean_error), chains))
    yield table(("", "bound", error_name(greedy.measure), "order"), rows, right=(1, 2))
    yield ""
    if found.learned.bound is not None and found.learned.bound.value >= 0.5:
        yield VACUOUS
    lowest = "has the lowest bound" if found.exact else "has the lowest bound that was found"
    if found.greedy_is_best:
        yield f"{METHODS[greedy.method]} {lowest}: greed cost nothing"
    else:
        yield f"greed costs {found.gap:.4f} of the bound"


def chains_of(learned: Learned) -> list[list[str]]:
    """The tasks in the order of learning, cut wherever a task does not start from the one before."""
    chains: list[list[str]] = []
    for task, source in learned.sources.items():
        if chains and source == chains[-1][-1]:
            chains[-1].append(task)
        else:
            chains.append([task] if source is None else [source, task])
    return chains


def as_csv(orders: Orders) -> str:
    """A row per order: the tasks by position, its C, its bound, and its mean test error; empty where there is none."""
    from data.tables.writer import csv_text

    rows = []
    for row, bound in enumerate(orders.bounds):
        C = "" if math.isnan(orders.C[row]) else float(orders.C[row])
        error = "" if orders.test_errors is None else float(orders.test_errors[row])
        rows.append([*orders.named(row), C, float(bound), error])
    name = "test_error" if orders.measure == "error" else "balanced_error"
    return csv_text([*range(1, len(orders.names) + 1), "C", "bound", name], rows)


def summary(orders: Orders, greedy: Learned) -> Iterator[str]:
    """The lines that `orders` prints: what was tried, the best and the worst, and SeqMT's place among them."""
    count = len(orders.orders)
    errors, what = orders.test_errors, error_name(orders.measure)
    all_orders = math.factorial(len(orders.names))
    tried = (
        f"all {count} order{'s' * (count > 1)}"
        if orders.complete
        else f"a random sample of {count} of {all_orders} orders"
    )
    yield f"{tried} of {printable(greedy.task_set, 200)}, C {greedy.C}, seed {greedy.seed}"
    yield ""
    picked = [("lowest bound", orders.best_by_bound), ("highest bound", int(orders.bounds.argmax()))]
    if errors is not None:
        picked += [(f"lowest {what}", int(errors.argmin())), (f"highest {what}", int(errors.argmax()))]
    found = [
        (label, orders.bounds[row], None if errors is None else errors[row], orders.named(row)) for label, row in picked
    ]
    if greedy.bound is not None:
        found.append(("SeqMT", greedy.bound.value, greedy.mean_error, greedy.order))
    rows = [
        (label, f"{bound:.4f}", percent(error), " > ".join(map(printable, order)))
        for label, bound, error, order in found
    ]
    yield table(("", "bound", what, "order"), rows, right=(1, 2))
    if orders.bounds.min() >= 0.5:
        yield ""
        yield VACUOUS
    if greedy.bound is not None:
        yield ""
        yield f"SeqMT's bound is number {orders.rank_by_bound(greedy.bound.value)} of {count} from the lowest"
