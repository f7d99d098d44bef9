"""The choices by name. A new one is a module with a function and a line here."""

from __future__ import annotations

from plancost.learning.choose.choice import Choice, Chosen
from plancost.learning.choose.likely import choose_likely
from plancost.learning.choose.mean import choose_mean
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.options import Choose
from plancost.learning.run import Run

CHOICES: dict[Choose, Choice] = {Choose.MEAN: choose_mean, Choose.LIKELY: choose_likely}


def take_choice(run: Run, incumbent: Incumbent) -> Chosen | str:
    """Give an incumbent the costs that the options ask for, or say why it keeps its own."""
    found = CHOICES[run.options.choose](run, incumbent.task, incumbent)
    if isinstance(found, Chosen):
        incumbent.only.chosen, incumbent.only.costs = found.plans, found.costs
    return found
