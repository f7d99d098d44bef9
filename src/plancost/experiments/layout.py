"""Where things are in the folder of a reproduction."""

from __future__ import annotations

from pathlib import Path

from plancost.experiments.plan import PoolPlan, Run
from plancost.experiments.records import Records


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
