"""What a run was and how it ended: a line of the figures."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from benchmarks.soak.findings import Finding, Wrong


@dataclass
class Record:
    """What a run was and how it ended."""

    number: int
    seed: int = 0
    world: str = ""
    kind: str = ""
    options: list[str] = field(default_factory=list)
    features: list[str] = field(default_factory=list)
    injection: str = "none"
    happened: bool = False
    outcome: str = ""
    commands: list[str] = field(default_factory=list)
    in_process: bool = False
    is_judged: bool = True
    """False if the reference did not come to an answer."""
    left_by_kill: int = 0
    """Temporary folders after SIGKILL, until the next run."""
    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0
    folder: Path | None = None
    """Kept if something is wrong."""
    memory_mb: float = 0.0
    """What the soak took of memory afterwards."""

    def to_json(self) -> dict[str, Any]:
        """A line of the figures."""
        findings = [[finding.kind.value, finding.text] for finding in self.findings]
        folder = None if self.folder is None else str(self.folder)
        return {**vars(self), "findings": findings, "folder": folder}

    @classmethod
    def from_json(cls, line: dict[str, Any]) -> Record:
        """The run that a line of the figures is about."""
        findings = [Finding(Wrong(kind), text) for kind, text in line["findings"]]
        folder = None if line["folder"] is None else Path(line["folder"])
        names = {field.name for field in fields(cls)}
        known = {name: value for name, value in line.items() if name in names}
        return cls(**{**known, "findings": findings, "folder": folder})
