"""Greedy decoding of many sentences at once, for scores: fast, nothing recorded."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from model.errors import HeadscopeError
from model.tokenizer import Tokenizer
from model.transformer import Transformer
from model.work import result_of

Observe = Callable[[Sequence[int], Tensor, Sequence[int]], None]


def length_limit(source_tokens: int, max_positions: int) -> int:
    """Most tokens a translation may have: one and a half times the source and 20 more, as positions allow."""
    return min(max_positions, source_tokens * 3 // 2 + 20)


def greedy_batch(
    transformer: Transformer,
    sources: Sequence[Sequence[int]],
    *,
    pad_id: int,
    start_id: int,
    end_id: int,
    max_length: int | None = None,
    observe: Observe | None = None,
) -> list[list[int]]:
    """The most probable token at every step, for several sources; see `greedy_steps`."""
    steps = greedy_steps(
        transformer,
        sources,
        pad_id=pad_id,
        start_id=start_id,
        end_id=end_id,
        max_length=max_length,
        observe=observe,
    )
    return result_of(steps)


@torch.inference_mode()
def greedy_steps(
    transformer: Transformer,
    sources: Sequence[Sequence[int]],
    *,
    pad_id: int,
    start_id: int,
    end_id: int,
    max_length: int | None = None,
    observe: Observe | None = None,
) -> Generator[None, None, list[list[int]]]:
    """The most probable token at every step, for several sources; yields when they are read and at each step.

    Args:
        sources: ids of each source with its end token; any lengths.
        max_length: most tokens to produce instead of `length_limit`, as positions allow.
        observe: called at each step with the indices of the sources still going on, the logits of their
            next tokens [sources, vocab] and the tokens chosen, end tokens included.

    Returns:
        Produced ids of each, without start and end tokens, in the order of `sources`.

    Raises:
        HeadscopeError: `model_overflow`: a logit is NaN or infinite.
    """
    device = transformer.source_embedding.weight.device
    padded, mask = _padded(sources, pad_id, device)
    memory = transformer.encode(padded, key_mask=mask)
    limits = _limits(sources, max_length, transformer.architecture.max_positions)
    cache = transformer.start_cache(memory, memory_mask=mask)
    produced: list[list[int]] = [[] for _ in sources]
    alive = list(range(len(sources)))
    yield
    token: Tensor = torch.full((len(sources), 1), start_id, dtype=torch.int64, device=device)
    while alive:
        logits = transformer.project(transformer.decode_step(token, cache)[:, -1])
        best = logits.argmax(-1)
        if not logits.gather(-1, best[:, None]).isfinite().all():  # a NaN counts as the highest
            raise HeadscopeError("model_overflow")
        choices = best.tolist()
        if observe is not None:
            observe(alive, logits, choices)
        kept = []
        for place, (row, choice) in enumerate(zip(alive, choices)):
            if choice == end_id:
                continue
            produced[row].append(choice)
            if len(produced[row]) < limits[row]:
                kept.append(place)
        if len(kept) < len(alive):
            rows = torch.tensor(kept, dtype=torch.int64, device=device)
            if kept:
                cache.select(rows)
            best = best[rows]
            alive = [alive[place] for place in kept]
        token = best[:, None]
        yield
    return produced


def _limits(sources: Sequence[Sequence[int]], max_length: int | None, positions: int) -> list[int]:
    """Most tokens to produce for each source."""
    if max_length is None:
        return [length_limit(len(source), positions) for source in sources]
    return [min(max_length, positions)] * len(sources)


def _padded(sources: Sequence[Sequence[int]], pad_id: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Ids int64 [sources, longest] with padding behind, and a mask that is True for real tokens."""
    longest = max(map(len, sources))
    padded = torch.full((len(sources), longest), pad_id, dtype=torch.int64)
    mask = torch.zeros(len(sources), longest, dtype=torch.bool)
    for row, source in enumerate(sources):
        padded[row, : len(source)] = torch.as_tensor(source)
        mask[row, : len(source)] = True
    return padded.to(device), mask.to(device)


def translate_texts(
    transformer: Transformer,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    texts: Sequence[str],
    *,
    batch_size: int = 64,
) -> Iterator[tuple[int, str]]:
    """Greedy translations of `texts` as (index, text), batch after batch of like length."""
    steps = translation_steps(transformer, source_tokenizer, target_tokenizer, texts, batch_size=batch_size)
    return (done for done in steps if done is not None)


def translation_steps(
    transformer: Transformer,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    texts: Sequence[str],
    *,
    batch_size: int = 64,
) -> Iterator[tuple[int, str] | None]:
    """As `translate_texts`, with a None after each step of a batch, so that other work may go on between."""
    encoded = [[*source_tokenizer.encode(text), source_tokenizer.end_id] for text in texts]
    order = np.argsort([len(source) for source in encoded], kind="stable").tolist()
    for begin in range(0, len(order), batch_size):
        part = order[begin : begin + batch_size]
        outputs = yield from greedy_steps(
            transformer,
            [encoded[i] for i in part],
            pad_id=source_tokenizer.pad_id,
            start_id=target_tokenizer.start_id,
            end_id=target_tokenizer.end_id,
        )
        for index, ids in zip(part, outputs):
            yield index, target_tokenizer.decode(ids)
