"""Loads a folder of Hugging Face with `transformers`."""

from __future__ import annotations

from collections.abc import Generator

from model.foreign.foreign_model import ForeignModel
from model.model_folder import ModelFolder


def load_foreign(found: ModelFolder) -> Generator[tuple[int, int], None, ForeignModel]:
    """Load the model; yields bytes of weights loaded, of how many.

    Raises:
        HeadscopeError: `hf_missing`; a file is missing, damaged, hostile, or not of the others.
    """
    yield 0, 0
    raise NotImplementedError
