"""Every fault of every program, one call at a time: an outcome that is documented, no litter."""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from plancost.errors import InputError, LimitError, PlannerError, UnsolvableError
from plancost.observations.grounding import ground
from plancost.observations.pddl import parse_domain, parse_problem
from plancost.observations.sas import parse_sas
from plancost.oracles import fast_downward, symk
from plancost.oracles.search import Verdict
from plancost.system.processes import Limits
from support.fake_planner import FAULTS, FLOOD_BYTES, fails
from support.faults import VARIABLES, FakeProgram, fake_program
from support.sas_texts import TRIANGLE, graph_sas, route

SAS = graph_sas(TRIANGLE, 0, 2)
CHEAPEST = route(0, 1, 2)
DOMAIN = parse_domain(
    "(define (domain d) (:predicates (p) (q)) (:action a :effect (p))"
    "(:action b :precondition (p) :effect (q)))",
    Path("domain.pddl"),
)
PROBLEM = parse_problem(
    "(define (problem x) (:domain d) (:init) (:goal (q)))", Path("problem.pddl")
)
ACTIONS = {"(a)", "(b)"}

SOON_S = 1.5
"""For programs that never end by themselves."""
PATIENCE_S = 60.0
SMALL_MB = 300

ENDLESS = ("hang", "ignore SIGTERM")

FOUND, TIME, MEMORY = "found", "out of time", "out of memory"

PLANNER_OUTCOMES = {
    "segmentation fault": "was killed by signal 11",
    "abort": "was killed by signal 6",
    "killed": MEMORY,
    "hang": TIME,
    "ignore SIGTERM": TIME,
    "leave a child": FOUND,
    "leave a stubborn child": FOUND,
    "leave a child in a session of its own": FOUND,
    "eat memory": MEMORY,
    "flood the output": FOUND,
    "silent success": "says that it found a plan but wrote none",
    "garbage": "says that it found a plan but wrote none",
    "garbage with a cost": "wrote something that is no plan",
    "empty answer": "says that it found a plan but wrote none",
    "binary": "says that it found a plan but wrote none",
    "huge answer": "bytes as one plan",
    "half an answer": "says that it found a plan but wrote none",
    "plan that is not applicable": "says that a plan costs 2; it costs 3",
    "plan that misses the goal": "says that a plan costs 2; it costs 1",
    "plan with a foreign action": r"wrote a plan with \(teleport home\), which is no action",
    "cost too high": "says that a plan costs 1002; it costs 2",
    "cost too low": "says that a plan costs 1; it costs 2",
    "answer, then crash": "was killed by signal 11",
    "plan, but denied": "wrote a plan but says that there is none",
}
TRANSLATOR_OUTCOMES = {
    "segmentation fault": "the translator was killed by signal 11",
    "abort": "the translator was killed by signal 6",
    "killed": MEMORY,
    "hang": TIME,
    "ignore SIGTERM": TIME,
    "leave a child": FOUND,
    "leave a stubborn child": FOUND,
    "leave a child in a session of its own": FOUND,
    "eat memory": MEMORY,
    "flood the output": FOUND,
    "silent success": "the translator has written no task",
    "garbage": "wrote a SAS[+] file that plancost cannot read",
    "empty answer": "wrote a SAS[+] file that plancost cannot read",
    "binary": "wrote a SAS[+] file that plancost cannot read",
    "huge answer": "the grounded task is too large",
    "half an answer": "wrote a SAS[+] file that plancost cannot read",
    "answer, then crash": "the translator was killed by signal 11",
    "action left out": FOUND,  # found out when observed plans are replayed: test_learning
}
EXIT_CODES = {
    **dict.fromkeys(range(4), "says that it found a plan but wrote none"),
    11: "none",
    12: "gave up",
    22: MEMORY,
    23: TIME,
    24: MEMORY,
    32: "failed in itself",
    33: "rejects the task",
    34: "does not support a feature",
    35: "failed in itself",
    36: "rejects its arguments",
    37: "does not support what",
}
"""Of the search, as Fast Downward documents them; all others are no answer."""
ALL_CODES = (*range(14), *range(20, 25), *range(30, 39), 99, 125, 126, 127, 128, 137, 255)


@pytest.fixture(autouse=True)
def temporary_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A place of our own, to see that nothing is left in it."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield
    assert list(place.iterdir()) == []


def planner_says(program: str, limits: Limits) -> str:
    """The outcome of asking a planner for a cheapest plan, in one word or sentence."""
    search = {"fast-downward": fast_downward.optimal_plan, "symk": symk.optimal_plan}[program]
    try:
        outcome = search(SAS, limits=limits)
    except PlannerError as error:
        assert "\n" not in str(error)
        return str(error)
    if outcome.verdict is Verdict.FOUND:
        assert outcome.plans == (CHEAPEST,)
    return outcome.verdict.value


def translator_says(limits: Limits) -> str:
    """The same of the translator."""
    try:
        task = ground(DOMAIN, PROBLEM, limits)
    except (PlannerError, LimitError, InputError) as error:
        assert str(error).startswith("problem.pddl: ") and "\n" not in str(error)
        assert not isinstance(error, UnsolvableError)
        if not isinstance(error, LimitError):
            return str(error)
        words = {"within the time limit": TIME, "more memory": MEMORY}
        return next((short for long, short in words.items() if long in str(error)), str(error))
    assert set(task.operators_by_name) <= ACTIONS
    return FOUND


def says(program: str, fault: str) -> str:
    """What a program says that has this fault, within limits that fit it."""
    limits = Limits(
        time_s=SOON_S if fault in ENDLESS else PATIENCE_S,
        memory_mb=SMALL_MB if fault == "eat memory" else None,
    )
    if program == "translator":
        return translator_says(limits)
    return planner_says(program, limits)


def install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, fault: str
) -> FakeProgram:
    fake = fake_program(tmp_path / "fakes", program, fault)
    monkeypatch.setenv(fake.variable, str(fake.path))
    return fake


CASES = [(program, fault) for fault, (programs, _) in FAULTS.items() for program in programs]
ESCAPED = "leave a child in a session of its own"


@pytest.mark.parametrize(("program", "fault"), CASES)
def test_a_fault_has_its_outcome_and_leaves_nothing(
    program: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = (TRANSLATOR_OUTCOMES if program == "translator" else PLANNER_OUTCOMES)[fault]
    fake = install(tmp_path, monkeypatch, program, fault)
    try:
        said = says(program, fault)
        if expected in (FOUND, TIME, MEMORY):
            assert said == expected
        else:
            with pytest.raises(AssertionError, match=expected):  # the same words, for both
                raise AssertionError(said)
        assert fake.calls == 1 or fault in ENDLESS  # a busy machine may not even have begun
        if fault != ESCAPED:
            assert fake.running() == []
    finally:
        fake.end()


@pytest.mark.parametrize("program", ["fast-downward", "translator"])
def test_a_flood_does_not_fill_our_memory(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = install(tmp_path, monkeypatch, program, "flood the output")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert says(program, "flood the output") == FOUND
    grown_bytes = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown_bytes < FLOOD_BYTES / 10
    assert fake.running() == []


@pytest.mark.parametrize("code", ALL_CODES)
def test_an_exit_code_is_an_answer_only_if_it_is_documented_as_one(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, "fast-downward", f"exit {code}")
    said = says("fast-downward", f"exit {code}")
    if code == 13:  # Fast Downward's "none below the bound"
        assert said == "none"
    elif code in (126, 127):
        assert "cannot start" in said
    elif code in EXIT_CODES:
        assert EXIT_CODES[code] in said
    else:
        assert f"ended in a way that is no answer (exit code {code})" in said


@pytest.mark.parametrize("code", [0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32, 35, 36, 126, 255])
def test_no_exit_code_of_the_translator_means_that_there_is_no_plan(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, "translator", f"exit {code}")
    said = says("translator", f"exit {code}")
    assert said == {20: MEMORY, 21: TIME}.get(code, said)
    if code == 31:
        assert "rejects this PDDL: it does not say why" in said
    elif code not in (0, 20, 21, 126):
        assert f"exit code {code}" in said


def test_a_grounded_task_that_is_cut_anywhere_is_none() -> None:
    parse_sas(SAS)
    for length in range(len(SAS) - 1):
        with pytest.raises(PlannerError):
            parse_sas(SAS[:length])


@pytest.mark.parametrize("program", VARIABLES)
def test_a_program_that_is_missing_or_not_executable(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine"
    monkeypatch.setenv(VARIABLES[program], str(path))
    ask = fast_downward.optimal_plan if program == "fast-downward" else symk.optimal_plan

    def call() -> object:
        if program == "translator":
            return ground(DOMAIN, PROBLEM, Limits(PATIENCE_S))
        return ask(SAS, limits=Limits(PATIENCE_S))

    with pytest.raises(PlannerError, match=f"{VARIABLES[program]} names .*no such file"):
        call()
    path.write_bytes(b"\x7fELF?")
    with pytest.raises(PlannerError, match="is not executable"):
        call()
    path.chmod(0o755)
    with pytest.raises(PlannerError, match="cannot start"):
        call()


def test_faults_on_some_calls_only_are_the_same_for_one_seed(tmp_path: Path) -> None:
    always = [fails({}, number) for number in range(1, 9)]
    third = [fails({"calls": [3]}, number) for number in range(1, 9)]
    drawn = [fails({"rate": 0.5, "seed": 7}, number) for number in range(1, 99)]
    assert all(always) and third == [number == 3 for number in range(1, 9)]
    assert drawn == [fails({"rate": 0.5, "seed": 7}, number) for number in range(1, 99)]
    assert drawn != [fails({"rate": 0.5, "seed": 8}, number) for number in range(1, 99)]
    assert 20 < sum(drawn) < 80
