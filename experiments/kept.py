"""The records that docs/results.md is made of, in ``records``: one file for each version."""

from __future__ import annotations

from pathlib import Path

from experiments.figure1 import ROUTES
from experiments.records import Records, append
from experiments.studies import STUDY_OF, study_of
from plancost.files import make_folder, write_atomically

STUDIES = [study_of(name, "small") for name in dict.fromkeys(STUDY_OF.values())]
"""What the page is about."""
_FOLDER = Path(__file__).with_name("records")
_OF_THIS_VERSION = _FOLDER / "version-1.0.jsonl"


def kept() -> Records:
    """All records that are kept, those of this version in place of earlier ones."""
    return Records(sorted(_FOLDER.glob("*.jsonl")))


def keep(path: Path) -> None:
    """Keep the records of an experiment that the page is about, in place of those before."""
    pools = {pool.name for study in STUDIES for pool in study.pools} | set(ROUTES)
    earlier = Records(found for found in _FOLDER.glob("*.jsonl") if found != _OF_THIS_VERSION)
    new = (record for record in Records([_OF_THIS_VERSION, path]) if record.pool in pools)
    lines = sorted(record.line() for record in new if record != earlier.get(record.key))
    write_atomically(_OF_THIS_VERSION, "".join(f"{line}\n" for line in lines))


def copy_kept(path: Path) -> None:
    """Add the records that are kept of runs that an experiment has no records of."""
    make_folder(path.parent)
    known = Records([path])
    for record in kept():
        if known.get(record.key) is None:
            append(path, record)
