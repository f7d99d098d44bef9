"""The exact strategy: k = infinity without listing plans, with proofs.

1. *A first set of plans, on used actions alone.* An action that no observed plan uses can
   be priced out: more expensive than every plan, so that no alternative through it wins. So
   which plans can be optimal together is decided on the actions that observed plans
   use, whose state space is small even where the full one is not. (Where costs have a
   greatest value that does not hold, and all actions are looked at from the start.)
   With the unused actions priced out, that is a valid answer.
2. *Its least costs, on all actions.* Such prices are of no use to anybody. So the least costs for
   this very set are found next: a linear program, and integers close to its optimum.
3. *Larger sets*, until the first objective is proven or its time is up. Between two steps of the
   search, the costs of a larger set are lowered as in 2, beginning with the rows known by then.
4. *The least costs of the last set*; and if the first objective is proven, of all sets of as many
   plans.

The incumbent is always the best verified answer: more plans first, then less secondary cost.
"""

from __future__ import annotations

from plancost.learning.checkpoint.session import Checkpoint
from plancost.learning.exact.first_objective import pursue_first_objective
from plancost.learning.exact.second_objective import SecondObjective
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
    second: SecondObjective | None = None
    try:
        if run.options.checkpoint is not None:
            checkpoint = Checkpoint.open(run, task, incumbent)
        second = SecondObjective(run, task, incumbent, checkpoint)
        with run.lap("first objective"):
            pursue_first_objective(run, task, incumbent, checkpoint, second)
        if not second.deadline.is_over:
            with run.lap("second objective"):
                second.conclude()
        finished = not second.deadline.is_over
    finally:
        if second is not None:
            second.close()
        checkpoint.close(finished=finished)
        incumbent.checkpoint = checkpoint.path
