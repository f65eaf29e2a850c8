"""Loading a folder of Hugging Face with `transformers`, which never sees the folder itself."""

from __future__ import annotations

import hashlib
from collections.abc import Generator

from model.bundle.stored_tensors import LoadProgress, check_types
from model.errors import HeadscopeError, is_out_of_memory
from model.folder.families import family_of, not_text
from model.folder.model_folder import ModelFolder
from model.foreign.foreign_model import ForeignModel
from model.foreign.weight_files import FLOATS, WHOLE, open_weights, slices
from model.work import PACE


def load_foreign(found: ModelFolder) -> Generator[tuple[int, int], None, ForeignModel]:
    """Load the model; yields bytes of weights loaded, of how many.

    Leaving at a yield drops everything: the thread in which `transformers` works ends with its next tensor.

    Raises:
        HeadscopeError: `hf_missing`, `hf_old`, `foreign_senses`, `foreign_kind`; a file is missing,
            damaged, hostile, or not of the others; `foreign_missing`: the files lack weights, which would
            have to be invented.
    """
    family = family_of(found.values)
    if family is None:
        raise not_text(found)
    yield 0, 0
    from model.foreign.loader import Loader, failed

    weights = open_weights(found.path)
    check_types((t for t in weights.tensors.values() if t.dtype not in WHOLE), FLOATS)
    loader = Loader(found, family, weights)
    loader.start()
    try:
        progress = LoadProgress(weights.bytes, weights.file_bytes)
        digest, seen = hashlib.sha256(), 0
        for piece in slices(weights.files):
            digest.update(piece)
            copied = loader.copied
            yield progress.add(len(piece) + copied - seen)
            seen = copied
            if not loader.is_alive():
                loader.result()  # which tells at once what was wrong
        while loader.is_alive():
            loader.join(PACE)
            copied = loader.copied
            yield progress.add(copied - seen)
            seen = copied
    finally:
        loader.leave()
    from model.foreign.building import build  # after the package that it needs

    try:
        return build(found, *loader.result(), digest.hexdigest())
    except HeadscopeError:
        raise
    except Exception as error:  # an odd config.json may make a model that cannot be tried
        if is_out_of_memory(error):
            raise HeadscopeError("out_of_memory") from None
        raise failed(found, error) from error
