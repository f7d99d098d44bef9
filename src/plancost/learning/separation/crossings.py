"""Pairs of plans that cross, found without a linear program.

Let two plans have the states a, u and v in common, where one visits u before v and the other
v before u, and a comes before both in both plans. If both plans are optimal, the first pays for
its way from a to v (through u) no more than the second does, and the second from a to u
(through v) no more than the first. Added up: the way from u to v and back would cost
nothing. The same holds with a common state behind both instead of before.

Under a strict concept it is enough that two plans differ between two common states that they
visit in the same order: each would have to be cheaper than the other.

These are not all conflicts, but most of those between two plans, and there are many of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from plancost.learning.problem.cuts import Cut
from plancost.learning.separation.paths import Path, Paths
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.oracles.shortest_paths import Subpath
from plancost.system.clock import Deadline


@dataclass(frozen=True)
class _Crossing:
    """Two subpaths, of one plan each, that cannot both be optimal."""

    first: Subpath
    second: Subpath


def find_crossings(
    subproblem: Subproblem,
    paths: Paths,
    candidates: list[int],
    deadline: Deadline,
    known: Sequence[Conflict] = (),
) -> Iterator[Conflict]:
    """Conflicts between two plans; every pair that one of them covers is passed over.

    So is a pair that is in one of the conflicts `known`.
    """
    strict = subproblem.task.concept.is_strict
    size = len(subproblem.task.candidates)
    covered = np.zeros((size, size), dtype=bool)
    for conflict in list(known):
        if len(conflict.classes) <= 2 and conflict.secondary is None:
            _cover(covered, conflict)
    for _, members in paths.by_graph(candidates):
        for number, suspects in _suspects(paths, members, strict=strict):
            if deadline.is_over:
                return
            for other in suspects[~covered[number, suspects]].tolist():
                if covered[number, other]:
                    continue  # by a conflict that has just been found
                crossing = _crossing(paths[number], paths[other], strict=strict)
                if crossing is None:
                    continue
                found = _conflict(subproblem, paths, number, other, crossing)
                if found is None:
                    continue
                _cover(covered, found)
                yield found


def _cover(covered: np.ndarray, conflict: Conflict) -> None:
    """Mark the pairs that a conflict of one or two classes excludes."""
    first, second = sorted(conflict.classes[0]), sorted(conflict.classes[-1])
    covered[np.ix_(first, second)] = True
    covered[np.ix_(second, first)] = True


def _suspects(
    paths: Paths, members: list[int], *, strict: bool
) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    """Each plan, with those behind it that visit common states in another order.

    Under a strict concept it is enough that there are two common states.
    """
    states = [np.array(paths[number].states, dtype=np.int64) for number in members]
    sizes = np.array([len(own) for own in states], dtype=np.int64)
    state = np.concatenate(states) if states else np.zeros(0, dtype=np.int64)
    row = np.repeat(np.arange(len(members)), sizes)
    place = np.arange(len(state)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    order = np.argsort(state, kind="stable")
    state, row, place = state[order], row[order], place[order]
    numbers = np.array(members, dtype=np.int64)
    loops = np.array([len(set(own.tolist())) < len(own) for own in states], dtype=bool)
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
            again &= _turned_round(other, there) | loops[other[1:]] | loops[which]
        yield members[which], numbers[np.unique(other[1:][again])]


def _turned_round(
    other: npt.NDArray[np.int64], there: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Which two states in a row the other plan visits the other way round, with a third one.

    The third one is before both or behind both in both plans. `there` is where each plan in
    `other` visits the common states, in the order of the first plan.
    """
    if not len(there):
        return np.zeros(0, dtype=bool)
    # Plans are kept apart: what is said of one must not count for the next.
    apart = there - other * (int(there.max()) + 1)
    first = np.minimum.accumulate(apart)[:-1]
    last = np.maximum.accumulate(apart[::-1])[::-1][1:]
    turned = apart[1:] < apart[:-1]
    return np.asarray(turned & ((first < apart[1:]) | (last > apart[:-1])))


def _crossing(first: Path, second: Path, *, strict: bool) -> _Crossing | None:
    """Where two plans cross, as short as possible."""
    place = {state: position for position, state in enumerate(second.states)}
    common = [(i, place[state]) for i, state in enumerate(first.states) if state in place]
    if strict:
        return _different_ways(first, second, common)
    for index in range(len(common) - 1):
        (u, u_there), (v, v_there) = common[index], common[index + 1]
        if v_there > u_there:
            continue
        # u before v here, v before u there.
        before = max(((i, j) for i, j in common[:index] if j < v_there), default=None)
        if before is not None:
            a, a_there = before
            return _Crossing(
                Subpath(a, v, second.actions[a_there:v_there]),
                Subpath(a_there, u_there, first.actions[a:u]),
            )
        behind = min(((i, j) for i, j in common[index + 2 :] if j > u_there), default=None)
        if behind is not None:
            b, b_there = behind
            return _Crossing(
                Subpath(u, b, second.actions[u_there:b_there]),
                Subpath(v_there, b_there, first.actions[v:b]),
            )
    return None


def _different_ways(first: Path, second: Path, common: list[tuple[int, int]]) -> _Crossing | None:
    for (u, u_there), (v, v_there) in pairwise(common):
        here, there = first.actions[u:v], second.actions[u_there:v_there]
        if u_there < v_there and here != there:
            return _Crossing(Subpath(u, v, there), Subpath(u_there, v_there, here))
    return None


def _conflict(
    subproblem: Subproblem, paths: Paths, number: int, other: int, crossing: _Crossing
) -> Conflict | None:
    """Make the two rows known, with all plans that induce them, and prove the conflict.

    If one of them always holds, no costs satisfy the other, which proves it alone.
    """
    margin = int(subproblem.task.concept.is_strict)
    rows = []
    for plan, subpath in ((number, crossing.first), (other, crossing.second)):
        cuts: list[Cut] = list(paths.lifted(plan, subpath, margin))
        for cut in cuts:
            subproblem.add(cut)
        rows.append(cuts[0].row)
    needed = [row for row in rows if not subproblem.task.is_void(row)]
    return subproblem.prove(needed, [1] * len(needed))
