"""Write learned costs into a problem that need not be among the observed ones."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from plancost.observations.grounding import ground
from plancost.observations.pddl import check_same_domain, read_domain, read_problem
from plancost.planning.new_costs import NewCosts, new_costs
from plancost.results.claims import GivenCosts
from plancost.results.pddl_out import write_pddl
from plancost.system.processes import Limits
from plancost.system.values import PathLike, as_path

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class AppliedCosts:
    """The files that were written, and what each action costs in them and why."""

    files: tuple[Path, ...]
    costs: NewCosts


def apply_costs(
    costs: GivenCosts,
    problem: PathLike,
    *,
    domain: PathLike,
    output: PathLike,
    default_cost: int | None = None,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
) -> AppliedCosts:
    """Write domain and problem with these costs, as PDDL.

    Args:
        costs: The path of a RESULT.json or of a plain file of costs, costs by action, or a result.
        problem: The PDDL problem; it need not be among the observed ones.
        domain: Its PDDL domain.
        output: The folder to write to.
        default_cost: Of actions without a learned cost; None: the median of their schema.
        limits: On time and memory for grounding.

    Returns:
        The files that were written, and where the cost of each action comes from.

    Raises:
        InputError: A file is wrong, or the costs are of another domain.
    """
    the_domain = read_domain(as_path(domain, "domain"))
    the_problem = read_problem(as_path(problem, "problem"))
    check_same_domain(the_domain, the_problem)
    task = ground(the_domain, the_problem, limits)
    found = new_costs(costs, the_domain, task.operators_by_name, default_cost, the_problem)
    words = (problem, len(found.learned), len(found.costs))
    _log.info("%s: %d of %d actions have a learned cost", *words)
    folder = as_path(output, "output")
    written = write_pddl(the_domain, [(the_problem, found.costs)], found.costs, folder)
    return AppliedCosts(tuple(written), found)
