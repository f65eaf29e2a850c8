"""measure: how many names a model gets right, met in training or not; and a sentence laid open."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from model.bundle.bundle import Bundle
from model.data.pairs.pair_files import Pair
from model.data.tasks.names import KNOWN, UNSEEN, draw_names
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events
from model.experiments.running.trained import TEST_SEED, Trained, translated
from model.trace.trace import AttentionKind, Trace

_SENTENCES = 200
_TRACED = 40
_LONGEST = 14  # tokens that are written; right ones are no more

EXAMPLES = {
    "unseen": ("does dana give the apple to dorian ?", "est-ce que dana donne la pomme à dorian ?"),
    "known": ("does maria give the apple to boris ?", "est-ce que maria donne la pomme à boris ?"),
}
_NAMES = {*KNOWN, *UNSEEN}


def measure(trained: Trained) -> Generator[None, None, dict[str, Any]]:
    """Of both kinds of names, unseen and known: `names_…` in their place, `sentences_…` right as a whole.

    Of a model that copies `share_names` and `share_others`: the mean share that is copied where an unseen
    name is written, and elsewhere. `examples`: by kind the words of a sentence and of its translations,
    `pointer`: [output][source], the mean over heads of the last cross-attention, and `share`: [output] of
    what is copied.
    """
    count = 8 if trained.tiny else _SENTENCES
    unseen = list(islice(draw_names(trained.seed + TEST_SEED, UNSEEN), count))
    measured: dict[str, Any] = {}
    for kind, pairs in (("unseen", unseen), ("known", trained.pairs(count))):
        outputs = yield from translated(trained.bundle, [source for source, _ in pairs])
        measured |= {f"{name}_{kind}": value for name, value in _right(pairs, outputs).items()}
    if trained.bundle.config.architecture.copying:
        measured |= yield from _shares(trained.bundle, [source for source, _ in unseen[:_TRACED]])
    examples = {}
    for kind, (text, target) in EXAMPLES.items():
        examples[kind] = {"target": target.split(), **_told(_read(trained.bundle, text))}
        yield None
    return {**measured, "examples": examples}


def _right(pairs: Sequence[Pair], outputs: Sequence[str]) -> dict[str, float]:
    names = right = whole = 0
    for (_, target), output in zip(pairs, outputs, strict=True):
        written = output.split()
        for place, word in enumerate(target.split()):
            if word in _NAMES:
                names += 1
                right += written[place : place + 1] == [word]
        whole += output == target
    return {"names": right / max(1, names), "sentences": whole / max(1, len(pairs))}


def _read(bundle: Bundle, text: str) -> Trace:
    *_, last = decode_events(bundle, text, DecodeConfig(max_length=_LONGEST))
    return last.trace


def _shares(bundle: Bundle, texts: Sequence[str]) -> Generator[None, None, dict[str, float]]:
    by_kind: dict[str, list[float]] = {"names": [], "others": []}
    for text in texts:
        trace = _read(bundle, text)
        assert trace.copy_share is not None
        for word, share in zip(_words(trace.tgt_out_tokens), trace.copy_share.tolist(), strict=True):
            by_kind["names" if word in _NAMES else "others"].append(share)
        yield None
    return {f"share_{kind}": float(np.mean(found)) for kind, found in by_kind.items() if found}


def _told(trace: Trace) -> dict[str, Any]:
    last = trace.layers(AttentionKind.CROSS) - 1
    return {
        "source": _words(trace.src_tokens),
        "output": _words(trace.tgt_out_tokens),
        "pointer": trace.pattern(AttentionKind.CROSS, last, None).round(3),
        "share": None if trace.copy_share is None else trace.copy_share.round(3),
    }


def _words(pieces: Sequence[str]) -> list[str]:
    """Of a vocabulary of whole words."""
    return [piece.removeprefix("\u2581") for piece in pieces]
