"""A problem with a goal that only an action of its own reaches.

The translator grounds nothing where the goal holds whatever is done. With this goal it grounds
all that can happen.
"""

from __future__ import annotations

from itertools import count

from plancost.observations.pddl.model import Domain, Problem
from plancost.observations.pddl.reading import parse_domain, parse_problem
from plancost.observations.sexpr import sections
from plancost.observations.text_edits import Edit, apply_edits


def with_other_goal(domain: Domain, problem: Problem) -> tuple[Domain, Problem, str]:
    """Domain and problem with another goal, and the name of the action that reaches it."""
    texts = f"{domain.text} {problem.text}".lower()
    names = (f"reach-the-end{number or ''}" for number in count())
    name = next(name for name in names if name not in texts)
    end = domain.tree.end - 1
    edits = [Edit(end, end, f" (:action {name} :parameters () :effect ({name}))")]
    predicates = sections(domain.tree, ":predicates")
    if predicates:
        place, declared = predicates[0].end - 1, f" ({name})"
    else:
        place, declared = domain.tree.items[1].end, f" (:predicates ({name}))"
    edits.append(Edit(place, place, declared))
    goal = Edit(problem.goal.start, problem.goal.end, f"({name})")
    return (
        parse_domain(apply_edits(domain.text, edits), domain.path),
        parse_problem(apply_edits(problem.text, [goal]), problem.path),
        f"({name})",
    )
