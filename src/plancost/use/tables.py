"""Predictions, comparisons and watched streams as short texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plancost.result.tables import aligned
from plancost.result.text import escaped
from plancost.use.evaluate import SCORES, Evaluation
from plancost.use.monitor import Watch
from plancost.use.predict import Prediction, Scores

_MOST = 20
_WIDEST = 70


def prediction_lines(found: Prediction) -> list[str]:
    """Plans, and how good they are."""
    head = ["task", "rank", "cost", "probability", "hits", "plan"]
    rows = [
        [p.task, f"{p.rank}", f"{p.cost}", _share(p.probability), _share(p.hits), _short(p.actions)]
        for p in found.plans[:_MOST]
    ]
    lines = aligned([head, *rows], right=(1, 2, 3, 4))
    if len(found.plans) > _MOST:
        lines.append(f"and {len(found.plans) - _MOST} more")
    if found.scores is not None:
        lines += ["", f"{found.scores.plans} observed plans were predicted with"]
        lines += aligned(
            [["", name.replace("_", "-"), _of(found.scores, name)] for name in SCORES], right=(2,)
        )
    return [*lines, *_notes(found.notes)]


def evaluation_lines(found: Evaluation) -> list[str]:
    """Methods, and the differences between them that are not chance."""
    head = ["method", *(name.replace("_", "-") for name in SCORES)]
    rows = [[row.method, *(_of(row.scores, name) for name in SCORES)] for row in found.rows]
    lines = aligned([head, *rows], right=range(1, len(head)))
    lines += ["", "differences on the same plans, with 95 % intervals"]
    differences = [
        [
            f"{d.method} - {d.than}",
            d.score.replace("_", "-"),
            f"{d.mean:+.3f}",
            f"[{d.low:+.3f}, {d.high:+.3f}]",
            "" if d.low <= 0 <= d.high else "clear",
        ]
        for d in found.differences
    ]
    return [*lines, *aligned(differences, right=(2,)), *_notes(found.notes)]


def watch_lines(found: Watch) -> list[str]:
    """Plans of the stream: those that are unlikely, and where something changed."""
    head = ["plan", "task", "time", "score", "p-value", "cusum", ""]
    rows = [
        [
            p.plan,
            p.task,
            p.time or "",
            f"{p.score:.3f}",
            f"{p.p_value:.4f}",
            f"{p.cusum:.2f}",
            "CHANGED" if p.changed else "",
        ]
        for p in found.plans
    ]
    changes = sum(p.changed for p in found.plans)
    said = f"{len(found.plans)} plans, compared with {found.calibration}; changes: {changes}"
    return [*aligned([head, *rows], right=(3, 4, 5)), said, *_notes(found.notes)]


def _of(scores: Scores, name: str) -> str:
    value = getattr(scores, name)
    return "" if value is None else f"{value:.3f}"


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _short(actions: Sequence[str]) -> str:
    text = " ".join(actions)
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]} ..."


def _notes(notes: Iterable[str]) -> list[str]:
    return [f"note: {escaped(note)}" for note in notes]
