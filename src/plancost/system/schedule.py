"""Who gets how much of the time: every split of a time limit stands here.

A field that ends in ``_s`` is in seconds, one that ends in ``_times`` is a factor for time already
used. Every other field is a part of the time that is left
when the phase begins, used as ``deadline.share(SCHEDULE.learning)``; what a phase does not use
is left to those after it. Work that comes in equal pieces (tasks, folds, groups) is shared out
evenly where it is done. How often a process is polled stands with the process.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Schedule:
    """The parts of time limits, and the seconds, that phases may use."""

    # A whole run: learn, verify, explain.
    learning: float = 0.8
    """`learn`: both objectives together; checking the answer gets the rest."""
    checking_s: float = 2.0
    """`learn`, where all that the check needs is on state graphs: it gets so many seconds,"""
    checking_times: float = 6.0
    """or so many times as long as the longest of these checks took before, if that is more, and
    explaining what is said below; learning gets the rest."""
    learning_before_choosing: float = 0.5
    """`learn --choose`: the same where other costs take the place of the least ones;"""
    choosing: float = 0.7
    """finding those, of what is left; checking the answer gets the rest."""
    drawing: float = 0.7
    """`--choose mean`: drawing costs; whole numbers near their mean get the rest."""
    choosing_s: float = 120.0
    """Without a time limit: so long these are looked for."""
    compared_learning: float = 0.5
    """`learn --compare-unshared`: the run asked for; the plain one that it is compared with gets
    the rest."""
    after_interrupt_s: float = 10.0
    """`learn`: checking the answer after Ctrl-C."""
    explaining_s: float = 2.0
    """`learn`: explaining gets at least this, if there is time left."""
    explaining: float = 0.1
    """`learn`: explaining gets this part of the time used so far, if that is more."""
    least_explaining: float = 0.03
    """`learn`, where learning goes on until the check needs the time: it leaves explaining this
    part of the time used so far, if that is more than the seconds."""
    before_writing: float = 0.98
    """`learn`: all of this; the result is written in the rest."""
    checking_before_explaining: float = 0.5
    """`explain`: checking the costs; explaining gets the rest."""
    checkpoints: float = 0.05
    """`learn`: writing checkpoints takes no larger part of the time used than this."""

    learning_before_proving: float = 0.6
    """`learn --certificate`: both objectives; checking, explaining and the proof get the rest."""
    proving_weight: float = 0.5
    """`learn --certificate`: the proof of the first objective; that of the second gets the rest."""

    # State graphs.
    graphs_for_separation: float = 0.3
    """Building state graphs before a search for cuts; a graph must leave time to use it."""
    all_action_graphs: float = 0.7
    """State graphs of all actions, for lowering costs: once it is known how long they take, and
    only if they are expected to be ready by then."""
    graphs_for_checking: float = 0.5
    """Building state graphs for the check; planners get the rest."""

    # The exact strategy, with one cost function or several.
    primary: float = 0.85
    """The primary objective; the secondary gets the rest, so that costs come down in any case."""
    primary_on_graphs: float = 0.9
    """The same where all tasks have state graphs and costs were lowered before: that is quick."""
    lowering_times: float = 2.0
    """Where it is not: the last lowering gets so many times as long as any before it took,"""
    most_for_lowering: float = 0.3
    """but no larger part of the time for both objectives."""
    first_lowering_s: float = 10.0
    """Lowering costs beside the primary objective: so many seconds, or as long as all before it
    took, if that is more,"""
    first_lowering: float = 0.25
    """but no larger part of the time that is left."""
    trying_baseline: float = 0.1
    """Whether the first set is optimal at the baseline: only if state graphs of all actions are
    expected to be ready by then,"""
    trying_baseline_s: float = 5.0
    """and within so many seconds: larger sets come first."""
    lowering_after_s: float = 1.0
    """It is not done earlier in a run, and taken to take so long until it has been measured."""
    lowering: float = 0.2
    """It is done again while it has taken no larger part of the time used."""
    own_set: float = 0.5
    """Lowering the costs of the last set alone, once its number of plans is proven, where planners
    do the search or there are few plans; all sets of as many plans get the rest, if there can be
    another one."""
    linear_program: float = 0.7
    """The linear program that lowers the costs of a set. If it does not end, its bound, costs close
    to it and lower prices of unused actions get the rest, and then it goes on."""
    linear_program_by_planners: float = 0.9
    """The same where planners do the search: it often ends with the first costs that it asks
    about, but each of its questions takes them long. More price steps get the rest."""
    price_steps: float = 0.1
    """Lowering prices of unused actions in steps where planners do the search, before the linear
    program;"""
    price_steps_s: float = 30.0
    """the most seconds for it."""
    patience_s: float = 30.0
    """Without a time limit: so long the primary objective goes on without progress, and so long
    the secondary one, after the least costs of a set of the greatest number of plans;"""
    patience_times: float = 2.0
    """or so many times as long as all before took, if that is more."""
    tie_break_s: float = 30.0
    """Which of equally good answers to take, once they are proven."""
    necessary_rows: float = 0.3
    """Which rows all sets of the most plans have; an integer program over them gets the rest."""
    splitting_rows: float = 0.5
    """The search for such rows, before each linear program over those found."""
    diving: float = 0.5
    """Integer costs near those of a linear program; scaling these up and checking get the rest."""
    integers_of_set: float = 0.5
    """The integer program for the costs of one set, where the linear program does not do."""
    one_class_s: float = 2.0
    """Whether all sets of the most plans have one of some plans: one integer program."""
    without_factors: float = 0.2
    """A first answer that ignores suboptimality factors."""
    without_factors_s: float = 60.0
    """The most seconds for it."""
    parts: float = 0.6
    """First answers for some of the plans, where the state space of all is too large."""
    each_part: float = 0.3
    """One of these first answers, of what is left for them."""
    crossings: float = 0.2
    """Pairs of plans that cross, before any integer program."""
    earlier_answers: float = 0.5
    """Whether plans that were optimal under an earlier question still can be; the search goes on
    from there."""
    inserting: float = 0.7
    """Inserting plans one by one in one pass; integer costs for the result get the rest."""
    neighbourhoods: float = 0.5
    """Very many plans: conflicts with those around them, before all plans together."""
    early_cuts: float = 0.3
    """Looking for cuts of very many plans before the linear program."""
    peeling: float = 0.25
    """Several cost functions: the best set for the first alone."""
    peeling_s: float = 20.0
    """The most seconds for it."""
    master_s: float = 5.0
    """The first solve of the master's integer program; each later one may take twice as long."""
    longest_master_s: float = 160.0
    """Several cost functions without a time limit: a longer solve is not tried."""
    mending_s: float = 1.0
    """Solving the master again because a known conflict excludes its proposal; after that,
    inserting the proposal's plans one by one is the better use of the time."""
    listing_before_secondary: float = 0.2
    """`--top-k-seed`: listing plans before the secondary objective."""

    # LACFIP, the paper's algorithm.
    listing: float = 0.6
    """Listing the k cheapest plans of all tasks; the two MILPs get the rest."""

    # Planners.
    proving: float = 0.8
    """An optimal search for one task; a search for any cheaper plan gets the rest."""
    nearly_s: float = 5.0
    """One question to planners under floating-point costs."""
    quick_s: tuple[float, float, float] = (0.5, 2.0, 10.0)
    """The quick search before the exhaustive searches of a task: the middle one at first, then as
    long as an exhaustive search of the task took, between the other two."""
    leader_s: float = 10.0
    """The planner that was faster for other tasks, before both are asked: so many seconds,"""
    leader_times: float = 3.0
    """or so many times as long as the longest race between the two took, if that is more."""
    first_plan: float = 0.5
    """`solve`: any plan at all, before the optimal search."""
    first_plan_s: float = 20.0
    """The most seconds counted for it, before its part is taken."""
    cheaper_plan_s: float = 60.0
    """`solve`: one search for a cheaper plan, after the optimal search has given up."""

    # Evaluation and monitoring.
    trial_learning: float = 0.7
    """Learning in one trial or fold; measuring the held-out plans gets the rest."""
    measuring: float = 0.2
    """`monitor`: the regret of a new plan, or of the window before learning from it."""
    relearning: float = 0.5
    """`monitor`: learning from the window, of what is left after measuring it."""
    recalibrating: float = 0.8
    """`monitor`: which regret is usual after that."""
    calibrating: float = 0.5
    """`monitor`: which regret is usual, before the first plan."""
    monitor_graphs: float = 0.5
    """`monitor`: preparing to measure a batch of plans; measuring them gets the rest."""

    # Samples of costs.
    solving_before_samples: float = 0.5
    """`solve --samples`: the plans asked for; searching the samples gets the rest."""
    drawing_to_ask: float = 0.5
    """`ask` without samples: drawing them; searching them gets the rest."""
    checking_before_samples: float = 0.3
    """`verify --samples`: the check; searching the samples gets the rest."""

    # Studies.
    run_margin: float = 0.1
    """A run may exceed its own limit by this part before it is ended from outside."""
    run_margin_s: float = 15.0
    """Or by this many seconds, if that is more."""


SCHEDULE = Schedule()
