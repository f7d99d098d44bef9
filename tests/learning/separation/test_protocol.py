"""All separators can be asked the same, and one finds nothing."""

from __future__ import annotations

import numpy as np

from plancost.learning.separation.by_planners import PlannerSeparator
from plancost.learning.separation.combined import CombinedSeparator
from plancost.learning.separation.on_graphs import GraphSeparator
from plancost.learning.separation.protocol import NoSeparator, Separator
from plancost.system.clock import Deadline

SEPARATORS: list[type[Separator]] = [
    PlannerSeparator,
    CombinedSeparator,
    GraphSeparator,
    NoSeparator,
]
"""The type checker looks at these; the test looks at what it cannot see."""


def test_every_separator_has_all_questions() -> None:
    questions = {name for name in vars(Separator) if not name.startswith("_")}
    assert questions == {"effort", "graphs", "paths", "undecided", "violated"}
    for separator in SEPARATORS:
        assert questions <= {name for name in dir(separator) if callable(getattr(separator, name))}


def test_nothing_is_found_where_only_known_cuts_count() -> None:
    separator = NoSeparator()
    costs = np.array([1.0])
    assert separator.violated(costs, [0, 1], exact=True, deadline=Deadline()) == []
    assert (separator.effort([0, 1]), separator.undecided()) == (1, frozenset())
    assert separator.graphs() is None  # type: ignore[func-returns-value]
    assert separator.paths() is None  # type: ignore[func-returns-value]
