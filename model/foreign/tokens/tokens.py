"""`ForeignTokenizer`: the tokens of a tokenizer of `transformers`, as the rest of the library sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.errors import HeadscopeError
from model.files.tensor_file import well_formed
from model.foreign.tokens.rust_calls import called
from model.foreign.tokens.target_language import language_first, language_tokens, typed_language
from model.foreign.tokens.token_style import style_of
from model.tokens.continuation import continuation_ids
from model.tokens.spelling import BYTE_LEVEL_CHARACTERS, piece_bytes, written
from model.tokens.token_style import CONTINUES_MARK, SPACE_MARK, TokenStyle, extra_piece
from model.tokens.words import has_unspaced

# What a text is put behind to see its pieces without a space: characters that stay pieces of their own.
_ANCHORS = {
    TokenStyle.SENTENCEPIECE: ("。", ".", "1", "x", "\n"),
    TokenStyle.BYTE_LEVEL: ("\n", ".", "1"),
}
_MARKS = {
    TokenStyle.SENTENCEPIECE: SPACE_MARK,
    TokenStyle.BYTE_LEVEL: BYTE_LEVEL_CHARACTERS[ord(" ")],
    TokenStyle.WORDPIECE: CONTINUES_MARK,
}


class ForeignTokenizer:
    """Pieces and ids are exactly those of the tokenizer it wraps.

    Texts are never "cleaned up". A row of the model's table that the tokenizer has no piece for is named as
    `model.tokens.words.extra_piece` does, and stands for no text.
    """

    def __init__(self, tokenizer: Any, *, start_id: int, end_id: int, vocab_size: int) -> None:
        """Wrap a tokenizer.

        Args:
            start_id, end_id: of the tokens that start and end a target; -1 for none.
            vocab_size: rows of the model's embedding table.
        """
        self._tokenizer = tokenizer
        self._start_id = start_id
        self._end_id = end_id
        self._vocab_size = vocab_size
        self._style = style_of(tokenizer)
        self._pieces: dict[int, str] = {}
        self._special = self._special_ids()
        unknown = _id(tokenizer.unk_token_id)
        # GPT-2 calls its end token unknown too, but spells everything in bytes.
        self._unk_id = -1 if unknown == end_id else unknown
        self._has_bytes = self._style is TokenStyle.BYTE_LEVEL or self._id_of("<0x00>") is not None

    @property
    def vocab_size(self) -> int:
        """Rows of the model's embedding table; the tokenizer may have fewer pieces."""
        return self._vocab_size

    @property
    def pad_id(self) -> int:
        """Id of the padding token; -1 where there is none."""
        return _id(self._tokenizer.pad_token_id)

    @property
    def unk_id(self) -> int:
        """Id of the unknown token; -1 where there is none."""
        return self._unk_id

    @property
    def start_id(self) -> int:
        """Id of the token that starts a target; -1 where none does."""
        return self._start_id

    @property
    def end_id(self) -> int:
        """Id of the token that ends a target; -1 where none does."""
        return self._end_id

    @property
    def has_bytes(self) -> bool:
        """Whether unknown characters are spelled as bytes."""
        return self._has_bytes

    @property
    def style(self) -> TokenStyle:
        """How the pieces are written."""
        return self._style

    def encode(self, text: str) -> list[int]:
        """Ids of `text`, without specials around it. A lone surrogate is read as U+FFFD.

        Raises:
            HeadscopeError: `token_id`: the model has no row for one of the tokenizer's pieces.
        """
        made = called(self._tokenizer, well_formed(text), add_special_tokens=False, verbose=False)
        return self._checked(made)

    def source_ids(self, text: str) -> list[int]:
        """Ids of a text with the specials that the tokenizer puts around it; raises as `encode`."""
        return self._checked(called(self._tokenizer, well_formed(text), verbose=False))

    def target_ids(self, text: str) -> list[int]:
        """Ids of a text as the model has to produce it, behind the start token; the end token is last.

        Where the language's token comes first it is that in the text itself (`fra_Latn le chat`), or that of
        the language that the tokenizer is set to write.
        """
        if language_first(self._tokenizer):
            word, _, rest = text.lstrip().partition(" ")
            typed = typed_language(self._tokenizer, word)
            if typed is not None or not self._tokenizer.tgt_lang:
                ids = [*([] if typed is None else [typed]), *self.encode(text if typed is None else rest)]
                return ids if self._end_id < 0 else [*ids, self._end_id]
        ids = self._checked(called(self._tokenizer, text_target=well_formed(text), verbose=False))
        if ids and ids[0] == self._start_id and ids[0] != self._end_id:
            ids = ids[1:]
        # Some put the language's code behind the end token.
        return ids if self._end_id < 0 or self._end_id in ids[-2:] else [*ids, self._end_id]

    def pair(self, text: str) -> tuple[list[int], list[int]]:
        """Ids of a text with the specials around it, and which sentence of a pair each is of, from 0.

        A text with the tokenizer's own separator typed in it (`The cat sat. [SEP] It slept.`) is a pair.
        Raises as `encode`.
        """
        text, separator = well_formed(text), self._tokenizer.sep_token
        first, _, second = text.partition(separator) if separator else (text, "", "")
        texts = (first.strip(), second.strip()) if second.strip() else (first,)
        made = called(self._tokenizer, *texts, return_token_type_ids=True, verbose=False)
        ids = self._checked(made)
        named = "token_type_ids" in self._tokenizer.model_input_names
        if len(texts) == 1 or named or not self._tokenizer.is_fast:
            return ids, [int(kind) for kind in made["token_type_ids"]]
        return ids, _segments(made.sequence_ids())

    def encode_continuation(self, text: str, *, first: bool = False) -> list[int]:
        """Ids of a text that goes on behind others; see `SentencePieceTokenizer.encode_continuation`.

        One that a target begins with has the specials before it that the tokenizer puts there (BART: `<s>`).
        """
        apart = self._encode_first if first else self._encode_apart
        return continuation_ids(well_formed(text), exact=self._exact, apart=apart, joined=self._encode_joined)

    def _encode_first(self, text: str) -> list[int]:
        ids = self.target_ids(text)
        ends = [place for place in range(max(0, len(ids) - 2), len(ids)) if ids[place] == self._end_id]
        return ids[: ends[-1]] if ends else ids

    def pieces(self, text: str) -> list[str]:
        """Raw pieces of `text`, one for each id of `encode(text)`."""
        return [self.piece(token_id) for token_id in self.encode(text)]

    def decode(self, ids: Sequence[int]) -> str:
        """The text of `ids`; specials are skipped, the unknown token too."""
        ordinary = [int(token_id) for token_id in ids if not self.is_special(int(token_id))]
        # By their ids: some folders call bytes special, which would be skipped.
        options = {"skip_special_tokens": False, "clean_up_tokenization_spaces": False}
        return str(called(self._tokenizer.decode, ordinary, **options)) if ordinary else ""

    def piece(self, token_id: int) -> str:
        """The raw piece of one id, as the tokenizer writes it.

        Raises:
            IndexError: `token_id` is outside 0 … vocab_size - 1.
        """
        if not 0 <= token_id < self._vocab_size:
            raise IndexError(f"token id {token_id} is outside the vocabulary of {self._vocab_size}")
        if token_id not in self._pieces:
            self._pieces[token_id] = self._named(token_id) or extra_piece(token_id)
        return self._pieces[token_id]

    def is_special(self, token_id: int) -> bool:
        """Whether the id stands for no text: a special, the unknown token, or no piece at all."""
        return token_id in self._special or self.piece(token_id) == extra_piece(token_id)

    def is_byte(self, token_id: int) -> bool:
        """Whether the id stands for bytes that are no whole characters."""
        spelled = None if token_id in self._special else piece_bytes(self.piece(token_id), self._style)
        if spelled is None or self._style is not TokenStyle.BYTE_LEVEL:
            return spelled is not None
        return "\ufffd" in spelled.decode("utf-8", "replace") and "\ufffd".encode() not in spelled

    def _special_ids(self) -> frozenset[int]:
        """Those with a role, and those that the folder calls special and are no bytes."""
        tokenizer = self._tokenizer
        named = {_id(token_id) for token_id in tokenizer.all_special_ids}
        added = tokenizer.added_tokens_decoder.items()
        called = {
            int(token_id)
            for token_id, token in added
            if getattr(token, "special", False) and piece_bytes(str(token), TokenStyle.SENTENCEPIECE) is None
        }
        return frozenset(named | called | set(language_tokens(tokenizer).values())) - {-1}

    def _checked(self, made: Any) -> list[int]:
        ids = [int(token_id) for token_id in made["input_ids"]]
        for token_id in ids:
            if token_id >= self._vocab_size:
                raise HeadscopeError("token_id", id=token_id, vocab=self._vocab_size)
        return ids

    def _named(self, token_id: int) -> str | None:
        try:
            piece = self._tokenizer.convert_ids_to_tokens(token_id)
        except (IndexError, KeyError, ValueError, OverflowError):  # so answer slow ones where they have none
            return None
        return piece if isinstance(piece, str) else None

    def _id_of(self, piece: str) -> int | None:
        """The id of an ordinary piece; None if the vocabulary has no such piece."""
        token_id = _id(self._tokenizer.convert_tokens_to_ids(piece))
        return token_id if 0 <= token_id < self._vocab_size and self._named(token_id) == piece else None

    def _exact(self, text: str) -> int | None:
        mark = _MARKS[self._style]
        marked = mark in text if self._style is TokenStyle.SENTENCEPIECE else text.startswith(mark)
        token_id = self._id_of(text) if marked else None
        return None if token_id in self._special else token_id

    def _encode_apart(self, text: str) -> list[int]:
        """Ids of a text behind a space, where its script has spaces."""
        ids = self.encode(text)
        if not ids or ids[0] in self._special or has_unspaced(text[0]) or self._begins_word(ids):
            return ids
        spaced = self.encode(" " + text)
        return spaced if self._begins_word(spaced) else ids

    def _encode_joined(self, text: str) -> list[int]:
        """Ids of a text behind no space."""
        ids = self.encode(text)
        if self._style is TokenStyle.WORDPIECE:
            return self._word_continued(ids)
        if self._style is TokenStyle.BYTE_LEVEL and not self._begins_word(ids):
            return ids
        for anchor in _ANCHORS[self._style]:
            known = self.encode(anchor)
            both = self.encode(anchor + text)
            rest = both[len(known) :]
            stays = both[: len(known)] == known and self._unk_id not in known
            if stays and rest and not self._begins_word(rest):
                return rest
        return self._unmarked(ids)

    def _unmarked(self, ids: list[int]) -> list[int]:
        """The ids without the space before the first, if the vocabulary can spell that."""
        if not self._begins_word(ids):
            return ids
        piece = self.piece(ids[0]).removeprefix(_MARKS[self._style])
        token_id = self._id_of(piece) if piece else None
        return ids[1:] if not piece else ids if token_id is None else [token_id, *ids[1:]]

    def _word_continued(self, ids: list[int]) -> list[int]:
        """The ids with the first word going on with another: as WordPiece does, the longest pieces first."""
        pieces = [self.piece(token_id) for token_id in ids]
        end = next((n for n in range(1, len(ids)) if not pieces[n].startswith(CONTINUES_MARK)), len(ids))
        word = "".join(piece.removeprefix(CONTINUES_MARK) for piece in pieces[:end])
        continued: list[int] = []
        while word:
            known = ((self._id_of(CONTINUES_MARK + word[:size]), size) for size in range(len(word), 0, -1))
            token_id, size = next(((i, size) for i, size in known if i is not None), (None, 0))
            if token_id is None:
                return ids
            continued.append(token_id)
            word = word[size:]
        return [*continued, *ids[end:]]

    def _begins_word(self, ids: Sequence[int]) -> bool:
        if not ids or ids[0] in self._special:
            return False
        return (written((self.piece(ids[0]),), self._style)[0] or "").startswith(SPACE_MARK)


def _id(value: Any) -> int:
    """An id, -1 for none."""
    return value if type(value) is int else -1


def _segments(sequences: Sequence[int | None]) -> list[int]:
    """Which sentence each token is of; a special token is of the one before it."""
    segments: list[int] = []
    for sequence in sequences:
        segments.append(sequence if sequence is not None else segments[-1] if segments else 0)
    return segments
