"""A learning task: observed plans, the grounded tasks they solve, and all actions.

Two problem files with the same objects, initial facts and goal are one *task*,
whatever they are called. The actions A are the union over all tasks, by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from plancost.errors import InputError, InvalidPlanError, LimitError, UnsolvableError
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
from plancost.system.clock import Deadline
from plancost.system.executors import Executor, LocalExecutor
from plancost.system.processes import Limits
from plancost.system.progress import Progress, no_progress
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

    @classmethod
    def of(cls, domain: Domain, problem: Problem, sas: SasTask) -> Task:
        """The task of a problem that was grounded."""
        return cls(problem, sas, task_key(domain, problem), world_key(domain, problem))

    @property
    def actions(self) -> frozenset[str]:
        """The names of its ground actions."""
        return self.sas.action_names

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.key if self.problem is None else str(self.problem.path)


@dataclass(frozen=True)
class Observation:
    """A plan that was seen to solve a task, `count` times."""

    task: int
    plan: Plan
    problem_file: Path
    plan_file: Path
    count: int
    visits_a_state_twice: bool
    source: ObservedFile


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

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes, and which plans visit a state twice."""
        return (*self.notes, *dict.fromkeys(self.loops.values()))

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """A: the names of all ground actions of all tasks, sorted."""
        return tuple(sorted(frozenset[str]().union(*(task.actions for task in self.tasks))))

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


def load_case(
    case: Path,
    *,
    domain: Path | None = None,
    skip_invalid: bool = False,
    allow_outside: bool = False,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress = no_progress,
) -> Case:
    """Read a case folder or manifest, ground its problems and replay its plans.

    With `skip_invalid` a plan that does not solve its problem is left out and
    noted; otherwise it raises `InvalidPlanError`. The time limit is for all problems
    together. Without an executor, `jobs` of them are grounded here at the same time.
    All files must be in the folder of the case or of the domain, unless `allow_outside`.
    """
    return case_from_files(
        find_case_files(case, domain, allow_outside=allow_outside),
        skip_invalid=skip_invalid,
        limits=limits,
        executor=executor or LocalExecutor(jobs),
        progress=progress,
        name=case,
    )


def case_from_files(
    files: CaseFiles,
    *,
    skip_invalid: bool = False,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    executor: Executor = LocalExecutor(),  # noqa: B008 (frozen)
    progress: Progress = no_progress,
    name: Path | None = None,
    known: dict[str, Task] | None = None,
) -> Case:
    """The case of files that were found already; otherwise as `load_case`.

    Tasks that are `known` by their keys are not grounded again; new ones are added there.
    Messages call the whole case `name`, or else its root.
    """
    deadline = Deadline.after(limits.time_s)
    the_domain = read_domain(files.domain)
    problems = {}
    for path in dict.fromkeys(item.problem for item in files.observed):
        _require_time(deadline, path)
        problems[path] = read_problem(path)
    limits = replace(limits, time_s=deadline.remaining())
    return build_case(
        files.root,
        the_domain,
        problems,
        files.observed,
        read_plan=lambda item: read_plan(item.plan),
        notes=files.notes,
        skip_invalid=skip_invalid,
        limits=limits,
        executor=executor,
        progress=progress,
        name=name or files.root,
        known=known,
    )


def build_case(
    root: Path,
    domain: Domain,
    problems: Mapping[Path, Problem],
    observed: Sequence[ObservedFile],
    *,
    read_plan: Callable[[ObservedFile], Plan],
    notes: Sequence[str],
    skip_invalid: bool,
    limits: Limits,
    executor: Executor,
    progress: Progress,
    name: Path | None,
    known: dict[str, Task] | None = None,
) -> Case:
    """Ground problems that are read already and replay their plans.

    Paths may be labels of texts that are in no file; `name` is what messages call the
    whole case. Tasks that are `known` are not grounded again, as in `case_from_files`.
    """
    deadline = Deadline.after(limits.time_s)
    for problem in problems.values():
        check_same_domain(domain, problem)
    keys = {path: task_key(domain, problem) for path, problem in problems.items()}
    first_of_key: dict[str, Problem] = {}
    for path, problem in problems.items():
        first_of_key.setdefault(keys[path], problem)
    known = {} if known is None else known
    unknown = {key: problem for key, problem in first_of_key.items() if key not in known}
    unsolvable: dict[str, UnsolvableError] = {}
    for key, found in _ground_all(domain, unknown, deadline, limits, executor, progress):
        if isinstance(found, Task):
            known[key] = found
        elif skip_invalid:
            unsolvable[key] = found
        else:
            raise found
    tasks = [known[key] for key in first_of_key if key not in unsolvable]
    number_of_key = {task.key: number for number, task in enumerate(tasks)}
    remarks = list(notes)
    observations = []
    read: dict[tuple[int, Path], tuple[Plan, bool]] = {}  # a manifest may name a file often
    for item in observed:
        _require_time(deadline, item.plan)
        if keys[item.problem] in unsolvable:
            remarks.append(f"left out: {item.plan}: {unsolvable[keys[item.problem]]}")
            continue
        number = number_of_key[keys[item.problem]]
        try:
            if (number, item.plan) not in read:
                plan = read_plan(item)
                problem = problems[item.problem]
                replayed = _replay_or_raise(domain, problem, tasks[number], plan, item)
                read[number, item.plan] = plan, replayed.visits_a_state_twice
        except InputError as error:
            if not skip_invalid:
                raise
            remarks.append(f"left out: {error}")
            continue
        plan, visits_a_state_twice = read[number, item.plan]
        observations.append(
            Observation(
                number,
                plan,
                item.problem,
                item.plan,
                item.count,
                visits_a_state_twice,
                item,
            )
        )
    if not observations:
        raise InputError("no valid plan is left to learn from", name)
    return _without_unused(
        root, domain, problems, tasks, keys, number_of_key, observations, remarks
    )


def _ground_all(
    domain: Domain,
    problems: dict[str, Problem],
    deadline: Deadline,
    limits: Limits,
    executor: Executor,
    progress: Progress,
) -> Iterator[tuple[str, Task | UnsolvableError]]:
    """The tasks by their keys; that one is proven to have no plan is for the caller to judge."""

    def ground_one(problem: Problem) -> SasTask | UnsolvableError:
        left = replace(limits, time_s=deadline.remaining())
        try:
            return executor.run(partial(ground, domain, problem), left)
        except UnsolvableError as error:
            return error

    progress("grounding", 0, len(problems))
    with Workers(executor.width) as pool:
        grounded = pool.map(ground_one, problems.values())
        for done, (key, problem) in enumerate(problems.items(), start=1):
            sas = next(grounded)
            progress("grounding", done, len(problems))
            if isinstance(sas, UnsolvableError):
                yield key, sas
            else:
                yield key, Task(problem, sas, key, world_key(domain, problem))


def _require_time(deadline: Deadline, path: Path) -> None:
    if deadline.is_over:
        raise LimitError(f"{path}: this file could not be read within the time limit")


def _without_unused(
    root: Path,
    domain: Domain,
    problems: Mapping[Path, Problem],
    tasks: list[Task],
    keys: dict[Path, str],
    number_of_key: dict[str, int],
    observations: list[Observation],
    notes: list[str],
) -> Case:
    """Leave out the tasks whose every plan was skipped, and renumber the rest."""
    used = sorted({observation.task for observation in observations})
    renumbered = {old: new for new, old in enumerate(used)}
    kept_files = _in_order(observation.problem_file for observation in observations)
    return Case(
        root,
        domain,
        tuple((problems[path], renumbered[number_of_key[keys[path]]]) for path in kept_files),
        tuple(tasks[old] for old in used),
        tuple(
            Observation(
                renumbered[observation.task],
                observation.plan,
                observation.problem_file,
                observation.plan_file,
                observation.count,
                observation.visits_a_state_twice,
                observation.source,
            )
            for observation in observations
        ),
        tuple(notes),
    )


def _in_order(paths: Iterable[Path]) -> list[Path]:
    return list(dict.fromkeys(paths))


def _replay_or_raise(
    domain: Domain, problem: Problem, task: Task, plan: Plan, item: ObservedFile
) -> Replay:
    replayed = replay(task.sas, plan)
    if replayed.failed_step is not None:
        name = plan[replayed.failed_step]
        step = f"step {replayed.failed_step + 1} {name}"
        if replayed.unmet:
            facts = _listed(map(task.sas.fact_text, replayed.unmet))
            raise InvalidPlanError(
                f"{step} cannot be applied: {facts} not hold before it", item.plan
            )
        reason = explain_missing_action(domain, problem, name)
        raise InvalidPlanError(f"{step} does not exist in {problem.path}: {reason}", item.plan)
    if replayed.open_goals:
        facts = _listed(map(task.sas.fact_text, replayed.open_goals))
        raise InvalidPlanError(
            f"the plan ends outside the goal: {facts} not hold at its end", item.plan
        )
    return replayed


def _listed(facts: Iterable[str]) -> str:
    found = list(facts)
    return f"{found[0]} does" if len(found) == 1 else f"{', '.join(found)} do"
