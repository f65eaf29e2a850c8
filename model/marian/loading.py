"""Loads a Marian folder into our own Transformer."""

from __future__ import annotations

from collections.abc import Generator

from model.bundle import Bundle
from model.model_folder import ModelFolder


def load_marian(found: ModelFolder) -> Generator[tuple[int, int], None, Bundle]:
    """Load the model; yields bytes of weights loaded, of how many.

    Raises:
        HeadscopeError: a file is missing, damaged, hostile, or does not belong to the others.
    """
    yield 0, 0
    raise NotImplementedError
