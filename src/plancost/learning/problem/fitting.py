"""From given costs of actions back to the parameters that they are made of."""

from __future__ import annotations

from collections.abc import Sequence

from plancost.errors import InputError
from plancost.learning.problem.cost_model import CostModel
from plancost.learning.problem.task import Costs
from plancost.solver import highs
from plancost.solver.model import Model


def parameters_of(composition: CostModel, actions: Sequence[str], costs: Sequence[int]) -> Costs:
    """Parameters that give each action its cost; `InputError` if there are none."""
    found = [0] * len(composition.parameters)
    for parameter, members in enumerate(composition.members):
        for action in members:
            if costs[action] != costs[members[0]]:
                raise InputError(
                    f"{actions[members[0]]} costs {costs[members[0]]} and {actions[action]} "
                    f"{costs[action]}, but both share the cost of "
                    f"{composition.parameters[parameter]}"
                )
            found[parameter] = costs[action]
    for schema in dict.fromkeys(weight.schema for weight in composition.weights):
        _fit_weights(composition, schema, costs, found)
    for action, cost in enumerate(costs):
        if composition.cost(action, found) != cost:
            schemas = {weight.parameter: weight.schema for weight in composition.weights}
            schema = schemas[composition.parts[action][0][0]]
            raise InputError(
                f"no whole weights of at least 0 give all actions of {schema} their costs, such as "
                f"{cost} to {actions[action]}: these costs are not linear in its features"
            )
    return composition.completed(found)


def _fit_weights(
    composition: CostModel, schema: str, costs: Sequence[int], found: list[int]
) -> None:
    """Find whole weights of one schema, if there are some; the caller checks."""
    model = Model()
    columns = {
        weight.parameter: model.add_column(integer=True, objective=1.0)
        for weight in composition.weights
        if weight.schema == schema
    }
    for parts, members in composition.kinds:
        if parts[0][0] in columns:
            line = {columns[parameter]: float(times) for parameter, times in parts}
            cost = float(costs[members[0]])
            model.add_row(line, lower=cost, upper=cost)
    values = highs.solve(model).values
    for parameter, column in columns.items() if values is not None else ():
        assert values is not None
        found[parameter] = round(values[column])
