"""Where things are in the folder of a reproduction."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from plancost.errors import InputError
from plancost.experiments.plan import PoolPlan, Run
from plancost.experiments.records import Records


@dataclass(frozen=True)
class Layout:
    """A folder with pools, records, a cache of plans, and reports."""

    root: Path

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

    def make_pools(self) -> None:
        """Make the folder that the pools are in."""
        try:
            (self.root / "pools").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot write pools here ({error.strerror})", self.root) from error

    @property
    def records(self) -> Records:
        """All records."""
        return Records(self.root / "records")

    @property
    def cache(self) -> Path:
        """The plans that the runs share."""
        return self.root / "cache"

    @property
    def tables(self) -> Path:
        """Tables as Markdown, CSV and LaTeX."""
        return self.root / "tables"

    @property
    def figures(self) -> Path:
        """Figures as PNG and SVG."""
        return self.root / "figures"

    @property
    def report(self) -> Path:
        """The page that compares with the paper."""
        return self.root / "report.md"
