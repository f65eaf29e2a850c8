"""A model whose probabilities and patterns are written down in tables, so that decoding can be done by hand.

The logits after a token depend on the token, on its position and, with an encoder, on the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from model.folder.decoding_rules import NO_RULES, DecodingRules
from model.network.attention import AttentionSite, Tap
from model.tokens.words import TokenStyle
from model.trace.attention_shape import AttentionShape
from model.trace.trace import AttentionKind

POSITIONS = 160
SOURCES = 5

Table = npt.NDArray[np.float32]


def random_table(seed: int, vocab: int, strength: float = 1.0) -> Table:
    """Logits [source, position, token read, next token]."""
    draw = np.random.default_rng(seed)
    return (strength * draw.standard_normal((SOURCES, POSITIONS, vocab, vocab))).astype(np.float32)


def pattern_of(site: AttentionSite, head: int, query: int, keys: int) -> npt.NDArray[np.float64]:
    """One row of a pattern: some numbers that sum to 1."""
    first = 1.0 + 7.0 * site.layer + 3.0 * head + len(site.kind)
    weights = 1.0 + np.sin(first + np.arange(keys) * (query + 1.0))
    total: npt.NDArray[np.float64] = weights / weights.sum()
    return total


class TableState:
    """How many positions were read by each row of the batch, and of which source."""

    def __init__(self, sources: Tensor, length: int = 0) -> None:
        self.sources = sources
        self.length = length

    def truncate(self, length: int) -> None:
        self.length = min(length, self.length)

    def select(self, rows: Tensor) -> None:
        self.sources = self.sources[rows]

    def fork(self, length: int | None = None) -> Self:
        return type(self)(self.sources.clone(), self.length if length is None else length)


class TableNetwork:
    """See `model.decoding.decodable.Decodable`."""

    def __init__(self, table: Table, shape: AttentionShape) -> None:
        self.table = torch.from_numpy(table)
        self.attention_shape = shape
        self.target_vocab = table.shape[-1]
        self.device = torch.device("cpu")
        self.dtype = torch.float32
        self.calls: list[tuple[int, int]] = []

    def encode(
        self,
        source: Tensor,
        *,
        key_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        tap: Tap | None = None,
    ) -> Tensor:
        assert self.attention_shape.encoder_layers
        keys = source.shape[1]
        self._tell(tap, AttentionKind.ENCODER_SELF, range(keys), [keys] * keys, keys, len(source))
        mask = torch.ones_like(source, dtype=torch.bool) if key_mask is None else key_mask
        return (source * mask).float()[..., None]

    def start_cache(
        self, memory: Tensor | None, *, memory_mask: Tensor | None = None, batch: int | None = None
    ) -> TableState:
        if memory is None:
            assert not self.attention_shape.cross
            return TableState(torch.zeros(batch or 1, dtype=torch.int64))
        self._memory = memory.shape[1]
        return TableState(memory[..., 0].sum(-1).long() % SOURCES)

    def decode_step(
        self,
        target_in: Tensor,
        cache: Any,
        *,
        position_ids: Tensor | None = None,
        tap: Tap | None = None,
    ) -> Tensor:
        rows, count = target_in.shape
        assert rows == len(cache.sources)
        self.calls.append((rows, count))
        queries = range(cache.length, cache.length + count)
        cache.length += count
        own = [query + 1 for query in queries]
        self._tell(tap, AttentionKind.DECODER_SELF, queries, own, cache.length, rows)
        if self.attention_shape.cross:
            self._tell(tap, AttentionKind.CROSS, queries, [self._memory] * count, self._memory, rows)
        sources = cache.sources[:, None].expand(rows, count)
        positions = torch.tensor(list(queries)).expand(rows, count)
        return torch.stack([sources, positions, target_in], -1).float()

    def project(self, hidden: Tensor) -> Tensor:
        source, position, token = hidden.long().unbind(-1)
        return self.table[source, position, token]

    def copy_shares(self, hidden: Tensor) -> Tensor | None:
        return None

    def _tell(
        self, tap: Tap | None, kind: AttentionKind, queries: range, seen: list[int], keys: int, rows: int
    ) -> None:
        if tap is None:
            return
        heads = self.attention_shape.heads(kind)
        for layer in range(self.attention_shape.layers(kind)):
            site = AttentionSite(kind, layer)
            pattern = np.zeros((heads, len(queries), keys), np.float32)
            for head, row in np.ndindex(heads, len(queries)):
                pattern[head, row, : seen[row]] = pattern_of(site, head, queries[row], seen[row])
            tap(site, torch.from_numpy(pattern)[None].expand(rows, -1, -1, -1))


class Letters:
    """See `model.tokens.tokenizer.Tokenizer`: every letter is a token, `a` is 3; 0 pads, 1 starts, 2 ends."""

    pad_id, start_id, end_id, unk_id = 0, 1, 2, 0
    has_bytes = False

    def __init__(
        self, vocab: int, *, starts: bool = False, style: TokenStyle = TokenStyle.SENTENCEPIECE
    ) -> None:
        self.vocab_size = vocab
        self.style = style
        self._starts = starts

    def encode(self, text: str) -> list[int]:
        return [3 + ord(letter) - ord("a") for letter in text if letter != " "]

    def source_ids(self, text: str) -> list[int]:
        return [1, *self.encode(text)] if self._starts else [*self.encode(text), 2]

    def target_ids(self, text: str) -> list[int]:
        return [*self.encode(text), 2]

    def encode_continuation(self, text: str, *, first: bool = False) -> list[int]:
        return self.encode(text)

    def pieces(self, text: str) -> list[str]:
        return list(map(self.piece, self.encode(text)))

    def decode(self, ids: Sequence[int]) -> str:
        return "".join(self.piece(i) for i in ids if i > 2)

    def piece(self, token_id: int) -> str:
        return ("<pad>", "<s>", "</s>")[token_id] if token_id < 3 else chr(ord("a") + token_id - 3)

    def is_special(self, token_id: int) -> bool:
        return token_id < 3

    def is_byte(self, token_id: int) -> bool:
        return False


@dataclass(frozen=True)
class TableModel:
    """See `model.decoding.decodable.DecodingModel`."""

    transformer: TableNetwork
    source_tokenizer: Letters
    target_tokenizer: Letters
    rules: DecodingRules = NO_RULES
    source_limit: int = POSITIONS
    target_limit: int = POSITIONS
    name: str = "table"
    sha256: str = field(default="0" * 64)
    verified: bool = True
    outline: None = None

    @property
    def table(self) -> Table:
        table: Table = self.transformer.table.numpy()
        return table


def prompted(
    seed: int = 0, vocab: int = 11, *, rules: DecodingRules = NO_RULES, strength: float = 1.0, **changes: Any
) -> TableModel:
    """A model without an encoder: two layers of three heads."""
    tokenizer = Letters(vocab, starts=True, style=TokenStyle.BYTE_LEVEL)
    network = TableNetwork(random_table(seed, vocab, strength), AttentionShape(0, 0, 2, 3, cross=False))
    return TableModel(network, tokenizer, tokenizer, rules, **changes)


def translating(
    seed: int = 0, vocab: int = 11, *, rules: DecodingRules = NO_RULES, strength: float = 1.0, **changes: Any
) -> TableModel:
    """A model with an encoder of one layer and two heads, and a decoder of two layers and three heads."""
    tokenizer = Letters(vocab)
    network = TableNetwork(random_table(seed, vocab, strength), AttentionShape(1, 2, 2, 3, cross=True))
    return TableModel(network, tokenizer, tokenizer, rules, **changes)
