"""Slips beside a Transformer written down again here, head by head, from the bundle's file alone."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import Tensor

from model.bundle.bundle import write_bundle
from model.lessons.slips import SLIPS, SLIPS_KNOWN
from model.trace.trace import AttentionKind
from tests.assets import PAIRS
from tests.model import tiny_bundle as tiny
from tests.model.lessons.subjects import END, START, asked, found, loaded, subject_of
from tests.model.small import numpy_positions

TEXT, TARGET = PAIRS[7]
PADDING = 3


class Slippery:
    """A post-norm Transformer with relu whose attention has a slip.

    Attributes:
        patterns: [head, query, key] of the last call, by (family, layer).
        hidden: the largest weight on what is to be masked.
    """

    def __init__(self, folder: Path, slip: str) -> None:
        self.a = json.loads((folder / "config.json").read_text("utf-8"))["architecture"]
        self.w = {name: tensor.double() for name, tensor in load_file(folder / "model.safetensors").items()}
        self.slip = slip
        self.patterns: dict[tuple[str, int], Tensor] = {}
        self.hidden = 0.0

    def table(self, side: str) -> Tensor:
        return self.w.get(f"{side}_embedding.weight", self.w["source_embedding.weight"])

    def embed(self, side: str, ids: list[int]) -> Tensor:
        width = self.a["d_model"]
        x = self.table(side)[ids] * (1.0 if self.slip == "embedding" else width**0.5)
        place = torch.from_numpy(numpy_positions(len(ids), width, "interleaved"))
        return x + (2 if self.slip == "positions" else 1) * place

    def attend(self, name: str, key: tuple[str, int], x: Tensor, read: Tensor, forbidden: Tensor) -> Tensor:
        width, heads = self.a["d_model"], self.a["n_heads"]
        each = width // heads
        matrix, bias = self.w[name + ".in_proj_weight"], self.w[name + ".in_proj_bias"]
        ignored = self.slip == "padding" and key[0] != "decoder_self"
        parts, patterns = [], []
        for head in range(heads):
            rows = [slice(n * width + head * each, n * width + (head + 1) * each) for n in range(3)]
            q, k, v = (y @ matrix[r].T + bias[r] for y, r in zip((x, read, read), rows))
            scores = q @ k.T * (1.0 if self.slip == "divided" else 1 / math.sqrt(each))
            if not ignored:
                fill = {"zero": 0.0, "hundred": -100.0}.get(self.slip, -1e30)
                scores = torch.where(forbidden, torch.full_like(scores, fill), scores)
            weights = torch.exp(scores - scores.amax(0 if self.slip == "axis" else 1, keepdim=True))
            weights = weights / weights.sum(0 if self.slip == "axis" else 1, keepdim=True)
            if self.slip == "divided":
                weights = weights / math.sqrt(each)
            patterns.append(weights)
            parts.append(weights @ v)
        self.patterns[key] = torch.stack(patterns)
        hidden = self.patterns[key][forbidden.expand(heads, -1, -1)]
        self.hidden = max([self.hidden, *hidden.tolist()])
        return torch.cat(parts, 1) @ self.w[name + ".out_proj.weight"].T + self.w[name + ".out_proj.bias"]

    def norm(self, name: str, x: Tensor) -> Tensor:
        return F.layer_norm(x, x.shape[-1:], self.w[name + ".weight"], self.w[name + ".bias"], 1e-5)

    def forward_network(self, name: str, x: Tensor) -> Tensor:
        inner = (x @ self.w[name + "linear1.weight"].T + self.w[name + "linear1.bias"]).relu()
        return inner @ self.w[name + "linear2.weight"].T + self.w[name + "linear2.bias"]

    def read(self, source: list[int], padding: int, target: list[int]) -> Tensor:
        """Log softmax [T, vocab]."""
        pads = torch.arange(len(source) + padding) >= len(source)
        x = self.embed("source", [*source, *[0] * padding])
        for n in range(self.a["encoder_layers"]):
            name, key = f"encoder.layers.{n}.", ("encoder_self", n)
            y = self.attend(name + "self_attn", key, x, x, pads[None].expand(len(x), -1))
            x = self.norm(name + "norm1", x + y)
            x = self.norm(name + "norm2", x + self.forward_network(name, x))
        memory, x = x, self.embed("target", target)
        later = torch.ones(len(target), len(target), dtype=torch.bool).triu(1)
        for n in range(self.a["decoder_layers"]):
            name = f"decoder.layers.{n}."
            y = self.attend(name + "self_attn", ("decoder_self", n), x, x, later)
            x = self.norm(name + "norm1", x + y)
            hidden = pads[None].expand(len(x), -1)
            y = self.attend(name + "multihead_attn", ("cross", n), x, memory, hidden)
            x = self.norm(name + "norm2", x + y)
            x = self.norm(name + "norm3", x + self.forward_network(name, x))
        logits = x @ self.w.get("output.weight", self.table("target")).T
        return (logits + self.w.get("output.bias", torch.zeros(()))).log_softmax(-1)

    def greedy(self, source: list[int], padding: int, most: int) -> list[int]:
        out: list[int] = []
        while len(out) < most and END not in out:
            out.append(int(self.read(source, padding, [START, *out])[-1].argmax()))
        return out


@pytest.mark.parametrize("slip", SLIPS_KNOWN)
def test_a_slip(tiny_bundle: Path, slip: str) -> None:
    kind = list(AttentionKind)[SLIPS_KNOWN.index(slip) % 3]
    subject = subject_of(tiny_bundle, TEXT, TARGET, kind=kind)
    parameters = {name: tensor.clone() for name, tensor in loaded(tiny_bundle).transformer.named_parameters()}
    numbers = asked(tiny_bundle, SLIPS, subject, slip=slip, padding=PADDING, layer="2", head="3")

    data, source = numbers.data, list(subject.reading.src_ids)
    most = min(60, len(source) * 3 // 2 + 20)
    right, wrong = Slippery(tiny_bundle, ""), Slippery(tiny_bundle, slip)
    out, wrong_out = right.greedy(source, PADDING, most), wrong.greedy(source, PADDING, most)
    read = [START, *out[:-1]]
    right_logs, wrong_logs = right.read(source, PADDING, read), wrong.read(source, PADDING, read)
    change = (right_logs.exp() - wrong_logs.exp()).abs().amax(-1).numpy()
    chosen = torch.arange(len(out)), torch.tensor(out)
    rows = len(source) if kind is AttentionKind.ENCODER_SELF else len(read)
    piece = loaded(tiny_bundle).target_tokenizer.piece

    assert data["out"] == tuple(map(piece, out))
    assert data["wrong_out"] == tuple(map(piece, wrong_out))
    assert data["right"] == pytest.approx(right_logs[chosen].numpy(), abs=1e-4)
    assert data["wrong"] == pytest.approx(wrong_logs[chosen].numpy(), abs=1e-3)
    assert data["largest"] == pytest.approx(change, abs=1e-4)
    for which, oracle in (("right_map", right), ("wrong_map", wrong)):
        weights = oracle.patterns[str(kind), 1][2, :rows].numpy()
        assert data[which] == pytest.approx(weights, abs=1e-4)
    sums = wrong.patterns[str(kind), 1][2, :rows].sum(-1).numpy()
    assert data["row_sums"] == pytest.approx(sums, abs=1e-4)
    parts = [step for step, (one, other) in enumerate(zip(out, wrong_out)) if one != other]
    same = out == wrong_out
    assert data["parting"] == (None if same else (parts or [min(len(out), len(wrong_out))])[0])
    seen = bool(change.max() > 1e-3)
    assert found(numbers, "changed" if seen else "unchanged").holds is (seen == (slip != "hundred"))
    if slip in ("zero", "hundred", "axis", "padding"):
        hidden = Slippery(tiny_bundle, slip)
        hidden.read(source, PADDING, read)
        assert found(numbers, "hidden_weight").value == pytest.approx(hidden.hidden, abs=1e-4)
    # The model is shared: nothing of it may have changed.
    for name, tensor in loaded(tiny_bundle).transformer.named_parameters():
        assert torch.equal(tensor, parameters[name]), name


def test_a_scaled_row_sums_to_one_by_the_root(tiny_bundle: Path) -> None:
    numbers = asked(tiny_bundle, SLIPS, subject_of(tiny_bundle, TEXT, TARGET), slip="divided")

    assert numbers.data["row_sums"] == pytest.approx(1 / np.sqrt(8), abs=1e-5)
    assert found(numbers, "row_sums").holds


@pytest.mark.parametrize("slip", ["embedding", "positions", "padding"])
def test_a_slip_that_this_model_cannot_make(tmp_path: Path, slip: str) -> None:
    changes: dict[str, Any] = {"positions": "none", "scale_embedding": False, "norm": "pre_norm"}
    a, folder = tiny.architecture(**changes), tmp_path / "bundle"
    write_bundle(folder, tiny.config(a), tiny.transformer(a), tiny.spm(), tiny.spm(), half=False)
    subject = subject_of(folder, "the red dog", "un chien")
    numbers = asked(folder, SLIPS, subject, slip=slip, padding=0)

    assert found(numbers, "unchanged").value == 0
    assert found(numbers, "unchanged").holds
    assert found(numbers, "same")


def test_nothing_open() -> None:
    assert SLIPS.asks({"slip": "zero", "padding": 3}, None) is None
    assert {station["slip"] for station in SLIPS.stations(None)} == set(SLIPS_KNOWN)
