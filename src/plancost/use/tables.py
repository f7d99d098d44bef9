"""Predictions, comparisons and watched streams as short texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plancost.result.tables import aligned
from plancost.use.evaluate import Evaluation
from plancost.use.monitor import Watch
from plancost.use.predict import SCORES, Prediction, Scores
from plancost.values import escaped

_MOST = 20
_WIDEST = 70
_TEXTS = ("", "method", "task", "group", "time", "plan", "with", "in")
_SCORES = tuple(name.replace("_", "-") for name in SCORES)
_UNLIKELY = 0.05
_SMALL = 0.001


def prediction_lines(found: Prediction) -> list[str]:
    """Plans, and how good they are."""
    head = ("task", "group", "rank", "cost", "probability", "hits", "plan")
    rows = [
        (
            *(p.task, p.group, f"{p.rank}", f"{p.cost}"),
            *(_number(p.probability), _number(p.hits), _short(p.actions)),
        )
        for p in found.plans[:_MOST]
    ]
    lines = _table(head, rows)
    if len(found.plans) > _MOST:
        lines.append(f"and {len(found.plans) - _MOST} more")
    if found.scores is not None:
        lines += ["", f"{found.scores.plans} observed plans were predicted with"]
        lines += _table(_SCORES, [_numbers(found.scores)])
    return [*lines, *_notes(found.notes)]


def evaluation_lines(found: Evaluation) -> list[str]:
    """Methods, and differences between the first and the others; which of them are no chance."""
    first = next(iter(found.scores))
    lines = [f"means over {found.scores[first].plans} plans that were held out"]
    lines += _table(
        ("method", *_SCORES), [(name, *_numbers(own)) for name, own in found.scores.items()]
    )
    head = ("with", "in", "difference", "95 % interval", "")
    rows = [
        (
            *(d.than, d.score.replace("_", "-"), f"{d.mean:+.3f}"),
            f"[{d.low:+.3f}, {d.high:+.3f}]",
            "" if d.low <= 0 <= d.high else "clear",
        )
        for d in found.differences
        if d.method == first
    ]
    if rows:
        lines += ["", f"{first} on the same plans, compared", *_table(head, rows)]
    return [*lines, *_notes(found.notes)]


def watch_lines(found: Watch) -> list[str]:
    """The plans of the stream; how many are unlikely, and where something changed."""
    head = ("plan", "task", "group", "time", "score", "p-value", "cusum", "")
    rows = [
        (
            *(p.plan, p.task, p.group, p.time or "", f"{p.score:.3f}", f"{p.p_value:.4f}"),
            *(f"{p.cusum:.2f}", "CHANGED" if p.changed else ""),
        )
        for p in found.plans
    ]
    unlikely = sum(p.p_value <= _UNLIKELY for p in found.plans)
    said = (
        f"{len(found.plans)} plans, compared with {found.calibration}; p-value at most "
        f"{_UNLIKELY}: {unlikely}; changes: {sum(p.changed for p in found.plans)}"
    )
    return [*_table(head, rows), said, *_notes(found.notes)]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines without the columns that are empty."""
    kept = [n for n in range(len(head)) if any(row[n] for row in rows)]
    numbers = [place for place, n in enumerate(kept) if head[n] not in _TEXTS]
    return aligned([[row[n] for n in kept] for row in (head, *rows)], right=numbers)


def _numbers(scores: Scores) -> list[str]:
    return [_number(getattr(scores, name)) for name in SCORES]


def _number(value: float | None) -> str:
    """Small ones with their first digits."""
    if value is None:
        return ""
    return f"{value:.1e}" if 0 < value < _SMALL else f"{value:.3f}"


def _short(actions: Sequence[str]) -> str:
    text = " ".join(actions)
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]} ..."


def _notes(notes: Iterable[str]) -> list[str]:
    return [f"note: {escaped(note)}" for note in notes]
