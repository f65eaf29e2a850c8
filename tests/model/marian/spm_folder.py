"""Folders with the tokenizer of a Marian model alone, as the conversion of OPUS-MT leaves them."""

from __future__ import annotations

import functools
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import sentencepiece

from tests.assets import PAIRS

SOURCE = [pair[0] for pair in PAIRS] + [
    "Is 1998 more than 42 % of 3.5?",
    "“Well”, she said — no…",
    "naïve café",
]
TARGET = [pair[1] for pair in PAIRS] + ["Où sont les 12 élèves ?", "« Bien », dit-elle.", "L'œuvre"]
CODES = (">>fra<<", ">>deu<<")


@functools.cache
def spm(language: str, *, size: int = 150, byte_fallback: bool = False, kind: str = "unigram") -> bytes:
    """A SentencePiece model of `source` or `target`, trained with the library's own settings."""
    made = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SOURCE if language == "source" else TARGET),
        model_writer=made,
        vocab_size=size + 256 * byte_fallback,
        model_type=kind,
        byte_fallback=byte_fallback,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return made.getvalue()


def pieces_of(data: bytes) -> list[str]:
    """The pieces of a model file, its specials left out."""
    library = sentencepiece.SentencePieceProcessor()
    library.LoadFromSerializedProto(data)
    return [library.IdToPiece(i) for i in range(library.GetPieceSize()) if not _is_special(library, i)]


def vocab_of(pieces: Sequence[str]) -> dict[str, int]:
    """`vocab.json` of the pieces: specials, pieces in an order of their own, padding last."""
    names = ["</s>", "<unk>", *sorted(set(pieces), key=lambda piece: piece[::-1]), "<pad>"]
    return {name: place for place, name in enumerate(names)}


def write_folder(
    folder: Path,
    *,
    source: bytes | None = None,
    target: bytes | None = None,
    separate: bool = False,
    settings: Mapping[str, Any] | None = None,
    files: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Write the tokenizer's files into `folder`; returns what its `config.json` would say.

    Args:
        separate: a vocabulary for each language.
        settings: more of `tokenizer_config.json`.
        files: more files of JSON, by name.
    """
    source, target = source or spm("source"), target or spm("target")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "source.spm").write_bytes(source)
    (folder / "target.spm").write_bytes(target)
    if separate:
        vocabs = {
            "vocab.json": vocab_of([*pieces_of(source), *CODES]),
            "target_vocab.json": vocab_of(pieces_of(target)),
        }
    else:
        vocabs = {"vocab.json": vocab_of([*pieces_of(source), *pieces_of(target), *CODES])}
    named = {"source_lang": "en", "target_lang": "fr", "separate_vocabs": separate, **(settings or {})}
    for name, values in {**vocabs, "tokenizer_config.json": named, **(files or {})}.items():
        (folder / name).write_text(json.dumps(values, ensure_ascii=False), encoding="utf-8")
    sizes = [len(vocab) for vocab in vocabs.values()]
    config = {"model_type": "marian", "vocab_size": sizes[0], "decoder_vocab_size": sizes[-1]}
    return {**config, "share_encoder_decoder_embeddings": not separate}


def _is_special(library: Any, place: int) -> bool:
    return bool(library.IsControl(place) or library.IsUnknown(place))
