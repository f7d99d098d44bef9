"""Draws of costs in a file, for whoever asks later how probable something is.

``actions`` are names, and ``costs`` has a row for each draw and a column for each action, in the
scale of the result. ``prior`` is the least and the greatest cost of an action of which nothing is
known, between which all are as probable; it is empty if costs were refined. The file is
NumPy's ``.npz`` without anything that could be code.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plancost.errors import InputError, UsageError
from plancost.files.input_files import similar_name
from plancost.files.output_files import write_file
from plancost.files.overwriting import check_not_an_input
from plancost.results.result import Result
from plancost.system.values import PathLike, as_path


@dataclass(frozen=True)
class Samples:
    """Costs that are as probable as each other: a row each, a column for each action."""

    actions: tuple[str, ...]
    costs: npt.NDArray[np.float64]
    prior: tuple[float, float] | None = None
    """Where the cost of an action is of which nothing is known; None: that is not known either."""


GivenSamples = PathLike | Samples | Result
"""The path of a file of samples, samples, or a result that has some."""
_NONE = "this result has no samples: they come with --choose mean"


def samples_of(given: GivenSamples) -> Samples:
    """Samples, however they are given."""
    if isinstance(given, Samples):
        return given
    if not isinstance(given, Result):
        return read_samples(as_path(given, "samples"))
    if given.samples is None:
        raise UsageError(_NONE)
    return Samples(tuple(given.costs), given.samples, _prior(given))


def _prior(result: Result) -> tuple[float, float] | None:
    choice = result.choice or {}
    if result.refined or "scale" not in choice:
        return None
    return float(choice["scale"]), float(choice["scale"] * choice["prior"]["spread"])


def write_samples(result: Result, path: Path) -> None:
    """Write the draws of a result, in single precision."""
    samples = samples_of(result)
    check_not_an_input(path, () if result.case is None else result.case.files)
    content = io.BytesIO()
    np.savez_compressed(
        content,
        actions=np.array(samples.actions, dtype=np.str_),
        costs=samples.costs.astype(np.float32),
        prior=np.array(samples.prior or (), dtype=np.float64),
    )
    write_file(path, content.getvalue())


def read_samples(path: Path) -> Samples:
    """Read such a file."""
    if not path.exists():
        raise InputError(f"there is no such file{similar_name(path)}", path)
    try:
        with np.load(path, allow_pickle=False) as content:
            names, costs = content["actions"], content["costs"].astype(np.float64)
            ends = content["prior"].astype(np.float64) if "prior" in content else None
    except (OSError, ValueError, TypeError, LookupError, EOFError, zipfile.BadZipFile) as error:
        raise InputError("this is no file of samples, as --samples-out writes it", path) from error
    if costs.ndim != 2 or names.shape != costs.shape[1:] or not np.all(costs > 0):
        raise InputError("the samples must be one positive cost for each action", path)
    if not np.all(np.isfinite(costs)):
        raise InputError("the samples must be finite", path)
    prior = None
    if ends is not None and ends.size:
        if ends.shape != (2,) or not 0 < ends[0] <= ends[1] < np.inf:
            raise InputError("prior must be a least and a greatest cost", path)
        prior = (float(ends[0]), float(ends[1]))
    return Samples(tuple(map(str, names.tolist())), costs, prior)
