"""Importance of heads: what each is worth to a translation, every one switched off once, in batches.

After Michel, Levy and Neubig (2019), "Are Sixteen Heads Really Better than One?", told by the log probability
of one translation instead of BLEU over many.

Shapes: b heads switched off at once, each in its own row of the batch; S source tokens, T target tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from model.alterations.alteration import Alteration
from model.decoding.altering import Altering
from model.decoding.decodable import DecodingModel
from model.errors import HeadscopeError
from model.files.tensor_file import well_formed
from model.inspection.asked import Asked
from model.network.attention import AttentionSite, Tap
from model.questions.importance import ImportanceOf
from model.trace.exploration import Importance
from model.trace.trace import AttentionKind, Floats

# What one chunk of the batch may hold: logits, and weights of one layer. Small enough to answer quickly when
# something more urgent wants the thread, large enough that the products run at full speed.
_LOGITS = 2**21
_WEIGHTS = 2**21

SiteHead = tuple[AttentionSite, int]
"""A head: where its module sits, and which head of it."""


def measure_heads(
    model: DecodingModel, text: str, out_ids: Sequence[int], alterations: Iterable[Alteration] = ()
) -> Iterator[tuple[int, int] | Importance]:
    """Switch off every head of every layer once and see what becomes of a translation, read token by token.

    Args:
        out_ids: the translation, its end token included if it has one.
        alterations: what is changed besides, in every reading.

    Yields:
        Heads done and heads in all, after each chunk; at last the `Importance`.

    Raises:
        HeadscopeError: there is no translation, it or the text is longer than the model reads, a token does
            not exist, an alteration has no place in it, the model cannot be changed, or its numbers overflow.
    """
    ids = model.source_tokenizer.source_ids(well_formed(text))
    start = (model.target_tokenizer.start_id,)
    prompted = not model.transformer.attention_shape.cross
    given = tuple(ids) if prompted else start
    return _measured(model, () if prompted else ids, given, out_ids, alterations)


def importance_of(question: ImportanceOf, asked: Asked) -> Iterator[tuple[int, int] | Importance]:
    """The same for a reading; see `measure_heads`."""
    reading, model = asked.reading, asked.model
    given = reading.in_ids[: reading.prompt] or (model.target_tokenizer.start_id,)
    return _measured(model, reading.src_ids, given, reading.out_ids[reading.given :], reading.alterations)


def _measured(
    model: DecodingModel,
    source: Sequence[int],
    given: Sequence[int],
    out_ids: Sequence[int],
    alterations: Iterable[Alteration],
) -> Iterator[tuple[int, int] | Importance]:
    shape = model.transformer.attention_shape
    if not shape.causal:
        raise HeadscopeError("writes_in_rounds")
    _check(model, out_ids)
    reading = _Reading(model, source, given, out_ids, alterations)
    logprob = float(reading.logprobs(())[0])
    change = {
        kind: np.zeros((shape.layers(kind), shape.heads(kind)), np.float32)
        for kind in AttentionKind
        if shape.layers(kind)
    }
    total = sum(heads.size for heads in change.values())
    done = 0
    yield done, total
    for kind, heads in change.items():
        places = [
            (AttentionSite(kind, layer), head) for layer, head in np.ndindex(heads.shape[0], heads.shape[1])
        ]
        for start in range(0, len(places), reading.chunk):
            chunk = places[start : start + reading.chunk]
            heads.flat[start : start + len(chunk)] = reading.logprobs(chunk) - logprob
            done += len(chunk)
            yield done, total
    yield Importance(logprob, {kind: _frozen(heads) for kind, heads in change.items()})


class _Reading:
    """A source and its translation, or a prompt and how it goes on, read by one model as often as is asked.

    Args:
        source: what the encoder reads; empty without one.
        given: what the decoder is given before it writes: the start token, or a prompt.

    Attributes:
        chunk: how many heads `logprobs` should be given at once.
    """

    def __init__(
        self,
        model: DecodingModel,
        source: Sequence[int],
        given: Sequence[int],
        out_ids: Sequence[int],
        alterations: Iterable[Alteration],
    ) -> None:
        network = self._network = model.transformer
        if model.outline is None:
            raise HeadscopeError("source_cannot", name=model.name)
        shape, device = model.outline.shape, network.device
        length = len(source) if source else len(given)
        self._altering = Altering(alterations, model.outline, source_length=length, device=device)
        target_in = [*given, *out_ids[:-1]]
        for ids, limit in ((source, model.source_limit), (target_in, model.target_limit)):
            if len(ids) > limit:
                raise HeadscopeError("too_long", tokens=len(ids), limit=limit)
        self._first = len(given) - 1
        self._source: Tensor | None = None
        if source:
            self._source = torch.tensor([self._altering.order_source(source)], device=device)
        self._target_in = torch.tensor([target_in], device=device)
        self._target_out = torch.tensor([list(out_ids)], device=device)
        longest, heads = max(len(source), len(target_in)), max(shape.encoder_heads, shape.decoder_heads)
        self.chunk = max(
            1, min(_LOGITS // (len(target_in) * network.target_vocab), _WEIGHTS // (heads * longest**2))
        )
        self._memory = self._encode(1, self._altering.tap)

    # Entered for each chunk and left before the caller goes on: see `Decoding.advance`.
    @torch.inference_mode()
    def logprobs(self, places: Sequence[SiteHead]) -> Floats:
        """Natural log probability of the translation with each of `places` (of one family) switched off.

        Returns:
            float64 [b]; with no places one number, nothing switched off.
        """
        network, rows = self._network, max(1, len(places))
        heads = network.attention_shape.heads(places[0][0].kind) if places else 0
        tap = _EachWithout(self._altering, places, heads)
        inside = bool(places) and places[0][0].kind is AttentionKind.ENCODER_SELF
        # Heads of the decoder leave the encoder's output as it is: the rows share it.
        memory = self._encode(rows, tap) if inside else self._memory
        steps = self._target_in.shape[1]
        state = network.start_cache(memory, memory_mask=self._altering.source_mask, batch=rows)
        hidden = network.decode_step(
            self._target_in.expand(rows, steps),
            state,
            position_ids=self._altering.target_positions(0, steps),
            tap=tap,
        )[:, self._first :]
        logprobs = network.project(hidden).float().log_softmax(-1)
        chosen = self._target_out.expand(rows, -1)[..., None]
        result: Floats = logprobs.gather(-1, chosen)[..., 0].double().sum(-1).numpy(force=True)
        if not np.isfinite(result).all():
            raise HeadscopeError("model_overflow")
        return result

    @torch.inference_mode()
    def _encode(self, rows: int, tap: Tap) -> Tensor | None:
        if self._source is None:
            return None
        return self._network.encode(
            self._source.expand(rows, self._source.shape[1]),
            key_mask=self._altering.source_mask,
            position_ids=self._altering.source_positions,
            tap=tap,
            read_layer=self._altering.read_layer,
        )


class _EachWithout:
    """A tap that switches off another head in each row of the batch, after other alterations."""

    def __init__(self, altering: Altering, places: Sequence[SiteHead], n_heads: int) -> None:
        self._altering = altering
        self._factors: dict[AttentionSite, Tensor] = {}
        for row, (site, head) in enumerate(places):
            factors = self._factors.setdefault(site, torch.ones(len(places), n_heads, 1, 1))
            factors[row, head] = 0.0

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """See `model.network.attention.Tap`; pattern [b, h, q, k]."""
        altered = self._altering.tap(site, pattern)
        factors = self._factors.get(site)
        if factors is None:
            return altered
        return (pattern if altered is None else altered) * factors.to(pattern)


def _check(model: DecodingModel, out_ids: Sequence[int]) -> None:
    if not out_ids:
        raise HeadscopeError("importance_nothing")
    vocab = model.target_tokenizer.vocab_size
    for token_id in out_ids:
        if not 0 <= token_id < vocab:
            raise HeadscopeError("token_id", id=token_id, vocab=vocab)


def _frozen(array: Floats) -> Floats:
    array.flags.writeable = False
    return array
