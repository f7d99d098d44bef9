"""The choices by name. A new one is a module with a function and two lines here."""

from __future__ import annotations

from plancost.learning.choose.choice import Choice, Chosen
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.options import Choose
from plancost.learning.run import Run


def choice_of(name: Choose) -> Choice:
    """The function of a choice. Its module is loaded when asked for: most runs need none."""
    if name is Choose.MEAN:
        from plancost.learning.choose.mean import choose_mean

        return choose_mean
    from plancost.learning.choose.likely import choose_likely

    return choose_likely


def take_choice(run: Run, incumbent: Incumbent) -> Chosen | str:
    """Give an incumbent the costs that the options ask for, or say why it keeps its own."""
    found = choice_of(run.options.choose)(run, incumbent.task, incumbent)
    if isinstance(found, Chosen):
        incumbent.only.chosen, incumbent.only.costs = found.plans, found.costs
    return found
