"""Classes of actions, also of actions that were never seen."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plancost.observations.shares import ClassCosts, class_name

NAMES = st.text("ab[]1!-*", min_size=1, max_size=4)
ACTIONS = st.tuples(st.sampled_from(["go", "g*", "g[o]"]), NAMES, NAMES).map(
    lambda words: f"({' '.join(words)})"
)


@given(
    st.lists(ACTIONS, min_size=1, max_size=8),
    ACTIONS,
    st.dictionaries(
        st.sampled_from(["go", "g*", "g[o]"]), st.sampled_from([(), (0,), (1,), (0, 1)])
    ),
)
def test_an_action_has_the_cost_of_its_class(
    seen: list[str], other: str, kept: dict[str, tuple[int, ...]]
) -> None:
    """Whatever objects are called: the classes are those that were learned."""
    seen = [*seen, "(go x y)", "(g* x y)", "(g[o] x y)"]
    shared = {class_name(action, kept): 0 for action in seen}
    shared = {name: number for number, name in enumerate(shared)}
    classes = ClassCosts(shared)
    for action in (*seen, other):
        assert classes.cost(action) == shared.get(class_name(action, kept))
