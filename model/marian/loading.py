"""Loading of a Marian folder into our own Transformer."""

from __future__ import annotations

from collections.abc import Generator

from model.bundle.bundle import Bundle
from model.bundle.stored_tensors import Loaded, LoadProgress, copy_steps, hash_steps, size_of
from model.bundle.weights import blank_transformer
from model.files.files import shown
from model.folder.model_folder import ModelFolder
from model.foreign.weight_files import open_weights, slices
from model.marian.marian_config import read_marian
from model.marian.marian_tokenizer import MarianTokenizer
from model.marian.marian_weights import find_weights
from model.work import retold


def load_marian(found: ModelFolder) -> Generator[Loaded, None, Bundle]:
    """Load the model; yields bytes of weights loaded, of how many.

    Its `sha256` is that of the file of weights; of several, that of all their bytes one after the other.

    Raises:
        HeadscopeError: a file is missing, damaged, hostile, or does not belong to the others;
            `marian_unlike`: our Transformer cannot be such a model.
    """
    settings = read_marian(found)
    yield 0, 0
    pair = MarianTokenizer.pair_steps(found.path, values=found.values, start_id=settings.start_id)
    source, target = yield from retold(pair, _unknown)
    yield 0, 0
    files = open_weights(found.path)
    path = shown(files.files[0] if len(files.files) == 1 else found.path)
    weights = yield from retold(find_weights(files.tensors, settings, path), _unknown)
    progress = LoadProgress(sum(size_of(stored) for stored, _ in weights.places), files.file_bytes)
    yield progress.add(0)
    halves = any(stored.dtype == "F16" for stored, _ in weights.places)
    transformer = blank_transformer(weights.architecture, for_decoding=True, halves=halves)
    yield from copy_steps(weights.targets(transformer), progress)
    sha256 = yield from hash_steps(slices(files.files), progress)
    config = settings.bundle_config(weights.architecture, unk_id=source.unk_id, end_id=source.end_id)
    rules = settings.rules(target.end_id)
    return Bundle(found.path, config, transformer, source, target, sha256, rules, model_type="marian")


def _unknown(_: None) -> Loaded:
    return 0, 0
