"""Pair options, which `align` and `evaluate` share: the files of pairs, and which columns hold them."""

from __future__ import annotations

import argparse

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
