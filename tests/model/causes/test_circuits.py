"""Circuits against numpy on the bundle's file alone: whole V × V matrices of a tiny vocabulary."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from model.bundle.bundle import Bundle, load_bundle, write_bundle
from model.errors import HeadscopeError
from model.heads.head_metrics import General
from model.inspection.answering import answer
from model.questions.causes.circuits import Circuit, CircuitOf
from model.questions.head_questions import GeneralHeads
from model.trace.trace import AttentionKind
from tests.model import tiny_bundle
from tests.model.oracle import Oracle
from tests.model.safetensors_by_hand import parse
from tests.model.variants.variants import VARIANTS

ENCODER, DECODER, CROSS = AttentionKind
Doubles = NDArray[np.float64]
MADE = {
    **{name: fields for name, fields in VARIANTS.items() if name != "everything"},
    "pre_norm": {"norm": "pre_norm"},
    "untied": {"tie_embeddings": "none", "scale_embedding": False},
    "pre_same_depth": {"norm": "pre_norm", "wiring": "same_depth", "decoder_layers": 3},
    "everything": VARIANTS["everything"],
}


class Plain:
    """The direct path by hand; imports nothing of ours."""

    def __init__(self, folder: Path, *, norms: bool = True) -> None:
        self.a = json.loads((folder / "config.json").read_text("utf-8"))["architecture"]
        found, _ = parse(folder / "model.safetensors")
        self.w = {name: array.astype(np.float64) for name, array in found.items()}
        self.norms = norms
        self.pre = self.a.get("norm", "post_norm") == "pre_norm"
        first = self.w["source_embedding.weight"]
        target = self.w.get("target_embedding.weight", first)
        scale = math.sqrt(self.a["d_model"]) if self.a.get("scale_embedding", True) else 1.0
        self.source, self.target = scale * first, scale * target
        self.output = self.w.get("output.weight", target)

    def norm(self, name: str, rows: Doubles) -> Doubles:
        if not self.norms:
            return rows
        gains = self.w[f"{name}.weight"]
        if self.a.get("normalisation", "layer") == "batch":
            return rows * gains / np.sqrt(self.w[f"{name}.running_var"] + self.a["norm_eps"])
        return (rows - rows.mean(-1, keepdims=True)) * gains

    def through(self, rows: Doubles, names: list[str]) -> Doubles:
        for name in names:
            rows = self.norm(name, rows)
        return rows

    def decoder_norms(self, layer: int) -> list[str]:
        return [f"decoder.layers.{layer}.norm{n}" for n in (1, 2, 3)]

    def depths(self) -> list[Doubles]:
        found = [self.source]
        for layer in range(self.a["encoder_layers"]):
            names = [] if self.pre else [f"encoder.layers.{layer}.norm{n}" for n in (1, 2)]
            found.append(self.through(found[-1], names))
        return found

    def memory(self, layer: int) -> Doubles:
        depths, wiring = self.depths(), self.a.get("wiring", "last")
        read = depths[-1]
        if wiring == "same_depth":  # 2 encoder and 3 decoder layers: stretched, the last on the last
            read = depths[{2: [1, 2], 3: [1, 2, 2]}[self.a["decoder_layers"]][layer]]
        if wiring == "mix":
            weights = np.exp(self.w["memory_mix.weight"][layer])
            read = sum(w * x for w, x in zip(weights / weights.sum(), depths, strict=True))
        return self.norm("encoder.norm", read) if self.pre else read

    def sides(self, kind: AttentionKind, layer: int) -> tuple[Doubles, Doubles, list[str]]:
        """What asks and what is read, [V, d] each, and the norms behind the head."""
        last = ["decoder.norm"] if self.pre else []
        if kind is ENCODER:
            stream = self.depths()[layer]
            own = self.norm(f"encoder.layers.{layer}.norm1", stream) if self.pre else stream
            return own, own, []
        before = [] if self.pre else [n for at in range(layer) for n in self.decoder_norms(at)]
        later = (
            []
            if self.pre
            else [n for at in range(layer + 1, self.a["decoder_layers"]) for n in self.decoder_norms(at)]
        )
        own = self.decoder_norms(layer)
        stream = self.through(self.target, before)
        if kind is DECODER:
            read = self.norm(own[0], stream) if self.pre else stream
            return read, read, [*([] if self.pre else own), *later, *last]
        asking = self.norm(own[1] if self.pre else own[0], stream)
        return asking, self.memory(layer), [*([] if self.pre else own[1:]), *later, *last]

    def circuits(self, kind: AttentionKind, layer: int, head: int) -> tuple[Doubles, Doubles]:
        """OV [word read, word told], and QK [word that asks, word asked], whole."""
        a = self.a
        stack = "encoder" if kind is ENCODER else "decoder"
        name = f"{stack}.layers.{layer}.{'multihead_attn' if kind is CROSS else 'self_attn'}"
        e, heads = a["d_model"] // a["n_heads"], a["n_heads"]
        groups = a.get("kv_heads") or heads
        fused, group = self.w[f"{name}.in_proj_weight"], head // (heads // groups)
        q = fused[head * e : (head + 1) * e]
        k = fused[heads * e + group * e :][:e]
        v = fused[(heads + groups) * e + group * e :][:e]
        o = self.w[f"{name}.out_proj.weight"][:, head * e : (head + 1) * e]
        asking, read, behind = self.sides(kind, layer)
        wrote = self.through(read @ v.T @ o.T, behind)
        told = self.depths()[layer] if kind is ENCODER else self.output
        ov = wrote @ (told - told.mean(0)).T
        qk = (asking @ q.T) @ ((read - read.mean(0)) @ k.T).T / math.sqrt(e)
        return ov, qk


def made(tmp_path: Path, **fields: Any) -> Bundle:
    sizes = {"n_heads": 4, "encoder_layers": 2, "decoder_layers": 2} | fields
    a = tiny_bundle.architecture(**sizes)
    folder = tmp_path / "bundle"
    weights = tiny_bundle.transformer(a)
    write_bundle(folder, tiny_bundle.config(a), weights, *[tiny_bundle.spm()] * 2, half=False)
    return load_bundle(folder)


def ask(bundle: Bundle, question: CircuitOf) -> Circuit:
    *_, found = answer(bundle, question)
    assert isinstance(found, Circuit)
    return found


@pytest.mark.parametrize("name", MADE)
def test_every_variant_is_what_whole_matrices_say(name: str, tmp_path: Path) -> None:
    bundle = made(tmp_path, **MADE[name])
    plain = Plain(bundle.folder)
    *_, general = answer(bundle, GeneralHeads())
    for kind in AttentionKind:
        layer, head, word, other = 1, bundle.config.architecture.n_heads - 1, 9, 12
        ov, qk = plain.circuits(kind, layer, head)
        asker = other if kind is CROSS else word
        found = ask(bundle, CircuitOf(kind, layer, head, word, asker if kind is CROSS else None, most=6))
        close = {"rel": 1e-6, "abs": 1e-6 * max(np.abs(ov).max(), np.abs(qk).max())}
        for entry in (*found.lists["promotes"], *found.lists["suppresses"]):
            assert entry.word == word
            assert entry.value == pytest.approx(ov[word, entry.other], **close)
        for entry in found.lists["looks_for"]:
            assert entry.value == pytest.approx(qk[asker, entry.other], **close)
        for entry in found.lists["sought_by"]:
            assert entry.other == word
            assert entry.value == pytest.approx(qk[entry.word, word], **close)
        texts = [n for n in range(len(ov)) if n > 1]  # 0 and 1 are padding and what is unknown
        assert found.lists["promotes"][0].other == max(texts, key=lambda n: ov[word, n])
        assert found.lists["suppresses"][0].other == min(texts, key=lambda n: ov[word, n])
        assert found.lists["looks_for"][0].other == max(texts, key=lambda n: qk[asker, n])
        assert found.lists["sought_by"][0].word == max(texts, key=lambda n: qk[n, word])
        # All eigenvalues of the whole V × V matrix; those that should be 0 are 1e-8 at most or so.
        values = np.linalg.eigvals(ov)
        copying = values.real.sum() / np.abs(values).sum()
        assert found.copying == pytest.approx(copying, abs=1e-4)
        assert general.of(kind, General.COPYING)[layer, head] == pytest.approx(copying, abs=1e-4)


def test_pairs_are_the_largest_of_the_table_and_norms_can_be_left_out(tmp_path: Path) -> None:
    bundle = made(tmp_path)
    plain = Plain(bundle.folder, norms=False)
    found = ask(bundle, CircuitOf(DECODER, 1, 2, most=5, norms=False))
    ov, qk = plain.circuits(DECODER, 1, 2)
    pieces = [bundle.target_tokenizer.piece(n) for n in range(len(ov))]
    words = [n for n, piece in enumerate(pieces) if n > 3 and any(map(str.isalpha, piece))]
    assert found.sample == len(words)
    for name, table, sign in (("promotes", ov, 1), ("suppresses", ov, -1), ("attracts", qk, 1)):
        entries = found.lists[name]  # type: ignore[index]
        best = np.sort(sign * table[np.ix_(words, words)], axis=None)[::-1][:5]
        assert [sign * entry.value for entry in entries] == pytest.approx(best.tolist(), rel=1e-6)
        assert entries[0].value == pytest.approx(table[entries[0].word, entries[0].other], rel=1e-6)
        assert entries[0].word_token == pieces[entries[0].word]


def test_a_head_that_hands_words_through_copies(tmp_path: Path) -> None:
    """V, O the identity, no norms: OV is E Eᵀ less a mean, whose eigenvalues are all positive."""
    bundle = made(tmp_path, n_heads=1)
    attention = bundle.transformer.decoder.layers[0].self_attn
    d = attention.width
    attention.in_proj_weight.data[2 * d :] = torch.eye(d)
    attention.out_proj.weight.data[:] = torch.eye(d)
    question = CircuitOf(DECODER, 0, 0, 9, norms=False)
    assert ask(bundle, question).copying == pytest.approx(1.0, abs=1e-6)
    attention.out_proj.weight.data[:] *= -1
    assert ask(bundle, question).copying == pytest.approx(-1.0, abs=1e-6)


def test_cross_attention_between_two_vocabularies_has_no_copying(tmp_path: Path) -> None:
    a = tiny_bundle.architecture(tie_embeddings="target_output", target_vocab=tiny_bundle.vocab("target"))
    folder = tmp_path / "bundle"
    spms = tiny_bundle.spm("source"), tiny_bundle.spm("target")
    write_bundle(folder, tiny_bundle.config(a), tiny_bundle.transformer(a), *spms, half=False)
    bundle = load_bundle(folder)
    assert ask(bundle, CircuitOf(CROSS, 0, 0, 9)).copying is None
    assert ask(bundle, CircuitOf(DECODER, 0, 0, 9)).copying is not None
    *_, general = answer(bundle, GeneralHeads())
    assert not general.same_words
    assert np.isnan(general.of(CROSS, General.COPYING)).all()


def test_what_does_not_exist_is_refused(tmp_path: Path) -> None:
    bundle = made(tmp_path)
    question = CircuitOf(DECODER, 0, 0, 9)
    for changes, code in (
        ({"layer": 2}, "alteration_layer"),
        ({"head": 4}, "inspection_head"),
        ({"word": 4000}, "token_id"),
        ({"word": "  "}, "method_word"),
        ({"model_sha256": "another"}, "two_sentences_model"),
    ):
        with pytest.raises(HeadscopeError) as refused:
            ask(bundle, replace(question, **changes))
        assert refused.value.code == code


def test_scores_of_repeated_tokens_are_those_of_plain_torch(tmp_path: Path) -> None:
    """The tokens are drawn as the module says: n different ones a sequence, 16 sequences, source first."""
    bundle = made(tmp_path)
    *_, found = answer(bundle, GeneralHeads(seed=5))
    n, count = 15, 16  # 31 positions hold two copies of 15 and the start token
    assert (found.tokens, found.sequences) == (n, count)
    generator = torch.Generator().manual_seed(5)
    ordinary = torch.tensor([i for i in range(tiny_bundle.vocab()) if i > 3])
    drawn = [
        torch.stack([ordinary[torch.randperm(len(ordinary), generator=generator)[:n]] for _ in range(count)])
        for _ in range(3)
    ]
    start, end = torch.full((count, 1), 2), torch.full((count, 1), 3)
    plain = Oracle(bundle.folder).plain
    plain.encode(torch.cat([drawn[0], drawn[0], end], 1))
    patterns = {key: each for key, each in plain.patterns.items() if key[0] == "encoder_self"}
    plain.decode(torch.cat([start, drawn[1], drawn[1]], 1), plain.encode(torch.cat([drawn[2], end], 1)))
    patterns |= {key: each for key, each in plain.patterns.items() if key[0] == "decoder_self"}
    metrics = ((General.REPEATED_PREVIOUS, -1), (General.DUPLICATE, -n), (General.INDUCTION, 1 - n))
    for (kind, layer), pattern in patterns.items():
        first = 0 if kind == "encoder_self" else 1
        for metric, offset in metrics:
            for head in range(4):
                cells = [
                    float(pattern[s, head, i, i + offset])
                    for s in range(count)
                    for i in range(first + n, first + 2 * n)
                ]
                ours = found.of(AttentionKind(kind), metric)[layer, head]
                if metric is General.INDUCTION and not first:
                    assert np.isnan(ours)
                else:
                    assert ours == pytest.approx(sum(cells) / len(cells), abs=1e-5)
    assert np.isnan(found.of(CROSS, General.DUPLICATE)).all()


@pytest.mark.parametrize("name", ["everything", "relative", "multi_query"])
def test_repeated_tokens_go_through_every_variant(name: str, tmp_path: Path) -> None:
    *_, found = answer(made(tmp_path, **MADE[name]), GeneralHeads())
    for metric in (General.REPEATED_PREVIOUS, General.DUPLICATE, General.INDUCTION):
        values = found.of(DECODER, metric)
        assert ((values > 0) & (values < 1)).all()
