"""Marian's tokenizers: SentencePiece cuts the text, `vocab.json` numbers the pieces.

Both languages often share one `vocab.json` and cut with a SentencePiece model each. A piece that is not in
the vocabulary is unknown, whatever SentencePiece says of it, and the other way round.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import sentencepiece

from model import limits
from model.errors import HeadscopeError
from model.files.files import StrPath, read_bytes, shown
from model.files.safe_folder import invalid, json_object, safe_file
from model.files.tensor_file import well_formed
from model.folder.bundle_config import CONFIG, SOURCE_SPM, TARGET_SPM
from model.marian.added_tokens import FolderTokens, Splitter, read_tokens
from model.tokens.continuation import continuation_ids
from model.tokens.spm import SpmModel
from model.tokens.words import SPACE_MARK, TokenStyle, extra_piece
from model.work import result_of

VOCAB, TARGET_VOCAB = "vocab.json", "target_vocab.json"

_LARGEST_ENTRY = 256  # bytes; a piece spelled as \uXXXX has at most 6 a character


class MarianTokenizer:
    """One language of a Marian model, as `transformers`' MarianTokenizer treats it.

    A language code such as `>>fra<<` in front of a text is one piece. Specials typed in a text are the
    specials. It differs from `transformers` where that gives no usable answer: an added token that the model
    has no row for is ordinary text, a row without a piece has a name of its own and no text, the ids of a
    separate source vocabulary are named by that vocabulary, and texts are never "cleaned up".
    """

    def __init__(
        self,
        model: SpmModel,
        vocab: Mapping[str, int],
        tokens: FolderTokens,
        added: Mapping[str, int],
        *,
        size: int,
        start_id: int,
    ) -> None:
        self._model = model
        self._size = size
        self._start_id = start_id
        self._splitter = Splitter(tokens, added)
        self._added = added
        self._ids = {**vocab, **added}
        self._pieces = {token_id: piece for names in (vocab, added) for piece, token_id in names.items()}
        specials, contents = tokens.specials, frozenset(tokens.specials.values())
        self._special = frozenset(i for i, piece in self._pieces.items() if piece in contents)
        self._end_id = added[specials["eos_token"]]
        self._pad_id = added.get(specials["pad_token"], -1)
        self._unk_id = vocab[specials["unk_token"]]

    @classmethod
    def pair(cls, folder: StrPath, *, values: Mapping[str, Any], start_id: int) -> tuple[Self, Self]:
        """The tokenizers of both languages; one object if they do not differ.

        Args:
            values: `config.json`'s object.
            start_id: of the token that starts a target.

        Raises:
            HeadscopeError: a file is missing, damaged, or does not belong to the others.
        """
        return result_of(cls.pair_steps(folder, values=values, start_id=start_id))

    @classmethod
    def pair_steps(
        cls, folder: StrPath, *, values: Mapping[str, Any], start_id: int
    ) -> Generator[None, None, tuple[Self, Self]]:
        """The same, to be left at every yield."""
        folder = Path(folder)
        tokens = read_tokens(folder)
        source_size = _size(folder, values, "vocab_size")
        target_size = _size(folder, values, "decoder_vocab_size", source_size)
        models: list[SpmModel] = []
        for name in (SOURCE_SPM, TARGET_SPM):
            models.append(_read_spm(folder, name))
            yield
        separate = _is_separate(folder, tokens, values)
        vocab = _read_vocab(folder, VOCAB, source_size, tokens)
        yield
        name, size = (TARGET_VOCAB, target_size) if separate else (VOCAB, min(source_size, target_size))
        other = _read_vocab(folder, name, size, tokens) if separate or size < source_size else vocab
        added = tokens.ids(vocab, source_size)
        source = cls(models[0], vocab, tokens, added, size=source_size, start_id=start_id)
        if other is vocab and models[0].data == models[1].data and source_size == target_size:
            return source, source
        # The source's vocabulary numbers the specials of both, as far as the target has such rows.
        fitting = {content: token_id for content, token_id in added.items() if token_id < target_size}
        added = tokens.ids(other, target_size) | fitting
        return source, cls(models[1], other, tokens, added, size=target_size, start_id=start_id)

    @property
    def spm(self) -> SpmModel:
        """What cuts texts."""
        return self._model

    @property
    def vocab_size(self) -> int:
        """Number of rows of the model's embedding table."""
        return self._size

    @property
    def pad_id(self) -> int:
        """Id of the padding piece; -1 where there is none."""
        return self._pad_id

    @property
    def unk_id(self) -> int:
        """Id of the unknown piece."""
        return self._unk_id

    @property
    def start_id(self) -> int:
        """Id of the token that starts a target: in most models that of the padding."""
        return self._start_id

    @property
    def end_id(self) -> int:
        """Id of the token that ends a sentence."""
        return self._end_id

    @property
    def style(self) -> TokenStyle:
        """How the pieces are written."""
        return TokenStyle.SENTENCEPIECE

    @property
    def has_bytes(self) -> bool:
        """Whether unknown characters are spelled as bytes."""
        return bool(self._model.bytes) and self._model.bytes.keys() <= self._ids.keys()

    def encode(self, text: str) -> list[int]:
        """Ids of `text`, without the end token. A lone surrogate is read as U+FFFD."""
        return self._encode(well_formed(text), self._model.processor)

    def source_ids(self, text: str) -> list[int]:
        """Ids of `text` and the end token."""
        return [*self.encode(text), self._end_id]

    def target_ids(self, text: str) -> list[int]:
        """Ids of `text` and the end token."""
        return self.source_ids(text)

    def encode_continuation(self, text: str, *, first: bool = False) -> list[int]:
        """Ids of a text that goes on behind others; see `SentencePieceTokenizer.encode_continuation`."""
        return continuation_ids(
            well_formed(text), exact=self._exact, apart=self.encode, joined=self._encode_joined
        )

    def _exact(self, text: str) -> int | None:
        token_id = self._ids.get(text) if SPACE_MARK in text else None
        return None if token_id in self._special else token_id

    def _encode_joined(self, text: str) -> list[int]:
        return self._encode(text, self._model.joining)

    def _encode(self, text: str, first: sentencepiece.SentencePieceProcessor) -> list[int]:
        """Ids of a text whose first part `first` cuts."""
        ids: list[int] = []
        for place, (part, is_added) in enumerate(self._splitter.split(text)):
            if is_added:
                ids.append(self._added[part])
                continue
            code, rest = _language_code(part)
            processor = self._model.processor if place or code else first
            pieces = processor.EncodeAsPieces(rest)
            ids += [self._ids.get(piece, self._unk_id) for piece in (*code, *pieces)]
        return ids

    def pieces(self, text: str) -> list[str]:
        """Raw pieces of `text`, one for each id of `encode(text)`."""
        return [self.piece(token_id) for token_id in self.encode(text)]

    def decode(self, ids: Sequence[int]) -> str:
        """The text of `ids`, without blanks around it; specials are skipped, also the unknown."""
        return self._model.text(self.piece(i) for i in ids if not self.is_special(i)).strip()

    def piece(self, token_id: int) -> str:
        """The raw piece of one id.

        Raises:
            IndexError: `token_id` is outside 0 … vocab_size - 1.
        """
        if not 0 <= token_id < self._size:
            raise IndexError(f"token id {token_id} is outside the vocabulary of {self._size}")
        return self._pieces.get(token_id) or extra_piece(token_id)

    def is_special(self, token_id: int) -> bool:
        """Whether the id stands for no text: padding, end, unknown, another special, or no piece at all."""
        return token_id in self._special or token_id not in self._pieces

    def is_byte(self, token_id: int) -> bool:
        """Whether the id stands for one byte of a character."""
        return self._pieces.get(token_id) in self._model.bytes


def _language_code(text: str) -> tuple[tuple[str, ...], str]:
    """The code `>>…<<` in front of a text, and the rest."""
    end = text.find("<<") if text.startswith(">>") else -1
    return ((text[: end + 2],), text[end + 2 :]) if end >= 0 else ((), text)


def _is_separate(folder: Path, tokens: FolderTokens, values: Mapping[str, Any]) -> bool:
    """Whether the target has a vocabulary of its own; where the settings say nothing, by the other files."""
    said = tokens.settings.get("separate_vocabs")
    if said is not None:
        return bool(said)
    return values.get("share_encoder_decoder_embeddings") is False and (folder / TARGET_VOCAB).is_file()


def _size(folder: Path, values: Mapping[str, Any], key: str, default: int | None = None) -> int:
    value = values.get(key)
    value = default if value is None else value
    if type(value) is not int or value < 1:
        raise invalid(folder / CONFIG, f"{key} is no number of pieces")
    return value


def _read_spm(folder: Path, name: str) -> SpmModel:
    with _missing_as_tokenizer():
        path = safe_file(folder, name)
    return SpmModel.from_bytes(read_bytes(path, limit=limits.PIECES), shown(path))


def _read_vocab(folder: Path, name: str, size: int, tokens: FolderTokens) -> dict[str, int]:
    """Pieces by their ids, which are checked to be rows of the table, each of one piece."""
    path, most = folder / name, min(limits.VOCABULARY, (1 << 20) + size * _LARGEST_ENTRY)
    with _missing_as_tokenizer():
        vocab = json_object(folder, name, limit=most)
    if not all(type(token_id) is int for token_id in vocab.values()):
        raise invalid(path, "it is not a JSON object of numbers")
    if not all(0 <= token_id < size for token_id in vocab.values()):
        raise invalid(path, f"it numbers a piece outside the model's {size}")
    if len(set(vocab.values())) != len(vocab):
        raise invalid(path, "two pieces have the same number")
    for role in ("unk_token", "eos_token"):
        content = tokens.specials[role]
        if content not in (vocab if role == "unk_token" else tokens.ids(vocab, size)):
            raise invalid(path, f"it lacks the piece {content}")
    return {well_formed(piece): token_id for piece, token_id in vocab.items()}


@contextlib.contextmanager
def _missing_as_tokenizer() -> Iterator[None]:
    try:
        yield
    except HeadscopeError as error:
        if error.code == "file_missing":
            raise HeadscopeError("tokenizer_missing", path=error.values["path"]) from None
        raise
