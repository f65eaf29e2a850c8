"""General heads: copying, previous-token, duplicate-token and induction scores of every head of a model.

Copying: Elhage et al. 2021, by eigenvalues of the OV circuit. The others are mean weights on random tokens
that are written twice (Olsson et al. 2022, arXiv 2209.11895): in the decoder by teacher forcing, while the
encoder has read other random tokens; in the encoder as its source. Cross-attention has no such cells.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np
import torch
from torch import Tensor

from model.bundle.bundle import Bundle
from model.causes.circuits import check_model, same_words
from model.causes.direct_path import DirectPaths, copying, together
from model.heads.general_scores import Doubles, GeneralScores, repeated_scores
from model.heads.head_metrics import GENERAL
from model.inspection.asked import Asked
from model.network.attention import AttentionSite
from model.questions.head_questions import GeneralHeads
from model.tokens.tokenizer import Tokenizer
from model.trace.attention_shape import layers_of
from model.trace.trace import AttentionKind

TOKENS = 20
SEQUENCES = 16


def general_heads(question: GeneralHeads, asked: Asked) -> Iterator[GeneralScores | None]:
    """All heads; yields None in between, and last the answer.

    Raises:
        HeadscopeError: `source_cannot`.
    """
    bundle = asked.bundle
    check_model(bundle, question.model_sha256)
    a = bundle.config.architecture
    values = {kind: np.full((layers_of(a, kind), a.n_heads, len(GENERAL)), np.nan) for kind in AttentionKind}
    for kind, found in values.items():
        yield from _take_copying(bundle, kind, found)
    tokens = _room(bundle)
    if tokens:
        yield from _take_repeated(bundle, tokens, question.seed, values)
    yield GeneralScores(values, tokens, SEQUENCES if tokens else 0, question.seed, same_words(bundle))


def _take_copying(bundle: Bundle, kind: AttentionKind, found: Doubles) -> Generator[None, None, None]:
    if not len(found) or (kind is AttentionKind.CROSS and not same_words(bundle)):
        return
    paths = DirectPaths(bundle.transformer)
    _, read, written = paths.words(kind, 0)
    products = yield from together(read.table, written.table)
    for layer in range(len(found)):
        for head, path in enumerate(paths.heads(kind, layer, range(found.shape[1]))):
            found[layer, head, 0] = copying(path, products)
            yield None


def _room(bundle: Bundle) -> int:
    """How many tokens can be written twice: of each side's vocabulary, and behind the start token."""
    a = bundle.config.architecture
    words = min(len(_ordinary(t, n)) for t, n in _vocabularies(bundle))
    room = min(TOKENS, (a.max_positions - 1) // 2, words)
    return room if room > 1 else 0


def _vocabularies(bundle: Bundle) -> tuple[tuple[Tokenizer, int], tuple[Tokenizer, int]]:
    a = bundle.config.architecture
    return (bundle.source_tokenizer, a.source_vocab), (bundle.target_tokenizer, a.target_vocab)


def _ordinary(tokenizer: Tokenizer, count: int) -> list[int]:
    """Ids that stand for text."""
    return [token for token in range(count) if not tokenizer.is_special(token)]


def _take_repeated(
    bundle: Bundle, tokens: int, seed: int, values: dict[AttentionKind, Doubles]
) -> Generator[None, None, None]:
    """Score what both stacks do with tokens that come twice."""
    model, a = bundle.transformer, bundle.config.architecture
    generator = torch.Generator().manual_seed(seed)
    drawn = [_drawn(_ordinary(*each), tokens, generator) for each in _vocabularies(bundle)]
    source, target = (torch.tensor(each, device=model.device) for each in drawn)
    end = source.new_full((SEQUENCES, 1), bundle.config.special.end)
    start = source.new_full((SEQUENCES, 1), bundle.config.special.start)
    causal = not a.in_rounds

    def tap(site: AttentionSite, pattern: Tensor) -> None:
        first = 1 if site.kind is AttentionKind.DECODER_SELF else 0
        if site.kind is AttentionKind.CROSS:
            return
        scores = repeated_scores(
            pattern.float().numpy(force=True), first, tokens, causal=causal and bool(first)
        )
        values[site.kind][site.layer, :, 1:] = scores.mean(0)

    with torch.inference_mode():
        model.encode(torch.cat([source, source, end], 1), tap=tap)
    yield None
    # What the decoder writes twice, the encoder has not read twice: only the target repeats itself.
    with torch.inference_mode():
        other = torch.tensor(
            _drawn(_ordinary(*_vocabularies(bundle)[0]), tokens, generator), device=model.device
        )
        memory = model.encode(torch.cat([other, end], 1))
        model.decode(torch.cat([start, target, target], 1), memory, tap=tap)
    yield None


def _drawn(ids: list[int], tokens: int, generator: torch.Generator) -> list[list[int]]:
    """[SEQUENCES][tokens] different tokens in each sequence."""
    return [
        [ids[place] for place in torch.randperm(len(ids), generator=generator)[:tokens].tolist()]
        for _ in range(SEQUENCES)
    ]
