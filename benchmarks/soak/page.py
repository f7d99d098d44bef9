"""The figures of soaks in the repository, and the part of docs/reliability.md that they make.

    python -m benchmarks.soak --take-over piece-*.jsonl

adds the runs of these files to benchmarks/records/soak.jsonl.xz, in place of the same runs, and
writes the tables between two marks in the page. Every number there comes from that file.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.soak.records import Record
from benchmarks.soak.tally import WARM_UP, Tally

_ROOT = Path(__file__).parents[2]
KEPT = _ROOT / "benchmarks" / "records" / "soak.jsonl.xz"
PAGE = _ROOT / "docs" / "reliability.md"
_MARKS = ("<!-- figures of soaks -->\n", "<!-- end of the figures -->\n")


def read_records(files: Iterable[Path]) -> list[Record]:
    """The runs that some files of figures have."""
    texts = (
        lzma.decompress(file.read_bytes()).decode() if file.suffix == ".xz" else file.read_text()
        for file in files
    )
    return [Record.from_json(json.loads(line)) for text in texts for line in text.splitlines()]


def summed(records: Sequence[Record]) -> Tally:
    """All runs of some soaks together; memory grew by as much as in the soak where it grew most."""
    tally = Tally(0)
    memory: dict[int, list[float]] = {}
    for record in records:
        tally.add(record)
        tally.seconds += record.seconds
        memory.setdefault(record.seed, []).append(record.memory_mb)
    growths = [sizes[-1] - sizes[WARM_UP - 1] for sizes in memory.values() if sizes[WARM_UP:]]
    tally.growth_mb = max([0.0, *growths])
    return tally


def take_over(files: Iterable[Path]) -> None:
    """Add the runs of some files to those in the repository, and write the page."""
    known = [KEPT] if KEPT.exists() else []
    runs = {(run.seed, run.number): run for run in read_records([*known, *files])}
    records = [runs[key] for key in sorted(runs)]
    for record in records:
        record.folder = None  # it was on the machine of the soak
        record.seconds = round(record.seconds, 2)
        record.memory_mb = round(record.memory_mb, 1)
    lines = "".join(json.dumps(record.to_json()) + "\n" for record in records)
    KEPT.write_bytes(lzma.compress(lines.encode(), preset=9))
    PAGE.write_text(with_figures(PAGE.read_text(encoding="utf-8"), records), encoding="utf-8")


def with_figures(page: str, records: Sequence[Record]) -> str:
    """The page with the tables of these runs between its marks."""
    before, first, rest = page.partition(_MARKS[0])
    _, last, after = rest.partition(_MARKS[1])
    if not (first and last):
        raise ValueError(f"{PAGE} has no marks for the figures")
    pieces = len({record.seed for record in records})
    tally = summed(records)
    hours = f"{tally.seconds / 3600:.1f} hours"
    words = f"{hours} in {pieces} pieces (the time that the runs of each took, added up):"
    return f"{before}{first}\n{words}\n\n{tally.markdown()}\n\n{last}{after}"
