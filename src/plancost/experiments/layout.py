"""Where things are in the folder of a reproduction."""

from __future__ import annotations

from pathlib import Path

from plancost.errors import InputError
from plancost.experiments.plan import PoolPlan, Run
from plancost.experiments.records import Records
from plancost.files.output_files import make_folder


class Layout:
    """A folder with pools, records, a cache of plans that the runs share, and reports."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.records = Records(root / "records")
        self.cache = root / "cache"
        self.tables = root / "tables"
        self.figures = root / "figures"
        self.report = root / "report.md"

    def pool(self, pool: PoolPlan) -> Path:
        """The folder of a pool."""
        return self.root / "pools" / pool.name

    def manifest(self, run: Run) -> Path:
        """The learning task of a run."""
        return self.pool(run.pool) / "tasks" / f"{run.size}-{run.task:02d}.csv"

    def check_is_ours(self) -> None:
        """Raise `InputError` if the folder holds other things than a reproduction."""
        try:
            names = {path.name for path in self.root.iterdir()} if self.root.exists() else set()
        except OSError as error:
            raise InputError(f"cannot read this folder ({error.strerror})", self.root) from error
        if names and names.isdisjoint(("pools", "records")):
            raise InputError(
                "this folder is not empty and holds no reproduction; choose another --output",
                self.root,
            )

    def make(self) -> None:
        """Make the folder, and the one of the records, by which it is known as ours."""
        make_folder(self.root)
        make_folder(self.records.folder)
