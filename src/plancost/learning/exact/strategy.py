"""The exact strategy: k = infinity without listing plans, with proofs.

1. *The first objective on used actions alone.* An action that no observed plan uses can
   be priced out: more expensive than every plan, so that no alternative through it wins. So
   which plans can be optimal together is decided on the actions that observed plans
   use, whose state space is small even where the full one is not. (Where costs have a
   greatest value that does not hold, and all actions are looked at from the start.)
2. That answer, with the unused actions priced out, is already a valid one.
3. *The second objective on all actions* lowers the prices step by step. Whenever the
   oracle confirms cheaper costs, they become the incumbent.
"""

from __future__ import annotations

from plancost.learning.checkpoint.session import Checkpoint
from plancost.learning.exact.first_objective import pursue_first_objective
from plancost.learning.exact.second_objective import pursue_second_objective
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run


def learn_exactly(run: Run, task: LearningTask, incumbent: Incumbent) -> None:
    """Improve the incumbent until both objectives are proven or the time is up.

    Begins with the plans that the run knows. What is found goes into the checkpoint, if the
    options name a folder, and what an earlier run left there is resumed.
    """
    checkpoint = Checkpoint()
    finished = False
    try:
        if run.options.checkpoint is not None:
            checkpoint = Checkpoint.open(run, task, incumbent)
        with run.lap("first objective"):
            pursue_first_objective(run, task, incumbent, checkpoint)
        if not run.deadline.is_over:
            with run.lap("second objective"):
                pursue_second_objective(run, task, incumbent, checkpoint)
        finished = not run.deadline.is_over
    finally:
        checkpoint.close(finished=finished)
        incumbent.checkpoint = checkpoint.path
