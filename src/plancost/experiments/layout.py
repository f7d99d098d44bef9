"""Where things are in the folder of a reproduction."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

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
