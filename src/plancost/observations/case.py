"""A learning task: observed plans, the grounded tasks they solve, and all actions.

Two problem files with the same objects, initial facts and goal are one *task*,
whatever they are called. The actions A are the union over all tasks, by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from plancost.errors import InputError, InvalidPlanError, LimitError, UnsolvableError, all_of
from plancost.observations.files import CaseFiles, ObservedFile, find_case_files, name_within
from plancost.observations.grounding import ground
from plancost.observations.pddl import (
    Domain,
    Problem,
    check_same_domain,
    explain_missing_action,
    read_domain,
    read_problem,
    task_key,
    world_key,
)
from plancost.observations.planfile import Plan, read_plan
from plancost.observations.replay import Replay, replay
from plancost.observations.sas import SasTask
from plancost.progress.shown import shows_progress
from plancost.system.clock import Deadline
from plancost.system.executors import Executor, LocalExecutor
from plancost.system.processes import Limits
from plancost.system.progress import Progress, no_progress
from plancost.system.values import PathLike, as_path, path_or_none
from plancost.system.views import html_of
from plancost.system.workers import Workers


@dataclass(frozen=True)
class Task:
    """One distinct planning task. Tasks of one `world` share their state space.

    `problem` is None if it did not come from PDDL; then tasks of one world have the same
    operators.
    """

    problem: Problem | None
    sas: SasTask
    key: str
    world: str

    @staticmethod
    def of(domain: Domain, problem: Problem, sas: SasTask) -> Task:
        """The task of a problem that was grounded."""
        return Task(problem, sas, task_key(domain, problem), world_key(domain, problem))

    @property
    def actions(self) -> frozenset[str]:
        """The names of its ground actions."""
        return self.sas.action_names

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.key if self.problem is None else str(self.problem.path)


def actions_of(tasks: Iterable[Task]) -> frozenset[str]:
    """The names of all ground actions of some tasks, of which many may share their operators."""
    distinct = {id(names): names for names in (task.actions for task in tasks)}
    return frozenset[str]().union(*distinct.values())


@dataclass(frozen=True)
class Observation:
    """A plan that was seen to solve a task, `count` times."""

    task: int
    plan: Plan
    visits_a_state_twice: bool
    source: ObservedFile

    @property
    def problem_file(self) -> Path:
        """The file of its problem, or what messages call it."""
        return self.source.problem

    @property
    def plan_file(self) -> Path:
        """The file of its plan, or what messages call it."""
        return self.source.plan

    @property
    def count(self) -> int:
        """How often it was seen."""
        return self.source.count


@dataclass(frozen=True)
class Case:
    """All that learning starts from."""

    root: Path
    domain: Domain | None
    """None if it did not come from PDDL."""
    problems: tuple[tuple[Problem, int], ...]
    """Every problem file that is used, with the number of its task."""
    tasks: tuple[Task, ...]
    observations: tuple[Observation, ...]
    notes: tuple[str, ...]

    @cached_property
    def loops(self) -> dict[int, str]:
        """The observations that visit a state twice, and how to say so.

        What that means for a plan depends on what is asked of it.
        """
        what = "place" if self.domain is None else "state"
        return {
            number: f"{name_within(self.root, observation.plan_file)} visits a {what} twice"
            for number, observation in enumerate(self.observations)
            if observation.visits_a_state_twice
        }

    def __repr__(self) -> str:
        """In short: how much of what there is."""
        return (
            f"<Case {self.root.name or '(no files)'}: {self.plan_count} plans of "
            f"{len(self.tasks)} tasks, {len(self.actions)} actions>"
        )

    def _repr_html_(self) -> str:
        """For notebooks."""
        return html_of(self)

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes, and which plans visit a state twice."""
        return (*self.notes, *dict.fromkeys(self.loops.values()))

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """A: the names of all ground actions of all tasks, sorted."""
        return tuple(sorted(actions_of(self.tasks)))

    @cached_property
    def plan_count(self) -> int:
        """How many plans were observed, with multiplicities."""
        return sum(observation.count for observation in self.observations)

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The user's files that it was read from, each once."""
        listed = [] if self.domain is None else [self.domain.path]
        listed += [problem.path for problem, _ in self.problems]
        for item in self.observations:
            manifest = () if item.source.place is None else (item.source.place[0],)
            listed += [item.problem_file, item.plan_file, *manifest]
        return tuple(dict.fromkeys(listed))

    @cached_property
    def observations_of_task(self) -> tuple[tuple[int, ...], ...]:
        """For each task the numbers of its observations."""
        grouped: list[list[int]] = [[] for _ in self.tasks]
        for number, observation in enumerate(self.observations):
            grouped[observation.task].append(number)
        return tuple(map(tuple, grouped))


@dataclass(frozen=True)
class Loading:
    """How problems are grounded and plans replayed.

    With `skip_invalid` a plan that does not solve its problem is left out and
    noted; otherwise it raises `InvalidPlanError`. The time limit is for all problems
    together.
    """

    skip_invalid: bool = False
    limits: Limits = Limits()  # noqa: RUF009 (frozen)
    executor: Executor = LocalExecutor()  # noqa: RUF009 (frozen)
    progress: Progress = no_progress


@dataclass(frozen=True)
class ReadCase:
    """Problems that are read already, and their observed plans.

    Paths may be labels of texts that are in no file; `name` is what messages call the
    whole case.
    """

    root: Path
    domain: Domain
    problems: Mapping[Path, Problem]
    observed: Sequence[ObservedFile]
    read_plan: Callable[[ObservedFile], Plan]
    notes: Sequence[str]
    name: Path | None


@shows_progress
def load_case(
    case: PathLike,
    *,
    domain: PathLike | None = None,
    skip_invalid: bool = False,
    allow_outside: bool = False,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress | bool = False,
) -> Case:
    """Read a case folder or manifest, ground its problems and replay its plans.

    Args:
        case: A case folder, or a CSV manifest (with `domain`).
        domain: The PDDL domain, if it is not ``domain.pddl`` in the folder.
        skip_invalid: Whether to leave out, with a note, plans that do not solve their problem.
        allow_outside: Whether files may be outside of the folders of the case and of the domain.
        limits: On time for all problems together, and on memory.
        jobs: How many problems to ground at the same time, without an executor.
        executor: Where to ground them; None: here.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            how many problems are grounded.

    Returns:
        The tasks, the observed plans, and all ground actions.

    Raises:
        InputError: A file is missing or wrong.
        InvalidPlanError: A plan does not solve its problem.
        LimitError: A limit was reached.
    """
    assert not isinstance(progress, bool)
    path = as_path(case, "case")
    files = find_case_files(path, path_or_none(domain, "domain"), allow_outside=allow_outside)
    loading = Loading(skip_invalid, limits, executor or LocalExecutor(jobs), progress)
    return case_from_files(files, loading, name=path)


def case_from_files(
    files: CaseFiles,
    loading: Loading = Loading(),  # noqa: B008 (frozen)
    *,
    name: Path | None = None,
    known: dict[str, Task] | None = None,
) -> Case:
    """The case of files that were found already; otherwise as `load_case`.

    Tasks that are `known` by their keys are not grounded again; new ones are added there.
    Messages call the whole case `name`, or else its root.
    """
    deadline = Deadline.after(loading.limits.time_s)
    domain = read_domain(files.domain)
    problems = {}
    for path in dict.fromkeys(item.problem for item in files.observed):
        _require_time(deadline, path)
        problems[path] = read_problem(path)
    limits = replace(loading.limits, time_s=deadline.remaining())
    read = ReadCase(
        files.root,
        domain,
        problems,
        files.observed,
        lambda item: read_plan(item.plan),
        files.notes,
        name or files.root,
    )
    return build_case(read, replace(loading, limits=limits), known)


def build_case(read: ReadCase, loading: Loading, known: dict[str, Task] | None = None) -> Case:
    """Ground the problems and replay the plans; tasks that no valid plan has are left out.

    Tasks that are `known` are not grounded again, as in `case_from_files`.
    """
    deadline = Deadline.after(loading.limits.time_s)
    for problem in read.problems.values():
        check_same_domain(read.domain, problem)
    keys = {path: task_key(read.domain, problem) for path, problem in read.problems.items()}
    distinct: dict[str, Problem] = {}
    for path, problem in read.problems.items():
        distinct.setdefault(keys[path], problem)
    known = {} if known is None else known
    unsolvable = ground_all(read.domain, distinct, known, deadline, loading)
    replayed: dict[tuple[str, Path], tuple[Plan, bool]] = {}  # a manifest may name a file often
    valid: list[ObservedFile] = []
    wrong: list[InputError] = []
    notes = list(read.notes)
    for item in read.observed:
        _require_time(deadline, item.plan)
        key = keys[item.problem]
        try:
            if key in unsolvable:
                raise InputError(f"{item.plan}: {unsolvable[key]}")
            if (key, item.plan) not in replayed:
                replayed[key, item.plan] = _replayed(read, known[key], item)
        except InputError as error:
            wrong.append(error)
            notes.append(f"left out: {error}")
        else:
            valid.append(item)
    if wrong and not loading.skip_invalid:
        raise all_of(wrong, " (--on-invalid skip leaves them out)")
    if not valid:
        reasons = f": {all_of(wrong)}" if wrong else ""
        raise InputError(f"no valid plan is left to learn from{reasons}", read.name)
    used = {keys[item.problem] for item in valid}
    number = {key: place for place, key in enumerate(key for key in distinct if key in used)}
    problems = dict.fromkeys(item.problem for item in valid)
    observations = []
    for item in valid:
        key = keys[item.problem]
        observations.append(Observation(number[key], *replayed[key, item.plan], item))
    return Case(
        read.root,
        read.domain,
        tuple((read.problems[path], number[keys[path]]) for path in problems),
        tuple(known[key] for key in number),
        tuple(observations),
        tuple(notes),
    )


def ground_all(
    domain: Domain,
    problems: Mapping[str, Problem],
    known: dict[str, Task],
    deadline: Deadline,
    loading: Loading,
) -> dict[str, UnsolvableError]:
    """Add the tasks that are not known yet; those without a plan come back, if they may be."""

    def ground_one(problem: Problem) -> Task | UnsolvableError:
        left = replace(loading.limits, time_s=deadline.remaining())
        try:
            sas = loading.executor.run(partial(ground, domain, problem), left)
        except UnsolvableError as error:
            return error
        return Task.of(domain, problem, sas)

    unknown = {key: problem for key, problem in problems.items() if key not in known}
    unsolvable: dict[str, UnsolvableError] = {}
    loading.progress("grounding", 0, len(unknown))
    with Workers(loading.executor.width) as pool:
        grounded = pool.map(ground_one, unknown.values())
        for done, (key, found) in enumerate(zip(unknown, grounded, strict=True), start=1):
            loading.progress("grounding", done, len(unknown))
            if isinstance(found, Task):
                known[key] = found
            elif loading.skip_invalid:
                unsolvable[key] = found
            else:
                raise found
    return unsolvable


def _require_time(deadline: Deadline, path: Path) -> None:
    if deadline.is_over:
        raise LimitError(f"{path}: this file could not be read within the time limit")


def _replayed(read: ReadCase, task: Task, item: ObservedFile) -> tuple[Plan, bool]:
    """A plan, and whether it visits a state twice; raise unless it solves its problem."""
    plan = read.read_plan(item)
    replayed = replay(task.sas, plan)
    wrong = what_is_wrong(task.sas, plan, replayed)
    if wrong is None:
        return plan, replayed.visits_a_state_twice
    if replayed.failed_step is not None and not replayed.unmet:
        problem = read.problems[item.problem]
        reason = explain_missing_action(read.domain, problem, plan[replayed.failed_step])
        wrong = f"{wrong} in {problem.path}: {reason}"
    raise InvalidPlanError(wrong, item.plan)


def what_is_wrong(sas: SasTask, plan: Plan, replayed: Replay) -> str | None:
    """Why a plan does not solve its task, in words; None if it does."""
    if replayed.failed_step is not None:
        step = f"step {replayed.failed_step + 1} {plan[replayed.failed_step]}"
        if not replayed.unmet:
            return f"{step} does not exist"
        facts = _listed(map(sas.fact_text, replayed.unmet))
        return f"{step} cannot be applied: {facts} not hold before it"
    if replayed.open_goals:
        facts = _listed(map(sas.fact_text, replayed.open_goals))
        return f"the plan ends outside the goal: {facts} not hold at its end"
    return None


def _listed(facts: Iterable[str]) -> str:
    found = list(facts)
    return f"{found[0]} does" if len(found) == 1 else f"{', '.join(found)} do"
