"""SAS+, the language of Fast Downward and SymK, as text in which only the costs change.

A task becomes SAS+ once: PDDL by Fast Downward's translator, a network as one variable whose
values are its states. Afterwards only costs are written into it, and operators are left out.
Operators are named by the number of their action, so that any name of a link will do.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from plancost.case.model import Ints, Network, PddlTexts, Task
from plancost.case.pddl import Block, Edit, apply_edits, read
from plancost.errors import LimitError, PlannerError
from plancost.processes import Ending, Limits, private_directory, run
from plancost.search.downward import build_named

Costs = Sequence[int] | Ints

_OPTIONS = ("--keep-unimportant-variables", "--keep-no-ops")
_BUNDLED = (sys.executable, "-P", "-m", "fast_downward.translate")
_OUT_OF_MEMORY, _OUT_OF_TIME = 20, 21
ARRIVAL = -1
"""The action, without cost, that leads from each of several goal states to the goal."""


@dataclass(frozen=True)
class SasTask:
    """A task between whose parts costs are written; operators are (action, text before cost)."""

    head: str
    operators: tuple[tuple[int, str], ...]
    tail: str
    is_simple: bool
    """Without axioms and conditional effects, which only the blind heuristic knows."""
    has_axioms: bool = False

    def text(self, costs: Costs, most: int, allowed: Collection[int] | None = None) -> str:
        """The task without operators that cost more than `most` or are not allowed."""
        kept = [
            f"begin_operator\na{action}\n{body}{cost}\nend_operator\n"
            for action, body in self.operators
            for cost in (0 if action == ARRIVAL else int(costs[action]),)
            if cost <= most and (allowed is None or action in allowed or action == ARRIVAL)
        ]
        return f"{self.head}{len(kept)}\n{''.join(kept)}{self.tail}"


def translate(pddl: PddlTexts, problem: str, limits: Limits) -> str:
    """What the translator makes of a problem without its costs, with all operators kept."""
    own = build_named("PLANCOST_TRANSLATOR")
    command = _BUNDLED if own is None else (str(own),)
    with private_directory() as directory:
        domain, text = _without_costs(pddl.domain, pddl.problems[problem])
        (directory / "domain.pddl").write_text(domain, encoding="utf-8")
        (directory / "problem.pddl").write_text(text, encoding="utf-8")
        files = ("--sas-file", "task.sas", "domain.pddl", "problem.pddl")
        finished = run([*command, *_OPTIONS, *files], directory=directory, limits=limits)
        if finished.ending is Ending.OUT_OF_TIME or finished.exit_code == _OUT_OF_TIME:
            raise LimitError(f"{problem}: translating did not end within the time limit")
        is_killed = finished.signal == signal.SIGKILL or "MemoryError" in finished.output
        if finished.exit_code == _OUT_OF_MEMORY or is_killed:
            raise LimitError(f"{problem}: translating needs more memory than it may use")
        if finished.exit_code != 0:
            last = finished.output.strip().rpartition("\n")[2] or "it printed nothing"
            raise PlannerError(f"{problem}: the translator failed: {last}")
        try:
            return (directory / "task.sas").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise PlannerError(f"{problem}: the translator has written no task") from error


def read_sas(text: str, numbers: Mapping[str, int]) -> SasTask:
    """Take a translated task apart; `numbers` are those of the actions, by name."""
    try:
        return _read(text, numbers)
    except (StopIteration, ValueError) as error:
        raise PlannerError("the translator wrote a task that plancost cannot read") from error


def sas_of_network(network: Network, task: Task) -> SasTask:
    """A task on a network: one variable, and an operator for each transition."""
    states = [f"Atom at({number})\n" for number in range(len(network.states))]
    goals = sorted(task.goal_states)
    arrives = len(goals) != 1
    if arrives:
        states.append("Atom arrived()\n")
    goal = len(network.states) if arrives else goals[0]
    (start,) = task.initial
    head = (
        "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n"
        f"1\nbegin_variable\nplace\n-1\n{len(states)}\n{''.join(states)}end_variable\n"
        f"0\nbegin_state\n{start}\nend_state\nbegin_goal\n1\n0 {goal}\nend_goal\n"
    )
    transitions = zip(
        network.source.tolist(), network.target.tolist(), network.action.tolist(), strict=True
    )
    end = None if arrives else goal
    operators = [  # without those that are in no plan that visits no state twice
        (action, f"0\n1\n0 0 {source} {target}\n")
        for source, target, action in transitions
        if source != target and target != start and source != end
    ]
    if arrives:
        operators += [(ARRIVAL, f"0\n1\n0 0 {place} {goal}\n") for place in goals]
    return SasTask(head, tuple(operators), "0\n", is_simple=True)


def _without_costs(domain: str, problem: str) -> tuple[str, str]:
    """The texts with nothing about costs, for want of which the translator drops actions.

    Effects that are missing or empty, on which it fails, become ``(and)``.
    """
    tree = read(domain, "the domain")
    edits = [
        Edit(block.start, block.end, "(and)")
        for block in tree.all_blocks()
        if block.head == "increase"
    ]
    for action in tree.blocks(":action"):
        effect = action.after(":effect")
        if effect is None:
            edits.append(Edit(action.end - 1, action.end - 1, " :effect (and)"))
        elif isinstance(effect, Block) and not effect.items:
            edits.append(Edit(effect.start, effect.end, "(and)"))
    asked = read(problem, "the problem")
    numeric = [block for init in asked.blocks(":init") for block in init.blocks("=")]
    numeric += asked.blocks(":metric")
    return (
        apply_edits(domain, edits),
        apply_edits(problem, [Edit(block.start, block.end, "") for block in numeric]),
    )


def _read(text: str, numbers: Mapping[str, int]) -> SasTask:
    lines = iter(text.splitlines(keepends=True))
    head = []
    for line in lines:
        head.append(line)
        if line == "end_goal\n":
            break
    operators = []
    is_simple = True
    for _ in range(int(next(lines))):
        _expect("begin_operator", next(lines))
        name = next(lines).strip()
        conditions = _counted(lines, next(lines))
        effects = _counted(lines, next(lines))
        next(lines)  # the translator's cost
        _expect("end_operator", next(lines))
        is_simple &= all(effect.startswith("0 ") for effect in effects[1:])
        action = numbers.get(f"({name})")  # what the case does not know can never be applied
        if action is not None and effects[1:]:  # without effects no planner reads it
            operators.append((action, "".join(conditions + effects)))
    tail = "".join(lines)
    has_axioms = not tail.startswith("0")
    priced = "".join(head).replace("begin_metric\n0\n", "begin_metric\n1\n", 1)
    return SasTask(priced, tuple(operators), tail, is_simple and not has_axioms, has_axioms)


def _counted(lines: Iterator[str], first: str) -> list[str]:
    """A line that says how many follow, and these."""
    return [first, *islice(lines, int(first))]


def _expect(word: str, line: str) -> None:
    if line.strip() != word:
        raise ValueError(f"expected {word}, found {line}")
