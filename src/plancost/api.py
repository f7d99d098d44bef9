"""What can be done with a case, each in a few lines over the folders that do it.

A case may be given as a path; costs as a path, a `Result` or a mapping of actions to costs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from plancost.case.model import Case
from plancost.case.read import read_case
from plancost.checking import ProofCheck, run_check
from plancost.clock import Clock
from plancost.explanation import Explanation
from plancost.files import check_page_place, check_proof_place, write_atomically
from plancost.options import LearnOptions, checked, texts
from plancost.pipeline import learn_case, verify_case
from plancost.progress import Progress, silent
from plancost.result.given import GivenCosts, read_costs
from plancost.result.model import Result
from plancost.result.write import write_costs
from plancost.use.evaluate import USUAL, Evaluation, evaluate_case
from plancost.use.monitor import Watch, monitor_case
from plancost.use.predict import Prediction, predict_case, stream_of, with_tasks
from plancost.values import decimal, path_of, whole

AnyCase = Case | Path | str


@dataclass(frozen=True)
class Page:
    """A report, which notebooks show; `html` is its text."""

    html: str = field(repr=False)

    def _repr_html_(self) -> str:
        style = "width: 100%; height: 45em; border: 0"
        return f'<iframe srcdoc="{escape(self.html)}" style="{style}"></iframe>'


@dataclass(frozen=True)
class Given:
    """A case and costs that are there already, what was asked, and the clock, which runs."""

    case: Case
    costs: Result | Mapping[str, Any]
    options: LearnOptions
    clock: Clock


def learn(
    case: AnyCase,
    *,
    progress: Progress | None = None,
    knowledge: Path | str | None = None,
    **options: Any,
) -> Result:
    """Learn costs under which as many observed plans as possible are optimal.

    `options` are those of `LearnOptions`. `knowledge` is a file to keep what is proven in, from
    which a run that was ended goes on.
    """
    asked = checked(**options)
    kept = _path(knowledge, "knowledge")
    if kept is not None:
        check_proof_place(kept)
    opened, clock = _opened(case, asked)
    return learn_case(opened, asked, clock, progress or silent, kept)


def verify(case: AnyCase, costs: GivenCosts, **options: Any) -> Result:
    """How many observed plans are optimal under these costs, by an independent search.

    `options` are those of `learn`; what they do not say is as it was when the given result was
    learned.
    """
    given = _given(case, costs, options)
    return verify_case(given.case, given.costs, given.options, given.clock)


def explain(
    case: AnyCase, result: GivenCosts, plan: str | None = None, **limits: Any
) -> tuple[Explanation, ...]:
    """Why each plan is not optimal under a result, or the plan of that name.

    What was proven when it was learned is taken from the file beside it. `limits` are time_limit,
    memory_limit and jobs.
    """
    from plancost.explain import explain_case  # brings a solver

    given = _given(case, result, limits)
    asked = given.options, given.clock, proof_of(result)
    return explain_case(given.case, given.costs, plan, *asked)


def check_proof(
    case: Path | str,
    result: Path | str,
    *,
    domain: Path | str | None = None,
    links: Path | str | None = None,
    **limits: Any,
) -> ProofCheck:
    """Let a separate small program check a RESULT.json by the proof beside it.

    `limits` are time_limit and memory_limit.
    """
    asked = checked(**limits)
    named = {"domain": domain, "links": links}
    others = {name: Path(path) for name, path in named.items() if path is not None}
    return run_check(Path(case), Path(result), others, clock_of(asked), asked.memory_limit)


def predict(
    case: AnyCase,
    costs: GivenCosts,
    tasks: Path | str | None = None,
    alternatives: int = 1,
    **limits: Any,
) -> Prediction:
    """The cheapest plans of the tasks of a case, or of other `tasks`; under most likely costs with
    probabilities. `limits` are time_limit and memory_limit.
    """
    given = _given(case, costs, limits)
    others, number = _path(tasks, "tasks"), whole(alternatives, "`alternatives`")
    asked = with_tasks(given.case, others, given.clock, given.options.memory_limit)
    return predict_case(asked, given.costs, number, given.clock)


def evaluate(
    case: AnyCase,
    methods: Sequence[str] = USUAL,
    *,
    given: Mapping[str, GivenCosts] | None = None,
    folds: int = 5,
    share: float | None = None,
    by_task: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> Evaluation:
    """Learn from some plans by each method, predict the others, and compare.

    `given` are further costs by a name of yours; `options` those of `learn`.
    """
    asked, names = checked(**options), texts(methods, "`methods`")
    costs = {name: read_costs(own) for name, own in (given or {}).items()}
    parts = whole(folds, "`folds`")
    part = None if share is None else float(decimal(share) or 0)
    how: dict[str, Any] = {"folds": parts, "share": part, "by_task": by_task}
    opened, clock = _opened(case, asked)
    return evaluate_case(opened, names, costs, asked, clock, progress or silent, **how)


def monitor(case: AnyCase, costs: GivenCosts, stream: AnyCase, **limits: Any) -> Watch:
    """How unlikely each plan of a stream is, and whether something has changed.

    Plans are compared with those of the case that the costs were not learned from.
    """
    given = _given(case, costs, limits)
    if not isinstance(stream, Case):
        stream = path_of(stream, "`stream`")
    new = stream_of(given.case, stream, given.clock)
    return monitor_case(given.case, given.costs, new, given.clock)


def export(
    case: AnyCase, costs: GivenCosts, output: Path | str, tasks: Path | str | None = None
) -> list[Path]:
    """Write the PDDL of a case, or its links.csv, with costs into a folder.

    `tasks`, a problem file or a folder of them, are written too.
    """
    given = _given(case, costs, {"time_limit": None})
    places = path_of(output, "`output`"), _path(tasks, "tasks")
    return write_costs(given.case, given.costs, *places, given.clock)[0]


def proof_of(result: GivenCosts) -> Path | None:
    """The file beside RESULT.json of what was proven."""
    return Path(result).with_suffix(".proof.json") if isinstance(result, Path | str) else None


def write_report(
    case: AnyCase,
    result: GivenCosts,
    output: Path | str,
    *,
    explanations: Mapping[str, Sequence[str]] | None = None,
    **limits: Any,
) -> None:
    """Write a page (HTML) to look at: what is proven, the map, every plan beside its alternative.

    `explanations` are sentences by the names of observations; `limits` are time_limit and
    memory_limit. Costs that are no result are checked first.
    """
    page = path_of(output, "`output`")
    check_page_place(page)
    write_atomically(page, show(case, result, explanations=explanations, **limits).html)


def show(
    case: AnyCase,
    result: GivenCosts,
    *,
    explanations: Mapping[str, Sequence[str]] | None = None,
    **limits: Any,
) -> Page:
    """The same page within a notebook."""
    from plancost.explain import explain_case  # brings a solver
    from plancost.report.page import report_page  # brings Jinja

    given = _given(case, result, limits)
    told, asked, clock = given.costs, given.options, given.clock
    if not isinstance(told, Result):
        told = verify_case(given.case, told, asked, clock)
    if explanations is None:
        share = clock.part(clock.remaining / 2)
        found = explain_case(given.case, told, None, asked, share, proof_of(result))
        explanations = {one.name: one.lines for one in found}
    return Page(report_page(given.case, told, clock, explanations))


def clock_of(options: LearnOptions) -> Clock:
    """A clock that starts now."""
    return Clock(math.inf if options.time_limit is None else options.time_limit)


def options_for(given: Result | Mapping[str, int], **options: Any) -> LearnOptions:
    """Options that mean by optimal what a result meant, unless they name another concept."""
    if isinstance(given, Result) and "solution" not in options:
        before = {name: given.options.get(name) for name in ("ties", "suboptimality")}
        kept = {name: value for name, value in before.items() if value is not None}
        options = {"solution": given.solution, **kept, **options}
    return checked(**options)


def _path(given: object, name: str) -> Path | None:
    return None if given is None else path_of(given, f"`{name}`")


def _given(case: AnyCase, costs: GivenCosts, options: Mapping[str, Any]) -> Given:
    found = read_costs(costs)
    asked = options_for(found, **options)
    opened, clock = _opened(case, asked)
    return Given(opened, found, asked, clock)


def _opened(case: AnyCase, options: LearnOptions) -> tuple[Case, Clock]:
    """The case, and the clock, which runs while it is read."""
    clock = clock_of(options)
    if not isinstance(case, Case):
        case = read_case(case, clock=clock, memory_limit=options.memory_limit)
    return case, clock
