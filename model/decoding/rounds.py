"""Rounds: a translation written all at once, and its least certain tokens again (mask-predict).

Ghazvininejad et al. 2019 (arXiv 1904.09324, section 3). Of N tokens and R rounds the first writes all; round
r + 1 hides the floor(N (R - r) / R) tokens of lowest confidence and writes them anew, reading all others. A
token's confidence is the probability that it was written with. The start token stands for "not yet written".

Shapes: b translations, S source tokens, N target tokens (no start, no end), V target vocabulary.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from model.bundle.bundle import Bundle
from model.decoding.altering import Altering
from model.decoding.candidates import rank_of, top_candidates
from model.decoding.decode_config import DecodeConfig
from model.decoding.recorder import Recorder
from model.decoding.trace_maker import DecodedPath, TraceMaker
from model.errors import HeadscopeError
from model.network.transformer import Transformer
from model.tokens.tokenizer import Tokenizer
from model.trace.trace import HIDDEN, Ids, Trace


@dataclass(frozen=True)
class Marks:
    """Ids that are no words.

    Attributes:
        hidden: stands for what is not yet written.
        never: what is never written.
        pad: behind short translations.
    """

    hidden: int
    never: tuple[int, ...]
    pad: int

    @classmethod
    def of(cls, target: Tokenizer) -> Marks:
        """Those of a target vocabulary."""
        marks = {target.start_id, target.end_id, target.pad_id}
        return cls(target.start_id, tuple(sorted(mark for mark in marks if mark >= 0)), max(0, target.pad_id))


@dataclass(frozen=True, eq=False)
class Draft:
    """Translations between two rounds.

    Attributes:
        ids: int64 [b, N]; confidence: float32 [b, N] natural log of the probability each was written with.
        read: int64 [b, N] what was read to write them; lengths: [b] how many of the N count.
    """

    ids: Tensor
    confidence: Tensor
    read: Tensor
    lengths: Tensor

    @property
    def real(self) -> Tensor:
        """bool [b, N], False for padding."""
        return torch.arange(self.ids.shape[1], device=self.ids.device) < self.lengths[:, None]

    @property
    def score(self) -> Tensor:
        """[b] mean log probability of the tokens (section 3.3), by which lengths are chosen."""
        return self.confidence.masked_fill(~self.real, 0.0).sum(1) / self.lengths

    @classmethod
    def blank(cls, lengths: Tensor, marks: Marks) -> Draft:
        """Nothing is written."""
        shape = len(lengths), int(lengths.max())
        ids = torch.full(shape, marks.hidden, dtype=torch.int64, device=lengths.device)
        confidence = torch.full(shape, -torch.inf, device=lengths.device)
        return cls(ids, confidence, ids, lengths)


def hidden_in(draft: Draft, number: int, rounds: int) -> Tensor:
    """bool [b, N]: which tokens round `number`, from 1, of so many writes; of equal ones the first."""
    if number == 1:
        return draft.real
    # In whole numbers: a rounded share would now and then be one token short.
    count = draft.lengths * (rounds - number + 1) // rounds
    order = draft.confidence.masked_fill(~draft.real, torch.inf).argsort(dim=1, stable=True)
    return (order.argsort(dim=1) < count[:, None]) & draft.real


def likely_lengths(
    network: Transformer, memory: Tensor, mask: Tensor | None, limits: Sequence[int], count: int
) -> Tensor:
    """int64 [b, count] the likeliest lengths, likeliest first; where fewer are allowed, the likeliest again.

    Args:
        limits: the longest allowed of each, at least 1.

    Raises:
        HeadscopeError: `model_overflow`.
    """
    assert network.length is not None
    logits = network.length_logits(memory, mask).float()
    if not bool(logits.isfinite().all()):
        raise HeadscopeError("model_overflow")
    allowed = torch.tensor(limits, device=logits.device)[:, None]
    beyond = torch.arange(logits.shape[1], device=logits.device) >= allowed
    best = logits.masked_fill(beyond, -torch.inf).sort(dim=1, descending=True, stable=True).indices + 1
    best = best[:, :count]
    return torch.where(best <= allowed, best, best[:, :1])


def write_round(
    network: Transformer, draft: Draft, hidden: Tensor, memory: Tensor, mask: Tensor | None, marks: Marks
) -> Draft:
    """The draft with its tokens `hidden` written anew, nothing recorded."""
    read = draft.ids.masked_fill(hidden, marks.hidden)
    key_mask = None if bool(draft.real.all()) else draft.real
    states = network.decode(read, memory, memory_mask=mask, key_mask=key_mask)
    written, confidence = _chosen(network.project(states), marks)
    return Draft(
        torch.where(hidden, written, draft.ids),
        torch.where(hidden, confidence, draft.confidence),
        read,
        draft.lengths,
    )


def _chosen(logits: Tensor, marks: Marks) -> tuple[Tensor, Tensor]:
    """The most probable words of logits [b, N, V], and the natural logs of their probabilities."""
    logprobs = logits.float().log_softmax(-1)
    words = logprobs.clone()
    words[..., list(marks.never)] = -torch.inf
    written = words.argmax(-1)
    confidence = logprobs.gather(-1, written[..., None])[..., 0]
    if not bool(confidence.isfinite().all()):
        raise HeadscopeError("model_overflow")
    return written, confidence


def rounds_batch(
    network: Transformer,
    sources: Sequence[Sequence[int]],
    *,
    pad_id: int,
    marks: Marks,
    limits: Sequence[int],
    rounds: int = DecodeConfig.rounds,
    lengths: int = DecodeConfig.lengths,
) -> Generator[None, None, list[tuple[list[int], list[int]]]]:
    """Write translations of several sources together; yields after each round.

    Args:
        sources: ids of each source with its specials, of any lengths.
        limits: the longest translation allowed of each, at least 1.
        rounds, lengths: see `DecodeConfig`.

    Returns:
        Of each what was written, and what was read in the last round, in the order of `sources`.

    Raises:
        HeadscopeError: `model_overflow`.
    """
    draft, memory, mask = _begun(network, sources, pad_id, marks, limits, lengths)
    yield
    for number in range(1, rounds + 1):
        draft = _next(network, draft, number, rounds, memory, mask, marks)
        yield
    best = _best(draft, len(sources))
    return [
        (draft.ids[row, :length].tolist(), draft.read[row, :length].tolist())
        for row, length in zip(best, draft.lengths[best].tolist())
    ]


# Entered for each round and left before the caller goes on: see `Decoding.advance`.
@torch.inference_mode()
def _begun(
    network: Transformer,
    sources: Sequence[Sequence[int]],
    pad_id: int,
    marks: Marks,
    limits: Sequence[int],
    count: int,
) -> tuple[Draft, Tensor, Tensor | None]:
    """Blank drafts, those of one source's lengths together, and what the decoder looks at."""
    longest = max(map(len, sources))
    rows = [[*source, *[max(0, pad_id)] * (longest - len(source))] for source in sources]
    padded = torch.tensor(rows, device=network.device)
    sizes = torch.tensor([len(source) for source in sources], device=network.device)
    mask: Tensor | None = torch.arange(longest, device=network.device) < sizes[:, None]
    if bool((sizes == longest).all()):
        mask = None
    memory = network.encode(padded, key_mask=mask)
    count = min(count, max(limits))
    lengths = likely_lengths(network, memory, mask, limits, count).flatten()
    if count > 1:
        memory = memory.repeat_interleave(count, 0)
        mask = None if mask is None else mask.repeat_interleave(count, 0)
    return Draft.blank(lengths, marks), memory, mask


@torch.inference_mode()
def _next(
    network: Transformer,
    draft: Draft,
    number: int,
    rounds: int,
    memory: Tensor,
    mask: Tensor | None,
    marks: Marks,
) -> Draft:
    hidden = hidden_in(draft, number, rounds)
    if not bool(hidden.any()):  # so short that nothing is written any more
        return draft
    return write_round(network, draft, hidden, memory, mask, marks)


def _best(draft: Draft, sources: int) -> list[int]:
    """The row of each source's best length; of equal ones the likeliest."""
    scores = draft.score.view(sources, -1)
    best = scores.argmax(1) + torch.arange(sources, device=scores.device) * scores.shape[1]
    found: list[int] = best.tolist()
    return found


def round_traces(
    bundle: Bundle,
    source: Sequence[int],
    config: DecodeConfig,
    maker: TraceMaker,
    altering: Altering | None,
    limit: int,
) -> Iterator[Trace]:
    """A trace of each round of one translation: see `_Recorded`.

    Where several lengths are tried, the best is found first, and that one's rounds are recorded. Rounds that
    would write nothing, as there are fewer tokens than rounds, are left out.

    Args:
        source: ids in the order in which the encoder reads them.
        limit: the longest translation allowed, at least 1.

    Raises:
        HeadscopeError: `model_overflow`.
    """
    recorded = _Recorded(bundle, source, config, altering, limit)
    for number in range(1, config.rounds + 1):
        path = recorded.advance(number)
        if path is None:
            return
        yield _as_round(maker.trace(path, finished=True), number, recorded.read, recorded.marks)


def _as_round(trace: Trace, number: int, read: Ids, marks: Marks) -> Trace:
    """A trace whose decoder read so, and no token one place behind."""
    pieces = {int(token): piece for token, piece in zip(trace.tgt_out_ids, trace.tgt_out_tokens)}
    pieces[marks.hidden] = HIDDEN
    read.flags.writeable = False
    return replace(
        trace,
        tgt_in_ids=read,
        tgt_in_tokens=tuple(pieces[token] for token in read.tolist()),
        extra={**trace.extra, "frame": str(number), "frame_kind": "round", "bidirectional": "true"},
    )


class _Recorded:
    """One translation, round by round, with all that each shows.

    Row n reads the token at n, or the mask, and says what stands there. What a round does not write keeps its
    token, and with it the probability and the candidates of the round in which it was written.

    Attributes:
        read: int64 [N] what the newest round read.
    """

    @torch.inference_mode()
    def __init__(
        self,
        bundle: Bundle,
        source: Sequence[int],
        config: DecodeConfig,
        altering: Altering | None,
        limit: int,
    ) -> None:
        network = self._network = bundle.transformer
        self.marks = Marks.of(bundle.target_tokenizer)
        self._rounds, self._altering = config.rounds, altering
        self._encoded = Recorder(network.attention_shape, len(source), altering=altering)
        self._mask = None if altering is None else altering.source_mask
        self._memory = network.encode(
            torch.tensor([list(source)], device=network.device),
            key_mask=self._mask,
            position_ids=None if altering is None else altering.source_positions,
            tap=self._encoded,
            read_layer=None if altering is None else altering.read_layer,
        )
        lengths = likely_lengths(network, self._memory, self._mask, [limit], min(config.lengths, limit))[0]
        self._draft = Draft.blank(self._length(lengths), self.marks)
        size, k = self._draft.ids.shape[1], min(config.candidates, network.target_vocab)
        self._k = k
        self._candidate_ids = np.zeros((size, k), np.int64)
        self._candidate_logprobs = np.zeros((size, k), np.float32)
        self._ranks = np.ones(size, np.int64)
        self.read: Ids = np.zeros(size, np.int64)

    def _length(self, lengths: Tensor) -> Tensor:
        """[1] the best of several lengths."""
        if len(lengths) == 1:
            return lengths
        drafts = []
        for one in range(len(lengths)):  # apart, as positions and rows may be changed
            draft = Draft.blank(lengths[one : one + 1], self.marks)
            for number in range(1, self._rounds + 1):
                hidden = hidden_in(draft, number, self._rounds)
                if bool(hidden.any()):
                    draft = self._written(draft, hidden)[0]
            drafts.append(draft)
        best = int(torch.cat([draft.score for draft in drafts]).argmax())
        return drafts[best].lengths

    def _written(
        self, draft: Draft, hidden: Tensor, recorder: Recorder | None = None
    ) -> tuple[Draft, Tensor]:
        """The next draft, and logits [N, V]."""
        altering, size = self._altering, draft.ids.shape[1]
        read = draft.ids.masked_fill(hidden, self.marks.hidden)
        tap = recorder if recorder is not None else None if altering is None else altering.tap
        states = self._network.decode(
            read,
            self._memory,
            memory_mask=self._mask,
            position_ids=None if altering is None else altering.target_positions(0, size),
            tap=tap,
        )
        logits = self._network.project(states)
        written, confidence = _chosen(logits, self.marks)
        ids = torch.where(hidden, written, draft.ids)
        kept = torch.where(hidden, confidence, draft.confidence)
        return Draft(ids, kept, read, draft.lengths), logits[0]

    @torch.inference_mode()
    def advance(self, number: int) -> DecodedPath | None:
        """Write a round, from 1; None where it would write nothing."""
        hidden = hidden_in(self._draft, number, self._rounds)
        if not bool(hidden.any()):
            return None
        recorder = self._encoded.fork(0)
        self._draft, logits = self._written(self._draft, hidden, recorder)
        best = top_candidates(logits, max(1, self._k))
        ids = self._draft.ids[0].tolist()
        # Arrays of earlier rounds are in use already.
        self._candidate_ids = self._candidate_ids.copy()
        self._candidate_logprobs = self._candidate_logprobs.copy()
        self._ranks = self._ranks.copy()
        for row in np.flatnonzero(hidden[0].numpy(force=True)).tolist():
            self._candidate_ids[row] = best.ids[row, : self._k]
            self._candidate_logprobs[row] = best.logprobs[row, : self._k]
            self._ranks[row] = rank_of(ids[row], logits[row], best.ids[row])
        self.read = self._draft.read[0].numpy(force=True).copy()
        return DecodedPath(
            patterns=recorder.snapshot(len(ids)),
            out_ids=tuple(ids),
            step_logprob=self._draft.confidence[0].float().numpy(force=True).copy(),
            candidate_ids=self._candidate_ids,
            candidate_logprobs=self._candidate_logprobs,
            step_rank=self._ranks,
        )
