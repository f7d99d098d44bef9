"""Ctrl-C and SIGTERM at random moments, many times: what is left of each run?

Whatever the moment, RESULT.json is whole or not there, the exit status is a documented one, and
no process and no temporary directory remains. Prints a line for each run that fails in one of
these, and how many did not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"
PLANCOST = str(Path(sys.executable).parent / "plancost")
RUNS: tuple[tuple[str, ...], ...] = (
    ("avoid-the-centre",),
    ("avoid-the-centre", "--alternatives", "20", "--no-cache"),
    ("avoid-the-centre", "--solution", "scf", "--groups", "2"),
    ("avoid-the-centre", "--oracle", "symk", "--jobs", "2"),
    ("small-city", "--ranges", "--least-factors"),
)


def main() -> None:
    """Do so many runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--longest", type=float, default=10.0, help="seconds before the signal")
    arguments = parser.parse_args()
    good = 0
    for seed in range(arguments.seed, arguments.seed + arguments.runs):
        problems = interrupted(seed, arguments.longest)
        good += not problems
        if problems:
            print(f"seed {seed}: {'; '.join(problems)}", flush=True)
    print(f"{good} of {arguments.runs} runs left nothing behind")


def interrupted(seed: int, longest_s: float) -> list[str]:
    """What is wrong after one run."""
    chance = random.Random(seed)
    case, *words = chance.choice(RUNS)
    number = chance.choice([signal.SIGINT, signal.SIGTERM])
    with tempfile.TemporaryDirectory() as folder:
        place, output = Path(folder) / "tmp", Path(folder) / "out" / "RESULT.json"
        place.mkdir()
        process = subprocess.Popen(
            [PLANCOST, "learn", str(EXAMPLES / case), *words, "--output", str(output)],
            env={**os.environ, "TMPDIR": str(place)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(chance.uniform(0.5, longest_s))
        process.send_signal(number)
        try:
            _, err = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            return ["did not end"]
        time.sleep(0.2)
        return list(_problems(process.returncode, err, place, output, number))


def _problems(
    status: int, err: str, place: Path, output: Path, number: signal.Signals
) -> list[str]:
    found = []
    if status not in (0, 128 + number):
        found.append(f"exit status {status}")
    if "Traceback" in err:
        found.append("a traceback")
    if list(place.iterdir()):
        found.append("a temporary directory")
    if output.parent.exists() and any(item.name != output.name for item in output.parent.iterdir()):
        found.append("another file beside RESULT.json")
    if output.exists():
        try:
            json.loads(output.read_text())
        except ValueError:
            found.append("half a RESULT.json")
    found += [f"process {pid}" for pid in _running(place)]
    return found


def _running(place: Path) -> list[int]:
    """The processes that were started with this place for temporary files."""
    word = f"TMPDIR={place}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if word in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


if __name__ == "__main__":
    main()
