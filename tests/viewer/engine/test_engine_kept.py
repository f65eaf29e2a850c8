"""What computed recent runs is kept within bounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from model.decoding.decode_config import DecodeConfig
from model.lru_cache import LruCache
from model.translator.translator import Translator
from tests.assets import SENTENCE
from viewer.document.messages.messages import Decode, TraceDone
from viewer.engine.cache_sizes import decoding_bytes, search_bytes
from viewer.engine.translator_source import TranslatorSource


def test_the_least_recently_used_goes_first() -> None:
    kept: LruCache[str] = LruCache(100)
    kept.put("a", "A", 40)
    kept.put("b", "B", 40)
    assert kept.get("a") == "A"
    kept.put("c", "C", 40)
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == ("A", None, "C")
    assert kept.size == 80


def test_a_thing_that_grows_is_counted_once() -> None:
    kept: LruCache[str] = LruCache(100)
    for size in (10, 50, 90):
        kept.put("a", "A", size)
    assert kept.size == 90
    kept.put("a", "A", 110)
    assert (kept.get("a"), kept.size) == (None, 0)


def test_the_newest_may_be_large_if_it_is_alone() -> None:
    kept: LruCache[str] = LruCache(100, 250)
    kept.put("a", "A", 40)
    kept.put("b", "B", 240)
    assert (kept.get("a"), kept.get("b"), kept.size) == (None, "B", 240)
    kept.put("c", "C", 251)
    assert (kept.get("b"), kept.get("c")) == ("B", None)
    kept.put("d", "D", 40)
    assert (kept.get("b"), kept.get("d")) == (None, "D")


def held_bytes(thing: Any, seen: set[int] | None = None) -> int:
    """Bytes of the arrays and tensors that an object holds on to, the model's own left out."""
    seen = set() if seen is None else seen
    if isinstance(thing, torch.nn.Module) or id(thing) in seen:
        return 0
    seen.add(id(thing))
    if isinstance(thing, torch.Tensor):
        storage = thing.untyped_storage()
        known = storage.data_ptr() in seen
        seen.add(storage.data_ptr())
        return 0 if known else storage.nbytes()
    if isinstance(thing, np.ndarray):
        return held_bytes(thing.base, seen) if isinstance(thing.base, np.ndarray) else thing.nbytes
    if isinstance(thing, dict):
        return sum(held_bytes(value, seen) for value in thing.values())
    if isinstance(thing, (list, tuple)):
        return sum(held_bytes(value, seen) for value in thing)
    names = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    values = [*getattr(thing, "__dict__", {}).values(), *(getattr(thing, name, None) for name in names)]
    return sum(held_bytes(value, seen) for value in values)


def test_sizes_are_about_what_is_held(tiny_bundle: Path) -> None:
    translator = Translator.load(tiny_bundle)
    network = translator.bundle.transformer
    shape, width = network.attention_shape, network.architecture.d_model
    # So long that doubling and the small things beside count as in earnest.
    text = " ".join([SENTENCE] * 3)
    *_, last = translator.decode(text, DecodeConfig(prefix_ids=(5,) * 60, max_length=70))
    told = decoding_bytes(shape, width, len(last.trace.src_ids), last.trace.steps)
    assert 0.5 < told / held_bytes(last.decoding) < 2
    config = DecodeConfig(mode="beam", beam_size=4, prefix_ids=(5,) * 4, max_length=40)
    *_, last = translator.decode(text, config)
    told = search_bytes(shape, len(last.trace.src_ids), 0, last.trace.steps, 4)
    assert 0.3 < told / held_bytes(last.search) < 3


def test_a_translation_takes_no_more_than_its_own_numbers(tiny_bundle: Path) -> None:
    source = TranslatorSource(Translator.load(tiny_bundle))
    done = [
        message for message in source.decode(Decode(1, SENTENCE, run="run")) if isinstance(message, TraceDone)
    ]
    trace = done[0].trace
    own = sum(trace.patterns.layer(kind, 0).nbytes * trace.layers(kind) for kind in trace.kinds)
    assert held_bytes([vars(trace.patterns)]) <= 1.25 * own
    # They are those of the decoding all the same.
    *_, last = Translator.load(tiny_bundle).decode(SENTENCE, DecodeConfig())
    for kind in trace.kinds:
        assert np.array_equal(trace.patterns.layer(kind, 1), last.trace.patterns.layer(kind, 1))
