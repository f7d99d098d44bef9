"""Random small grounded problems, as the translator writes them."""

from __future__ import annotations

from hypothesis import strategies as st

from plancost.observations.sas import Effect, Operator, SasTask, Variable

Costs = dict[str, int]
DERIVED = 3
"""The number of the derived variable, which comes last."""


@st.composite
def sas_tasks(draw: st.DrawFn, *, plain: bool = False) -> tuple[SasTask, Costs]:
    """Three variables, effects of all kinds, costs; if not plain, also conditions and an axiom."""
    sizes = [draw(st.integers(1, 3)) for _ in range(DERIVED)]
    most_cost = draw(st.sampled_from([1, 9, 3000]))
    variables = [
        Variable(f"var{v}", -1, tuple(f"Atom f{v}({d})" for d in range(size)))
        for v, size in enumerate(sizes)
    ]

    def facts(most: int) -> tuple[tuple[int, int], ...]:
        chosen = draw(st.lists(st.sampled_from(range(DERIVED)), unique=True, max_size=most))
        return tuple((v, draw(st.integers(0, sizes[v] - 1))) for v in sorted(chosen))

    operators, costs = [], {}
    for number in range(draw(st.integers(1, 7))):
        effects = [
            Effect(
                () if plain or draw(st.booleans()) else facts(1),
                *draw(st.sampled_from(facts_of(sizes))),
            )
            for _ in range(draw(st.integers(1, 3)))
        ]
        operators.append(Operator(f"(a{number})", facts(2), tuple(effects)))
        costs[f"(a{number})"] = draw(st.integers(1, most_cost))
    axioms: tuple[Effect, ...] = ()
    goal = facts(3) or ((0, sizes[0] - 1),)
    if not plain and draw(st.booleans()):
        variables.append(Variable("var3", 0, ("Atom no()", "Atom yes()")))
        axioms = (Effect((*facts(2), (DERIVED, 0)), DERIVED, 1),)
        goal = (*goal, (DERIVED, 1))
    initial = (*(draw(st.integers(0, size - 1)) for size in sizes), *(0 for _ in axioms))
    return SasTask(tuple(variables), (), initial, goal, tuple(operators), axioms), costs


def facts_of(sizes: list[int]) -> list[tuple[int, int]]:
    return [(v, d) for v, size in enumerate(sizes) for d in range(size)]
