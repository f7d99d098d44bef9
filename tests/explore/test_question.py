"""What a person has changed, and the options that ask it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plancost.explore.answers import question_in_words
from plancost.explore.question import Question
from plancost.learning.problem.options import LearnOptions
from plancost.observations.bounds_files import CostBound

ACTIONS = ("(a)", "(b)", "(c)")
PLANS = ("p.plan", "q.plan")


@st.composite
def questions(draw: st.DrawFn) -> Question:
    asked = Question()
    for _ in range(draw(st.integers(0, 6))):
        if draw(st.booleans()):
            least = draw(st.integers(1, 3))
            greatest = draw(st.one_of(st.none(), st.integers(least, 5)))
            asked = asked.with_bound(draw(st.sampled_from(ACTIONS)), least, greatest)
        else:
            dropped, required = draw(st.sampled_from([(True, False), (False, True), (False,) * 2]))
            name = draw(st.sampled_from(PLANS))
            asked = asked.with_plan(name, dropped=dropped, required=required)
    return asked


@given(questions())
def test_each_thing_is_said_once_and_can_be_taken_back(asked: Question) -> None:
    assert len({action for action, _, _ in asked.bounds}) == len(asked.bounds)
    assert not set(asked.dropped) & set(asked.required)
    parts = asked.without_each()
    assert len(parts) == len(question_in_words(asked))
    for part in parts:
        assert len(question_in_words(part)) == len(question_in_words(asked)) - 1


@given(questions())
def test_options_say_the_same(asked: Question) -> None:
    general = CostBound("(load *)", 1, 5, "--bounds")
    base = LearnOptions(bounds=(general,), max_cost=9)
    again, rest = Question.of(asked.options(base))
    assert (again, rest) == (asked, base)


def test_in_words() -> None:
    asked = Question((("(a)", 3, 3), ("(b)", 2, None), ("(c)", 1, 4)), ("p.plan",), ("q.plan",))
    said = [f"{item['what']} {item['words']}" for item in question_in_words(asked)]
    assert said == [
        "(a) costs 3",
        "(b) costs at least 2",
        "(c) costs at most 4",
        "p.plan is left out",
        "q.plan must be optimal",
    ]
