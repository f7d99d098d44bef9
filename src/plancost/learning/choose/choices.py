"""The choices by name. A new one is a module with a function and a line here."""

from __future__ import annotations

from importlib import import_module

from plancost.learning.choose.choice import Choice, Chosen
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.options import Choose
from plancost.learning.run import Run

CHOICES = {
    Choose.MEAN: ("plancost.learning.choose.mean", "choose_mean"),
    Choose.LIKELY: ("plancost.learning.choose.likely", "choose_likely"),
}
"""The module and the function. They are loaded when asked for: most runs need none of them."""


def take_choice(run: Run, incumbent: Incumbent) -> Chosen | str:
    """Give an incumbent the costs that the options ask for, or say why it keeps its own."""
    module, name = CHOICES[run.options.choose]
    choose: Choice = getattr(import_module(module), name)
    found = choose(run, incumbent.task, incumbent)
    if isinstance(found, Chosen):
        incumbent.only.chosen, incumbent.only.costs = found.plans, found.costs
    return found
