"""Tiny randomly initialised Marian models with real SentencePiece files, saved as people have them."""

from __future__ import annotations

import functools
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import sentencepiece
import torch

from tests.assets import PAIRS
from tests.foreign_assets import quiet

CODES = (">>fra<<", ">>deu<<", ">>cmn_Hans<<")
"""Language codes in every vocabulary, as multilingual models have them."""

# Larger than usual: heads look somewhere, and choices are no ties. (Norms of random signs keep a token from
# merely repeating itself, as its embedding is the output's row too.)
_EMBEDDINGS, _LAYERS, _LOOKING = 20.0, 6.0, 18.0
_PIECES = 150
_MORE = (
    "naïve café – 3,14 % of 1998!",
    "Größe; 東京へ行く。 小女孩给了弟弟一个红苹果。",
    "« Ça va ? » “Oui”…",
)


def write_marian(
    folder: Path,
    *,
    layers: tuple[int, int] = (2, 3),
    heads: int | tuple[int, int] = 4,
    d_model: int = 32,
    ffn: int | tuple[int, int] = 64,
    separate_vocabs: bool = False,
    activation: str = "swish",
    scale_embedding: bool = True,
    tie_word_embeddings: bool = True,
    safetensors: bool = True,
    dtype: torch.dtype = torch.float32,
    positions: int = 96,
    languages: tuple[str, str] | None = ("en", "fr"),
    seed: int = 2,
    generation: dict[str, Any] | None = None,
    **changes: Any,
) -> Path:
    """Write a model into the new `folder` and return it.

    Like OPUS-MT's: `</s>` is 0, `<unk>` 1, padding the last id and the start of a target; ids are not those
    of the SentencePiece files. Weights, biases, norms and the bias of the logits are all random.

    Args:
        layers, heads, ffn: of encoder and decoder; one number for both.
        separate_vocabs: `target_vocab.json` and tables of their own for source and target.
        safetensors: `model.safetensors`, else `pytorch_model.bin`.
        languages: in `tokenizer_config.json`; None leaves them out.
        generation: more for `generation_config.json`.
        changes: more for `config.json`.
    """
    from transformers import MarianConfig, MarianMTModel

    folder.mkdir(parents=True)
    source_size, target_size = write_tokenizers(folder, separate_vocabs=separate_vocabs, languages=languages)
    encoder_heads, decoder_heads = _both(heads)
    encoder_ffn, decoder_ffn = _both(ffn)
    pad = min(source_size, target_size) - 1
    values = {
        "vocab_size": source_size,
        "decoder_vocab_size": target_size,
        "d_model": d_model,
        "encoder_layers": layers[0],
        "decoder_layers": layers[1],
        "encoder_attention_heads": encoder_heads,
        "decoder_attention_heads": decoder_heads,
        "encoder_ffn_dim": encoder_ffn,
        "decoder_ffn_dim": decoder_ffn,
        "activation_function": activation,
        "scale_embedding": scale_embedding,
        "share_encoder_decoder_embeddings": not separate_vocabs,
        "tie_word_embeddings": tie_word_embeddings,
        "max_position_embeddings": positions,
        "pad_token_id": pad,
        "decoder_start_token_id": pad,
        "eos_token_id": 0,
        "bos_token_id": 0,
        "forced_eos_token_id": 0,
        **changes,
    }
    torch.manual_seed(seed)
    with quiet():
        model = MarianMTModel(MarianConfig(**values)).eval()
        _randomise(model)
        for key, value in {"bad_words_ids": [[pad]], "num_beams": 4, **(generation or {})}.items():
            setattr(model.generation_config, key, value)
        model.to(dtype).save_pretrained(folder)
    if not safetensors:
        (folder / "model.safetensors").unlink()
        torch.save(dict(model.state_dict()), folder / "pytorch_model.bin")
    return folder


def write_tokenizers(
    folder: Path, *, separate_vocabs: bool = False, languages: tuple[str, str] | None = ("en", "fr")
) -> tuple[int, int]:
    """Write `source.spm`, `target.spm`, `vocab.json` and the like; the sizes of both vocabularies.

    In the files a piece's place among the ids has nothing to do with its place in the SentencePiece file.
    """
    pieces = []
    for side, name in enumerate(("source", "target")):
        data = spm(side)
        (folder / f"{name}.spm").write_bytes(data)
        pieces.append(_pieces(data))
    vocabs = [_numbered(own) for own in (pieces if separate_vocabs else [pieces[0] + pieces[1]])]
    for name, vocab in zip(("vocab.json", "target_vocab.json"), vocabs):
        (folder / name).write_text(json.dumps(vocab, ensure_ascii=False, indent=2), encoding="utf-8")
    settings: dict[str, Any] = {"model_max_length": 512, "tokenizer_class": "MarianTokenizer"}
    if languages is not None:
        settings |= {"source_lang": languages[0], "target_lang": languages[1]}
    settings["separate_vocabs"] = separate_vocabs
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    specials = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    (folder / "special_tokens_map.json").write_text(json.dumps(specials), encoding="utf-8")
    return len(vocabs[0]), len(vocabs[-1])


@functools.cache
def spm(side: int) -> bytes:
    """A SentencePiece model learned from one side of `tests.assets.PAIRS`: 0 the source, 1 the target."""
    written = io.BytesIO()
    texts = [pair[side] for pair in PAIRS] + list(_MORE)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_writer=written,
        vocab_size=_PIECES + 10 * side,
        hard_vocab_limit=False,
        character_coverage=1.0,
        minloglevel=3,
    )
    return written.getvalue()


def _pieces(data: bytes) -> list[str]:
    model = sentencepiece.SentencePieceProcessor(model_proto=data)
    return [model.IdToPiece(place) for place in range(model.GetPieceSize())]


def _numbered(pieces: Iterable[str]) -> dict[str, int]:
    ordinary = sorted({*pieces, *CODES} - {"<unk>", "<s>", "</s>"}, key=lambda piece: piece[::-1])
    return {piece: place for place, piece in enumerate(("</s>", "<unk>", *ordinary, "<pad>"))}


@torch.no_grad()
def _randomise(model: Any) -> None:
    for name, parameter in model.named_parameters():
        if "embed_positions" in name:
            continue
        if parameter.dim() > 1:
            strength = _LOOKING if "q_proj" in name or "k_proj" in name else _LAYERS
            parameter.mul_(strength if ".layers." in name else _EMBEDDINGS)
        elif "layer_norm.weight" in name:
            parameter.normal_(1.0, 0.2).mul_(torch.randn_like(parameter).sign())
        else:
            parameter.normal_(0.0, 0.2)
    model.final_logits_bias.normal_(0.0, 0.3)


def _both(value: int | tuple[int, int]) -> tuple[int, int]:
    return value if isinstance(value, tuple) else (value, value)
