"""Draws of costs in a file, for whoever asks later how probable something is.

``actions`` are names, and ``costs`` has a row for each draw and a column for each action, in the
scale of the result. The file is NumPy's ``.npz`` without anything that could be code.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plancost.errors import InputError, UsageError
from plancost.files.output_files import write_file
from plancost.files.overwriting import check_not_an_input
from plancost.results.result import Result


@dataclass(frozen=True)
class Samples:
    """Costs that are as probable as each other: a row each, a column for each action."""

    actions: tuple[str, ...]
    costs: npt.NDArray[np.float64]


def write_samples(result: Result, path: Path) -> None:
    """Write the draws of a result, in single precision."""
    if result.samples is None:
        raise UsageError("this result has no samples: they come with --choose mean")
    check_not_an_input(path, () if result.case is None else result.case.files)
    content = io.BytesIO()
    names = np.array(list(result.costs), dtype=np.str_)
    np.savez_compressed(content, actions=names, costs=result.samples.astype(np.float32))
    write_file(path, content.getvalue())


def read_samples(path: Path) -> Samples:
    """Read such a file."""
    try:
        with np.load(path, allow_pickle=False) as content:
            names, costs = content["actions"], content["costs"].astype(np.float64)
    except (OSError, ValueError, TypeError, LookupError, EOFError, zipfile.BadZipFile) as error:
        raise InputError("this is no file of samples, as --samples-out writes it", path) from error
    if costs.ndim != 2 or names.shape != costs.shape[1:] or not np.all(costs > 0):
        raise InputError("the samples must be one positive cost for each action", path)
    return Samples(tuple(map(str, names.tolist())), costs)
