"""A fingerprint of what is asked: everything that the answer depends on.

Two runs have the same one if they ask the same question of the same data, however long they may
take and whoever looks for cheaper plans. So a run goes on only from its own checkpoint.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

import numpy as np

from plancost.learning.problem.task import LearningTask
from plancost.observations.case import Task
from plancost.version import __version__


def fingerprint(task: LearningTask) -> str:
    """64 hexadecimal digits that stand for a learning task and this version of plancost."""
    digest = hashlib.sha256()
    for part in _parts(task):
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()


def _parts(task: LearningTask) -> Iterator[str]:
    yield __version__
    for field in dataclasses.fields(task):
        if field.name != "case":
            yield f"{field.name} {_plain(getattr(task, field.name))!r}"
    rules: dict[tuple[int, int], str] = {}
    for item in task.case.tasks:
        yield repr((item.key, item.world, item.sas.initial, item.sas.goal))
        yield _rules(item, rules)
    for observation in task.case.observations:
        yield repr((observation.task, observation.plan, observation.count))


def _rules(task: Task, known: dict[tuple[int, int], str]) -> str:
    """A digest of operators and axioms, which many tasks may share."""
    key = (id(task.sas.operators), id(task.sas.axioms))
    if key not in known:
        text = repr((task.sas.operators, task.sas.axioms))
        known[key] = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return known[key]


def _plain(value: object) -> object:
    """The same value out of what always looks the same in writing."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return [type(value).__name__, *(_plain(getattr(value, field.name)) for field in fields)]
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return sorted((repr(_plain(key)), repr(_plain(item))) for key, item in value.items())
    if isinstance(value, AbstractSet):
        return sorted(repr(_plain(item)) for item in value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
