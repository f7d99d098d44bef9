"""Pairs of plans that cross, found without a linear program.

Let two plans have the states a, u and v in common, where one visits u before v and the other v
before u, and a comes before both in both plans. If both plans are optimal, the first pays for its
way from a to v (through u) no more than the second does, and the second from a to u (through v)
no more than the first. Added up, the way from u to v and back would cost nothing. The same holds
with a common state behind both instead of before. Under a strict concept it is enough that two
plans differ between two common states that they visit in the same order.

These are most conflicts of two plans. Without them grids with 100 plans take twice as long, 1,282
real trips 2.5 times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from plancost.clock import Clock
from plancost.learn.certificate import contradiction
from plancost.learn.conflict import Conflict
from plancost.learn.feasibility import Feasibility
from plancost.learn.paths import Paths
from plancost.learn.rows import Alternative
from plancost.learn.scf import Differ, differing_ways
from plancost.learn.task import ONE
from plancost.options import LearnOptions

Places = npt.NDArray[np.int64]


def find_crossings(
    feasibility: Feasibility,
    paths: Paths,
    plans: Sequence[int],
    options: LearnOptions,
    clock: Clock,
) -> Iterator[Conflict]:
    """Conflicts between two plans; every pair that one of them covers is passed over."""
    task, differ = paths.task, differing_ways(options)
    size = len(task.plans)
    covered = np.zeros((size, size), dtype=bool)
    exact = [n for n in plans if task.plans[n].factor == ONE and len(paths.states[n]) > 1]
    for world in np.unique(paths.world[exact]).tolist() if exact else ():
        members = [n for n in exact if paths.world[n] == world]
        for number, suspects in _suspects(paths, members, strict=differ is not None):
            if clock.is_over:
                return
            for other in suspects.tolist():
                if covered[number, other]:
                    continue
                pair = _crossing(paths, number, other, differ)
                found = _conflict(feasibility, paths, pair, int(differ is not None))
                if found is not None:
                    first, second = (sorted(found.classes[place]) for place in (0, -1))
                    covered[np.ix_(first, second)] = covered[np.ix_(second, first)] = True
                    yield found


def _suspects(paths: Paths, members: list[int], *, strict: bool) -> Iterator[tuple[int, Places]]:
    """Each plan, with those behind it that visit common states in another order.

    Under a strict concept it is enough that there are two common states.
    """
    states = [np.array(paths.states[number], dtype=np.int64) for number in members]
    every = np.concatenate(states)
    owner = np.repeat(members, [len(own) for own in states])
    place = np.full(int(every.max()) + 1, -1)
    begin = 0
    for number, own in zip(members, states, strict=True):
        begin += len(own)
        place[own[::-1]] = np.arange(len(own))[::-1]
        visits = place[every[begin:]]
        is_common = visits >= 0
        other, there = owner[begin:][is_common], visits[is_common]
        again = other[1:] == other[:-1]
        if not strict:
            again &= _turned_round(other, there)
        yield number, np.unique(other[1:][again])
        place[own] = -1


def _turned_round(other: Places, there: Places) -> npt.NDArray[np.bool_]:
    """Which two states in a row are visited the other way round, with a third one beside.

    `there` is where common states are in one plan, in the order of each plan in `other`.
    """
    apart = there - other * (int(there.max(initial=0)) + 1)  # each plan below the one before
    first = np.minimum.accumulate(apart)[:-1]
    last = np.maximum.accumulate(apart[::-1])[::-1][1:]
    turned = apart[1:] < apart[:-1]
    return np.asarray(turned & ((first < apart[1:]) | (last > apart[:-1])))


def _crossing(paths: Paths, first: int, second: int, differ: Differ | None) -> list[Alternative]:
    """The two stretches where two plans cross; none if they do not."""
    one, two = (paths.task.plans[n].actions for n in (first, second))
    place = {state: step for step, state in enumerate(paths.states[second])}
    common = [(i, place[s]) for i, s in enumerate(paths.states[first]) if s in place]
    for index, ((u, u_there), (v, v_there)) in enumerate(pairwise(common)):
        here, there = one[u:v], two[u_there:v_there]
        if differ is not None and u_there < v_there and differ(here, there):
            return [Alternative(first, u, v, there), Alternative(second, u_there, v_there, here)]
        if differ is not None or u_there < v_there:
            continue
        before = [(i, j) for i, j in common[:index] if j < v_there]
        behind = [(i, j) for i, j in common[index + 2 :] if j > u_there]
        if before:
            a, a_there = before[-1]
            return [
                Alternative(first, a, v, two[a_there:v_there]),
                Alternative(second, a_there, u_there, one[a:u]),
            ]
        if behind:
            b, b_there = behind[0]
            return [
                Alternative(first, u, b, two[u_there:b_there]),
                Alternative(second, v_there, b_there, one[v:b]),
            ]
    return []


def _conflict(
    feasibility: Feasibility, paths: Paths, ways: Sequence[Alternative], margin: int
) -> Conflict | None:
    """Make the two rows known, with all plans that demand them, and prove the conflict."""
    cuts = [paths.cut(way, margin) for way in ways if way.begin < way.end]
    feasibility.pool.add(cuts)
    rows = [cut.row for cut in cuts]
    needed = [row for row in rows if row.coefficients or row.margin > 0]
    proof = contradiction(feasibility.parameters, needed, [1.0] * len(needed))
    if len(cuts) < 2 or proof is None:
        return None
    return Conflict(feasibility.classes(proof, [way.plan for way in ways]), proof)
