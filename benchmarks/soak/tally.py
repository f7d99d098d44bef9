"""Counting runs, and putting the counts into a table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any

from benchmarks.soak.findings import Wrong
from benchmarks.soak.records import Record

WARM_UP = 20
"""Runs after which memory counts."""
MOST_GROWTH_MB = 200.0
"""How much memory the soak may grow after its first runs, which load libraries."""


@dataclass
class Tally:
    """What a soak has seen so far."""

    seed: int
    seconds: float = 0.0
    runs: int = 0
    commands: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    worlds: Counter[str] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often two options were asked together; with itself: how often one was."""
    injected: dict[str, Counter[str]] = field(default_factory=dict)
    """For each fault how the runs with it ended."""
    wrong: Counter[Wrong] = field(default_factory=Counter)
    unjudged: int = 0
    left_by_kill: int = 0
    growth_mb: float = 0.0
    failed: list[dict[str, Any]] = field(default_factory=list)

    def add(self, record: Record) -> None:
        """Count a run."""
        self.runs += 1
        self.commands["learn in this process" if record.in_process else "learn"] += 1
        self.commands.update(record.commands)
        self.kinds[record.kind] += 1
        self.worlds[record.world] += 1
        self.features.update(record.features)
        self.pairs.update(combinations_with_replacement(record.options, 2))
        self.unjudged += not record.is_judged
        self.left_by_kill += record.left_by_kill
        if record.happened:
            self.injected.setdefault(record.injection, Counter())[record.outcome] += 1
        self.wrong.update({finding.kind for finding in record.findings})
        if record.findings:
            self.failed.append(
                {
                    "seed": record.seed,
                    "run": record.number,
                    "injected": record.injection,
                    "folder": str(record.folder),
                    "findings": [[f.kind.value, f.text] for f in record.findings],
                }
            )

    @property
    def faults(self) -> int:
        """How many faults came about."""
        return sum(outcomes.total() for outcomes in self.injected.values())

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong."""
        return not self.failed and self.growth_mb <= MOST_GROWTH_MB

    def line(self) -> str:
        """What is printed now and then."""
        wrong = ", ".join(f"{self.wrong[kind]} {kind.value}" for kind in Wrong)
        return f"{self.seconds / 60:6.1f} min  {self.runs} runs, {self.faults} faults: {wrong}"

    def to_json(self) -> dict[str, Any]:
        """For ``--output``."""
        return {
            "seed": self.seed,
            "minutes": round(self.seconds / 60, 1),
            "runs": self.runs,
            "faults": self.faults,
            "wrong": {kind.value: self.wrong[kind] for kind in Wrong},
            "unjudged": self.unjudged,
            "growth_mb": round(self.growth_mb, 1),
            "left_by_kill": self.left_by_kill,
            "commands": dict(self.commands.most_common()),
            "kinds": dict(self.kinds.most_common()),
            "worlds": dict(self.worlds.most_common()),
            "features": dict(self.features.most_common()),
            "pairs": {" + ".join(pair): n for pair, n in sorted(self.pairs.items())},
            "injected": {name: dict(found) for name, found in sorted(self.injected.items())},
            "failed": self.failed,
        }

    def markdown(self) -> str:
        """The tables of the page on reliability."""
        lines = ["| | |", "|---|---|", f"| minutes | {self.seconds / 60:.0f} |"]
        lines += [f"| runs | {self.runs} |", f"| commands | {self.commands.total()} |"]
        lines += [f"| faults injected | {self.faults} |"]
        lines += [f"| runs with: {kind.value} | {self.wrong[kind]} |" for kind in Wrong]
        lines += [
            f"| runs that the reference could not judge | {self.unjudged} |",
            f"| growth of the soak's own memory | {self.growth_mb:.0f} MB |",
            f"| temporary folders left by SIGKILL, removed by the next run | {self.left_by_kill} |",
            "",
            "| injected | times | how `learn` ended |",
            "|---|---|---|",
        ]
        for name, outcomes in sorted(self._grouped().items()):
            ends = ", ".join(f"{count} × {outcome}" for outcome, count in outcomes.most_common())
            lines.append(f"| {name} | {outcomes.total()} | {ends} |")
        lines += ["", "| main option (one for each run) | runs |", "|---|---|"]
        lines += [f"| {kind} | {count} |" for kind, count in self.kinds.most_common()]
        lines += ["", "| world | runs |", "|---|---|"]
        lines += [f"| {name} | {n} |" for name, n in (self.worlds + self.features).most_common()]
        return "\n".join([*lines, "", *self.combinations()])

    def combinations(self) -> list[str]:
        """A table: how often each pair of options was asked together."""
        names = [name for (name, other), _ in self.pairs.most_common() if name == other]
        head = "".join(f" {number} |" for number in range(1, len(names) + 1))
        lines = [f"| |{head}", f"|---|{'---|' * len(names)}"]
        for number, name in enumerate(names):
            cells = [
                str(self.pairs[name, other] + (name != other) * self.pairs[other, name])
                for other in names[: number + 1]
            ]
            cells += [""] * (len(names) - len(cells))
            lines.append(f"| {number + 1} {name} | {' | '.join(cells)} |")
        return lines

    def _grouped(self) -> dict[str, Counter[str]]:
        """All faults of one program, and all ways to damage a file, together."""
        found: dict[str, Counter[str]] = {}
        for name, outcomes in self.injected.items():
            program, colon, _ = name.partition(":")
            group = f"{program} that fails" if colon else name
            group = "damaged input file" if name.startswith("input file") else group
            found.setdefault(group, Counter()).update(outcomes)
        return found
