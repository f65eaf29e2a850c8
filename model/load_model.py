"""Loads whatever model a name or folder means, saying how far it is."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from model.bundle import Bundle, load_bundle
from model.bundled import resolve_model
from model.errors import HeadscopeError
from model.files import StrPath
from model.model_folder import FolderKind, look_at
from model.work import result_of

if TYPE_CHECKING:
    from model.foreign.foreign_model import ForeignModel

Loaded = tuple[int, int]
"""Bytes of weights that are loaded, of how many; (0, 0) while that is not known."""


def loading_steps(name_or_path: StrPath) -> Generator[Loaded, None, Bundle | ForeignModel]:
    """Load a bundled model by name, or the model in a folder; may be left at every yield.

    Raises:
        HeadscopeError: there is no such model, or it cannot be used.
    """
    folder = resolve_model(name_or_path)
    found = look_at(folder)
    yield 0, 0
    if found.kind is FolderKind.BUNDLE:
        return load_bundle(folder)
    if found.kind is FolderKind.MARIAN:
        from model.marian.loading import load_marian

        return (yield from load_marian(found))
    from model.foreign.loading import load_foreign

    return (yield from load_foreign(found))


def load_model(name_or_path: StrPath) -> Bundle | ForeignModel:
    """The same in one go."""
    return result_of(loading_steps(name_or_path))


def load_own(name_or_path: StrPath) -> Bundle:
    """A model that our own Transformer computes.

    Raises:
        HeadscopeError: as `loading_steps`; `source_cannot` for a model that `transformers` runs.
    """
    model = load_model(name_or_path)
    if not isinstance(model, Bundle):
        raise HeadscopeError("source_cannot", name=model.name)
    return model
