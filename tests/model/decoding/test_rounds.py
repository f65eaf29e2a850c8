"""A model that writes all at once, against torch.nn and mask-predict written out plainly."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from main import main
from model.alterations.alteration import Alteration
from model.alterations.block_token import BlockToken
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.bundle.bundle import Bundle, load_bundle, write_bundle
from model.decoding.batch_decoding import translate_texts
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events, usual_config
from model.decoding.rounds import Draft, Marks, hidden_in, rounds_batch
from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.network.transformer import Transformer
from model.questions.importance import ImportanceOf
from model.questions.questions import GradientOf, Reading, RowOf, StagesOf
from model.tokens.tokenizer import SentencePieceTokenizer
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace
from model.trace.trace_sequence import TraceSequence, save_rounds
from model.translator.translation import Translation
from model.translator.translator import Translator
from model.work import result_of
from tests.model import tiny_bundle
from tests.model.small import PlainTransformer

START, END, PAD = 2, 3, 0
TEXT = "a red dog ran over the grass"
SHAPE: dict[str, Any] = {"generation": "all_at_once", "decoder_layers": 2}


def bundle_of(**changes: Any) -> Bundle:
    architecture = tiny_bundle.architecture(**{**SHAPE, **changes})
    tokenizer = SentencePieceTokenizer.from_bytes(tiny_bundle.spm())
    transformer = tiny_bundle.transformer(architecture).requires_grad_(False)
    config = tiny_bundle.config(architecture)
    return Bundle(Path(), config, transformer, tokenizer, tokenizer, sha256="f" * 64)


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return bundle_of()


def traces(bundle: Bundle, rounds: int, **options: Any) -> tuple[Trace, ...]:
    changes: tuple[Alteration, ...] = options.pop("alterations", ())
    config = DecodeConfig(mode="rounds", rounds=rounds, **options)
    *_, last = decode_events(bundle, TEXT, config, alterations=changes)
    return last.rounds


class Plain(PlainTransformer):
    """The same with no causal mask."""

    def decode(
        self,
        target_in: Tensor,
        memory: Tensor,
        memory_mask: Tensor | None = None,
        key_mask: Tensor | None = None,
        positions: Tensor | None = None,
    ) -> Tensor:
        hidden: Tensor = self.decoder(
            self._embed("target_embedding.weight", target_in, positions),
            memory,
            tgt_key_padding_mask=None if key_mask is None else ~key_mask,
            memory_key_padding_mask=None if memory_mask is None else ~memory_mask,
        )
        return hidden


def plain_of(bundle: Bundle) -> Plain:
    state = {name: tensor.detach() for name, tensor in bundle.transformer.state_dict().items()}
    return Plain(asdict(bundle.config.architecture), state)


def written_by_hand(
    plain: Plain, source: Sequence[int], rounds: int, length: int | None = None
) -> list[tuple[list[int], list[int], list[float]]]:
    """Mask-predict, section 3 of arXiv 1904.09324: of each round what is read, what is there, logprobs."""
    memory = plain.encode(torch.tensor([list(source)]))
    lengths = memory[0].mean(0) @ plain.tensors["length.weight"].T + plain.tensors["length.bias"]
    most = min(plain.a["max_positions"], len(source) * 3 // 2 + 20)
    n = length or 1 + max(range(most), key=lambda at: float(lengths[at]))
    tokens, sure = [START] * n, [-math.inf] * n
    found = []
    for done in range(rounds):
        count = n if done == 0 else math.floor(n * (rounds - done) / rounds + 1e-9)
        worst = sorted(range(n), key=lambda at: (sure[at], at))[:count]
        if not worst:
            break
        read = [START if at in worst else tokens[at] for at in range(n)]
        logprobs = plain.project(plain.decode(torch.tensor([read]), memory))[0].log_softmax(-1)
        allowed = logprobs.clone()
        allowed[:, [START, END, PAD]] = -math.inf
        for at in worst:
            tokens[at] = int(allowed[at].argmax())
            sure[at] = float(logprobs[at, tokens[at]])
        found.append((read, list(tokens), list(sure)))
    return found


@pytest.mark.parametrize(
    "changes",
    [{}, {"norm": "pre_norm", "positions": "learned", "tie_embeddings": "none", "output_bias": True}],
)
@pytest.mark.parametrize("rounds", [1, 4, 7])
def test_every_round_is_that_of_torch(changes: dict[str, Any], rounds: int) -> None:
    bundle = bundle_of(**changes)
    plain = plain_of(bundle)
    wanted = written_by_hand(plain, bundle.source_tokenizer.source_ids(TEXT), rounds)
    found = traces(bundle, rounds)
    assert len(found) == len(wanted)
    for number, (trace, (read, tokens, logprobs)) in enumerate(zip(found, wanted), 1):
        assert (trace.frame, trace.frame_kind, trace.is_causal) == (number, "round", False)
        assert trace.tgt_in_ids.tolist() == read
        assert trace.tgt_out_ids.tolist() == tokens
        # Two implementations in float32 of the same sums, two layers deep.
        np.testing.assert_allclose(trace.step_logprob, logprobs, atol=2e-5)
        assert [piece == "<mask>" for piece in trace.tgt_in_tokens] == [token == START for token in read]
    plain.decode(torch.tensor([read]), plain.encode(torch.tensor([trace.src_ids.tolist()])))
    for kind in AttentionKind:
        for layer in range(trace.layers(kind)):
            own = trace.patterns.layer(kind, layer)
            np.testing.assert_allclose(own, plain.patterns[str(kind), layer][0].numpy(), atol=1e-5)
    ahead = trace.patterns.layer(AttentionKind.DECODER_SELF, 0)
    assert np.triu(ahead[0], 1).any()


def test_a_batch_of_any_lengths_writes_what_each_does_alone(bundle: Bundle) -> None:
    texts = [TEXT, "a dog", "the wet grass"]
    sources = [bundle.source_tokenizer.source_ids(text) for text in texts]
    both = result_of(
        rounds_batch(
            bundle.transformer,
            sources,
            pad_id=PAD,
            marks=Marks.of(bundle.target_tokenizer),
            limits=[min(32, len(source) * 3 // 2 + 20) for source in sources],
            rounds=3,
        )
    )
    plain = plain_of(bundle)
    for source, (tokens, read) in zip(sources, both):
        *_, last = written_by_hand(plain, source, 3)
        assert (read, tokens) == last[:2]
    tokenizer = bundle.target_tokenizer
    told = dict(translate_texts(bundle.transformer, tokenizer, tokenizer, texts, most=32))
    assert told[1] == traced_text(bundle, texts[1])


def traced_text(bundle: Bundle, text: str) -> str:
    *_, last = decode_events(bundle, text, usual_config(bundle))
    return last.trace.tgt_text


def test_of_several_lengths_the_surest_is_taken(bundle: Bundle) -> None:
    plain, source = plain_of(bundle), bundle.source_tokenizer.source_ids(TEXT)
    memory = plain.encode(torch.tensor([source]))[0].mean(0)
    logits = memory @ plain.tensors["length.weight"].T + plain.tensors["length.bias"]
    likeliest = sorted(range(1, 33), key=lambda n: -float(logits[n - 1]))[:3]
    tried = {n: written_by_hand(plain, source, 4, n)[-1] for n in likeliest}
    best = max(likeliest, key=lambda n: sum(tried[n][2]) / n)
    assert traces(bundle, 4, lengths=3)[-1].tgt_out_ids.tolist() == tried[best][1]
    together = result_of(
        rounds_batch(
            bundle.transformer, [source], pad_id=PAD, marks=Marks.of(bundle.target_tokenizer),
            limits=[32], rounds=4, lengths=3,
        )
    )  # fmt: skip
    assert together[0][0] == tried[best][1]


def test_as_many_are_hidden_as_the_paper_says() -> None:
    """Linear decay, section 3.1: 10 tokens in 4 rounds hide 10, 7, 5 and 2."""
    draft = Draft(
        torch.arange(10)[None], torch.linspace(-1, 0, 10)[None], torch.zeros(1, 10), torch.tensor([10])
    )
    assert [int(hidden_in(draft, number, 4).sum()) for number in (1, 2, 3, 4)] == [10, 7, 5, 2]
    assert [int(hidden_in(draft, number, 10).sum()) for number in range(1, 11)] == list(range(10, 0, -1))
    assert hidden_in(draft, 4, 4)[0].tolist() == [True, True] + [False] * 8


def test_rounds_are_a_sequence_of_traces(bundle: Bundle, tmp_path: Path) -> None:
    rounds = traces(bundle, 4)
    save_rounds(rounds, tmp_path / "rounds")
    read = TraceSequence.open(tmp_path / "rounds")
    assert (read.kind, read.numbers) == ("round", (1, 2, 3, 4))
    assert open_trace(read.path(1)).tgt_in_tokens == rounds[1].tgt_in_tokens
    with pytest.raises(HeadscopeError, match="holds traces already"):
        save_rounds(rounds, tmp_path / "rounds")
    told = Translation.of_trace(rounds[-1], DecodeConfig(mode="rounds"), rounds).to_json()
    assert [one["tokens"] for one in told["rounds"]] == [list(one.tgt_out_tokens) for one in rounds]


def test_what_goes_from_left_to_right_is_refused_and_the_other_way_round(bundle: Bundle) -> None:
    for config in (
        DecodeConfig(),
        DecodeConfig(mode="beam"),
        DecodeConfig(mode="sample", seed=1),
        DecodeConfig(mode="forced", target="a dog"),
        DecodeConfig(mode="rounds", prefix="a"),
    ):
        with pytest.raises(HeadscopeError) as refused:
            list(decode_events(bundle, TEXT, config))
        assert refused.value.code == "writes_in_rounds"
    with pytest.raises(HeadscopeError) as refused:
        list(decode_events(bundle_of(generation="left_to_right"), TEXT, DecodeConfig(mode="rounds")))
    assert refused.value.code == "writes_left_to_right"
    about = Reading.of(traces(bundle, 2)[-1])
    for question, reading in ((ImportanceOf(), about), (GradientOf(0), replace(about, in_ids=()))):
        with pytest.raises(HeadscopeError) as refused:
            list(answer(bundle, question, reading))
        assert refused.value.code == "writes_in_rounds"


def test_a_bundle_is_read_as_it_was_written_and_translates_in_rounds(bundle: Bundle, tmp_path: Path) -> None:
    folder = tmp_path / "bundle"
    write_bundle(folder, bundle.config, bundle.transformer, tiny_bundle.spm(), tiny_bundle.spm(), half=False)
    loaded = load_bundle(folder)
    assert loaded.config.architecture == bundle.config.architecture
    translator = Translator(loaded)
    *_, last = translator.decode(TEXT)
    assert last.trace.tgt_out_ids.tolist() == traces(bundle, 4)[-1].tgt_out_ids.tolist()
    assert "write" not in translator.describe()["can"]


def test_commands_write_in_rounds_by_themselves(
    bundle: Bundle, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = str(tmp_path / "bundle"), tmp_path / "rounds"
    spm = tiny_bundle.spm()
    write_bundle(folder, bundle.config, bundle.transformer, spm, spm, half=False)
    assert main(["translate", "--model", folder, "--json", "--rounds", "3", TEXT, TEXT]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    wanted = traces(bundle, 3)
    assert first == second
    assert [one["read"] for one in first["rounds"]] == [list(one.tgt_in_tokens) for one in wanted]
    assert main(["trace", "--model", folder, "--out", str(out), TEXT]) == 0
    assert TraceSequence.open(out).numbers == (1, 2, 3, 4)
    assert main(["translate", "--model", folder, "--mode", "beam", TEXT]) == 1
    assert "all tokens at once" in capsys.readouterr().err


def test_a_round_is_worked_out_as_it_was_recorded(bundle: Bundle) -> None:
    """Arithmetic and stages of the decoder's rows, later keys among them; a gradient against torch's own."""
    trace = traces(bundle, 3)[1]
    reading = Reading.of(trace)
    for kind in AttentionKind:
        *_, row = answer(bundle, RowOf(kind, 0, 1, 1), reading)
        np.testing.assert_allclose(row.pattern, trace.pattern(kind, 0, 1)[1], atol=1e-6)
    *_, stages = answer(bundle, StagesOf(AttentionKind.DECODER_SELF, 1, 0), reading)
    assert np.isfinite(stages.masked).all()
    step = 2
    *_, found = answer(bundle, GradientOf(step), reading)
    np.testing.assert_allclose(
        found.gradients[AttentionKind.DECODER_SELF][1], slope(bundle, trace, step), atol=1e-6
    )


def slope(bundle: Bundle, trace: Trace, step: int) -> np.ndarray:
    """Of the step's log probability by the last layer's own weights [head, query, key], by torch.nn."""
    plain = plain_of(bundle)
    memory = plain.encode(torch.tensor([trace.src_ids.tolist()]))
    x = plain._embed("target_embedding.weight", torch.tensor([trace.tgt_in_ids.tolist()]), None)
    first, last = plain.decoder.layers
    x = first(x, memory)
    own, d = last.self_attn, x.shape[-1]
    heads = own.num_heads
    values = F.linear(x, own.in_proj_weight[2 * d :], own.in_proj_bias[2 * d :])[0]
    values = values.view(-1, heads, d // heads).transpose(0, 1)
    pattern = own(x, x, x, average_attn_weights=False)[1][0].detach().requires_grad_()
    with torch.enable_grad():
        mixed = (pattern @ values).transpose(0, 1).flatten(1)[None]
        y = last.norm1(x + own.out_proj(mixed))
        y = last.norm2(y + last.multihead_attn(y, memory, memory)[0])
        y = last.norm3(y + last.linear2(last.activation(last.linear1(y))))
        logprob = plain.project(y)[0, step].log_softmax(-1)[int(trace.tgt_out_ids[step])]
        (gradient,) = torch.autograd.grad(logprob, [pattern])
    return gradient.numpy()


def test_changes_reach_every_round(bundle: Bundle) -> None:
    kind = AttentionKind.DECODER_SELF
    uniform = traces(bundle, 2, alterations=(SetRow(kind, 0, 0, 1),))
    for trace in uniform:
        row = trace.pattern(kind, 0, 0)[1]
        np.testing.assert_allclose(row, np.full(trace.steps, 1 / trace.steps), atol=1e-6)
    blocked = traces(bundle, 2, alterations=(BlockToken(1),))[1]
    assert not blocked.patterns.layer(AttentionKind.CROSS, 1)[:, :, 1].any()
    off = traces(bundle, 2, alterations=(ScaleHead(AttentionKind.CROSS, 0, 0, 0.0),))[0]
    assert not np.array_equal(off.step_logprob, traces(bundle, 2)[0].step_logprob)
    with pytest.raises(HeadscopeError) as refused:
        traces(bundle, 2, alterations=(SetRow(kind, 0, 0, 1, weights=(0.5, 0.5)),))
    assert refused.value.code == "rounds_weights"


def test_lengths_are_told_by_the_mean_of_what_is_no_padding() -> None:
    model = Transformer(tiny_bundle.architecture(**SHAPE), torch.Generator().manual_seed(1)).eval()
    memory = torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(2))
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    assert model.length is not None
    found = model.length.logits(memory, mask)
    for row, n in ((0, 5), (1, 3)):
        wanted = F.linear(memory[row, :n].mean(0), model.length.weight, model.length.bias)
        torch.testing.assert_close(found[row], wanted, rtol=1e-5, atol=1e-6)
