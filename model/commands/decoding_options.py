"""Decoding options carried out: which model, how many threads, settings in the model's own way of writing."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from model.commands.console import thread_count
from model.decoding.decode_config import DecodeConfig
from model.folder.bundled import DEFAULT_MODEL

if TYPE_CHECKING:
    from model.decoding.decodable import DecodingModel


def add_computing_arguments(to: argparse.ArgumentParser) -> None:
    """Which model computes, and with how many threads; see `use_threads`."""
    to.add_argument(
        "--model", default=DEFAULT_MODEL, metavar="M", help="folder or bundled name (default en-fr)"
    )
    to.add_argument(
        "--threads", type=thread_count, metavar="N", help="processor threads (default: all cores)"
    )


def for_model(config: DecodeConfig, given: argparse.Namespace, model: DecodingModel) -> DecodeConfig:
    """The settings, in the model's own way of writing where none is asked for."""
    if given.mode is not None or config.mode != "greedy":
        return config
    from model.decoding.decoding import usual_config

    return config.but(mode=usual_config(model).mode)


def use_threads(count: int | None) -> None:
    """Let torch compute with `count` threads; leave it alone for None."""
    if count is not None:
        import torch

        torch.set_num_threads(count)
