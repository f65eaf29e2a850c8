"""The copy mechanism, against See et al.'s formula written out in float64; decoded, trained, resumed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.alterations.alteration import Alteration
from model.alterations.scale_head import ScaleHead
from model.bundle.bundle import Bundle, SpecialIds, load_bundle, write_bundle
from model.config import Architecture, TrainConfig
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events
from model.decoding.forcing import forced_logprobs
from model.errors import HeadscopeError
from model.lessons.answers.plain_pass import PaddedBatch, PlainPass, read_of
from model.network.copying import CopyParts, copy_shares, mixed
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace, save_trace
from model.training import prepare
from model.training.fields.estimate import training_memory
from model.training.objectives.copying import mixture_loss
from model.translator.translation import Translation, translate_batch
from model.translator.translator import Translator
from tests.model import tiny_bundle
from tests.model.inspection.watched import WatchedPlain
from tests.model.small import ids, small_transformer
from tests.model.tiny_training import events, losses, options, write_pairs

TEXT = "the red dog"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    a = tiny_bundle.architecture(encoder_layers=2, decoder_layers=3, copying=True)
    path = tmp_path_factory.mktemp("copying") / "bundle"
    spm = tiny_bundle.spm()
    write_bundle(path, tiny_bundle.config(a), tiny_bundle.transformer(a), spm, spm, half=False)
    return path


@pytest.fixture(scope="module")
def bundle(folder: Path) -> Bundle:
    return load_bundle(folder)


@pytest.fixture
def pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(prepare, "EXAMPLES", 1)
    return write_pairs(tmp_path / "pairs.tsv")


def agrees(folder: Path, trace: Trace, **changed: Any) -> None:
    """A trace's probabilities and shares with the formula's of the same tokens, nothing cached."""
    plain = WatchedPlain(folder, **changed)
    out = trace.tgt_out_ids.tolist()
    logprobs = plain.read(trace.src_ids.tolist(), out)
    np.testing.assert_allclose(logprobs.exp().sum(1), 1, atol=1e-12)
    np.testing.assert_allclose(trace.step_logprob, logprobs[range(len(out)), out], atol=2e-5)
    assert trace.copy_share is not None
    np.testing.assert_allclose(trace.copy_share, plain.copied, atol=1e-5)
    assert 0.05 < float(plain.copied.mean()) < 0.95
    for row, logprob in enumerate(logprobs):
        assert trace.candidate_ids[row].tolist() == logprob.argsort(descending=True)[:10].tolist()


@pytest.mark.parametrize(
    "config",
    [
        DecodeConfig(max_length=7),
        DecodeConfig(mode="beam", beam_size=3, max_length=7),
        DecodeConfig(mode="sample", seed=3, max_length=7),
        DecodeConfig(prefix_ids=(9, 17, 5), max_length=6),
    ],
    ids=["greedy", "beam", "sample", "prefix"],
)
def test_every_way_of_decoding_has_the_papers_probabilities(
    bundle: Bundle, folder: Path, config: DecodeConfig, tmp_path: Path
) -> None:
    trace = list(decode_events(bundle, TEXT, config))[-1].trace
    agrees(folder, trace)

    save_trace(trace, tmp_path / "a.trace")
    again = open_trace(tmp_path / "a.trace")
    np.testing.assert_array_equal(again.copy_share, trace.copy_share)
    assert again.copy_share is not None
    told = Translation.of_trace(again, config).to_json()["steps"]
    assert [step["copy"] for step in told] == again.copy_share.tolist()


@pytest.mark.parametrize("heads", [[0], [0, 1]])
def test_heads_that_are_off_copy_nothing(bundle: Bundle, folder: Path, heads: list[int]) -> None:
    """What they do not copy is generated: all together all of it."""
    changes: tuple[Alteration, ...] = tuple(ScaleHead(AttentionKind.CROSS, 2, head, 0.0) for head in heads)
    trace = list(decode_events(bundle, TEXT, DecodeConfig(max_length=5), alterations=changes))[-1].trace
    plain = WatchedPlain(folder, scales={("cross", 2, head): 0.0 for head in heads})
    out = trace.tgt_out_ids.tolist()
    logprobs = plain.read(trace.src_ids.tolist(), out)[range(len(out)), out]
    np.testing.assert_allclose(trace.step_logprob, logprobs, atol=2e-5)
    assert trace.copy_share is not None
    assert bool(trace.copy_share.any()) == (len(heads) == 1)
    found = forced_logprobs(bundle, TEXT, out, changes)
    np.testing.assert_allclose(found, logprobs, atol=2e-5)


def test_sentences_of_one_batch_copy_from_their_own_source(folder: Path) -> None:
    translator = Translator.load(folder)
    texts = [TEXT, "a wet apple gave her brother a dog", "her"]
    together = translate_batch(translator, texts, DecodeConfig(max_length=9))
    for text, found in zip(texts, together):
        trace = list(translator.decode(text, DecodeConfig(max_length=9)))[-1].trace
        assert found.text == trace.tgt_text
        assert trace.copy_share is not None
        np.testing.assert_allclose([step.copy for step in found.steps], trace.copy_share, atol=1e-5)


def test_lessons_compute_the_same(bundle: Bundle) -> None:
    trace = list(decode_events(bundle, TEXT, DecodeConfig(max_length=6)))[-1].trace
    batch = PaddedBatch.of([trace.src_ids.tolist()], bundle, extra=2)
    computed = PlainPass(bundle.transformer)
    out = trace.tgt_out_ids.tolist()
    found = computed.logprobs(read_of(bundle, out), computed.encode(batch.ids, batch.real), batch.real)[0]
    np.testing.assert_allclose(found[range(len(out)), out], trace.step_logprob, atol=2e-5)


def test_extreme_gates_stay_finite() -> None:
    """All copied, or nothing: the logarithms are those of the formula, and gradients are finite."""
    gate = torch.tensor([[-300.0], [-30.0], [0.0], [30.0], [300.0]], requires_grad=True)
    pointer = torch.tensor([0.75, 0.25, 0.0]).expand(5, 3).clone().requires_grad_(True)
    spots = torch.tensor([5, 5, 3]).expand(5, 3)
    logits = torch.arange(8.0).expand(5, 8).clone().requires_grad_(True)
    parts = CopyParts(torch.zeros(5, 0), gate, pointer, spots)
    found = mixed(logits, parts)
    assert found.isfinite().all()
    torch.testing.assert_close(found.exp().sum(-1), torch.ones(5))
    generated = torch.arange(8.0).log_softmax(-1)
    torch.testing.assert_close(found[:, 5].exp()[[0, 4]], torch.tensor([1.0, float(generated[5].exp())]))
    torch.testing.assert_close(copy_shares(parts), torch.tensor([1.0, 1.0, 0.5, 0.0, 0.0]))
    assert float(found.detach()[0, 6]) == pytest.approx(-300 + float(generated[6]))
    for gradient in torch.autograd.grad(found[:, 6].sum(), [gate, pointer, logits]):
        assert gradient.isfinite().all()


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
def test_loss_and_gradients_are_the_mixtures(smoothing: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """In three chunks, against probabilities added up in float64 and differentiated by torch as a whole."""
    monkeypatch.setattr("model.training.objectives.copying.CHUNK", 5)
    ours = small_transformer(copying=True, target_vocab=31, output_bias=True).requires_grad_(True)
    source, gold = ids(2, 6), ids(2, 7, seed=3).flatten()
    source[:, -1] = 3
    gold[::3] = source[0, 1]
    rows = ours(source, ids(2, 7, seed=2)).detach().flatten(0, 1).requires_grad_(True)
    objective, nll = mixture_loss(ours, rows, gold, smoothing, 20.0)
    torch.autograd.backward(objective)

    wide = rows.detach().double().requires_grad_(True)
    weight, bias = (p.detach().double().requires_grad_(True) for p in ours.output.parameters())
    state, gate, a = wide[:, :24], wide[:, 24:25].sigmoid(), wide[:, 25:31]
    softmax = (state @ weight.T + bias).softmax(-1)
    places = torch.nn.functional.one_hot(rows[:, 31:].long().detach(), 31).double()
    places[:, :, :4] = 0.0
    words = places.sum(-1)
    p = (gate + (1 - gate) * (a * (1 - words)).sum(1, keepdim=True)) * softmax
    p = p + (1 - gate) * (a[..., None] * places).sum(1)
    logprobs = p.log()
    plain = -logprobs[range(14), gold].sum() / 20
    wanted = (1 - smoothing) * plain - smoothing * logprobs.mean(1).sum() / 20
    torch.autograd.backward(wanted)

    assert float(objective.detach()) == pytest.approx(float(wanted.detach()), rel=1e-6)
    assert float(nll) == pytest.approx(float(plain.detach()), rel=1e-6)
    for own in ours.output.parameters():
        assert own.grad is not None
        before = own.grad.clone()
        none, nothing = mixture_loss(ours, rows[:0], gold[:0], smoothing, 20.0)
        own.grad = None
        torch.autograd.backward(none)
        assert (float(nothing), own.grad is None) == (0.0, False)
        own.grad = before
    pairs: list[tuple[Tensor, Tensor]] = [
        (rows, wide),
        (ours.output.weight, weight),
        (ours.output.bias, bias),
    ]
    for own, other in pairs:
        assert own.grad is not None
        assert other.grad is not None
        torch.testing.assert_close(own.grad.double(), other.grad, rtol=1e-4, atol=1e-7)


def test_the_estimate_holds_what_autograd_keeps_of_a_chunk() -> None:
    ours = small_transformer(copying=True, target_vocab=31).requires_grad_(True)
    rows = ours(ids(32, 16), ids(32, 16, seed=2)).detach().flatten(0, 1).requires_grad_(True)
    kept: dict[int, int] = {}

    def pack(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        found = ours.project(rows).mean()
    own = sum(size for size in kept.values() if size == 512 * 31 * 4 or size == 512 * 31)
    guess = training_memory(ours.architecture, TrainConfig(batch_tokens=512)).vocabulary
    assert found.requires_grad
    assert own <= guess <= 2 * own


def test_half_precision_keeps_ids(tmp_path: Path, pairs: Path) -> None:
    """bfloat16 holds no id above 256: they travel in float32, and the loss is the same but for rounding."""
    both = [
        losses(events(options(pairs, steps=2, copying=True, precision=precision), tmp_path / precision))
        for precision in ("float32", "bfloat16")
    ]
    assert both[1][1] == pytest.approx(both[0][1], rel=5e-3)


def test_two_vocabularies_are_refused(pairs: Path) -> None:
    sizes = {"source_vocab": 40, "target_vocab": 41, "copying": True}
    with pytest.raises(HeadscopeError) as caught:
        Architecture.from_json(sizes)
    assert caught.value.code == "config_copying"
    with pytest.raises(HeadscopeError, match="copying"):
        options(pairs, shared_vocab=False, tie_embeddings="none", copying=True)
    with pytest.raises(HeadscopeError, match="below 4 where words are copied"):
        tiny_bundle.config(
            tiny_bundle.architecture(copying=True), special=SpecialIds(pad=0, unk=1, start=2, end=9)
        )


_COPYING = """
import sys
from pathlib import Path
from model.training.train import train
from tests.model.tiny_training import options, write_pairs

folder = Path(sys.argv[1])
given = options(write_pairs(folder / "pairs.tsv"), steps=2, threads=1, copying=True)
for event in train(given, folder / "out"):
    pass
print(sorted({"sympy", "torch._dynamo", "torch._inductor"} & set(sys.modules)))
"""


def test_its_training_does_not_import_torchs_compiler(tmp_path: Path) -> None:
    """70 MB and more than a second, which torch's own checkpoint of a part of a model takes."""
    command = [sys.executable, "-c", _COPYING, str(tmp_path)]
    root = Path(__file__).parents[3]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=100, check=False)
    assert done.stdout.strip() == "[]", done.stderr
