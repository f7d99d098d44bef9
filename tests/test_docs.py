"""The reference names all that there is."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

import plancost
from plancost.cli import exit_codes
from plancost.learn.outcome import Point
from plancost.options import LearnOptions
from plancost.result.model import Likely, ObservationResult, Result
from plancost.use.evaluate import Difference, Evaluation
from plancost.use.monitor import Watch, Watched
from plancost.use.predict import PredictedPlan, Prediction, Scores

REFERENCE = (Path(__file__).parents[1] / "docs" / "reference.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    [
        *(f"--{option.name.replace('_', '-')}" for option in fields(LearnOptions)),
        *(
            f"`{key}`"
            for kind in (Result, ObservationResult, Likely)
            for key in kind.__struct_fields__
        ),
        *(
            f"`{field.name}`"
            for kind in (
                Point,
                Prediction,
                PredictedPlan,
                Scores,
                Evaluation,
                Difference,
                Watch,
                Watched,
            )
            for field in fields(kind)
        ),
        *(name for name in plancost.__all__ if name not in ("Observation", "Task", "__version__")),
        *(str(code) for name, code in vars(exit_codes).items() if name.isupper()),
    ],
)
def test_it_is_named(name: str) -> None:
    assert name in REFERENCE
