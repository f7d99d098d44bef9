"""Openstacks: ship orders that wait for products, with as few open stacks as possible.

An order takes up a stack from its start until it is shipped. A product is made once, for all
orders that include it, and all of them must have been started by then. Opening a stack costs 1,
all else nothing. Without quantifiers every product and every order has an action of its own, so
the domain depends on the seed.

Orders, products, and which order includes which product are fixed. How many stacks are open at the
beginning varies, and which orders have to be shipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from experiments.worlds.world import Scenario, World, numbered

_MAKE = """
  (:action make-{product}
    :parameters ()
    :precondition (and (to-make {product}) {started})
    :effect (and (not (to-make {product})) (made {product})))
"""
_SHIP = """
  (:action ship-{order}
    :parameters (?before ?after - amount)
    :precondition (and (started {order}) {made}
                       (free-stacks ?before) (one-more ?before ?after))
    :effect (and (not (started {order})) (shipped {order})
                 (not (free-stacks ?before)) (free-stacks ?after)))
"""
_MOST_OPEN = 2
"""Stacks that are open at the beginning."""


@dataclass(frozen=True)
class Openstacks(World):
    """As many stacks can be opened as there are orders."""

    name = "openstacks"
    orders: int = 6
    products: int = 6

    def domain(self, seed: int) -> str:
        """With an action for every product and every order."""
        orders, products, includes = *self._names(), self._includes(seed)
        actions = ""
        for product in products:
            started = (f"(started {order})" for order in orders if (order, product) in includes)
            actions += _MAKE.format(product=product, started=" ".join(started))
        for order in orders:
            made = (f"(made {product})" for product in products if (order, product) in includes)
            actions += _SHIP.format(order=order, made=" ".join(made))
        return (
            super()
            .domain(seed)
            .format(
                orders=" ".join(orders),
                products=" ".join(products),
                actions=actions.rstrip("\n"),
            )
        )

    def scenario(self, seed: int, draw: int) -> Scenario:
        """At least half of the orders have to be shipped."""
        varied = self.random(seed, draw)
        orders, products = self._names()
        amounts = [f"stacks{number}" for number in range(self.orders + 1)]
        wanted = varied.sample(orders, varied.randrange((self.orders + 1) // 2, self.orders + 1))
        fixed = [
            *(f"(one-more {few} {more})" for few, more in pairwise(amounts)),
            *(f"(waiting {order})" for order in orders),
            *(f"(to-make {product})" for product in products),
        ]
        return Scenario(
            {"amount": amounts},
            tuple(fixed),
            (f"(free-stacks {varied.choice(amounts[: _MOST_OPEN + 1])})",),
            tuple(f"(shipped {order})" for order in orders if order in wanted),
        )

    def _names(self) -> tuple[list[str], list[str]]:
        return numbered("order", self.orders), numbered("product", self.products)

    def _includes(self, seed: int) -> set[tuple[str, str]]:
        """Every order includes a product and every product is in an order; a few more."""
        fixed = self.random(seed)
        orders, products = self._names()
        found = {(order, fixed.choice(products)) for order in orders}
        found |= {(fixed.choice(orders), product) for product in products}
        pairs = [(order, product) for order in orders for product in products]
        return found | {pair for pair in pairs if fixed.random() < 0.2}
