"""Heads off one after the other: every number held against plain torch, BLEU against sacreBLEU."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
import sentencepiece
import torch

from model.bundle.bundle import Bundle, load_bundle, write_bundle
from model.causes.ablation import HeadsOff, Outputs, outputs_of
from model.causes.gradient_importance import over_layer
from model.causes.pair_batches import EncodedPair, PairBatches
from model.commands.causes import prune
from model.errors import HeadscopeError
from model.folder.bundled import resolve_model
from model.inspection.answering import answer
from model.network.attention import AttentionSite
from model.questions.causes.pruning import Pruned, PruneOf, report_of
from model.questions.questions import Partial
from model.trace.trace import AttentionKind
from model.work import result_of
from tests.model import tiny_bundle
from tests.model.causes.ablated_plain import AblatedPlain

PAIRS = {
    "reverse": (
        ("cat bee sun", "sun bee cat"),
        ("rat sun sun bee cat", "cat bee sun sun rat"),
        ("bee rat", "rat bee"),
        ("sun cat rat bee rat cat", "cat rat bee rat cat sun"),
        ("cat cat bee rat", "rat bee cat cat"),
    ),
    "pre_norm": (
        ("the red dog", "un chien a couru"),
        ("a dog ran over the grass", "un chien a couru dans l'herbe"),
        ("red apple", "une pomme"),
        ("the little girl gave", "la petite fille"),
        ("the wet grass ran", "l'herbe mouillée"),
    ),
}
"""Of the bundled toy that writes words backwards, and of random weights."""
CLOSE = 2e-5  # float32 against float64, a mean over tokens

Made = tuple[Bundle, "ByHand"]


@pytest.fixture
def made(once: Made) -> Made:
    """With every head on."""
    once[1].plain.factors, once[1].plain.instead = {}, {}
    return once


@pytest.fixture(scope="module", params=PAIRS)
def once(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Made:
    if request.param == "reverse":
        folder = resolve_model("reverse")
    else:
        a = tiny_bundle.architecture(encoder_layers=2, decoder_layers=2, norm="pre_norm")
        folder, spm = tmp_path_factory.mktemp("pruning") / "bundle", tiny_bundle.spm()
        write_bundle(folder, tiny_bundle.config(a), tiny_bundle.transformer(a), spm, spm, half=False)
    return load_bundle(folder), ByHand(folder, PAIRS[request.param])


class ByHand:
    """The same sentences, read by the oracle."""

    def __init__(self, folder: Path, pairs: Sequence[tuple[str, str]]) -> None:
        self.plain, self.pairs = AblatedPlain(folder), pairs
        self.pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
        self.sources = [[*self.pieces.encode(source), 3] for source, _ in pairs]
        self.outs = [[*self.pieces.encode(target), 3] for _, target in pairs]
        a = self.plain.a
        self.most = a["max_positions"]
        self.trained = "reverse" in folder.parts  # else what is written has no word in common with the target
        self.heads = [
            (family, layer, head)
            for family in ("encoder_self", "decoder_self", "cross")
            for layer in range(a["encoder_layers" if family == "encoder_self" else "decoder_layers"])
            for head in range(a["n_heads"])
        ]

    def translations(self, instead: Callable[[int], dict[Any, torch.Tensor]] | None = None) -> list[str]:
        """At most one and a half times the source and 20 more, as positions allow.

        Args:
            instead: what stands in the place of heads of a sentence.
        """
        written = []
        for at, source in enumerate(self.sources):
            if instead is not None:
                self.plain.instead = instead(at)
            ids = self.plain.greedy(source, min(int(1.5 * len(source)) + 20, self.most))
            written.append(self.pieces.decode([token for token in ids if token != 3]))
        return written

    def logprob(self) -> float:
        words = [self.plain.words(s, o) for s, o in zip(self.sources, self.outs, strict=True)]
        return sum(map(sum, words)) / sum(map(len, words))

    def bleu(self, instead: Callable[[int], dict[Any, torch.Tensor]] | None = None) -> float:
        references = [target for _, target in self.pairs]
        return sacrebleu.corpus_bleu(self.translations(instead), [references], force=True).score

    def file(self, path: Path) -> str:
        path.write_text("".join(f"{source}\t{target}\n" for source, target in self.pairs), "utf-8")
        return str(path)

    def means(self) -> dict[Any, torch.Tensor]:
        """Of each head's output over all tokens of all sentences."""
        rows: dict[Any, list[torch.Tensor]] = {}
        for source, out in zip(self.sources, self.outs, strict=True):
            self.plain.words(source, out)
            for place, mixed in self.plain.mixed.items():
                rows.setdefault(place, []).append(mixed)
        return {place: torch.cat(each).mean(0) for place, each in rows.items()}


def pruned(bundle: Bundle, path: str, **asked: Any) -> Pruned:
    told = list(answer(bundle, PruneOf(path, **{"points": 4, **asked})))
    found = told[-1]
    assert isinstance(found, Pruned)
    parts = [each.answer for each in told if isinstance(each, Partial)]
    assert [len(part.counts) for part in parts] == list(range(1, len(found.counts)))
    done = [each for each in told if isinstance(each, tuple)]
    assert done[-1][0] == done[-1][1]
    return found


@pytest.mark.parametrize("replaced", ["zero", "mean"])
def test_costs_and_curve(made: Made, tmp_path: Path, replaced: Any) -> None:
    bundle, hand = made
    found = pruned(bundle, hand.file(tmp_path / "pairs.tsv"), replaced=replaced)
    means = hand.means()

    def off(heads: Sequence[Any]) -> None:
        hand.plain.factors = dict.fromkeys(heads, 0.0)
        hand.plain.instead = {head: means[head] for head in heads} if replaced == "mean" else {}

    off([])
    whole = hand.logprob()
    costs = {}
    for head in hand.heads:
        off([head])
        costs[head] = whole - hand.logprob()
    assert sorted(found.order) == sorted((AttentionKind(f), layer, head) for f, layer, head in hand.heads)
    np.testing.assert_allclose(
        found.measured, [costs[str(f), layer, head] for f, layer, head in found.order], atol=CLOSE
    )
    assert (np.diff(found.measured) >= 0).all()
    assert found.counts.tolist() == [round(point * len(hand.heads) / 4) for point in range(5)]
    assert found.tokens == sum(map(len, hand.outs))
    for at, count in enumerate(found.counts):
        off([(str(f), layer, head) for f, layer, head in found.order[:count]])
        assert found.logprob[at] == pytest.approx(hand.logprob(), abs=CLOSE)
        if hand.trained:
            assert found.bleu[at] == pytest.approx(hand.bleu(), abs=1e-6)
    if hand.trained:
        assert found.bleu[0] > 60 > found.bleu[-1]
    np.testing.assert_allclose(found.joint, whole - found.logprob, atol=CLOSE)
    np.testing.assert_allclose(
        found.summed, [sum(found.measured[:count]) for count in found.counts], atol=1e-12
    )


def test_gradients_are_those_of_each_heads_factor(made: Made, tmp_path: Path) -> None:
    bundle, hand = made
    step = 1e-4
    found = pruned(bundle, hand.file(tmp_path / "pairs.tsv"), by="gradient", points=1)
    expected = {}
    for head in hand.heads:
        slopes = []
        for source, out in zip(hand.sources, hand.outs, strict=True):
            sides = []
            for factor in (1 + step, 1 - step):
                hand.plain.factors = {head: factor}
                sides.append(sum(hand.plain.words(source, out)))
            slopes.append(abs(sides[0] - sides[1]) / (2 * step))
        expected[head] = sum(slopes) / len(slopes)
    hand.plain.factors = {}
    np.testing.assert_allclose(
        found.measured,
        [expected[str(f), layer, head] for f, layer, head in found.order],
        rtol=1e-2,  # float32: those of the trained toy are of the order of 1e-5
        atol=1e-7,
    )
    norm = {
        (f, layer): (expected[f, layer, 0] ** 2 + expected[f, layer, 1] ** 2) ** 0.5
        for f, layer, _ in hand.heads
    }
    ranked = [expected[str(f), layer, head] / norm[str(f), layer] for f, layer, head in found.order]
    np.testing.assert_allclose(found.ranked, ranked, rtol=1e-2)
    assert np.isnan(found.summed).all()


def test_divided_by_the_norm_of_the_layer() -> None:
    cross = AttentionKind.CROSS
    heads = [(cross, 0, 0), (cross, 0, 1), (cross, 1, 0), (AttentionKind.ENCODER_SELF, 1, 0)]
    found = over_layer(np.array([3.0, 4.0, 0.0, 2.0]), heads)
    assert found.tolist() == [0.6, 0.8, 0.0, 1.0]


def test_another_sentences_output_stands_in_a_heads_place(made: Made) -> None:
    bundle, hand = made
    pairs = PairBatches(
        bundle, [EncodedPair(tuple(s), tuple(o)) for s, o in zip(hand.sources, hand.outs, strict=True)]
    )
    outputs: Outputs = result_of(outputs_of(bundle.transformer, pairs, 40, 7))
    again: Outputs = result_of(outputs_of(bundle.transformer, pairs, 40, 7))
    owners = {
        "source": np.repeat(np.arange(len(hand.pairs)), [len(each) for each in hand.sources]),
        "target": np.repeat(np.arange(len(hand.pairs)), [len(each) for each in hand.outs]),
    }
    for side, drawn in outputs.drawn.items():
        own = np.arange(len(hand.pairs))[:, None]
        assert (owners[side][drawn.numpy()] != own).all()
        assert len(np.unique(drawn.numpy())) > len(owners[side]) // 2  # from everywhere
        torch.testing.assert_close(drawn, again.drawn[side], rtol=0, atol=0)
    last = hand.heads[-1][1]
    off = [("encoder_self", last, 0), ("decoder_self", 0, 1), ("cross", last, 0), ("cross", last, 1)]
    kept: dict[Any, torch.Tensor] = {}
    for place in off:
        rows = []
        for source, out in zip(hand.sources, hand.outs, strict=True):
            hand.plain.words(source, out)
            rows.append(hand.plain.mixed[place])
        kept[place] = torch.cat(rows)
        site = AttentionSite(AttentionKind(place[0]), place[1])
        np.testing.assert_allclose(outputs.kept[site][:, place[2]], kept[place], atol=CLOSE)
    total = 0.0
    hand.plain.mixed = {}
    for at, (source, out) in enumerate(zip(hand.sources, hand.outs, strict=True)):
        hand.plain.instead = {}
        for place in off:
            side: Any = "source" if place[0] == "encoder_self" else "target"
            hand.plain.instead[place] = kept[place][outputs.drawn[side][at]]
        total += sum(hand.plain.words(source, out))
    heads = [(AttentionKind(f), layer, head) for f, layer, head in off]
    tap = HeadsOff(heads, 2, "resample", outputs)
    hand.plain.instead = {}
    assert result_of(pairs.logprob(tap)) == pytest.approx(total / pairs.tokens, abs=CLOSE)


def test_resampled_translations_are_written_from_the_same_places(made: Made, tmp_path: Path) -> None:
    """With every head off, what is written is what reading with the same places finds likeliest."""
    bundle, hand = made
    path = hand.file(tmp_path / "pairs.tsv")
    found = pruned(bundle, path, replaced="resample", by="random", seed=3, points=1)
    assert pruned(bundle, path, replaced="resample", by="random", seed=3, points=1).bleu[1] == found.bleu[1]
    pairs = PairBatches(
        bundle, [EncodedPair(tuple(s), tuple(o)) for s, o in zip(hand.sources, hand.outs, strict=True)]
    )
    longest = min(int(1.5 * max(map(len, hand.sources))) + 20, hand.most)
    outputs: Outputs = result_of(outputs_of(bundle.transformer, pairs, longest, 3))

    def drawn(at: int) -> dict[Any, torch.Tensor]:
        rows = {}
        for family, layer, head in hand.heads:
            side: Any = "source" if family == "encoder_self" else "target"
            kept = outputs.kept[AttentionSite(AttentionKind(family), layer)][:, head]
            rows[family, layer, head] = kept[outputs.drawn[side][at]].double()
        return rows

    assert found.bleu[1] == pytest.approx(hand.bleu(drawn), abs=1e-6)
    hand.plain.instead = {}


def test_what_the_curve_says() -> None:
    heads = [(AttentionKind.CROSS, 0, head) for head in range(4)]
    found = Pruned(
        PruneOf("x"),
        tuple(heads),
        np.array([-0.1, 0.0, 0.2, 0.3]),
        np.zeros(4),
        np.array([0, 1, 2, 4]),
        np.array([-1.0, -0.95, -1.5, -1.8]),
        np.array([40.0, 39.5, 38.0, 39.9]),
        4,
        2,
        0,
        9,
        "",
    )
    np.testing.assert_allclose(found.joint, [0, -0.05, 0.5, 0.8])
    np.testing.assert_allclose(found.summed, [0, -0.1, -0.1, 0.4], atol=1e-12)
    assert found.repair() == 2  # 0.5 together, -0.1 alone; before that nothing is lost that could be repaired
    assert [found.spared(points) for points in (0.0, 0.5, 1.0, 2.0)] == [0, 1, 1, 4]
    rows = report_of(found).to_json()
    assert rows["repair_joint_cost"] == pytest.approx(0.5)
    assert [row["bleu"] for row in rows["rows"]] == [40.0, 39.5, 38.0, None, 39.9]
    assert rows["rows"][3]["head_number"] == 3


def test_command(made: Made, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bundle, hand = made
    path = hand.file(tmp_path / "pairs.tsv")
    asked = ["--pairs", path, "--model", str(bundle.folder), "--by", "random", "--points", "2", "--seed", "9"]
    assert prune.run([*asked, "--kinds", "cross", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["kind"] for row in told["rows"]] == [
        None,
        *["cross"] * sum(kind == "cross" for kind, _, _ in hand.heads),
    ]
    assert told["kinds"] == ["cross"]
    file = tmp_path / "many.tsv"
    file.write_text("".join(f"{n} {s}\t{t}\n" for n in range(60) for s, t in hand.pairs), "utf-8")
    part = ["--pairs", str(file), "--split", "tatoeba-hash", "--part", "dev"]
    assert prune.run([*asked, *part, "--points", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    sources = [f"{n} {s}" for n in range(60) for s, _ in hand.pairs]
    held = [int(hashlib.sha1(each.encode()).hexdigest()[:8], 16) % 100 == 1 for each in sources]
    assert (told["part"], told["sentences"] + told["left_out"]) == ("dev", sum(held))
    out = tmp_path / "curve.csv"
    assert prune.run([*asked, "--out", str(out)]) == 0
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    assert len(rows) == len(hand.heads) + 1
    half, whole = len(hand.heads) // 2, len(hand.heads)
    assert [row["heads_off"] for row in rows if row["bleu"]] == ["0", str(half), str(whole)]
    assert "1905.10650" in rows[0]["notes"]
    drawn = [(row["kind"], int(row["layer"]), int(row["head"])) for row in rows[1:]]
    assert sorted(drawn) == sorted(hand.heads)
    assert drawn != hand.heads
    assert prune.run(["--list"]) == 0
    assert "resample" in capsys.readouterr().out


def test_what_cannot_be_pruned(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("the red dog\tun chien\n")
    spm = tiny_bundle.spm()
    codes = {}
    for name, fields in (("copying", {"copying": True}), ("plain", {})):
        a = tiny_bundle.architecture(**fields)
        folder = tmp_path_factory.mktemp("refused") / name
        write_bundle(folder, tiny_bundle.config(a), tiny_bundle.transformer(a), spm, spm, half=False)
        with pytest.raises(HeadscopeError) as caught:
            list(answer(load_bundle(folder), PruneOf(str(file), replaced="resample")))
        codes[name] = caught.value.code
    assert codes == {"copying": "prune_copies", "plain": "prune_few"}
