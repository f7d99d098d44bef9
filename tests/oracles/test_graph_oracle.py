"""The two questions of the check, answered on graphs, against listing all plans."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.oracles.graph_oracle import GraphOracle, TaskGraph
from plancost.oracles.oracle import Allowed
from plancost.system.clock import Deadline
from support.plan_worlds import World, switchboards, worlds


def oracle_of(world: World) -> tuple[GraphOracle, dict[str, int]]:
    names = world.graph.action_names
    return GraphOracle({7: TaskGraph(world.graph, 0)}), dict(zip(names, world.costs, strict=True))


def named(world: World, plan: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(world.graph.action_names[action] for action in plan)


@settings(deadline=None)
@given(worlds() | switchboards())
def test_the_cheapest_plan(world: World) -> None:
    oracle, costs = oracle_of(world)
    found = oracle.cheapest(7, costs, Deadline())
    assert found.proven
    assert found.plan in {named(world, plan) for plan in world.optimal_plans}
    assert found.cost == world.optimum
    late = oracle.cheapest(7, costs, Deadline.after(0.0))
    assert (late.plan, late.proven) == (None, False)
    huge = oracle.cheapest(7, dict.fromkeys(costs, 2**53), Deadline())
    assert huge.proven == (found.plan == ())


@settings(deadline=None)
@given(worlds() | switchboards(), st.booleans(), st.data())
def test_a_plan_outside_the_allowed_ones(
    world: World, any_order: bool, data: st.DataObject
) -> None:
    oracle, costs = oracle_of(world)
    some = data.draw(st.frozensets(st.sampled_from(world.plans), max_size=3))
    # An action that the graph does not have costs more than the optimum, and so does its plan.
    allowed = Allowed(frozenset({named(world, plan) for plan in some} | {("(far)",)}), any_order)
    optimum = world.optimum
    assert optimum is not None
    found = oracle.outside(7, costs, allowed, optimum, Deadline())
    optimal = [named(world, plan) for plan in world.optimal_plans]
    outside = [plan for plan in optimal if not allowed.contains(plan)]
    assert found.proven
    assert found.plan in outside if outside else found.plan is None
    assert found.cost == (optimum if outside else None)
    assert not oracle.outside(7, costs, allowed, optimum, Deadline.after(0.0)).proven
