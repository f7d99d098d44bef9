"""plancost: learn what actions cost by watching plans.

    import plancost

    result = plancost.learn("examples/avoid-the-centre", time_limit_s=60)
    result.optimal_plans, result.proved, result.costs

`learn` learns costs, `verify` checks a file of costs by search, `explain` says why plans
are not optimal; all three return a `Result`. `write_result_pddl` writes planning tasks with
the learned costs, `apply_costs` one that was not observed, and `solve` finds cheapest plans of
it. `generate` writes problems, plans and learning tasks of the worlds `Grid`, `Barman`,
`Openstacks` and `Transport`. `evaluate` measures on held-out plans, `recover` where the truth is
known; `monitor` watches a stream of plans. With samples of costs, `probable_plans` says how
probable plans are to be optimal, and `ask` where another plan would teach most. `write_report`
writes a page about a result, `find_map`, `scene_of` and `write_picture` draw it, and `read_result`
reads it back from its file.
`learn_routes` learns costs of streets from trips (`read_network`, `read_trips`), `predict_routes`
predicts by them, `evaluate_routes` compares, `explain_trips` explains, `write_map` draws.
Wrong input raises a `PlancostError` whose text is one sentence.
"""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING

from plancost.errors import (
    ClusterError,
    InputError,
    InvalidPlanError,
    PlancostError,
    PlannerError,
    SolverError,
    UsageError,
)
from plancost.version import __version__

if TYPE_CHECKING:
    from plancost.api.check import explain, verify
    from plancost.api.learn import learn, least_factors, remove_checkpoints
    from plancost.api.pddl import write_result_pddl
    from plancost.evaluation.evaluate import EvaluateOptions, Evaluation, evaluate
    from plancost.evaluation.methods import Method
    from plancost.evaluation.recovery import Recovery, RecoveryOptions, recover
    from plancost.evaluation.splits import SplitBy
    from plancost.generators.barman import Barman
    from plancost.generators.grid import Grid
    from plancost.generators.openstacks import Openstacks
    from plancost.generators.pools import PoolOptions
    from plancost.generators.streets import Streets
    from plancost.generators.tasks import generate
    from plancost.generators.transport import Transport
    from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
    from plancost.learning.problem.options import LearnOptions, OracleName, SolverName
    from plancost.monitoring.drift import DriftMethod
    from plancost.monitoring.monitor import Event, MonitorOptions
    from plancost.monitoring.watch import Monitored, MonitorSources, monitor
    from plancost.observations.case import Case, load_case
    from plancost.observations.strings import case_from_strings
    from plancost.pictures.files import write_picture
    from plancost.pictures.maps import find_map, scene_of
    from plancost.planning.apply import AppliedCosts, apply_costs
    from plancost.planning.solve import SolveOptions, SolveResult, solve
    from plancost.probability.ask import AskOptions, ask
    from plancost.probability.new_task import ProbablePlan, ProbablePlans, probable_plans
    from plancost.probability.ranking import Asked, RankedTask
    from plancost.report.page import write_report
    from plancost.results.reading import read_result
    from plancost.results.result import (
        GroupResult,
        ObservationResult,
        Result,
        Secondary,
        TripCounts,
        result_schema,
    )
    from plancost.routes.costs import LearnedRoutes, read_costs
    from plancost.routes.evaluation import RouteEvaluateOptions, RouteEvaluation, evaluate_routes
    from plancost.routes.explaining import explain_trips
    from plancost.routes.learning import RouteOptions, learn_routes
    from plancost.routes.network import Link, Network, Trip
    from plancost.routes.page.page import write_map
    from plancost.routes.prediction import RouteCosts, Shares, predict_routes, score_trips
    from plancost.routes.read_links import read_network
    from plancost.routes.read_pairs import Pair, read_pairs
    from plancost.routes.read_trips import read_trips
    from plancost.routes.sampled import ask_routes
    from plancost.routes.turns import Turns, read_turns, turns_from_coordinates

_PLACES = {
    "explain": "api.check",
    "learn": "api.learn",
    "least_factors": "api.learn",
    "remove_checkpoints": "api.learn",
    "verify": "api.check",
    "write_result_pddl": "api.pddl",
    "EvaluateOptions": "evaluation.evaluate",
    "Evaluation": "evaluation.evaluate",
    "evaluate": "evaluation.evaluate",
    "Method": "evaluation.methods",
    "Recovery": "evaluation.recovery",
    "RecoveryOptions": "evaluation.recovery",
    "recover": "evaluation.recovery",
    "SplitBy": "evaluation.splits",
    "Barman": "generators.barman",
    "Grid": "generators.grid",
    "Openstacks": "generators.openstacks",
    "PoolOptions": "generators.pools",
    "Streets": "generators.streets",
    "Transport": "generators.transport",
    "generate": "generators.tasks",
    "Concept": "learning.problem.concept",
    "Reorderings": "learning.problem.concept",
    "Solution": "learning.problem.concept",
    "Ties": "learning.problem.concept",
    "LearnOptions": "learning.problem.options",
    "OracleName": "learning.problem.options",
    "SolverName": "learning.problem.options",
    "DriftMethod": "monitoring.drift",
    "Event": "monitoring.monitor",
    "MonitorOptions": "monitoring.monitor",
    "MonitorSources": "monitoring.watch",
    "Monitored": "monitoring.watch",
    "monitor": "monitoring.watch",
    "Case": "observations.case",
    "load_case": "observations.case",
    "case_from_strings": "observations.strings",
    "AppliedCosts": "planning.apply",
    "apply_costs": "planning.apply",
    "SolveOptions": "planning.solve",
    "SolveResult": "planning.solve",
    "solve": "planning.solve",
    "AskOptions": "probability.ask",
    "ask": "probability.ask",
    "ProbablePlan": "probability.new_task",
    "ProbablePlans": "probability.new_task",
    "probable_plans": "probability.new_task",
    "Asked": "probability.ranking",
    "RankedTask": "probability.ranking",
    "write_picture": "pictures.files",
    "find_map": "pictures.maps",
    "scene_of": "pictures.maps",
    "write_report": "report.page",
    "read_result": "results.reading",
    "GroupResult": "results.result",
    "ObservationResult": "results.result",
    "Result": "results.result",
    "Secondary": "results.result",
    "TripCounts": "results.result",
    "result_schema": "results.result",
    "LearnedRoutes": "routes.costs",
    "read_costs": "routes.costs",
    "evaluate_routes": "routes.evaluation",
    "RouteEvaluateOptions": "routes.evaluation",
    "RouteEvaluation": "routes.evaluation",
    "explain_trips": "routes.explaining",
    "RouteOptions": "routes.learning",
    "learn_routes": "routes.learning",
    "Link": "routes.network",
    "Network": "routes.network",
    "Trip": "routes.network",
    "write_map": "routes.page.page",
    "ask_routes": "routes.sampled",
    "RouteCosts": "routes.prediction",
    "predict_routes": "routes.prediction",
    "score_trips": "routes.prediction",
    "Shares": "routes.prediction",
    "read_network": "routes.read_links",
    "Pair": "routes.read_pairs",
    "read_pairs": "routes.read_pairs",
    "read_trips": "routes.read_trips",
    "Turns": "routes.turns",
    "read_turns": "routes.turns",
    "turns_from_coordinates": "routes.turns",
}
"""Loaded on first use, so that ``plancost --help`` does not wait for the solver."""

__all__ = [
    "AppliedCosts",
    "AskOptions",
    "Asked",
    "Barman",
    "Case",
    "ClusterError",
    "Concept",
    "DriftMethod",
    "EvaluateOptions",
    "Evaluation",
    "Event",
    "Grid",
    "GroupResult",
    "InputError",
    "InvalidPlanError",
    "LearnOptions",
    "LearnedRoutes",
    "Link",
    "Method",
    "MonitorOptions",
    "MonitorSources",
    "Monitored",
    "Network",
    "ObservationResult",
    "Openstacks",
    "OracleName",
    "Pair",
    "PlancostError",
    "PlannerError",
    "PoolOptions",
    "ProbablePlan",
    "ProbablePlans",
    "RankedTask",
    "Recovery",
    "RecoveryOptions",
    "Reorderings",
    "Result",
    "RouteCosts",
    "RouteEvaluateOptions",
    "RouteEvaluation",
    "RouteOptions",
    "Secondary",
    "Shares",
    "Solution",
    "SolveOptions",
    "SolveResult",
    "SolverError",
    "SolverName",
    "SplitBy",
    "Streets",
    "Ties",
    "Transport",
    "Trip",
    "TripCounts",
    "Turns",
    "UsageError",
    "__version__",
    "apply_costs",
    "ask",
    "ask_routes",
    "case_from_strings",
    "evaluate",
    "evaluate_routes",
    "explain",
    "explain_trips",
    "find_map",
    "generate",
    "learn",
    "learn_routes",
    "least_factors",
    "load_case",
    "monitor",
    "predict_routes",
    "probable_plans",
    "read_costs",
    "read_network",
    "read_pairs",
    "read_result",
    "read_trips",
    "read_turns",
    "recover",
    "remove_checkpoints",
    "result_schema",
    "scene_of",
    "score_trips",
    "solve",
    "turns_from_coordinates",
    "verify",
    "write_map",
    "write_picture",
    "write_report",
    "write_result_pddl",
]

# Silent unless the program that uses plancost says where its log goes.
logging.getLogger(__name__).addHandler(logging.NullHandler())


def __getattr__(name: str) -> object:
    if name in _PLACES:
        return getattr(import_module(f"plancost.{_PLACES[name]}"), name)
    raise AttributeError(f"module 'plancost' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
