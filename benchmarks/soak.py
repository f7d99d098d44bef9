"""Random cases for as long as there is time: every answer against the truth by enumeration.

    python -m benchmarks.soak --minutes 30 --seed 1
    python -m benchmarks.soak --repeat killed:17

Each piece is a kind and a seed, which repeat it. Exit status 1 if an answer was wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec

_ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(_ROOT / "tests"))

from agreement import (  # noqa: E402
    wrong_in,
    wrong_in_folder,
    wrong_in_result,
    wrong_in_run,
    wrong_verdicts,
)
from brute_force import BruteForce, ContradictionError, TooLargeError  # noqa: E402
from plancost.api import learn  # noqa: E402
from plancost.clock import Clock  # noqa: E402
from plancost.errors import InputError, LimitError  # noqa: E402
from plancost.learn.run import learn_costs  # noqa: E402
from plancost.learn.verify import Check, Oracles  # noqa: E402
from plancost.progress import silent  # noqa: E402
from plancost.result.model import Result  # noqa: E402
from random_tasks import draw_case, draw_options, draw_streets  # noqa: E402
from written_tasks import draw_question, draw_written  # noqa: E402

PATIENCE = 60.0
"""Seconds after which a small case counts as hanging."""
CRASH = "crashed:"
"""Begins what is wrong where there was an exception instead of an answer."""


def drawn(seed: int, folder: Path) -> list[str]:
    """Learn on a case made of the types alone."""
    case = draw_case(seed)
    return wrong_in_run(BruteForce(case, draw_options(seed, case)), PATIENCE)


def checked(seed: int, folder: Path) -> list[str]:
    """Verify random costs."""
    case, random = draw_case(seed), Random(seed)
    options = draw_options(seed, case)
    costs = tuple(random.choice([1, 2, 3, 9, 10**6]) for _ in case.actions)
    force = BruteForce(case, options)
    check = Check(costs, Oracles(case, options))
    check.run(Clock(PATIENCE))
    found = list(wrong_verdicts(force, costs, check.verdicts))
    return found + ["undecided"] * any(verdict.optimal is None for verdict in check.verdicts)


def hurried(seed: int, folder: Path) -> list[str]:
    """A time limit that is too small, and then on from what is known."""
    case, random = draw_case(seed), Random(seed)
    # No planners where states are not explored in time: these cases have no PDDL to give them.
    options = replace(draw_options(seed, case), oracle="graph")
    knowledge = folder / "knowledge"
    force = BruteForce(case, options)
    try:
        _ = force.truth
    except ContradictionError:
        return wrong_in_run(force, PATIENCE)
    found = []
    for limit in (random.choice([0.0, 0.001, 0.005, 0.02, 0.1]), PATIENCE):
        try:
            learned = learn_costs(case, options, Clock(limit), silent, knowledge)
        except LimitError:
            found += ["no answer in time"] if limit == PATIENCE else []
            continue
        found += wrong_in(force, learned)
    return found


def written(seed: int, folder: Path) -> list[str]:
    """PDDL in a folder or a manifest."""
    text = draw_written(seed)
    return wrong_in_folder(text, draw_question(seed, text), folder)


def planners(seed: int, folder: Path) -> list[str]:
    """The same, but planners look for cheaper plans."""
    text = draw_written(seed)
    asked = draw_question(seed, text)
    options = replace(asked.options, oracle="planners", time_limit=PATIENCE)
    return wrong_in_folder(text, replace(asked, options=options), folder)


def streets(seed: int, folder: Path) -> list[str]:
    """Tables of links and trips."""
    force, asked = _street_question(seed, folder)
    try:
        _ = force.truth
    except ContradictionError:
        return _not_refused(lambda: learn(folder, **asked))
    return wrong_in_result(force, learn(folder, **asked))


def killed(seed: int, folder: Path) -> list[str]:
    """The command is killed somewhere on the way, and then runs again to the end."""
    random = Random(seed)
    force, asked = _street_question(seed, folder / "case")
    output = folder / "RESULT.json"
    line = [sys.executable, "-m", "plancost", "learn", str(folder / "case"), "--quiet"]
    line += ["--output", str(output), "--time-limit", str(int(PATIENCE))]
    for name, value in asked.items():
        line += [f"--{name}", str(value)]
    for _ in range(random.choice([1, 1, 2])):
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(random.uniform(0.1, 0.8))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if output.exists():
            # Whatever is there is whole.
            json.loads(output.read_text(encoding="utf-8"))
    done = subprocess.run(line, capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
    try:
        _ = force.truth
    except ContradictionError:
        return [] if done.returncode == 1 else [f"ended with {done.returncode}"]
    if done.returncode not in (0, 3):
        return [f"ended with {done.returncode}: {done.stderr.strip()[-300:]}"]
    result = msgspec.json.decode(output.read_bytes(), type=Result)
    return wrong_in_result(force, result)


def repeated(seed: int, folder: Path) -> list[str]:
    """Other seeds of the library, and observations in another order, change no proven value."""
    case, random = draw_case(seed), Random(seed)
    options = replace(draw_options(seed, case), seed=random.randint(1, 9))
    seen = list(case.observations)
    random.shuffle(seen)
    return wrong_in_run(BruteForce(replace(case, observations=tuple(seen)), options), PATIENCE)


Piece = Callable[[int, Path], list[str]]
KINDS: dict[str, tuple[Piece, float]] = {
    "drawn": (drawn, 10),
    "checked": (checked, 4),
    "hurried": (hurried, 5),
    "repeated": (repeated, 2),
    "written": (written, 3),
    "streets": (streets, 3),
    "killed": (killed, 0.5),
    "planners": (planners, 0.3),
}
"""What can be run, and how often in proportion."""


def run_piece(kind: str, seed: int) -> list[str] | None:
    """What is wrong in one piece; None where nobody knows the truth."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return KINDS[kind][0](seed, Path(folder))
        except TooLargeError:
            return None
        except Exception:  # Whatever it is, the piece is reported and the soak goes on.
            return [CRASH, traceback.format_exc(limit=-4)]


def soak(minutes: float, first: int, kinds: list[str]) -> int:
    """Run pieces until the time is over; how many were wrong."""
    random = Random(first)
    compared: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    wrong: list[str] = []
    crashed: list[str] = []
    slowest = (0.0, "")
    ends = time.monotonic() + 60 * minutes
    seed = first * 1_000_000
    weights = [KINDS[kind][1] for kind in kinds]
    while time.monotonic() < ends:
        (kind,) = random.choices(kinds, weights)
        seed += 1
        began = time.monotonic()
        found = run_piece(kind, seed)
        slowest = max(slowest, (time.monotonic() - began, f"{kind}:{seed}"))
        if found is None:
            unknown[kind] += 1
            continue
        compared[kind] += 1
        if found:
            has_crashed = found[0] == CRASH
            (crashed if has_crashed else wrong).append(f"{kind}:{seed}")
            word = "CRASHED" if has_crashed else "WRONG"
            print(f"{word} {kind}:{seed}", *found, sep="\n  ", flush=True)
    print("compared:", ", ".join(f"{kind} {count}" for kind, count in compared.items()))
    print("nobody knows:", ", ".join(f"{kind} {count}" for kind, count in unknown.items()) or "0")
    print(f"slowest: {slowest[1]} with {slowest[0]:.1f} s")
    pieces = sum(compared.values())
    print(f"{pieces} pieces, {pieces - len(crashed)} compared, {len(crashed)} crashed")
    print(f"{len(wrong)} wrong", *wrong[:50])
    return len(wrong) + len(crashed)


def _street_question(seed: int, folder: Path) -> tuple[BruteForce, dict[str, Any]]:
    """A folder of streets with the truth, and what to ask."""
    random = Random(seed)
    by_hand, metres = draw_streets(seed, folder)
    options = draw_options(seed, by_hand)
    asked: dict[str, Any] = {"solution": options.solution, "ties": options.ties}
    if options.suboptimality is not None:
        asked["suboptimality"] = str(options.suboptimality)
    if random.random() < 0.3:
        by_hand = replace(by_hand, costs=replace(by_hand.costs, initial=metres))
        asked["refine"] = "metres"
    return BruteForce(by_hand, options), asked


def _not_refused(action: Callable[[], object]) -> list[str]:
    try:
        action()
    except InputError:
        return []
    return ["nothing keeps to what is known, but costs were found"]


def main() -> int:
    """Soak, or repeat one piece."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=[*KINDS], action="append", help="this kind; repeatable")
    parser.add_argument("--repeat", metavar="KIND:SEED", help="one piece, as it was reported")
    asked = parser.parse_args()
    if asked.repeat:
        kind, _, seed = asked.repeat.partition(":")
        found = run_piece(kind, int(seed))
        print("nobody knows" if found is None else "\n".join(found) or "right")
        return int(bool(found))
    return int(soak(asked.minutes, asked.seed, asked.only or [*KINDS]) > 0)


if __name__ == "__main__":
    sys.exit(main())
