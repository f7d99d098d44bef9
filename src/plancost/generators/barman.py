"""Barman: a robot with two hands mixes cocktails in a shaker and serves them in shots.

Fixed: the glasses, dispensers and recipes. Varies: which glasses are clean, dirty or full
at the beginning, and which shots have to hold which cocktails.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from plancost.generators.world import Scenario, World, numbered, size

_SHAKER = "shaker1"
_HANDS = ("left", "right")
_LEVELS = ("level0", "level1", "level2")


@dataclass(frozen=True)
class Barman(World):
    """One shaker, and a dispenser for every ingredient."""

    name = "barman"
    summary = "mix cocktails in a shaker and serve them in shots"

    ingredients: int = size(3, 2, "ingredients")
    cocktails: int = size(3, 1, "cocktails")
    shots: int = size(4, 1, "shots")

    def scenario(self, seed: int, draw: int) -> Scenario:
        """All shots but one have to hold a cocktail, as different ones as there are."""
        fixed, varied = self.generator(seed), self.generator(seed, draw)
        ingredients = numbered("ingredient", self.ingredients)
        cocktails, shots = numbered("cocktail", self.cocktails), numbered("shot", self.shots)
        dispensers = numbered("dispenser", self.ingredients)
        recipes = list(combinations(ingredients, 2))
        fixed.shuffle(recipes)
        glasses = [_SHAKER, *shots]
        facts = [
            *(f"(free {hand})" for hand in _HANDS),
            *(f"(on-table {glass})" for glass in glasses),
            *(f"(gives {x} {i})" for x, i in zip(dispensers, ingredients, strict=True)),
            f"(bottom {_SHAKER} {_LEVELS[0]})",
            f"(filled-to {_SHAKER} {_LEVELS[0]})",
            f"(above {_LEVELS[0]} {_LEVELS[1]})",
            f"(above {_LEVELS[1]} {_LEVELS[2]})",
            f"(empty {_SHAKER})",
        ]
        for number, cocktail in enumerate(cocktails):
            first, second = recipes[number % len(recipes)]
            facts += [f"(first-part {cocktail} {first})", f"(second-part {cocktail} {second})"]
        state = [f"(clean {_SHAKER})"] if varied.random() < 0.5 else []
        for shot in shots:
            state += _shot(shot, varied.random(), varied.choice(ingredients))
        served = varied.sample(shots, max(1, self.shots - 1))
        drinks = varied.sample(cocktails, min(len(served), self.cocktails))
        drinks += [varied.choice(cocktails) for _ in served[len(drinks) :]]
        objects = {
            "hand": _HANDS,
            "level": _LEVELS,
            "shaker": [_SHAKER],
            "shot": shots,
            "dispenser": dispensers,
            "ingredient": ingredients,
            "cocktail": cocktails,
        }
        goal = sorted(f"(holds {shot} {drink})" for shot, drink in zip(served, drinks, strict=True))
        return Scenario(objects, facts, state, goal)


def _shot(shot: str, chance: float, ingredient: str) -> list[str]:
    """Half of the shots are clean, a quarter dirty and a quarter full."""
    if chance < 0.5:
        return [f"(clean {shot})", f"(empty {shot})"]
    traces = f"(traces {shot} {ingredient})"
    return [traces, f"(empty {shot})" if chance < 0.75 else f"(holds {shot} {ingredient})"]
