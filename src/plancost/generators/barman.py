"""Barman: a robot with two hands mixes cocktails in a shaker and serves them in shots.

Fixed: the glasses, dispensers and recipes. Varies: which glasses are clean, dirty or full
at the beginning, and which shots have to hold which cocktails.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from plancost.generators.world import World, numbered, problem_text, size

_DOMAIN = """; Two hands, shots, a shaker for two parts, and a dispenser for every ingredient.
; Whatever touches a dispenser costs 10, everything else 1.
(define (domain barman)
  (:requirements :strips :typing :action-costs)
  (:types hand level drink dispenser glass - object
          ingredient cocktail - drink
          shot shaker - glass)
  (:predicates
    (on-table ?g - glass)
    (in-hand ?h - hand ?g - glass)
    (free ?h - hand)
    (empty ?g - glass)
    (holds ?g - glass ?d - drink)
    (clean ?g - glass)
    (traces ?g - glass ?d - drink)
    (shaken ?s - shaker)
    (not-shaken ?s - shaker)
    (filled-to ?s - shaker ?l - level)
    (bottom ?s - shaker ?l - level)
    (above ?low ?high - level)
    (gives ?x - dispenser ?i - ingredient)
    (first-part ?c - cocktail ?i - ingredient)
    (second-part ?c - cocktail ?i - ingredient))
  (:functions (total-cost) - number)

  (:action grasp
    :parameters (?h - hand ?g - glass)
    :precondition (and (free ?h) (on-table ?g))
    :effect (and (not (free ?h)) (not (on-table ?g)) (in-hand ?h ?g)
                 (increase (total-cost) 1)))

  (:action leave
    :parameters (?h - hand ?g - glass)
    :precondition (in-hand ?h ?g)
    :effect (and (not (in-hand ?h ?g)) (free ?h) (on-table ?g)
                 (increase (total-cost) 1)))

  (:action fill-shot
    :parameters (?s - shot ?i - ingredient ?h ?other - hand ?x - dispenser)
    :precondition (and (in-hand ?h ?s) (free ?other) (gives ?x ?i) (empty ?s) (clean ?s))
    :effect (and (not (empty ?s)) (holds ?s ?i) (not (clean ?s)) (traces ?s ?i)
                 (increase (total-cost) 10)))

  (:action refill-shot
    :parameters (?s - shot ?i - ingredient ?h ?other - hand ?x - dispenser)
    :precondition (and (in-hand ?h ?s) (free ?other) (gives ?x ?i) (empty ?s) (traces ?s ?i))
    :effect (and (not (empty ?s)) (holds ?s ?i)
                 (increase (total-cost) 10)))

  (:action empty-shot
    :parameters (?h - hand ?s - shot ?d - drink)
    :precondition (and (in-hand ?h ?s) (holds ?s ?d))
    :effect (and (not (holds ?s ?d)) (empty ?s)
                 (increase (total-cost) 1)))

  (:action clean-shot
    :parameters (?s - shot ?d - drink ?h ?other - hand)
    :precondition (and (in-hand ?h ?s) (free ?other) (empty ?s) (traces ?s ?d))
    :effect (and (not (traces ?s ?d)) (clean ?s)
                 (increase (total-cost) 1)))

  (:action pour-shot-to-clean-shaker
    :parameters (?s - shot ?i - ingredient ?k - shaker ?h - hand ?low ?high - level)
    :precondition (and (in-hand ?h ?s) (holds ?s ?i) (empty ?k) (clean ?k)
                       (filled-to ?k ?low) (above ?low ?high))
    :effect (and (not (holds ?s ?i)) (empty ?s)
                 (holds ?k ?i) (not (empty ?k)) (not (clean ?k)) (not-shaken ?k)
                 (not (filled-to ?k ?low)) (filled-to ?k ?high)
                 (increase (total-cost) 1)))

  (:action pour-shot-to-used-shaker
    :parameters (?s - shot ?i - ingredient ?k - shaker ?h - hand ?low ?high - level)
    :precondition (and (in-hand ?h ?s) (holds ?s ?i) (not-shaken ?k)
                       (filled-to ?k ?low) (above ?low ?high))
    :effect (and (not (holds ?s ?i)) (empty ?s) (holds ?k ?i)
                 (not (filled-to ?k ?low)) (filled-to ?k ?high)
                 (increase (total-cost) 1)))

  (:action shake
    :parameters (?c - cocktail ?i ?j - ingredient ?k - shaker ?h ?other - hand)
    :precondition (and (in-hand ?h ?k) (free ?other) (not-shaken ?k)
                       (first-part ?c ?i) (second-part ?c ?j) (holds ?k ?i) (holds ?k ?j))
    :effect (and (not (holds ?k ?i)) (not (holds ?k ?j)) (holds ?k ?c)
                 (not (not-shaken ?k)) (shaken ?k)
                 (increase (total-cost) 1)))

  (:action pour-shaker-to-shot
    :parameters (?c - cocktail ?s - shot ?h - hand ?k - shaker ?high ?low - level)
    :precondition (and (in-hand ?h ?k) (shaken ?k) (holds ?k ?c) (empty ?s) (clean ?s)
                       (filled-to ?k ?high) (above ?low ?high))
    :effect (and (not (empty ?s)) (holds ?s ?c) (not (clean ?s)) (traces ?s ?c)
                 (not (filled-to ?k ?high)) (filled-to ?k ?low)
                 (increase (total-cost) 1)))

  (:action empty-shaker
    :parameters (?h - hand ?k - shaker ?c - cocktail ?from ?to - level)
    :precondition (and (in-hand ?h ?k) (shaken ?k) (holds ?k ?c)
                       (filled-to ?k ?from) (bottom ?k ?to))
    :effect (and (not (shaken ?k)) (not (holds ?k ?c)) (empty ?k)
                 (not (filled-to ?k ?from)) (filled-to ?k ?to)
                 (increase (total-cost) 1)))

  (:action clean-shaker
    :parameters (?h ?other - hand ?k - shaker)
    :precondition (and (in-hand ?h ?k) (free ?other) (empty ?k))
    :effect (and (clean ?k)
                 (increase (total-cost) 1))))
"""
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

    def domain(self, seed: int) -> str:
        """The same for all seeds."""
        return _DOMAIN

    def problem(self, seed: int, draw: int) -> str:
        """All shots but one have to hold a cocktail, as different ones as there are."""
        fixed, varied = self.fixed(seed), self.varied(seed, draw)
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
        return problem_text(
            self,
            seed,
            draw,
            objects={
                "hand": _HANDS,
                "level": _LEVELS,
                "shaker": [_SHAKER],
                "shot": shots,
                "dispenser": dispensers,
                "ingredient": ingredients,
                "cocktail": cocktails,
            },
            fixed=facts,
            varied=state,
            goal=sorted(f"(holds {shot} {c})" for shot, c in zip(served, drinks, strict=True)),
        )


def _shot(shot: str, chance: float, ingredient: str) -> list[str]:
    """Half of the shots are clean, a quarter dirty and a quarter full."""
    if chance < 0.5:
        return [f"(clean {shot})", f"(empty {shot})"]
    traces = f"(traces {shot} {ingredient})"
    return [traces, f"(empty {shot})" if chance < 0.75 else f"(holds {shot} {ingredient})"]
