"""Marian models in our own Transformer against `transformers`: float32, eager, on the CPU."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.bundle.bundle import Bundle
from model.decoding.decode_config import DecodeConfig
from model.trace.trace import AttentionKind, Trace
from model.translator.load_model import load_own
from model.translator.translator import Translator
from tests.assets import SENTENCE
from tests.foreign_assets import quiet
from tests.marian_assets import write_marian

SHAPES: dict[str, dict[str, Any]] = {
    "swish": {},
    "gelu, deep encoder": {"activation": "gelu", "layers": (3, 1), "heads": 2, "scale_embedding": False},
    "relu, separate": {"activation": "relu", "separate_vocabs": True, "safetensors": False, "ffn": 48},
    "half": {"dtype": torch.float16, "layers": (1, 2)},
    "bfloat16 bin": {"dtype": torch.bfloat16, "safetensors": False, "layers": (1, 2)},
    "untied": {"tie_word_embeddings": False, "scale_embedding": False, "activation": "silu"},
    "as OPUS-MT": {"generation": {"renormalize_logits": True}, "layers": (2, 2)},
    "a wider decoder": {"ffn": (48, 80), "layers": (2, 2)},
    "a narrower decoder": {"ffn": (80, 24), "layers": (1, 2), "separate_vocabs": True},
    "untied, separate": {"tie_word_embeddings": False, "separate_vocabs": True, "heads": 8},
}
TEXT = SENTENCE + " >>fra<< naïve 3.14"
BATCH = (SENTENCE, "Where is the station?", "She sings.")
STEPS = 14


@dataclass(frozen=True, eq=False)
class Pair:
    """The same model twice."""

    folder: Path
    theirs: Any
    bundle: Bundle


@pytest.fixture(scope="module", params=list(SHAPES))
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    from transformers import MarianMTModel

    folder = write_marian(tmp_path_factory.mktemp("marian") / "opus-mt-en-fr", **SHAPES[request.param])
    with quiet():
        theirs = MarianMTModel.from_pretrained(
            folder, dtype=torch.float32, attn_implementation="eager"
        ).eval()
    return Pair(folder, theirs, load_own(folder))


def target_ids(bundle: Bundle) -> list[int]:
    """A target that nobody would choose, of pieces that the model has."""
    vocab = bundle.config.architecture.target_vocab
    return [2 + 37 * step % (vocab - 4) for step in range(9)]


def test_logits(pair: Pair) -> None:
    bundle = pair.bundle
    source = torch.tensor([bundle.source_tokenizer.source_ids(TEXT)])
    target = torch.tensor([[bundle.target_tokenizer.start_id, *target_ids(bundle)]])
    with torch.no_grad():
        theirs = pair.theirs(input_ids=source, decoder_input_ids=target).logits
        hidden = bundle.transformer.decode(target, bundle.transformer.encode(source))
        ours = bundle.transformer.project(hidden)
        cache = bundle.transformer.start_cache(bundle.transformer.encode(source))
        steps = [bundle.transformer.decode_step(target[:, i : i + 1], cache) for i in range(target.shape[1])]
        stepped = bundle.transformer.project(torch.cat(steps, 1))
    assert theirs.std() > 0.5
    assert (ours - theirs).abs().max() < 1e-4
    assert (stepped - theirs).abs().max() < 1e-4


def test_every_pattern_of_every_head(pair: Pair) -> None:
    bundle = pair.bundle
    ids = target_ids(bundle)
    trace = list(Translator(bundle).decode(TEXT, DecodeConfig(prefix_ids=tuple(ids), max_length=len(ids))))[
        -1
    ].trace
    assert list(trace.tgt_out_ids) == ids
    with torch.no_grad():
        theirs = pair.theirs(
            input_ids=torch.tensor(np.array(trace.src_ids))[None],
            decoder_input_ids=torch.tensor(np.array(trace.tgt_in_ids))[None],
            output_attentions=True,
        )
    for kind, patterns in (
        (AttentionKind.ENCODER_SELF, theirs.encoder_attentions),
        (AttentionKind.DECODER_SELF, theirs.decoder_attentions),
        (AttentionKind.CROSS, theirs.cross_attentions),
    ):
        wanted = torch.stack(patterns)[:, 0].numpy()
        assert wanted.std(axis=-1).max() > 0.1  # heads that do look somewhere
        for layer, heads in enumerate(wanted):
            for head, pattern in enumerate(heads):
                np.testing.assert_allclose(trace.pattern(kind, layer, head), pattern, atol=1e-5)
    logprobs = theirs.logits[0].log_softmax(-1).gather(1, torch.tensor(ids)[:, None])[:, 0]
    np.testing.assert_allclose(trace.step_logprob, logprobs, atol=1e-4)


def test_greedy_tokens(pair: Pair) -> None:
    for text in BATCH:
        trace = decoded(pair, text, DecodeConfig(max_length=STEPS))
        with torch.no_grad(), quiet():
            theirs = pair.theirs.generate(
                source_of(pair, text), num_beams=1, do_sample=False, max_new_tokens=STEPS
            )
        assert list(trace.tgt_out_ids) == theirs[0, 1:].tolist()


def test_beam_tokens_and_scores(pair: Pair) -> None:
    for text in BATCH:
        config = DecodeConfig(mode="beam", beam_size=4, n_best=4, length_penalty=1.0, max_length=STEPS)
        event = list(Translator(pair.bundle).decode(text, config))[-1]
        with torch.no_grad(), quiet():
            theirs = pair.theirs.generate(
                source_of(pair, text),
                num_beams=4,
                num_return_sequences=4,
                do_sample=False,
                max_new_tokens=STEPS,
                return_dict_in_generate=True,
                output_scores=True,
            )
        wanted = [without_padding(row.tolist()[1:]) for row in theirs.sequences]
        assert [list(trace.tgt_out_ids) for trace in event.n_best] == wanted
        # As everywhere the recorded probabilities are those of the unfiltered softmax; a forced end counts 0.
        scores = [score_of(trace) for trace in event.n_best]
        np.testing.assert_allclose(scores, theirs.sequences_scores, atol=1e-4)


def decoded(pair: Pair, text: str, config: DecodeConfig) -> Trace:
    return list(Translator(pair.bundle).decode(text, config))[-1].trace


def source_of(pair: Pair, text: str) -> torch.Tensor:
    return torch.tensor([pair.bundle.source_tokenizer.source_ids(text)])


def without_padding(ids: list[int]) -> list[int]:
    """Up to the end token."""
    return ids[: ids.index(0) + 1] if 0 in ids else ids


def score_of(trace: Trace) -> float:
    """Sum of log probabilities over the length, the last left out if the limit forced it to be the end."""
    if "score" in trace.decoding:  # what padding would have had is shared out among the others
        assert trace.decoding["score"] > float(trace.step_logprob[: STEPS - 1].sum()) - 1e-6
        return float(trace.decoding["score"]) / trace.steps
    free = trace.step_logprob[: STEPS - 1] if trace.steps == STEPS else trace.step_logprob
    return float(free.sum()) / trace.steps
