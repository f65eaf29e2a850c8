"""Sides of attention: the tokens along one axis, as a tokenizer names them, and ids if known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from model.errors import HeadscopeError
from model.files.tensor_file import well_formed
from model.recording.arrays import is_array, of_batch, to_ids
from model.recording.layers import Places
from model.tokens.token_style import TokenStyle, style_of_pieces
from model.trace.trace import Ids


@dataclass(frozen=True)
class Side:
    """Tokens of one sequence; `ids` None where only their names are known."""

    tokens: tuple[str, ...]
    ids: Ids | None = None

    def kept(self, places: Places) -> Side:
        """Those at some places."""
        if places is None:
            return self
        tokens = tuple(self.tokens[place] for place in places)
        return Side(tokens, None if self.ids is None else self.ids[places])


def side_of(value: Any, item: int, length: int, tokenizer: Any, name: str) -> Side:
    """The tokens of one sequence; numbers from 1 where nobody names them.

    Args:
        value: strings, ids (with a tokenizer they get names), a batch of either, or None.
        length: how many the attention has.
        name: of the argument, for the error.

    Raises:
        HeadscopeError: `record_tokens`: there are more or fewer than the attention has; `record_names`: they
            are neither strings nor ids.
    """
    if value is None:
        return numbered(length)
    value = of_batch(_listed(value, name), item)
    if isinstance(value, np.ndarray) and value.dtype.kind in "UO":
        value = value.tolist()
    if not is_array(value) and len(value) and all(isinstance(token, str) for token in value):
        side = Side(tuple(well_formed(str(token)) for token in value))
    else:
        side = of_ids(_given_ids(value, name), tokenizer)
    if len(side.tokens) != length:
        raise HeadscopeError("record_tokens", name=name, found=len(side.tokens), wanted=length)
    return side


def _listed(value: Any, name: str) -> Any:
    """Any collection of tokens as an array or a list; a text, or a tokenizer's whole answer, is none."""
    if is_array(value):
        return value
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise HeadscopeError("record_names", name=name)
    return list(value)


def _given_ids(value: Any, name: str) -> Ids:
    try:
        ids = to_ids(value)
    except HeadscopeError:
        raise HeadscopeError("record_names", name=name) from None
    if ids.size and ids.min() < 0:
        raise HeadscopeError("record_negative_id", name=name, id=int(ids.min()))
    return ids


def of_ids(ids: Ids, tokenizer: Any) -> Side:
    """Ids and their names; without a tokenizer they go by their numbers."""
    if ids.ndim != 1:
        raise HeadscopeError("record_ids_shape", shape=list(ids.shape))
    return Side(names_of(ids.tolist(), tokenizer), ids)


def names_of(ids: Iterable[int], tokenizer: Any) -> tuple[str, ...]:
    """How the tokenizer writes tokens; one that it does not know, or without a tokenizer, its number."""
    ids = list(ids)
    if tokenizer is None:
        return tuple(map(str, ids))
    names = tokenizer.convert_ids_to_tokens(ids)
    return tuple(str(token) if name is None else well_formed(str(name)) for token, name in zip(ids, names))


def namer(tokenizer: Any) -> Any:
    """The tokenizer (a processor of pictures or sounds has one); `HeadscopeError` if it names no tokens."""
    found = getattr(tokenizer, "tokenizer", tokenizer)
    if found is not None and not hasattr(found, "convert_ids_to_tokens"):
        raise HeadscopeError("record_tokenizer", type=type(found).__name__)
    return found


def numbered(length: int) -> Side:
    """Tokens that nobody named."""
    return Side(tuple(str(number + 1) for number in range(length)))


def text_of(side: Side, tokenizer: Any) -> str:
    """What the tokens say, specials left out; empty where that cannot be known.

    What somebody types stays: the token that hides a word, and the one between the sentences of a pair.
    """
    if side.ids is None or tokenizer is None:
        return ""
    ids, specials = side.ids.tolist(), set(getattr(tokenizer, "all_special_ids", ()))
    plain = [place for place, token in enumerate(ids) if token not in specials]
    typed = {getattr(tokenizer, "mask_token_id", None)}
    between = set()
    if getattr(tokenizer, "sep_token_id", None) != getattr(tokenizer, "eos_token_id", None):
        between = {getattr(tokenizer, "sep_token_id", None)}
    kept = [
        token
        for place, token in enumerate(ids)
        if token not in specials
        or token in typed
        or (token in between and plain and plain[0] < place < plain[-1])
    ]
    if len(kept) == len(plain):
        return well_formed(str(tokenizer.decode(ids, skip_special_tokens=True))).strip()
    return well_formed(str(tokenizer.decode(kept))).strip()


def style_of(tokenizer: Any, sides: Sequence[Side]) -> TokenStyle:
    """How the pieces are written, judged by a vocabulary, else by the tokens at hand."""
    vocabulary = tokenizer.get_vocab() if hasattr(tokenizer, "get_vocab") else ()
    return style_of_pieces(vocabulary or [token for side in sides for token in side.tokens])
