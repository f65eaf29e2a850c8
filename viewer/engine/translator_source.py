"""Our own Transformer as a source of traces. Torch is imported when the first model is loaded, not before."""

from __future__ import annotations

import os


class TranslatorLoader:
    """placeholder while developing"""

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads

    def __call__(self, path: str):  # type: ignore
        raise NotImplementedError
