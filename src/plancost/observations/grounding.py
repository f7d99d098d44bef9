"""Grounding: from PDDL text to ground actions, by Fast Downward's translator.

The translator is a GPL program and runs as a process of its own. Two of its
habits would change the learning task, so they are switched off: it drops
variables and operators that cannot matter for the goal (an observed plan may
use them all the same), and with a ``:metric`` it drops actions whose cost is
undefined. So it is given the PDDL without costs; `plancost.observations.pddl`
reads those.
"""

from __future__ import annotations

import logging
import sys

from plancost.errors import CalledOffError, InputError, LimitError, PlannerError, UnsolvableError
from plancost.observations.pddl import Domain, Problem, without_costs
from plancost.observations.sas import SasTask, parse_sas
from plancost.processes import Ending, Limits, private_directory, run

_log = logging.getLogger(__name__)

_TRANSLATOR = (
    sys.executable,
    "-m",
    "fast_downward.translate",
    "--keep-unimportant-variables",
    "--keep-no-ops",
)
_INPUT_ERROR = 31
_OUT_OF_MEMORY = 20


def ground(domain: Domain, problem: Problem, limits: Limits) -> SasTask:
    """Ground one problem."""
    with private_directory() as directory:
        domain_file = directory / "domain.pddl"
        problem_file = directory / "problem.pddl"
        sas_file = directory / "output.sas"
        domain_text, problem_text = without_costs(domain, problem)
        domain_file.write_text(domain_text, encoding="utf-8")
        problem_file.write_text(problem_text, encoding="utf-8")
        command = [*_TRANSLATOR, "--sas-file", sas_file.name, domain_file.name, problem_file.name]
        finished = run(command, directory=directory, limits=limits)
        path = problem.path
        if finished.ending is Ending.STOPPED:
            raise CalledOffError(f"{path}: grounding was called off")
        if finished.ending is Ending.OUT_OF_TIME:
            raise LimitError(f"{path}: grounding did not end within the time limit")
        out_of_memory = finished.exit_code == _OUT_OF_MEMORY or "MemoryError" in finished.output
        if finished.ending is not Ending.EXITED or out_of_memory:
            raise LimitError(f"{path}: grounding needs more memory than it may use")
        if finished.exit_code != 0 or not sas_file.is_file():
            raise _translation_error(finished.exit_code, finished.output, domain, problem)
        task = parse_sas(sas_file.read_text(encoding="utf-8"))
    if _is_placeholder(task):
        if task.is_goal(task.initial_state):
            return SasTask((), (), (), (), (), ())
        raise UnsolvableError("the goal cannot be reached in this problem by any plan", path)
    actions = len(task.operators_by_name)
    _log.debug("%s: %d actions, %d variables", path, actions, len(task.variables))
    return task


def _is_placeholder(task: SasTask) -> bool:
    """Whether the translator put its stand-in for a trivial goal.

    It does so when the goal can never hold, or always holds; both are tasks
    without operators and with one invented variable.
    """
    return not task.operators and any(
        value.startswith("Atom dummy(") for variable in task.variables for value in variable.values
    )


def _translation_error(
    exit_code: int | None, output: str, domain: Domain, problem: Problem
) -> InputError | PlannerError:
    """Put the translator's complaint into one sentence about the user's file."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if any("No module named" in line for line in lines[-1:]):
        return PlannerError(
            "the translator is not installed: run 'pip install fast-downward.translate'"
        )
    in_domain = any(
        line == "Parsing domain" or "Could not parse domain file" in line for line in lines
    )
    file = domain.path if in_domain else problem.path
    if exit_code == _INPUT_ERROR:
        return InputError(f"the translator rejects this PDDL: {_complaint(lines)}", file)
    # The traceback may begin behind an unfinished line of progress.
    if exit_code == 1 and any("Traceback (most recent call last)" in line for line in lines):
        return InputError(
            f"the translator cannot read this problem together with its domain ({lines[-1]}); "
            "check that every type, object and predicate that it uses is declared",
            file,
        )
    tail = " / ".join(lines[-3:])
    return PlannerError(f"{file}: the translator ended with exit code {exit_code}: {tail}")


def _complaint(lines: list[str]) -> str:
    """What the translator says is wrong, with the innermost place that has a name.

    It prints a trail of ``->Parsing ...`` lines, then the reason and ``Got: ...``.
    """
    start = lines.index("Parsing...") + 1 if "Parsing..." in lines else 0
    said = [line for line in lines[start:] if line not in ("Parsing domain", "Parsing problem")]
    reason = " ".join(line for line in said if not line.startswith("->"))
    reason = reason.removeprefix("Error:").strip()
    reason = reason.replace(". Got: ", "; found ").replace(" Got: ", "; found ")
    places = [line.removeprefix("->Parsing ") for line in said if line.startswith("->")]
    named = [place for place in places if "'" in place or "#" in place]
    return f"{reason} (in {named[-1]})" if named else reason
