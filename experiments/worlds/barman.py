"""Barman: a robot with two hands mixes cocktails in a shaker and serves them in shots.

Glasses, dispensers and recipes are fixed. Which glasses are clean, dirty or full at the beginning
varies, and which shots have to hold which cocktails.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import combinations

from experiments.worlds.world import Scenario, World, numbered

_SHAKER = "shaker1"
_HANDS = ("left", "right")
_LEVELS = ("level0", "level1", "level2")


@dataclass(frozen=True)
class Barman(World):
    """One shaker, and a dispenser for every ingredient."""

    name = "barman"
    ingredients: int = 3
    cocktails: int = 3
    shots: int = 4

    def scenario(self, seed: int, draw: int) -> Scenario:
        """What a draw says."""
        varied = self.random(seed, draw)
        shots = numbered("shot", self.shots)
        objects = {
            "hand": _HANDS,
            "level": _LEVELS,
            "shaker": [_SHAKER],
            "shot": shots,
            "dispenser": numbered("dispenser", self.ingredients),
            "ingredient": numbered("ingredient", self.ingredients),
            "cocktail": numbered("cocktail", self.cocktails),
        }
        state = [f"(clean {_SHAKER})"] if varied.random() < 0.5 else []
        for shot in shots:
            state += _shot(shot, varied.random(), varied.choice(objects["ingredient"]))
        return Scenario(objects, self._fixed(seed), tuple(state), self._goal(varied))

    def _fixed(self, seed: int) -> tuple[str, ...]:
        """Where things are, what dispensers give, and what goes into which cocktail."""
        ingredients = numbered("ingredient", self.ingredients)
        dispensers = numbered("dispenser", self.ingredients)
        recipes = list(combinations(ingredients, 2))
        self.random(seed).shuffle(recipes)
        facts = [
            *(f"(free {hand})" for hand in _HANDS),
            *(f"(on-table {glass})" for glass in (_SHAKER, *numbered("shot", self.shots))),
            *(f"(gives {x} {i})" for x, i in zip(dispensers, ingredients, strict=True)),
            f"(bottom {_SHAKER} {_LEVELS[0]})",
            f"(filled-to {_SHAKER} {_LEVELS[0]})",
            f"(above {_LEVELS[0]} {_LEVELS[1]})",
            f"(above {_LEVELS[1]} {_LEVELS[2]})",
            f"(empty {_SHAKER})",
        ]
        for number, cocktail in enumerate(numbered("cocktail", self.cocktails)):
            first, second = recipes[number % len(recipes)]
            facts += [f"(first-part {cocktail} {first})", f"(second-part {cocktail} {second})"]
        return tuple(facts)

    def _goal(self, varied: random.Random) -> tuple[str, ...]:
        """All shots but one have to hold a cocktail, as different ones as there are."""
        cocktails = numbered("cocktail", self.cocktails)
        served = varied.sample(numbered("shot", self.shots), max(1, self.shots - 1))
        drinks = varied.sample(cocktails, min(len(served), self.cocktails))
        drinks += [varied.choice(cocktails) for _ in served[len(drinks) :]]
        return tuple(sorted(f"(holds {s} {d})" for s, d in zip(served, drinks, strict=True)))


def _shot(shot: str, chance: float, ingredient: str) -> list[str]:
    """Half of the shots are clean, a quarter dirty and a quarter full."""
    if chance < 0.5:
        return [f"(clean {shot})", f"(empty {shot})"]
    traces = f"(traces {shot} {ingredient})"
    return [traces, f"(empty {shot})" if chance < 0.75 else f"(holds {shot} {ingredient})"]
