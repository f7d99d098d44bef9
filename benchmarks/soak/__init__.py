"""The whole pipeline over random cases, options and faults, for as long as one likes.

``python -m benchmarks.soak --minutes 60 --seed 1 --output soak.json`` runs plancost on one small
random case after the other, most of them by the command line, many with a fault: a planner that
fails, a signal, a limit, a full disk, a damaged file. Every answer is compared with a reference
that shares nothing with the learners, and after every run nothing may be left behind.

    worlds -> cases -> questions -> commands -> checks -> tally
    what there is   what is asked   what is run   right?   how often

``runs`` puts one run together and depends on the seed and its number alone, so that a run that
failed can be repeated: ``--only 1234``.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The project."""

# Brute force and the fake planner are shared with the tests.
if str(ROOT / "tests") not in sys.path:
    sys.path.append(str(ROOT / "tests"))
