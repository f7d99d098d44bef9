"""Grounding: from PDDL text to ground actions, by Fast Downward's translator.

The translator is a GPL program and runs as a process of its own. Three of its
habits would change the learning task, so they are switched off. It drops
variables and operators that cannot matter for the goal (an observed plan may
use them all the same). With a ``:metric`` it drops actions whose cost is
undefined, so it is given the PDDL without costs; `plancost.observations.pddl`
reads those. It drops everything where the goal always holds, so it is asked
again with another goal then.
"""

from __future__ import annotations

import logging
import signal
import sys
from dataclasses import replace
from pathlib import Path

from plancost.errors import (
    CalledOffError,
    InputError,
    LimitError,
    PlancostError,
    PlannerError,
    UnsolvableError,
)
from plancost.observations.pddl import Domain, Problem, with_other_goal, without_costs
from plancost.observations.sas import SasTask, parse_sas
from plancost.system.binaries import TRANSLATOR, named_binary
from plancost.system.clock import Deadline
from plancost.system.processes import Ending, Finished, Limits, run
from plancost.system.temporary import private_directory

_MEND = "raise the limit, or give it a problem with fewer objects"
_log = logging.getLogger(__name__)

_BUNDLED = (sys.executable, "-P", "-m", "fast_downward.translate")
_OPTIONS = ("--keep-unimportant-variables", "--keep-no-ops")
_INPUT_ERROR = 31
_OUT_OF_MEMORY = 20
_OUT_OF_TIME = 21
_LARGEST_TASK_BYTES = 2_000_000_000
"""Far more than a Python program could take in."""


def translator() -> tuple[str, ...]:
    """The words that start the translator: the user's own, or else the bundled one."""
    own = named_binary(TRANSLATOR)
    return _BUNDLED if own is None else (str(own),)


def ground(domain: Domain, problem: Problem, limits: Limits) -> SasTask:
    """Ground one problem."""
    path = problem.path
    deadline = Deadline.after(limits.time_s)
    task = _translated(domain, problem, limits)
    if _is_placeholder(task):
        if not task.is_goal(task.initial_state):
            raise UnsolvableError("the goal cannot be reached in this problem by any plan", path)
        left = replace(limits, time_s=deadline.remaining())
        task = _ground_without_goal(domain, problem, left)
    actions = len(task.operators_by_name)
    _log.debug("%s: %d actions, %d variables", path, actions, len(task.variables))
    return task


def _ground_without_goal(domain: Domain, problem: Problem, limits: Limits) -> SasTask:
    """The task of a problem whose goal always holds.

    The other goal and the action that reaches it are taken away again; its fact stays, as a
    goal that holds in every state.
    """
    changed_domain, changed_problem, reaching = with_other_goal(domain, problem)
    task = _translated(changed_domain, changed_problem, limits)
    return replace(
        task,
        goal=tuple((variable, task.initial[variable]) for variable, _ in task.goal),
        operators=tuple(o for o in task.operators if o.name != reaching),
    )


def _translated(domain: Domain, problem: Problem, limits: Limits) -> SasTask:
    """What the translator makes of a problem."""
    with private_directory() as directory:
        domain_file = directory / "domain.pddl"
        problem_file = directory / "problem.pddl"
        sas_file = directory / "output.sas"
        domain_text, problem_text = without_costs(domain, problem)
        domain_file.write_text(domain_text, encoding="utf-8")
        problem_file.write_text(problem_text, encoding="utf-8")
        files = ("--sas-file", sas_file.name, domain_file.name, problem_file.name)
        command = [*translator(), *_OPTIONS, *files]
        try:
            finished = run(command, directory=directory, limits=limits)
        except PlancostError as error:  # it could not even be started
            raise PlannerError(f"{problem.path}: {error}") from error
        _require_success(finished, domain, problem)
        return _read(sas_file, problem.path)


def _require_success(finished: Finished, domain: Domain, problem: Problem) -> None:
    path = problem.path
    if finished.ending is Ending.STOPPED:
        raise CalledOffError(f"{path}: grounding was called off")
    if finished.ending is Ending.OUT_OF_TIME or finished.exit_code == _OUT_OF_TIME:
        raise LimitError(f"{path}: grounding did not end within the time limit; {_MEND}")
    if finished.exit_code == 0:
        return
    if finished.signal == signal.SIGKILL or _ran_out_of_memory(finished):
        raise LimitError(f"{path}: grounding needs more memory than it may use; {_MEND}")
    if finished.signal is not None:
        raise PlannerError(f"{path}: the translator was killed by signal {finished.signal}")
    raise _translation_error(finished.exit_code, finished.output, domain, problem)


def _ran_out_of_memory(finished: Finished) -> bool:
    return finished.exit_code == _OUT_OF_MEMORY or "MemoryError" in finished.output


def _read(sas_file: Path, problem: Path) -> SasTask:
    """The grounded task that the translator says it has written."""
    try:
        if sas_file.stat().st_size > _LARGEST_TASK_BYTES:
            raise LimitError(f"{problem}: the grounded task is too large to be read")
        return parse_sas(sas_file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise PlannerError(f"{problem}: the translator has written no task") from error
    except (PlannerError, UnicodeDecodeError) as error:
        raise PlannerError(
            f"{problem}: the translator wrote a SAS+ file that plancost cannot read"
        ) from error


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
    reason = reason.removeprefix("Error:").strip() or "it does not say why"
    reason = reason.replace(". Got: ", "; found ").replace(" Got: ", "; found ")
    places = [line.removeprefix("->Parsing ") for line in said if line.startswith("->")]
    named = [place for place in places if "'" in place or "#" in place]
    return f"{reason} (in {named[-1]})" if named else reason
