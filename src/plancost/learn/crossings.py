"""Pairs of plans that cross, found without a linear program.

Let two plans have the states a, u and v in common, where one visits u before v and the other v
before u, and a comes before both in both plans. If both plans are optimal, the first pays for its
way from a to v (through u) no more than the second does, and the second from a to u (through v)
no more than the first. Added up, the way from u to v and back would cost nothing. The same holds
with a common state behind both instead of before. Under a strict concept it is enough that two
plans differ between two common states that they visit in the same order.

These are most conflicts of two plans. Without them grids with 100 plans take twice as long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from plancost.clock import Clock
from plancost.learn.certificate import contradiction
from plancost.learn.concept import stretch_cut
from plancost.learn.conflict import Conflict
from plancost.learn.feasibility import Feasibility
from plancost.learn.paths import Paths
from plancost.learn.rows import Alternative
from plancost.learn.task import ONE

_Places = npt.NDArray[np.int64]


def find_crossings(
    feasibility: Feasibility,
    paths: Paths,
    plans: Sequence[int],
    clock: Clock,
    *,
    strict: bool,
    merges: bool,
) -> Iterator[Conflict]:
    """Conflicts between two plans; every pair that one of them covers is passed over.

    `strict`: different ways between two common states are enough; `merges`: but for ways of
    the same actions in another order.
    """
    task = paths.task
    size = len(task.plans)
    covered = np.zeros((size, size), dtype=bool)
    exact = [n for n in plans if task.plans[n].factor == ONE and len(paths.states[n]) > 1]
    for world in np.unique(paths.world[exact]).tolist() if exact else ():
        members = [n for n in exact if paths.world[n] == world]
        for number, suspects in _suspects(paths, members, strict=strict):
            if clock.is_over:
                return
            for other in suspects[~covered[number, suspects]].tolist():
                if covered[number, other]:
                    continue  # by a conflict that has just been found
                pair = _crossing(paths, number, other, strict=strict, merges=merges)
                found = _conflict(feasibility, paths, pair, int(strict)) if pair else None
                if found is None:
                    continue
                for one in found.classes[0]:
                    covered[one, list(found.classes[-1])] = True
                for one in found.classes[-1]:
                    covered[one, list(found.classes[0])] = True
                yield found


def _suspects(paths: Paths, members: list[int], *, strict: bool) -> Iterator[tuple[int, _Places]]:
    """Each plan, with those behind it that visit common states in another order.

    Under a strict concept it is enough that there are two common states.
    """
    states = [np.array(paths.states[number], dtype=np.int64) for number in members]
    sizes = np.array([len(own) for own in states], dtype=np.int64)
    state = np.concatenate(states)
    row = np.repeat(np.arange(len(members)), sizes)
    place = np.arange(len(state)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    order = np.argsort(state, kind="stable")
    state, row, place = state[order], row[order], place[order]
    numbers = np.array(members, dtype=np.int64)
    for which, own in enumerate(states):
        first, stop = np.searchsorted(state, own), np.searchsorted(state, own, side="right")
        count = stop - first
        here = np.repeat(np.arange(len(own)), count)
        entries = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(len(here))
        behind = row[entries] > which
        here, entries = here[behind], entries[behind]
        other, there = row[entries], place[entries]
        by_other = np.lexsort((there, here, other))
        other, there, here = other[by_other], there[by_other], here[by_other]
        again = (other[1:] == other[:-1]) & (here[1:] != here[:-1])
        if not strict:
            again &= _turned_round(other, there)
        yield members[which], numbers[np.unique(other[1:][again])]


def _turned_round(other: _Places, there: _Places) -> npt.NDArray[np.bool_]:
    """Which two states in a row the other plan visits the other way round, with a third one beside.

    `there` is where each plan in `other` visits the common states, in the order of the first plan.
    """
    if not len(there):
        return np.zeros(0, dtype=bool)
    apart = there - other * (
        int(there.max()) + 1
    )  # what is said of one plan must not count for the next
    first = np.minimum.accumulate(apart)[:-1]
    last = np.maximum.accumulate(apart[::-1])[::-1][1:]
    turned = apart[1:] < apart[:-1]
    return np.asarray(turned & ((first < apart[1:]) | (last > apart[:-1])))


def _crossing(
    paths: Paths, first: int, second: int, *, strict: bool, merges: bool
) -> tuple[Alternative, Alternative] | None:
    """Where two plans cross, as short as possible."""
    one, two = (paths.task.plans[n].actions for n in (first, second))
    place = {state: step for step, state in enumerate(paths.states[second])}
    common = [(i, place[s]) for i, s in enumerate(paths.states[first]) if s in place]
    if strict:
        for (u, u_there), (v, v_there) in pairwise(common):
            here, there = one[u:v], two[u_there:v_there]
            if (
                u_there < v_there
                and here != there
                and not (merges and sorted(here) == sorted(there))
            ):
                return Alternative(first, u, v, there), Alternative(second, u_there, v_there, here)
        return None
    for index in range(len(common) - 1):
        (u, u_there), (v, v_there) = common[index], common[index + 1]
        if v_there > u_there:
            continue
        before = max(((i, j) for i, j in common[:index] if j < v_there), default=None)
        if before is not None:
            a, a_there = before
            return (
                Alternative(first, a, v, two[a_there:v_there]),
                Alternative(second, a_there, u_there, one[a:u]),
            )
        behind = min(((i, j) for i, j in common[index + 2 :] if j > u_there), default=None)
        if behind is not None:
            b, b_there = behind
            return (
                Alternative(first, u, b, two[u_there:b_there]),
                Alternative(second, v_there, b_there, one[v:b]),
            )
    return None


def _conflict(
    feasibility: Feasibility, paths: Paths, ways: tuple[Alternative, Alternative], margin: int
) -> Conflict | None:
    """Make the two rows known, with all plans that demand them, and prove the conflict."""
    cuts = [stretch_cut(paths, way, margin) for way in ways if way.begin < way.end]
    feasibility.pool.add(cuts)
    rows = [cut.row for cut in cuts]
    needed = [row for row in rows if row.coefficients or row.margin > 0]
    proof = contradiction(feasibility.parameters, needed, [1.0] * len(needed))
    if len(cuts) < len(ways) or proof is None:
        return None
    return Conflict(feasibility.classes(proof, [way.plan for way in ways]), proof)
