"""The written PDDL is judged by the translator itself: same operators, learned costs."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import InputError
from plancost.observations.pddl import (
    Domain,
    Problem,
    parse_domain,
    parse_problem,
    read_domain,
    read_problem,
    without_costs,
)
from plancost.observations.shares import Kept, class_name
from plancost.results.pddl_out import domain_with_costs, problem_with_costs, write_pddl

TRANSLATOR = (
    *(sys.executable, "-m", "fast_downward.translate"),
    *("--keep-unimportant-variables", "--keep-no-ops"),
)


class Sample(NamedTuple):
    domain: str
    problem: str


TYPED = Sample(
    """\
; A comment that stays
(define (domain nav)
  (:requirements :strips :typing)
  (:types car Place - object)
  (:predicates (at ?c - car ?p - place) (road ?a ?b - place)) ; beside
  ; about drive
  (:action Drive
    :parameters (?V - car ?a ?b - Place)
    :precondition (and (at ?v ?a) (road ?a ?b))
    :effect (and (not (at ?v ?a))
                 (at ?v ?b) ; arrived
    )
  )
)
""",
    """\
(define (problem p) (:domain nav)
  (:objects Car1 - car a b c - place)
  (:init (at car1 a)
         (road a b) (road b c) ; roads
         (road c a))
  (:goal (at car1 c))
) ; the end
""",
)
UNTYPED = Sample(
    "(define (domain u) (:requirements :strips) (:predicates (at ?x) (e ?x ?y))"
    " (:action go :parameters (?x ?y) :precondition (and (at ?x) (e ?x ?y))"
    " :effect (and (not (at ?x)) (at ?y))))",
    "(define (problem p) (:domain u) (:objects a b c) (:init (at a) (e a b) (e b c) (e c b))"
    " (:goal (at c)))",
)
PRICED = Sample(
    """\
(define (domain nav)
  (:requirements :typing :action-costs)
  (:types car place)
  (:predicates (at ?c - car ?p - place) (road ?a ?b - place) (clean ?c - car))
  (:functions
     (total-cost) - number
     (length ?a ?b - place) - number
     (cost-wash ?x) - number)
  (:action drive
    :parameters (?v - car ?a ?b - place)
    :precondition (and (at ?v ?a) (road ?a ?b))
    :effect (and (increase (total-cost) (length ?a ?b)) (not (at ?v ?a)) (at ?v ?b)))
  (:action wash :parameters (?v - car) :effect (and (clean ?v) (increase (total-cost) 5)))
)
""",
    """\
(define (problem p) (:domain nav) (:objects v - car a b c - place)
  (:init (= (total-cost) 0) (at v a) (road a b) (road b c)
         (= (length a b) 4) (= (length b c) 2))
  (:goal (and (at v c) (clean v)))
  (:metric minimize (total-cost)))
""",
)
UNDEFINED_COSTS = Sample(
    PRICED.domain,
    PRICED.problem.replace("(= (total-cost) 0)", "(= (total-cost) 3) (= (spare) -1.5)")
    .replace("(= (length b c) 2)", "")
    .replace("(:metric minimize (total-cost))", "")
    .replace("  (:goal", "  (:metric maximize (length a b)) ; odd\n  (:goal"),
)
EITHER_PREDICATE = Sample(
    """\
(define (domain e) (:types car boat place)
  (:predicates (at ?x - (either car boat) ?p - place) (done))
  (:functions (total-cost) (cost-sail) (cost-sail-2 ?x))
  (:action drive :parameters (?c - car ?p - place) :effect (at ?c ?p))
  (:action sail :parameters (?b - boat ?p - place) :precondition ()
    :effect (and (at ?b ?p) (done))))
""",
    "(define (problem p) (:domain e) (:objects c - car b - boat x y - place)"
    " (:init) (:goal (and (at c x) (at b y))))",
)
CONSTANTS = Sample(
    """\
(define (domain k)
  (:types place)
  (:constants Home - place)
  (:predicates (here ?p - place) (rested))
  (:action walk :parameters (?a ?b - place) :precondition (here ?a)
    :effect (and (not (here ?a)) (here ?b)))
  (:action sleep :precondition (here home) :effect (rested))
  (:action shout :parameters () :precondition (here home) :effect (and)))
""",
    "(define (problem p) (:domain k) (:objects Work - place) (:init (here work)) (:goal (rested)))",
)
CONDITIONAL = Sample(
    """\
(define (domain c)
  (:requirements :adl)
  (:predicates (on ?l) (power) (linked ?a ?b))
  (:action toggle :parameters (?l)
    :effect (and (when (power) (on ?l)) (forall (?m) (when (linked ?l ?m) (on ?m)))))
  (:action press :parameters (?l) :effect (when (power) (and (on ?l) (linked ?l ?l))))
  (:action all :precondition (or (power) (exists (?x) (linked ?x ?x)))
    :effect (forall (?m) (not (on ?m))))
  (:action start :effect (power)))
""",
    "(define (problem p) (:domain c) (:objects l m) (:init (linked l m)) (:goal (on m)))",
)
DERIVED = Sample(
    """\
(define (domain r)
  (:requirements :strips :derived-predicates)
  (:predicates (at ?x) (e ?x ?y) (near ?x))
  (:derived (near ?y) (exists (?x) (and (at ?x) (e ?x ?y))))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (near ?y))
    :effect (and (not (at ?x)) (at ?y))))
""",
    "(define (problem p) (:domain r) (:objects a b c) (:init (at a) (e a b) (e b c))"
    " (:goal (at c)))",
)
WINDOWS = Sample(TYPED.domain.replace("\n", "\r\n"), "\ufeff" + TYPED.problem.replace("\n", "\r\n"))

SAMPLES = {
    "typed": TYPED,
    "untyped": UNTYPED,
    "priced": PRICED,
    "undefined-costs": UNDEFINED_COSTS,
    "either": EITHER_PREDICATE,
    "constants": CONSTANTS,
    "conditional": CONDITIONAL,
    "derived": DERIVED,
    "windows": WINDOWS,
}


def parse(sample: Sample) -> tuple[Domain, Problem]:
    return parse_domain(sample.domain), parse_problem(sample.problem)


def translate(domain: str, problem: str) -> dict[str, set[int]]:
    """The cost of each ground action; several operators may have one name."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("d.pddl", domain), ("p.pddl", problem)):
            (Path(folder) / name).write_bytes(text.encode())
        finished = subprocess.run(
            [*TRANSLATOR, "--sas-file", "out.sas", "d.pddl", "p.pddl"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert finished.returncode == 0, finished.stdout + finished.stderr
        sas = (Path(folder) / "out.sas").read_text()
    costs: dict[str, set[int]] = {}
    for block in sas.split("begin_operator\n")[1:]:
        lines = block.partition("end_operator")[0].splitlines()
        costs.setdefault(f"({' '.join(lines[0].split())})", set()).add(int(lines[-1]))
    return costs


def with_costs(sample: Sample, costs: dict[str, int], kept: Kept | None = None) -> Sample:
    domain, problem = parse(sample)
    text, functions = domain_with_costs(domain, kept)
    return Sample(text, problem_with_costs(domain, problem, costs, costs, functions, kept))


@pytest.mark.parametrize("name", SAMPLES)
def test_the_translator_finds_the_same_operators_with_the_learned_costs(name: str) -> None:
    sample = SAMPLES[name]
    before = translate(*without_costs(*parse(sample)))
    assert before
    if name not in ("undefined-costs", "windows"):
        assert translate(*sample).keys() == before.keys()
    learned = {action: 10 + number for number, action in enumerate(sorted(before))}
    assert translate(*with_costs(sample, learned)) == {
        action: {cost} for action, cost in learned.items()
    }


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("positions", [(), (0,), (1,), (0, 2)])
def test_shared_costs_need_smaller_functions(name: str, positions: tuple[int, ...]) -> None:
    """The translator finds the same operators, each with the cost of its class."""
    sample = SAMPLES[name]
    domain, _ = parse(sample)
    kept = dict.fromkeys(domain.schemas, positions)
    before = translate(*without_costs(*parse(sample)))
    classes = sorted({class_name(action, kept) for action in before})
    learned = {action: 10 + classes.index(class_name(action, kept)) for action in before}
    written = with_costs(sample, learned, kept)
    assert translate(*written) == {action: {cost} for action, cost in learned.items()}
    assert written.problem.count("(= (cost-") <= len(classes)


def test_the_translator_drops_actions_without_a_cost_but_we_do_not() -> None:
    text = UNDEFINED_COSTS.problem.replace("(= (spare) -1.5)", "").replace(
        "(:metric maximize (length a b))", ""
    )
    assert "(drive v b c)" not in translate(UNDEFINED_COSTS.domain, text)
    assert "(drive v b c)" in translate(*without_costs(*parse(UNDEFINED_COSTS)))


@settings(max_examples=8, deadline=None)
@given(st.lists(st.integers(0, 2**31 - 1), min_size=3, max_size=3), st.booleans())
def test_any_costs_survive_and_can_be_replaced(numbers: list[int], twice: bool) -> None:
    actions = ("(drive v a b)", "(drive v b c)", "(wash v)")
    learned = dict(zip(actions, numbers, strict=True))
    sample = with_costs(PRICED, dict.fromkeys(actions, 1)) if twice else PRICED
    written = with_costs(sample, learned)
    assert translate(*written) == {action: {cost} for action, cost in learned.items()}


def test_the_text_of_a_small_domain() -> None:
    domain, functions = domain_with_costs(parse_domain(TYPED.domain))
    assert functions == {"drive": "cost-drive"}
    assert (
        domain
        == """\
; A comment that stays
(define (domain nav)
  (:requirements :strips :typing :action-costs)
  (:types car Place - object)
  (:predicates (at ?c - car ?p - place) (road ?a ?b - place)) ; beside
  (:functions
    (total-cost) - number
    (cost-drive ?V - car ?a ?b - Place) - number
  )
  ; about drive
  (:action Drive
    :parameters (?V - car ?a ?b - Place)
    :precondition (and (at ?v ?a) (road ?a ?b))
    :effect (and (not (at ?v ?a))
                 (at ?v ?b) ; arrived
                 (increase (total-cost) (cost-drive ?V ?a ?b))
    )
  )
)
"""
    )


def test_the_text_of_a_small_problem() -> None:
    domain, problem = parse(TYPED)
    costs = {"(drive car1 a b)": 3, "(drive car1 b c)": 1, "(drive car1 x y)": 7}
    actions = ["(drive car1 b c)", "(drive car1 a b)"]
    assert (
        problem_with_costs(domain, problem, actions, costs, {"drive": "cost-drive"})
        == """\
(define (problem p) (:domain nav)
  (:objects Car1 - car a b c - place)
  (:init (at car1 a)
         (road a b) (road b c) ; roads
         (road c a)
         (= (total-cost) 0)
         (= (cost-drive Car1 a b) 3)
         (= (cost-drive Car1 b c) 1))
  (:goal (at car1 c))
  (:metric minimize (total-cost))
) ; the end
"""
    )


def test_the_metric_is_ours_and_comes_last() -> None:
    written = with_costs(UNDEFINED_COSTS, {})
    problem = parse_problem(written.problem)
    assert written.problem.count(":metric") == 1
    assert problem.tree.items[-1] is problem.metric
    assert "(:metric minimize (total-cost))" in written.problem
    assert "; odd" in written.problem


def test_old_values_stay_unless_planners_cannot_read_them() -> None:
    written = with_costs(UNDEFINED_COSTS, {}).problem
    values = parse_problem(written).init_values
    assert values == {("total-cost",): 0, ("length", "a", "b"): 4}
    assert written.count("(total-cost) 0") == 1
    doubled = Sample(
        PRICED.domain,
        PRICED.problem.replace("(at v a)", "(= (total-cost) 0) (= (total-cost) 0.0) (at v a)"),
    )
    assert with_costs(doubled, {}).problem.count("(= (total-cost)") == 1


def test_function_names_that_are_taken() -> None:
    text, functions = domain_with_costs(parse_domain(EITHER_PREDICATE.domain))
    assert functions == {"drive": "cost-drive", "sail": "cost-sail-3"}
    again, others = domain_with_costs(parse_domain(text))
    assert others["drive"] == "cost-drive-2"
    assert again.count("(total-cost)") == 1 + 2  # declared once, increased twice
    assert "(increase (total-cost) (cost-drive-2 ?c ?p))" in again
    clash = parse_domain(
        "(define (domain d) (:predicates (cost-a))"
        " (:action a :effect (cost-a)) (:action a-2 :effect (cost-a)))"
    )
    assert domain_with_costs(clash)[1] == {"a": "cost-a-2", "a-2": "cost-a-2-2"}


def test_functions_keep_the_style_of_their_section() -> None:
    untyped, _ = domain_with_costs(parse_domain(EITHER_PREDICATE.domain))
    assert "number" not in untyped
    typed, _ = domain_with_costs(parse_domain(PRICED.domain))
    assert "     (cost-drive ?v - car ?a ?b - place) - number\n" in typed
    assert typed.count("(:functions") == 1


def test_a_requirements_section_is_made() -> None:
    text, _ = domain_with_costs(parse_domain(CONSTANTS.domain))
    assert parse_domain(text).requirements == (":strips", ":typing", ":action-costs")
    bare, _ = domain_with_costs(parse_domain("(define (domain d))"))
    domain = parse_domain(bare)
    assert domain.requirements == (":strips", ":action-costs")
    assert domain.functions == {"total-cost": ()}
    kept, _ = domain_with_costs(parse_domain(PRICED.domain))
    assert kept.count(":action-costs") == 1


def test_windows_line_ends_stay() -> None:
    for text in with_costs(WINDOWS, {"(drive car1 a b)": 2}):
        assert text.count("\n") == text.count("\r\n")


def test_either_types_and_missing_or_empty_effects() -> None:
    text, _ = domain_with_costs(
        parse_domain(
            "(define (domain d) (:predicates (p))"
            " (:action a :parameters (?x - (either Car ; a\n boat) ?y)) (:action b :effect ()))"
        )
    )
    assert "(cost-a ?x - (either Car boat) ?y) - number" in text
    assert ":effect (and (increase (total-cost) (cost-a ?x ?y))))" in text
    assert "(:action b :effect (and (increase (total-cost) (cost-b)))))" in text
    parse_domain(text)


def test_an_action_without_a_learned_cost_is_a_bug() -> None:
    domain, problem = parse(TYPED)
    with pytest.raises(ValueError, match=r"\(drive car1 a b\)"):
        problem_with_costs(domain, problem, ["(drive car1 a b)"], {}, {"drive": "cost-drive"})


# Files


def save(folder: Path, sample: Sample, problem: str = "p.pddl") -> tuple[Domain, Problem]:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "domain.pddl").write_text(sample.domain)
    (folder / problem).write_text(sample.problem)
    return read_domain(folder / "domain.pddl"), read_problem(folder / problem)


COSTS = {"(drive car1 a b)": 3, "(drive car1 b c)": 1, "(drive car1 c a)": 7}


def test_files_keep_their_names(tmp_path: Path) -> None:
    domain, problem = save(tmp_path / "in", TYPED)
    out = tmp_path / "new" / "out"
    assert write_pddl(domain, [(problem, COSTS)], COSTS, out) == [
        out / "domain.pddl",
        out / "p.pddl",
    ]
    assert sorted(path.name for path in out.iterdir()) == ["domain.pddl", "p.pddl"]
    assert translate((out / "domain.pddl").read_text(), (out / "p.pddl").read_text()) == {
        action: {cost} for action, cost in COSTS.items()
    }
    cheaper = dict.fromkeys(COSTS, 1)
    write_pddl(domain, [(problem, COSTS)], cheaper, out)
    assert "7)" not in (out / "p.pddl").read_text()
    assert (tmp_path / "in" / "p.pddl").read_text() == TYPED.problem


def test_problems_of_one_name_are_told_apart(tmp_path: Path) -> None:
    domain, first = save(tmp_path / "monday", TYPED)
    _, second = save(tmp_path / "tuesday", TYPED)
    _, third = save(tmp_path / "again" / "tuesday", TYPED)
    _, fourth = save(tmp_path / "wednesday", TYPED, "Domain.pddl")
    problems = [(problem, COSTS) for problem in (first, second, third, fourth)]
    assert [path.name for path in write_pddl(domain, problems, COSTS, tmp_path / "out")] == [
        "domain.pddl",
        "monday-p.pddl",
        "tuesday-p.pddl",
        "tuesday-p-2.pddl",
        "wednesday-Domain.pddl",
    ]


def test_inputs_are_never_overwritten(tmp_path: Path) -> None:
    domain, problem = save(tmp_path / "in", TYPED)
    (tmp_path / "link").symlink_to(tmp_path / "in")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "q.pddl").symlink_to(tmp_path / "in" / "p.pddl")
    linked = read_problem(tmp_path / "elsewhere" / "q.pddl")
    for directory, used in (
        (tmp_path / "in", problem),
        (tmp_path / "link", problem),
        (tmp_path / "in" / ".." / "in", problem),
        (tmp_path / "elsewhere", linked),
    ):
        with pytest.raises(InputError, match="could overwrite the input"):
            write_pddl(domain, [(used, COSTS)], COSTS, directory)
    assert (tmp_path / "in" / "domain.pddl").read_text() == TYPED.domain


def test_nothing_is_written_when_a_cost_is_missing(tmp_path: Path) -> None:
    domain, problem = save(tmp_path / "in", TYPED)
    with pytest.raises(ValueError, match="no cost was learned"):
        write_pddl(domain, [(problem, COSTS)], {}, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_places_that_cannot_be_written_to(tmp_path: Path) -> None:
    domain, problem = save(tmp_path / "in", TYPED)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="this is a file"):
        write_pddl(domain, [(problem, COSTS)], COSTS, tmp_path / "file")
    with pytest.raises(InputError, match="cannot write"):
        write_pddl(domain, [(problem, COSTS)], COSTS, tmp_path / "file" / "deeper")
    (tmp_path / "out" / "p.pddl").mkdir(parents=True)
    with pytest.raises(InputError, match="cannot write"):
        write_pddl(domain, [(problem, COSTS)], COSTS, tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["domain.pddl", "p.pddl"]
