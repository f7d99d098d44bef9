"""The warm learner, here without a process of its own."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import WriteGraphCase
from plancost.api.learn import learn
from plancost.explore import learner as learning
from plancost.explore.learner import Learner, Refused
from plancost.explore.opening import session_of
from plancost.explore.question import Question
from plancost.explore.why import Asked, Reasons
from plancost.observations.case import Case, load_case
from plancost.results.result import Result

WAYS = {(a, b): 1 for a in "abc" for b in "abc" if a != b}
CLASH = ["acb", "abc", "ab"]


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """A learner takes Ctrl-C for itself."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def case(write_graph_case: WriteGraphCase) -> Case:
    return load_case(write_graph_case(WAYS, CLASH))


@pytest.fixture
def learner(case: Case) -> Learner:
    return Learner(session_of(learn(case), case, ["plancost"]).setup)


def answer(found: Result | Refused | None) -> Result:
    assert isinstance(found, Result)
    return found


def test_answers_are_those_of_learning(learner: Learner, case: Case) -> None:
    """Whatever was asked before."""
    questions = [
        Question(),
        Question().with_bound("(move a b)", 4, 4),
        Question().with_plan("p2.plan", dropped=True),
        Question().with_plan("p1.plan", required=True).with_bound("(move a c)", 2, None),
        Question(),
    ]
    for question in [*questions, *reversed(questions)]:
        found = answer(learner.learn(question, 30))
        expected = learn(case, question.options(learner._setup.options))
        assert found.costs == expected.costs
        assert (found.proved, found.upper_bound) == (True, expected.upper_bound)
        assert found.secondary == expected.secondary
        assert found.observations == expected.observations


def test_what_cannot_be_is_refused_with_the_conflict(learner: Learner) -> None:
    question = Question().with_plan("p1.plan", required=True).with_plan("p2.plan", required=True)
    found = learner.learn(question, 30)
    assert isinstance(found, Refused)
    assert "all of these plans optimal: p1.plan, p2.plan" in found.words[0]
    assert "in conflict: these plans cannot all be optimal: p1.plan, p2.plan" in found.words[1]
    found = learner.learn(Question().with_bound("(move x y)", 2, 2), 30)
    assert isinstance(found, Refused) and "no action of this case is" in found.words[0]


def test_why_not_this_plan(learner: Learner, case: Case) -> None:
    costs = answer(learner.learn(Question(), 30)).costs

    def why(text: str, problem: int = 0) -> Reasons:
        asked = Asked.typed(case, problem, text)
        found = learner.why_not(Question(), costs, asked, 30)
        assert isinstance(found, Reasons)
        return found

    best = case.observations[2].task
    around = why("(move a c)\n(MOVE c a) ; and back\n(move a b)", best)
    assert around.optimal is False and around.cost > (around.best or 0)
    assert "redundant: without (move a c) + (move c a)" in around.words[1]
    direct = why("(move a b)", best)
    assert direct.optimal is True and "optimal already" in direct.words[0]
    lost = learner.why_not(Question(), costs, Asked(best, ("(move b c)",)), 30)
    assert isinstance(lost, Refused)
    assert lost.words[0].startswith("your plan: step 1 (move b c) cannot be applied")


def test_a_signal_stops_it_and_what_was_found_is_kept(
    learner: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []

    def tell(value: tuple[object, ...]) -> None:
        told.append(value)
        if value[0] == "second objective":
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(learning, "tell", tell)
    assert learner.learn(Question(), 30) is None
    assert told[0] == (learning.LISTENING, 0, 0, "")
    assert learner._earlier.rows
    os.kill(os.getpid(), signal.SIGINT)  # between two questions it is nobody's
    monkeypatch.setattr(learning, "tell", lambda _: None)
    assert answer(learner.learn(Question(), 30)).proved


def test_a_time_limit_is_kept(learner: Learner) -> None:
    found = answer(learner.learn(Question().with_bound("(move a b)", 5, 5), 0.001))
    assert found.optimal_plans <= found.upper_bound


def test_plans_may_have_any_names(write_graph_case: WriteGraphCase, tmp_path: Path) -> None:
    folder = write_graph_case(WAYS, CLASH)
    name = "p1.<script>alert(1)<b>.plan"
    (folder / "p1.plan").rename(folder / name)
    case = load_case(folder)
    learner = Learner(session_of(learn(case), case, ["plancost"]).setup)
    found = answer(learner.learn(Question().with_plan(name, required=True), 30))
    assert next(item.optimal for item in found.observations if item.plan == name)
