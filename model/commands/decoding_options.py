"""Decoding options carried out: settings in the model's own way of writing, and threads."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from model.decoding.decode_config import DecodeConfig

if TYPE_CHECKING:
    from model.decoding.decodable import DecodingModel


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
