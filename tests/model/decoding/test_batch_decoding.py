from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock, patch

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model.bundle.bundle import Bundle, load_bundle
from model.config import length_limit
from model.decoding import batch_decoding
from model.decoding.batch_decoding import Chosen, greedy_batch, translate_texts
from model.folder.decoding_rules import NO_RULES, DecodingRules
from tests.assets import END, PAD, PAIRS, START
from tests.model.small import ids, small_transformer


@pytest.fixture(scope="module")
def bundle(tiny_bundle: Path) -> Bundle:
    return load_bundle(tiny_bundle)


@pytest.fixture(scope="module")
def together(tiny_bundle: Path) -> Iterator[Bundle]:
    """Laid out for many sentences, and looking through its logits two rows at a time."""
    found = load_bundle(tiny_bundle)
    found.transformer.lay_out_for_decoding()
    found.transformer.lay_out_for_batches()
    with patch.object(batch_decoding, "_LOGITS", 2 * found.transformer.target_vocab):
        yield found


def plain_greedy(bundle: Bundle, source: list[int], limit: int) -> list[int]:
    """The same without cache, batch or padding: everything is read again for each token."""
    transformer, produced = bundle.transformer, [START]
    while len(produced) <= limit:
        with torch.no_grad():
            hidden = transformer.forward(torch.tensor([source]), torch.tensor([produced]))
        best = int(transformer.project(hidden[0, -1]).argmax())
        if best == END:
            break
        produced.append(best)
    return produced[1:]


def test_batch_equals_one_by_one(bundle: Bundle) -> None:
    """Known sentences, unknown ones (which run on to the limit) and single tokens, padded together."""
    texts = [source for source, _ in PAIRS[:6]] + ["Zebra 7 ?", "a", "The the the the the the the"]
    sources = [[*bundle.source_tokenizer.encode(text), END] for text in texts]
    wanted = [plain_greedy(bundle, source, len(source) * 3 // 2 + 20) for source in sources]
    found = greedy_batch(
        bundle.transformer, sources, pad_id=PAD, start_id=START, end_id=END, most=bundle.target_limit
    )
    assert found == wanted
    assert len({len(produced) for produced in found}) > 3
    assert [bundle.target_tokenizer.decode(row) for row in found[:6]] == [target for _, target in PAIRS[:6]]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lengths=st.lists(st.integers(1, 12), min_size=2, max_size=9),
    rules=st.sampled_from((NO_RULES, DecodingRules(no_repeat_ngram=2), DecodingRules(forced_end=END))),
    seed=st.integers(0, 99),
)
def test_any_mixture_is_decoded_as_each_alone(
    together: Bundle, lengths: list[int], rules: DecodingRules, seed: int
) -> None:
    """Padding, sentences that finish early and rows that close up change no token, and no score by much."""
    generator = torch.Generator().manual_seed(seed)
    sources = [[*torch.randint(4, 200, (n,), generator=generator).tolist(), END] for n in lengths]

    def decoded(some: list[list[int]]) -> tuple[list[list[int]], dict[int, list[float]]]:
        logprobs: dict[int, list[float]] = {row: [] for row in range(len(some))}

        def observe(chosen: Chosen) -> None:
            for row, logprob in zip(chosen.rows, chosen.best.logprobs[:, 0].tolist()):
                logprobs[row].append(logprob)

        seen = Mock(side_effect=observe, candidates=3)
        special = {"pad_id": PAD, "start_id": START, "end_id": END, "most": 40}
        return greedy_batch(together.transformer, some, **special, rules=rules, observe=seen), logprobs

    ids_found, found = decoded(sources)
    for row, source in enumerate(sources):
        (alone,), scores = decoded([source])
        assert ids_found[row] == alone
        assert found[row] == pytest.approx(scores[0], abs=1e-4)


def test_limits() -> None:
    assert length_limit(10, 1024) == 35
    assert length_limit(11, 1024) == 36
    assert length_limit(100, 64) == 64
    ours = small_transformer(target_vocab=31, max_positions=16)
    with torch.no_grad():
        # Never the end token: whoever runs into the limit stops there, not one position later.
        ours.output.weight[END] = 0.0
        ours.output.weight[5] = ours.output.weight.abs().amax(0)
    sources = ids(3, 16).tolist()
    found = greedy_batch(ours, sources, pad_id=PAD, start_id=START, end_id=99, most=16)
    assert [len(produced) for produced in found] == [16, 16, 16]


def test_texts_come_back_by_their_index(bundle: Bundle) -> None:
    texts = [source for source, _ in PAIRS]
    pair = bundle.source_tokenizer, bundle.target_tokenizer
    found = list(translate_texts(bundle.transformer, *pair, texts, most=bundle.target_limit, batch_size=3))
    assert sorted(index for index, _ in found) == list(range(20))
    assert dict(found) == {i: target for i, (_, target) in enumerate(PAIRS)}
    assert list(translate_texts(bundle.transformer, *pair, [], most=bundle.target_limit)) == []
    assert len(list(translate_texts(bundle.transformer, *pair, ["", " "], most=bundle.target_limit))) == 2
