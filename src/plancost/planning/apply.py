"""Write learned costs into a problem that need not be among the observed ones."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from plancost.observations.grounding import ground
from plancost.observations.pddl import check_same_domain, read_domain, read_problem
from plancost.planning.new_costs import GivenCosts, NewCosts, new_costs
from plancost.results.pddl_out import write_pddl
from plancost.system.processes import Limits

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class AppliedCosts:
    """The files that were written, and what each action costs in them and why."""

    files: tuple[Path, ...]
    costs: NewCosts


def apply_costs(
    costs: GivenCosts,
    problem: Path,
    *,
    domain: Path,
    output: Path,
    default_cost: int | None = None,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
) -> AppliedCosts:
    """Write domain and problem with these costs, as PDDL, into the folder `output`.

    `costs` is a RESULT.json, a plain file of costs, or the costs themselves by name. Actions
    without a learned cost get `default_cost`, or what `plancost.planning.new_costs` says.
    """
    the_domain, the_problem = read_domain(domain), read_problem(problem)
    check_same_domain(the_domain, the_problem)
    task = ground(the_domain, the_problem, limits)
    found = new_costs(costs, the_domain, task.operators_by_name, default_cost, the_problem)
    words = (problem, len(found.learned), len(found.costs))
    _log.info("%s: %d of %d actions have a learned cost", *words)
    written = write_pddl(the_domain, [(the_problem, found.costs)], found.costs, output)
    return AppliedCosts(tuple(written), found)
