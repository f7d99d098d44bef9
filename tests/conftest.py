"""Small cases that many tests share: graphs as PDDL navigation tasks."""

from __future__ import annotations

import itertools
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from support import command, elsewhere, fuzzing, translations

DOMAIN = """(define (domain graph)
  (:requirements :strips :typing :action-costs)
  (:types node)
  (:predicates (at ?n - node) (edge ?a ?b - node))
  (:functions (total-cost) - number (length ?a ?b - node) - number)
  (:action move
    :parameters (?a ?b - node)
    :precondition (and (at ?a) (edge ?a ?b))
    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b)))))
"""


settings.register_profile(
    "busy", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # a machine that has other work as well makes no test wrong

PART = 10
"""By default property tests draw this many times fewer examples than they name."""
REST_PART = 2
"""The same for ``--rest``: with it, CI stays well below twenty minutes on two cores."""
LEAST_EXAMPLES = 5
FUZZ_PART = 3
"""The same for files that are damaged at random."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--all`` (``make test-all``): slow tests, all examples, and commands as installed."""
    parser.addoption(
        "--all",
        action="store_true",
        help="run slow tests, all examples of property tests, and commands in their own processes",
    )
    parser.addoption(
        "--rest",
        action="store_true",
        help="--all with half of the examples, but for tests that run in the same way without it "
        "(.ci/run has run those)",
    )
    parser.addoption(
        "--elsewhere",
        action="store_true",
        help="run them without the calls and files that only Linux has (make test-elsewhere)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let the commands of tests get SIGINT, which shells let background jobs ignore."""
    settings.load_profile("busy")
    if config.getoption("--elsewhere"):
        elsewhere.take_away(elsewhere.EVERYTHING, pytest.MonkeyPatch())
    if config.getoption("--rest"):
        config.option.all = True
        fuzzing.part = REST_PART
    command.as_installed = config.getoption("--all")
    if not command.as_installed:
        translations.keep()
        fuzzing.part = FUZZ_PART
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without ``--all``: leave out slow tests, and draw a part of the examples."""
    if config.getoption("--rest"):
        others = set(filter(_is_other_with_all, items))
        config.hook.pytest_deselected(items=[item for item in items if item not in others])
        items[:] = [item for item in items if item in others]
        _draw_fewer(items, REST_PART)
    if config.getoption("--all"):
        return
    slow = pytest.mark.skip(reason="slow: make test-all runs it")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(slow)
    _draw_fewer(items, PART)


def _draw_fewer(items: Iterable[pytest.Item], part: int) -> None:
    """Let property tests draw so many times fewer examples than they name."""
    for test in {getattr(item, "obj", None) for item in items}:
        own = getattr(test, "_hypothesis_internal_use_settings", None)
        if isinstance(own, settings):
            fewer = max(min(LEAST_EXAMPLES, own.max_examples), own.max_examples // part)
            vars(test)["_hypothesis_internal_use_settings"] = settings(own, max_examples=fewer)


def _is_other_with_all(item: pytest.Item) -> bool:
    """Whether ``--all`` makes a difference to a test: slow, with examples, or of commands.

    That the translator is asked every time counts where reading and grounding are tested.
    """
    test, path = getattr(item, "obj", None), item.path.relative_to(Path(__file__).parent)
    of_commands = any(
        getattr(item.module, name, None) is value  # type: ignore[attr-defined]
        for name, value in vars(command).items()
        if callable(value) and value.__module__ == command.__name__
    )
    has_examples = hasattr(test, "_hypothesis_internal_use_settings")
    where = path.parts[0] in ("fuzz", "observations", "test_effort.py")
    return "slow" in item.keywords or has_examples or of_commands or where


WriteGraphCase = Callable[..., Path]


def graph_problem(
    name: str, nodes: Iterable[str], lengths: Mapping[tuple[str, str], int], start: str, goal: str
) -> str:
    """A navigation problem on a directed graph with lengths."""
    edges = "\n".join(
        f"    (edge {a} {b}) (= (length {a} {b}) {length})" for (a, b), length in lengths.items()
    )
    return (
        f"(define (problem {name}) (:domain graph)\n  (:objects {' '.join(nodes)} - node)\n"
        f"  (:init (at {start}) (= (total-cost) 0)\n{edges})\n"
        f"  (:goal (at {goal}))\n  (:metric minimize (total-cost)))\n"
    )


def both_ways(lengths: Mapping[str, int]) -> dict[tuple[str, str], int]:
    """``{"ab": 2}`` as the two directed edges a-b and b-a of length 2."""
    found = {}
    for pair, length in lengths.items():
        found[pair[0], pair[1]] = length
        found[pair[1], pair[0]] = length
    return found


@pytest.fixture
def write_graph_case(tmp_path: Path) -> WriteGraphCase:
    """Write a case folder: a graph with lengths, and routes such as ``"abd"``."""

    def write(
        lengths: Mapping[tuple[str, str], int], routes: Sequence[str], folder: str = "case"
    ) -> Path:
        case = tmp_path / folder
        case.mkdir()
        (case / "domain.pddl").write_text(DOMAIN)
        nodes = sorted({node for edge in lengths for node in edge})
        for number, route in enumerate(routes, start=1):
            problem = graph_problem(f"p{number}", nodes, lengths, route[0], route[-1])
            (case / f"p{number}.pddl").write_text(problem)
            steps = "".join(f"(move {a} {b})\n" for a, b in itertools.pairwise(route))
            (case / f"p{number}.plan").write_text(steps)
        return case

    return write


@pytest.fixture(autouse=True)
def private_cache(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests neither read nor fill the user's cache."""
    monkeypatch.setenv("PLANCOST_CACHE", str(tmp_path_factory.getbasetemp() / "plan-cache"))


TABLE_1 = both_ways({"ac": 2, "bd": 1, "ab": 2, "ce": 2, "df": 1, "ef": 2, "cd": 2})
"""The graph of the paper's Table 1 with its initial costs."""


@pytest.fixture
def table_1(write_graph_case: WriteGraphCase) -> Path:
    """The paper's Table 1: plans A-B-D and A-C-E-F."""
    return write_graph_case(TABLE_1, ["abd", "acef"])


@pytest.fixture
def example_1(write_graph_case: WriteGraphCase) -> Path:
    """The paper's Example 1: a triangle with plans A-C-B and A-B-C."""
    return write_graph_case(both_ways({"ab": 1, "ac": 1, "bc": 1}), ["acb", "abc"])


BLOCKS = """(define (domain blocks)
  (:requirements :strips)
  (:predicates (on ?x ?y) (on-table ?x) (clear ?x) (hand-empty) (holding ?x))
  (:action pickup :parameters (?x)
    :precondition (and (clear ?x) (on-table ?x) (hand-empty))
    :effect (and (not (on-table ?x)) (not (clear ?x)) (not (hand-empty)) (holding ?x)))
  (:action putdown :parameters (?x)
    :precondition (holding ?x)
    :effect (and (not (holding ?x)) (clear ?x) (hand-empty) (on-table ?x)))
  (:action stack :parameters (?x ?y)
    :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (hand-empty) (on ?x ?y)))
  (:action unstack :parameters (?x ?y)
    :precondition (and (on ?x ?y) (clear ?x) (hand-empty))
    :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (hand-empty)) (not (on ?x ?y)))))
"""

FOUR_BLOCKS = """(define (problem four) (:domain blocks) (:objects a b c d)
  (:init (on-table c) (on d c) (clear d) (on-table a) (on b a) (clear b) (hand-empty))
  (:goal (and (on-table b) (on a b))))
"""


@pytest.fixture
def example_2(tmp_path: Path) -> Path:
    """The paper's Example 2: four blocks, and a plan with a redundant unstack and putdown."""
    case = tmp_path / "blocks"
    case.mkdir()
    (case / "domain.pddl").write_text(BLOCKS)
    (case / "four.pddl").write_text(FOUR_BLOCKS)
    (case / "four.plan").write_text(
        "(unstack d c)\n(putdown d)\n(unstack b a)\n(putdown b)\n(pickup a)\n(stack a b)\n"
    )
    return case
