"""Pair options, which commands share: the files of pairs, which columns hold them, which part is taken."""

from __future__ import annotations

import argparse
from typing import get_args

from model.config import Split
from model.data.pairs.pair_files import FIRST_TWO

_PACKED = "plain or .gz .bz2 .xz .zip"


def add_pair_files(to: argparse.ArgumentParser, files: argparse._ActionsContainer) -> None:
    """Add `--pairs`, `--parallel` and `--columns`.

    Args:
        files: what the first two are added to: `to` itself, or a group of it of which one is to be given.
    """
    files.add_argument("--pairs", metavar="FILE", help=f"tab-separated pairs or a .csv, {_PACKED}")
    files.add_argument(
        "--parallel", nargs=2, metavar=("SRC", "TGT"), help=f"two parallel files, line by line, {_PACKED}"
    )
    to.add_argument(
        "--columns",
        nargs=2,
        default=FIRST_TWO,
        metavar=("SRC", "TGT"),
        help="columns of --pairs: numbers from 1, or names in its first line (default 1 2)",
    )


def add_part(to: argparse.ArgumentParser) -> None:
    """Add `--split` and `--part`; see `part_of`."""
    to.add_argument(
        "--split", choices=["tatoeba-hash"], help="take only a part of the file, by the hash of column 1"
    )
    to.add_argument("--part", choices=get_args(Split), help="which part (default test)")


def part_of(given: argparse.Namespace, arguments: argparse.ArgumentParser) -> Split | None:
    """The part that was asked for; None for the whole file. Ends with status 2 for wrong usage."""
    if given.part and not given.split:
        arguments.error("--part needs --split")
    return (given.part or "test") if given.split else None
