"""Openstacks: ship orders that wait for products, with as few open stacks as possible.

An order takes up a stack from its start until it is shipped. A product is made once, for
all orders that include it, and all of them must have been started by then. Opening a stack
costs 1, all else nothing. In STRIPS every product and every order has an action of its own,
so the domain depends on the seed.

Fixed: orders, products, and which order includes which product. Varies: how many stacks
are open at the beginning, and which orders have to be shipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from plancost.generators.world import Scenario, World, numbered, size

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
    summary = "ship orders that wait for products; only opening a stack costs anything"

    orders: int = size(6, 1, "orders")
    products: int = size(6, 1, "products")

    def domain(self, seed: int) -> str:
        """With an action for every product and every order."""
        orders, products = self._names()
        includes = self._includes(seed)
        actions = ""
        for product in products:
            started = (f"(started {order})" for order in orders if (order, product) in includes)
            actions += _MAKE.format(product=product, started=" ".join(started))
        for order in orders:
            made = (f"(made {product})" for product in products if (order, product) in includes)
            actions += _SHIP.format(order=order, made=" ".join(made))
        template, actions = super().domain(seed), actions.rstrip("\n")
        return template.format(
            orders=" ".join(orders), products=" ".join(products), actions=actions
        )

    def scenario(self, seed: int, draw: int) -> Scenario:
        """At least half of the orders have to be shipped."""
        varied = self.generator(seed, draw)
        orders, products = self._names()
        amounts = [f"stacks{number}" for number in range(self.orders + 1)]
        wanted = varied.sample(orders, varied.randrange((self.orders + 1) // 2, self.orders + 1))
        return Scenario(
            {"amount": amounts},
            [
                *(f"(one-more {few} {more})" for few, more in pairwise(amounts)),
                *(f"(waiting {order})" for order in orders),
                *(f"(to-make {product})" for product in products),
            ],
            [f"(free-stacks {varied.choice(amounts[: _MOST_OPEN + 1])})"],
            [f"(shipped {order})" for order in sorted(wanted, key=orders.index)],
        )

    def _names(self) -> tuple[list[str], list[str]]:
        return numbered("order", self.orders), numbered("product", self.products)

    def _includes(self, seed: int) -> set[tuple[str, str]]:
        """Every order includes a product and every product is in an order; a few more."""
        fixed = self.generator(seed)
        orders, products = self._names()
        found = {(order, fixed.choice(products)) for order in orders}
        found |= {(fixed.choice(orders), product) for product in products}
        found |= {
            (order, product) for order in orders for product in products if fixed.random() < 0.2
        }
        return found
