"""The plot of both bounds: it goes through every change, and says what it shows."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.api.learn import learn
from plancost.report.history import bounds_over_time
from plancost.results.document import Moment, SecondaryMoment
from plancost.results.result import Result

EXAMPLE = Path(__file__).parents[2] / "examples" / "avoid-the-centre"
PLANS = 50


@cache
def learned() -> Result:
    return replace(learn(EXAMPLE), history=(), secondary_history=())


@st.composite
def histories(draw: st.DrawFn) -> tuple[Moment, ...]:
    """Optimal plans that rise and a bound that falls, one of them at a time."""
    seconds, optimal, bound = 0.0, draw(st.integers(0, 5)), PLANS
    found = [Moment((seconds, optimal, bound))]
    for rises in draw(st.lists(st.booleans(), max_size=12)):
        seconds += draw(st.floats(0.001, 100))
        optimal, bound = (optimal + 1, bound) if rises else (optimal, bound - 2)
        found.append(Moment((seconds, optimal, bound)))
    return tuple(found)


def corners(html: str, kind: str) -> list[tuple[float, float]]:
    """Where a line changes its direction."""
    (path,) = re.findall(rf'<path class="{kind}" d="([^"]*)"', html)
    x, y, found = 0.0, 0.0, []
    for letter, numbers in re.findall(r"([MHV])([^MHV]*)", path):
        values = [float(number) for number in numbers.split(",")]
        if letter == "M":
            x, y = values
        elif letter == "H":
            (x,) = values
        else:
            (y,) = values
        found.append((x, y))
    return found


def test_hardly_any_change_has_no_plot() -> None:
    result = replace(learned(), history=(Moment((0.1, 4, 4)),))
    assert bounds_over_time(result) == ""
    assert bounds_over_time(replace(result, history=())) == ""


@settings(max_examples=100)
@given(histories(), st.floats(0, 50))
def test_the_lines_go_through_every_change(history: tuple[Moment, ...], more: float) -> None:
    end = history[-1][0] + more
    html = bounds_over_time(replace(learned(), history=history, seconds={"total": end}))
    if len(history) < 3 or end < 1:
        assert html == ""
        return
    least, most = history[0][1], PLANS
    for kind, place in (("optimal", 1), ("bound", 2)):
        found = corners(html, kind)
        assert all(0 <= x <= 100 and 0 <= y <= 100 for x, y in found)
        assert abs(found[-1][0] - 100) < 0.01
        for moment in history:
            x = 100 * moment[0] / end
            y = 100 * (most - moment[place]) / (most - least)
            assert any(
                left - 0.02 <= x <= right + 0.02 and before == after and abs(before - y) < 0.02
                for (left, before), (right, after) in pairwise(found)
            )
    assert f"{history[-1][1]} plans optimal, at most {history[-1][2]} can be" in html


def test_the_second_objective_has_its_own() -> None:
    moments = [(0.5, 40, 20), (1.0, 31, 20), (2.0, 31, 29), (3.0, 30, 30)]
    history = tuple(SecondaryMoment(*moment) for moment in moments)
    html = bounds_over_time(replace(learned(), secondary_history=history, seconds={"total": 3.0}))
    assert "second objective at least 30, 30 found, after 3.0 s" in html
    assert '<span class="top">40</span><span class="bottom">20</span>' in html
    found, bound = corners(html, "optimal"), corners(html, "bound")
    assert found[0] == (0, 0) and bound[0] == (0, 100), "the costs found come down on the bound"
    assert found[-1] == bound[-1] == (100, 50)
    assert bounds_over_time(replace(learned(), secondary_history=history[:1])) == ""


def test_what_a_run_remembers_of_it() -> None:
    result = learn(EXAMPLE)
    last = result.secondary_history[-1]
    assert (last.value, last.bound) == (result.secondary.value, result.secondary.lower_bound)
    assert all(before != after for before, after in pairwise(result.secondary_history))
