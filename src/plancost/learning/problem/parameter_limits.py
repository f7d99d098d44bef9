"""What holds of costs that are made of several parameters, as rows.

The costs of single parameters have bounds in linear programs. A cost that is made of several has
rows instead, which hold whichever plans are optimal: it is at least 1, and within the bounds
that the user gives. In whole numbers a cost is at least 1 iff one of its parameters is: that is
the row used here, which says more than the cost itself does in a linear program, and is the same
row for many actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plancost.learning.problem.cost_model import CostModel
from plancost.learning.problem.rows import Counts, Row
from plancost.learning.problem.terms import Term
from plancost.observations.bounds_files import Range

BOUND = "bound"
LEAST = "every action costs at least 1"
LINK = "the cost of an action"
"""What the rows are."""


def limit_rows(
    composition: CostModel, ranges: Mapping[Counts, Range], terms: Sequence[Term]
) -> dict[Row, str]:
    """All rows for the costs of several parameters; `ranges` are those of their kinds."""
    found: dict[Row, str] = {}
    for parts, (least, greatest) in ranges.items():
        if len(parts) == 1 and parts[0][1] == 1:
            continue  # the bounds of the parameter itself
        if least > 1:
            found[tuple((parameter, -times) for parameter, times in parts), least] = BOUND
        if greatest is not None:
            found[parts, -greatest] = BOUND
    supports = {frozenset(parameter for parameter, _ in parts) for parts in ranges}
    for support in sorted(supports, key=sorted):
        goes_without_saying = any(terms[parameter].least for parameter in support)
        if not goes_without_saying and not any(other < support for other in supports):
            found[tuple((parameter, -1) for parameter in sorted(support)), 1] = LEAST
    for parameter, action in composition.links:
        parts = composition.parts[action]
        found[(*parts, (parameter, -1)), 0] = LINK
        found[(*((other, -times) for other, times in parts), (parameter, 1)), 0] = LINK
    return found
