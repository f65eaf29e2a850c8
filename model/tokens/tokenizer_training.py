"""Tokenizer training: a SentencePiece vocabulary, the same bytes for the same sentences."""

from __future__ import annotations

import io
import random
import re
from array import array
from collections.abc import Iterable, Iterator
from typing import Any

import sentencepiece

from model.config import VocabType
from model.errors import HeadscopeError

PAD_ID, UNK_ID, START_ID, END_ID = 0, 1, 2, 3
_LEAST = 5

# For 24 MB of text SentencePiece takes about 0.7 GB; in Chinese, which no spaces cut into words, 0.5 GB and
# minutes.
MOST_SENTENCES = 2_000_000
MOST_BYTES = 24_000_000

# SentencePiece leaves out whole sentences above its own limit (4,192 bytes); we cut them instead.
# A character has at most 4 bytes.
_MAX_CHARACTERS = 1000

# Characters that SentencePiece keeps for itself while it learns (it would drop the sentence), and
# line ends, of which its iterator allows none inside a sentence.
BREAKS = re.compile("[\0\t\n\r\u2585]+")

_ALWAYS: dict[str, Any] = {
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False,
    "pad_id": PAD_ID,
    "unk_id": UNK_ID,
    "bos_id": START_ID,
    "eos_id": END_ID,
    "pad_piece": "<pad>",
    "unk_piece": "<unk>",
    "bos_piece": "<s>",
    "eos_piece": "</s>",
    "minloglevel": 3,
}


def train_tokenizer(
    sentences: Iterable[str],
    *,
    vocab_size: int,
    model_type: VocabType = "unigram",
    dummy_prefix: bool,
    byte_fallback: bool = True,
    character_coverage: float = 0.9995,
    most_sentences: int = MOST_SENTENCES,
    most_bytes: int = MOST_BYTES,
    threads: int = 1,
) -> bytes:
    """Learns a vocabulary and returns the SentencePiece model file's bytes.

    Ids: 0 `<pad>`, 1 `<unk>`, 2 `<s>`, 3 `</s>`, then 256 bytes if `byte_fallback`. Text is not
    normalised. A text too small for `vocab_size` gives the largest vocabulary that it has.

    Args:
        sentences: plain text; line ends and tabs inside a sentence separate it into several.
        vocab_size: number of pieces, specials and bytes included.
        model_type: how pieces are chosen; with `word` each word is one piece (no other type promises that),
            and a word that is not in the vocabulary is unknown.
        dummy_prefix: whether a space is put in front of each text, so that a word is the same piece
            at the start and in the middle (right for English, pointless for Chinese).
        byte_fallback: whether a rare character is spelled as bytes instead of becoming unknown.
        character_coverage: share of the text's characters that get a piece of their own.
        most_sentences, most_bytes: of more text than that (in UTF-8) a part is drawn with a fixed seed, which
            keeps to both limits.
        threads: worker threads; results may differ in the last digits from one count to another.

    Raises:
        HeadscopeError: `tokenizer_no_text`, `tokenizer_vocab_too_small` or `tokenizer_training`.
    """
    chosen = sample(_clean(sentences), most_sentences, most_bytes)
    if not chosen:
        raise HeadscopeError("tokenizer_no_text")
    if vocab_size < _LEAST:
        raise HeadscopeError("tokenizer_vocab_too_small", size=vocab_size, least=_LEAST)
    model = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.Train(
            sentence_iterator=iter(chosen),
            model_writer=model,
            vocab_size=vocab_size,
            hard_vocab_limit=False,
            model_type=model_type,
            character_coverage=character_coverage,
            num_threads=threads,
            byte_fallback=byte_fallback,
            add_dummy_prefix=dummy_prefix,
            **_ALWAYS,
        )
    except (RuntimeError, OSError, ValueError) as error:  # ValueError: a number beyond its integers
        raise _training_error(str(error), vocab_size) from None
    return model.getvalue()


def _training_error(detail: str, vocab_size: int) -> HeadscopeError:
    needed = re.search(r"smaller than required_chars\.\s*\d+ vs (\d+)", detail)
    if needed:
        return HeadscopeError("tokenizer_vocab_too_small", size=vocab_size, least=int(needed[1]))
    return HeadscopeError("tokenizer_training", reason=" ".join(detail.split()))


def _clean(sentences: Iterable[str]) -> Iterator[str]:
    """Yields parts that SentencePiece learns from in full: no line ends, none too long, none blank."""
    for sentence in sentences:
        text = sentence.encode("utf-8", "replace").decode("utf-8")
        for line in BREAKS.split(text):
            if line.strip():
                yield from (line[i : i + _MAX_CHARACTERS] for i in range(0, len(line), _MAX_CHARACTERS))


def sample(sentences: Iterable[str], most: int, most_bytes: int) -> list[str]:
    """All sentences if they keep to both limits, else a part of them, each equally likely, in their order.

    Each gets a number drawn evenly from 0 to 1, of fixed seed, and is kept below a bar; the bar is halved
    whenever what is kept grows beyond a limit. (SentencePiece's own sampling draws its seed from the machine,
    so two runs would differ.)
    """
    draw = random.Random(0)
    bar = 1.0
    numbers, kept, size = array("d"), list[str](), 0
    for sentence in sentences:
        number = draw.random()
        if number >= bar:
            continue
        numbers.append(number)
        kept.append(sentence)
        size += len(sentence.encode())
        while len(kept) > most or size > most_bytes:
            bar /= 2
            kept = [text for number, text in zip(numbers, kept) if number < bar]
            numbers = array("d", (number for number in numbers if number < bar))
            size = sum(len(text.encode()) for text in kept)
    return kept
