"""`load_model`: whatever model a name or folder means, saying how far loading is."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from model.bundle.bundle import Bundle, bundle_steps
from model.bundle.stored_tensors import Loaded
from model.errors import HeadscopeError
from model.files.files import StrPath
from model.folder.bundled import resolve_model
from model.folder.model_folder import FolderKind, inspect_folder
from model.work import result_of

if TYPE_CHECKING:
    from model.foreign.foreign_model import ForeignModel

__all__ = ["Loaded", "load_model", "load_own", "loading_steps"]


def loading_steps(name_or_path: StrPath) -> Generator[Loaded, None, Bundle | ForeignModel]:
    """Load a bundled model by name, or the model in a folder; may be left at every yield.

    Raises:
        HeadscopeError: there is no such model, or it cannot be used.
    """
    folder = resolve_model(name_or_path)
    found = inspect_folder(folder)
    yield 0, 0
    if found.kind is FolderKind.BUNDLE:
        return (yield from bundle_steps(folder, for_decoding=True))
    if found.loader is not None:
        from model.foreign.by_extension import load_by_extension

        return load_by_extension(found.path, found.loader)
    unlike: HeadscopeError | None = None
    if found.kind is FolderKind.MARIAN:
        from model.marian.loading import load_marian

        try:
            return (yield from load_marian(found))
        except HeadscopeError as error:
            if error.code != "marian_unlike":
                raise
            unlike = error
    from model.foreign.loading import load_foreign

    try:
        return (yield from load_foreign(found))
    except HeadscopeError as error:
        # Why a Marian model needs the package at all is the better answer.
        raise (unlike if unlike is not None and error.code == "hf_missing" else error) from None


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
