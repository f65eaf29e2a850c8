"""Masks forgotten: a batch without padding mask, a translation without causal mask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from model.bundle.bundle import Bundle
from model.files.tensor_file import well_formed
from model.inspection.asked import Asked
from model.inspection.plain import check_head, plain
from model.lessons.answers.plain_pass import (
    PAPER,
    PaddedBatch,
    PassRules,
    PlainPass,
    greedy,
    largest_change,
    of_produced,
    read_of,
)
from model.lessons.masks import Causal, CausalOf, Padded, PaddingOf, WithAndWithout, beginning
from model.network.attention import AttentionSite
from model.read_only import read_only
from model.trace.trace import AttentionKind
from model.translator.source_check import check_text

MOST = 60
"""Tokens of the translation of a typed text, at most."""


def padding_of(question: PaddingOf, asked: Asked) -> Iterator[Padded | None]:
    """Read the three texts in one batch, with and without the mask; yields None in between.

    Raises:
        HeadscopeError: a text that cannot be read, nothing translated yet, no such head, or another's model.
    """
    bundle, reading = asked.bundle, asked.reading
    asked.readings.reader(reading).require_steps()  # and refuses ids that do not exist
    check_head(bundle.config.architecture, AttentionKind.CROSS, question.layer, question.head)
    others = [
        _ids(bundle, given, reading.text, share)
        for given, share in zip(question.texts, (0.5, 0.25), strict=True)
    ]
    sources = [reading.src_ids, *others]
    yield None
    row = question.text
    single = PaddedBatch.of([sources[row]], bundle)
    if row:
        produced = yield from greedy(bundle, sources[row], MOST)
    else:
        produced = reading.out_ids
    site = AttentionSite(AttentionKind.CROSS, question.layer)
    seen = _Seen(site, question.head), _Seen(site, question.head)
    alone = _translated(bundle, produced, single, 0, seen[0])
    yield None
    batch = PaddedBatch.of(sources, bundle)
    masked = _translated(bundle, produced, batch, row, seen[0])
    yield None
    unmasked = _translated(bundle, produced, batch, row, seen[1], replace(PAPER, masks_padding=False))
    pieces = tuple(tuple(map(bundle.source_tokenizer.piece, ids)) for ids in batch.ids.tolist())
    both = _both(bundle, produced, (masked, unmasked), seen, pieces[row])
    real = read_only(batch.real.numpy(force=True))
    yield Padded(both, pieces, real, of_produced(alone, produced))


def causal_of(question: CausalOf, asked: Asked) -> Iterator[Causal | None]:
    """Read the translation at once, with and without the mask, then with another token in it.

    Raises:
        HeadscopeError: as `padding_of`.
    """
    bundle, reading = asked.bundle, asked.reading
    asked.readings.reader(reading).require_steps()
    check_head(bundle.config.architecture, AttentionKind.DECODER_SELF, question.layer, question.head)
    site = AttentionSite(AttentionKind.DECODER_SELF, question.layer)
    batch = PaddedBatch.of([reading.src_ids], bundle)
    memory = PlainPass(bundle.transformer).encode(batch.ids, batch.real)
    yield None
    read = read_of(bundle, reading.out_ids)
    put = _other(bundle, read[0].tolist(), question.future)
    changed = read.clone()
    changed[0, question.future] = put
    found: list[tuple[Tensor, Tensor]] = []
    seen = _Seen(site, question.head), _Seen(site, question.head)
    for rules, see in zip((PAPER, replace(PAPER, masks_future=False)), seen, strict=True):
        own = PlainPass(bundle.transformer, rules, see.look).logprobs(read, memory, batch.real)[0]
        yield None
        other = PlainPass(bundle.transformer, rules).logprobs(changed, memory, batch.real)[0]
        yield None
        found.append((own, other))
    (masked, masked_other), (unmasked, unmasked_other) = found
    pieces = tuple(map(bundle.target_tokenizer.piece, read[0].tolist()))
    yield Causal(
        _both(bundle, reading.out_ids, (masked, unmasked), seen, pieces),
        bundle.target_tokenizer.piece(put),
        largest_change(masked, masked_other),
        largest_change(unmasked, unmasked_other),
    )


class _Seen:
    """The weights of one head, and where attention is allowed: [q, k] each, of the batch's last row."""

    def __init__(self, site: AttentionSite, head: int) -> None:
        self._site, self._head = site, head
        self.weights = self.allowed = torch.zeros(0)

    def look(self, site: AttentionSite, pattern: Tensor, allowed: Tensor) -> None:
        """Keep the head's pattern."""
        if site == self._site:
            self.weights = pattern[-1, self._head]
            self.allowed = allowed.expand(pattern.shape)[-1, self._head]


def _translated(
    bundle: Bundle,
    produced: Sequence[int],
    batch: PaddedBatch,
    row: int,
    seen: _Seen,
    rules: PassRules = PAPER,
) -> Tensor:
    """Log probabilities [T, vocab] of a row's translation."""
    computed = PlainPass(bundle.transformer, rules, seen.look)
    memory = computed.encode(batch.ids, batch.real)[row : row + 1]
    return computed.logprobs(read_of(bundle, produced), memory, batch.real[row : row + 1])[0]


def _both(
    bundle: Bundle,
    produced: Sequence[int],
    logprobs: tuple[Tensor, Tensor],
    seen: tuple[_Seen, _Seen],
    keys: tuple[str, ...],
) -> WithAndWithout:
    """Of what was computed with the mask, and without it."""
    piece = bundle.target_tokenizer.piece
    return WithAndWithout(
        tuple(map(piece, read_of(bundle, produced)[0].tolist())),
        tuple(map(piece, produced)),
        keys,
        of_produced(logprobs[0], produced),
        of_produced(logprobs[1], produced),
        largest_change(*logprobs),
        plain(seen[0].weights),
        plain(seen[1].weights),
        read_only((~seen[0].allowed.bool()).numpy(force=True)),
    )


def _ids(bundle: Bundle, given: str, sentence: str, share: float) -> list[int]:
    text = well_formed(given or beginning(sentence, share))
    check_text(bundle, text, any_script=not given)  # a few words of a sentence may be a name
    return bundle.source_tokenizer.source_ids(text)


def _other(bundle: Bundle, read: list[int], place: int) -> int:
    """Another token of the translation: the next one that differs; the unknown one where none does."""
    ahead = [*read[place + 1 :], *read[1:place]]
    return next((token for token in ahead if token != read[place]), bundle.target_tokenizer.unk_id)
