"""Every bundled example can be learned from, and its README says what comes out."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

import plancost
from plancost.observations.case import load_case
from plancost.pictures.coordinates import read_coordinates
from support.documents import ROOT, blocks, commands

FOLDERS = sorted(path.parent for path in ROOT.glob("examples/*/domain.pddl"))
NAMES = [folder.name for folder in FOLDERS]
SECONDS = 60
"""Far more than any of them takes, on a machine with other work too."""

RIVER = 5.0
"""The river of the small city flows along this y coordinate."""

_PLANS = re.compile(r"^optimal plans +(\d+) of (\d+) +proven: no costs", re.MULTILINE)
_SUM = re.compile(r"^sum of costs +(\d+) +proven least", re.MULTILINE)


def shown(folder: Path) -> str | None:
    """What the README shows as the output of learning from the folder, with no further option."""
    for block in blocks((folder / "README.md").read_text(encoding="utf-8")):
        for command in commands(block) if block.language == "console" else ():
            words = command.text.split()
            plain = ["plancost", "learn", f"examples/{folder.name}"]
            if words in (plain, [*plain, "--output", "RESULT.json"]):
                return command.output
    return None


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_an_example_is_learned_as_its_readme_says(folder: Path) -> None:
    result = plancost.learn(folder, plancost.LearnOptions(time_limit_s=SECONDS))
    assert result.verified and result.proved and result.secondary.proved
    output = shown(folder)
    if output is None:
        return
    plans, least = _PLANS.search(output), _SUM.search(output)
    assert plans is not None and least is not None
    assert (int(plans[1]), int(plans[2])) == (result.optimal_plans, result.plans)
    assert int(least[1]) == result.secondary.value == sum(result.costs.values())


def test_readmes_show_numbers() -> None:
    with_numbers = [folder.name for folder in FOLDERS if shown(folder) is not None]
    assert {"avoid-the-centre", "savings", "small-city"} <= set(with_numbers)


def test_the_city_is_one_connected_map_with_two_bridges() -> None:
    """Its coordinates are those of its junctions, and the river can be crossed on bridges only."""
    folder = ROOT / "examples" / "small-city"
    places = read_coordinates(folder / "coordinates.csv")
    case = load_case(folder)
    streets = {tuple(name.strip("()").split()[1:]) for name in case.actions}
    assert {place for street in streets for place in street} == set(places)
    across = {(a, b) for a, b in streets if (places[a][1] > RIVER) != (places[b][1] > RIVER)}
    assert across == {
        *itertools.permutations(("old-bridge-north", "old-bridge-south")),
        *itertools.permutations(("new-bridge-north", "new-bridge-south")),
    }
    one_way = {(a, b) for a, b in streets if (b, a) not in streets}
    assert len(one_way) >= 5


def test_what_mara_says_is_not_what_she_does() -> None:
    """The questionnaire covers all actions and makes none of her plans optimal."""
    folder = ROOT / "examples" / "savings"
    domain, said = folder / "domain.pddl", folder / "questionnaire.json"
    answers = plancost.verify(folder / "mara.csv", said, domain=domain)
    assert answers.verified and answers.optimal_plans < answers.plans
    refined = plancost.learn(
        folder / "mara.csv", plancost.LearnOptions(initial_costs=said), domain=domain
    )
    assert refined.optimal_plans == refined.plans and refined.secondary.proved
    assert refined.initial_costs is not None
    changes = [abs(cost - refined.initial_costs[name]) for name, cost in refined.costs.items()]
    assert sum(changes) == refined.secondary.value > 0
