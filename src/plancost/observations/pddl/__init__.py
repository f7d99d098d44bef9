"""What plancost reads from PDDL: the front door to the modules beside it.

`reading` makes a `Domain` or `Problem` (`model`) from files; `costs` answers what
an action costs and takes costs out for grounding; `other_goal` is for goals that always hold;
`identity` tells which problems are one task, `normal_form` which goals are one; `missing`
explains why an action does not exist.
"""

from __future__ import annotations

from plancost.observations.pddl.costs import initial_cost, without_costs
from plancost.observations.pddl.identity import static_predicates, task_key, world_key
from plancost.observations.pddl.missing import explain_missing_action
from plancost.observations.pddl.model import (
    Domain,
    Literal,
    Problem,
    Schema,
    Term,
    split_action,
    term_text,
)
from plancost.observations.pddl.other_goal import with_other_goal
from plancost.observations.pddl.reading import (
    check_same_domain,
    parse_domain,
    parse_problem,
    read_domain,
    read_problem,
)

__all__ = [
    "Domain",
    "Literal",
    "Problem",
    "Schema",
    "Term",
    "check_same_domain",
    "explain_missing_action",
    "initial_cost",
    "parse_domain",
    "parse_problem",
    "read_domain",
    "read_problem",
    "split_action",
    "static_predicates",
    "task_key",
    "term_text",
    "with_other_goal",
    "without_costs",
    "world_key",
]
