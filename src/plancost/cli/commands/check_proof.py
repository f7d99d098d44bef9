"""``plancost check-proof``: check what a result claims, by a program that shares no code."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli import check_proof, check_search, exit_codes
from plancost.cli.command import Command, add_case, add_domain
from plancost.cli.commands.learn import CASE_TEXT
from plancost.cli.number_arguments import positive
from plancost.cli.options import add
from plancost.cli.output.terminal import print_line
from plancost.errors import InputError, UsageError
from plancost.files.input_files import similar_name

_STATUS = {
    "proven": exit_codes.OK,
    "not proven": exit_codes.UNDECIDED,
    "wrong": exit_codes.CONTRADICTED,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_case(parser)
    parser.add_argument("result", type=Path, metavar="RESULT.json", help="what was learned")
    parser.add_argument(
        "proof", type=Path, metavar="PROOF.json", help="what learn --certificate wrote beside it"
    )
    add_domain(parser)
    add(
        parser,
        "--trips TRIPS: the trips, where the result is of routes learn and CASE is LINKS",
        Path,
    )
    add(parser, "--turns TURNS: the turns, if the trips were learned with such a file", Path)
    add(
        parser,
        f"--states N: how many states of a problem to search at most (default: "
        f"{check_search.MOST_STATES}, which take a minute or two and 2 GB; "
        f"{check_proof.MOST_STATES} with conditional effects or derived facts, which take three "
        "minutes and more)",
        positive,
    )


def run(arguments: argparse.Namespace) -> int:
    """Check the proof and say what came out."""
    from plancost.cli.check_inputs import verdict

    for path in (arguments.case, arguments.result, arguments.proof):
        if not path.exists():
            raise InputError(f"there is no such file{similar_name(path)}", path)
    more = arguments.trips or arguments.domain
    if more is None and not arguments.case.is_dir():
        raise UsageError(
            f"{arguments.case} is a file: add --domain FILE if it is a manifest of plans, or "
            "--trips FILE if it has the links of trips"
        )
    files = arguments.case, arguments.result, arguments.proof, more, arguments.turns
    usual = check_proof.MOST_STATES, check_search.MOST_STATES
    if arguments.states is not None:
        check_proof.MOST_STATES = check_search.MOST_STATES = arguments.states
    try:
        word, sentences = verdict(*files)
    finally:
        check_proof.MOST_STATES, check_search.MOST_STATES = usual
    for sentence in (word, *sentences):
        print_line(sentence)
    return _STATUS[word]


COMMAND = Command(
    "check-proof",
    "check a result and its proof by a small program that shares no code with the learner",
    CASE_TEXT,
    add_arguments,
    run,
    exit_codes.meanings(
        "proven: what the result claims of optimal plans, bounds and costs",
        {
            exit_codes.UNDECIDED: "not proven: something is not shown, or too large to search",
            exit_codes.CONTRADICTED: "wrong: something is false, or does not follow",
        },
        stopped=exit_codes.NO_ANSWER,
    ),
)
