"""Peak memory of fresh processes, with what Python and the imports take said apart."""

from __future__ import annotations

from tests.benchmarks.timing import peak_megabytes

_OURS = "from tests.benchmarks import problems\nfrom core import learn\n"
_LITERAL = """from tests.benchmarks import problems
from tests.benchmarks.literal import Literal
from tests.benchmarks.peers import cvxopt_qp
"""


def megabytes() -> dict[str, float]:
    """Peak resident memory of each piece of work."""
    return {
        "ours, imports alone": peak_megabytes(_OURS + "import core.curriculum.learn"),
        "ours, SeqMT, C each, Shoes size": peak_megabytes(_OURS + "learn(problems.shoes_size(), C='each')"),
        "ours, SeqMT, C shared, Shoes size": peak_megabytes(_OURS + "learn(problems.shoes_size(), C='shared')"),
        "CVXOPT, imports alone": peak_megabytes(_LITERAL),
        "CVXOPT, literal Algorithm 1, C 100, Shoes size": peak_megabytes(
            _LITERAL + "Literal(cvxopt_qp, 100.0).run(problems.shoes_size().prepared())"
        ),
    }
