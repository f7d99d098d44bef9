"""The term of one cost in the second objective, against every cost."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from plancost.learning.problem.terms import Term


@given(
    st.one_of(st.none(), st.lists(st.integers(0, 9), min_size=1, max_size=4).map(tuple)),
    st.integers(1, 5),
    st.one_of(st.none(), st.integers(0, 6)),
)
def test_pieces_add_up_to_the_term(
    initial: tuple[int, ...] | None, least: int, width: int | None
) -> None:
    greatest = None if width is None else least + width
    term = Term(initial, 2 if initial is None else len(initial), least, greatest)
    for sign, pieces in ((1, term.up), (-1, term.down)):
        cost, value = term.baseline, term.value(term.baseline)
        slopes = [slope for slope, _ in pieces]
        assert slopes == sorted(slopes), "convex"
        assert all(slope >= 0 for slope in slopes), "least at the baseline"
        for slope, size in pieces:
            for _ in range(5 if size is None else size):
                cost, value = cost + sign, value + slope
                assert term.value(cost) == value
        end = greatest if sign > 0 else least
        assert cost == end or (end is None and pieces[-1][1] is None)


@given(
    st.one_of(st.none(), st.lists(st.integers(0, 9), min_size=1, max_size=4).map(tuple)),
    st.integers(1, 5),
    st.one_of(st.none(), st.integers(0, 6)),
    st.fractions(-5, 5, max_denominator=4),
)
def test_the_least_of_a_term_with_a_slope(
    initial: tuple[int, ...] | None, least: int, width: int | None, slope: Fraction
) -> None:
    greatest = None if width is None else least + width
    term = Term(initial, 2 if initial is None else len(initial), least, greatest)
    found = term.least_with(slope)
    tried = range(least, (greatest or 40) + 1)
    lowest = min(term.value(cost) + slope * cost for cost in tried)
    if found is None:
        assert greatest is None
        assert term.value(1040) + slope * 1040 < lowest
    else:
        assert found == lowest
