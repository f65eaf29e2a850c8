"""Tiny models that a token tells the language to write, with real tokenizers, saved as people have them."""

from __future__ import annotations

import functools
import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.foreign_assets import TEXTS, quiet, save_model, stacks, unigram

_IDS = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
_FIRST = ("<s>", "<pad>", "</s>", "<unk>")
"""What fairseq numbers 0 to 3."""


def write_m2m100(folder: Path, *, written: str | None = "fr", seed: int = 1, **changes: Any) -> Path:
    """M2M100 of 2 encoder and 3 decoder layers with 4 heads; its tokenizer is set to write `written`."""
    from transformers import M2M100Tokenizer

    with tempfile.TemporaryDirectory() as made, quiet():
        place = Path(made)
        (place / "spm.model").write_bytes(_spm())
        (place / "vocab.json").write_text(json.dumps(_numbered(_spm_pieces())), "utf-8")
        tokenizer = M2M100Tokenizer(
            str(place / "vocab.json"), str(place / "spm.model"), src_lang="en", tgt_lang=written
        )
        # Further tokens have rows that stand for nothing, as in the published models.
        rows = len(tokenizer.encoder) + len(tokenizer.lang_code_to_id) + tokenizer.num_madeup_words
        return _m2m100(folder, tokenizer, rows, seed, changes)


def write_nllb(folder: Path, *, written: str | None = "fra_Latn", seed: int = 1, **changes: Any) -> Path:
    """The same model with the tokenizer of NLLB."""
    from transformers import NllbTokenizer

    vocab, merges = _bpe()
    with quiet():
        tokenizer = NllbTokenizer(vocab=vocab, merges=merges, src_lang="eng_Latn", tgt_lang=written)
        return _m2m100(folder, tokenizer, len(tokenizer) + 3, seed, changes)


def write_mbart50(folder: Path, *, written: str | None = "fr_XX", seed: int = 1, **changes: Any) -> Path:
    """mBART-50 of 2 encoder and 3 decoder layers with 4 heads."""
    from transformers import MBart50Tokenizer, MBartConfig, MBartForConditionalGeneration

    scores = json.loads(unigram().backend_tokenizer.to_str())["model"]["vocab"]
    pieces = [(name, 0.0) for name in ("<unk>", "<s>", "</s>")]
    pieces += [(piece, score) for piece, score in scores if piece not in ("<unk>", "<pad>", "</s>")]
    with quiet():
        tokenizer = MBart50Tokenizer(vocab=pieces, src_lang="en_XX", tgt_lang=written)
        sizes = stacks() | {"scale_embedding": True, "forced_eos_token_id": 2}
        config = MBartConfig(**sizes | _IDS | {"vocab_size": len(tokenizer)} | changes)
        return save_model(folder, MBartForConditionalGeneration, config, tokenizer, seed)


MULTILINGUAL: dict[str, Callable[[Path], Path]] = {
    "m2m100": write_m2m100,
    "mbart50": write_mbart50,
    "nllb": write_nllb,
}
"""How to make a folder of each."""


def language_id(tokenizer: Any, language: str) -> int:
    """The token of a language, by its tokenizer's own account."""
    if hasattr(tokenizer, "get_lang_id"):
        return int(tokenizer.get_lang_id(language))
    return int(tokenizer.convert_tokens_to_ids(language))


def _m2m100(folder: Path, tokenizer: Any, rows: int, seed: int, changes: dict[str, Any]) -> Path:
    from transformers import M2M100Config, M2M100ForConditionalGeneration

    sizes = stacks() | {"scale_embedding": True, "activation_function": "relu"}
    config = M2M100Config(**sizes | _IDS | {"vocab_size": rows} | changes)
    return save_model(folder, M2M100ForConditionalGeneration, config, tokenizer, seed)


@functools.cache
def _spm() -> bytes:
    import sentencepiece

    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS),
        model_writer=written,
        model_type="bpe",
        vocab_size=180,
        hard_vocab_limit=False,
        character_coverage=1.0,
        minloglevel=3,
    )
    return written.getvalue()


def _spm_pieces() -> list[str]:
    import sentencepiece

    model = sentencepiece.SentencePieceProcessor(model_proto=_spm())
    return [model.IdToPiece(place) for place in range(model.GetPieceSize())]


def _numbered(pieces: list[str]) -> dict[str, int]:
    ordinary = [piece for piece in pieces if piece not in _FIRST]
    return {piece: place for place, piece in enumerate((*_FIRST, *ordinary))}


@functools.cache
def _bpe() -> tuple[dict[str, int], list[tuple[str, str]]]:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    trainer = trainers.BpeTrainer(show_progress=False, vocab_size=200, special_tokens=list(_FIRST))
    made.train_from_iterator(TEXTS, trainer)
    found = json.loads(made.to_str())["model"]
    return found["vocab"], [(first, second) for first, second in found["merges"]]
