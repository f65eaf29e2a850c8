"""Carrying from A into B, every cell against plain torch in float64 with the same numbers replaced."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.alterations.block_token import BlockToken
from model.alterations.scale_head import ScaleHead
from model.bundle.bundle import Bundle, load_bundle, write_bundle
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events
from model.decoding.forcing import forced_logprobs
from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.questions.causes.patching import (
    HeadPlace,
    Measured,
    Patched,
    PatchOf,
    PathOf,
    Receiver,
    carry_of,
    matched,
)
from model.questions.questions import Reading
from model.trace.trace import AttentionKind
from tests.model import tiny_bundle
from tests.model.causes.patched_plain import PatchedPlain, Place, Rows, put, put_weights
from tests.model.inspection.conftest import KINDS, Made, Make

CLOSE = 2e-5  # float32 against float64: m is a difference of two log probabilities of order 1 to 10
ENCODER, DECODER, CROSS = AttentionKind
# B has another third token and one more before its end; its decoder reads a word more.
A = Reading("", (4, 9, 17, 5, 11, 3), (11, 20, 8, 14, 3), text="first")
B = Reading("", (4, 9, 6, 5, 11, 7, 3), (11, 9, 20, 8, 3), text="second")
SOURCE: Rows = [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (6, 5)]
READ: Rows = [(0, 0), (1, 1), (3, 2), (4, 3)]
STEP, STEP_A = 4, 3
MEASURED = Measured(A, STEP)
FAMILIES = {ENCODER: "encoder", DECODER: "decoder", CROSS: "decoder"}


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Bundles with 2 + 3 layers of 2 heads, of weights with which A and B are well apart."""
    made: dict[str, Made] = {}

    def bundle(**changes: Any) -> Made:
        name = repr(changes)
        if name not in made:
            a = tiny_bundle.architecture(**{"encoder_layers": 2, "decoder_layers": 3, **changes})
            transformer = tiny_bundle.transformer(a)
            with torch.no_grad():
                for weight, parameter in transformer.named_parameters():
                    parameter *= 5.0 if "out_proj.weight" in weight else 3.0 if "norm" in weight else 2.0
            folder = tmp_path_factory.mktemp("patching") / "bundle"
            spm = tiny_bundle.spm()
            write_bundle(folder, tiny_bundle.config(a), transformer, spm, spm, half=False)
            made[name] = Made(load_bundle(folder), folder)
        return made[name]

    return bundle


@pytest.fixture(params=["post_norm", "pre_norm", "copying"])
def made(request: pytest.FixtureRequest, make: Make) -> Made:
    return make(**KINDS[request.param])


def ask(bundle: Bundle, question: Any, about: Reading = B) -> Patched:
    *_, found = answer(bundle, question, about)
    assert isinstance(found, Patched)
    return found


def plain(folder: Path, reading: Reading, steps: int) -> PatchedPlain:
    made = PatchedPlain(folder)
    made.read(reading.src_ids, reading.out_ids[: steps + 1])
    return made


def m(made: PatchedPlain) -> float:
    """log p(14) − log p(3) at B's last step: what A and B write there."""
    logprobs = made.read(B.src_ids, B.out_ids)[STEP]
    return float(logprobs[14] - logprobs[3])


def carried(
    a: PatchedPlain, what: str, at: tuple[AttentionKind, int], heads: set[int], rows: Rows, keys: Rows
) -> Any:
    """What puts A's numbers into the oracle's computation of B."""
    name = {"heads": "z", "patterns": "pattern"}.get(what)

    def carry(part: str, place: Place, x: Tensor) -> Tensor:
        family, layer, head = place
        if what == "residual":
            here = part == "stream" and (family, layer) == (FAMILIES[at[0]], at[1])
            return put(x, a.streams[family, layer], rows) if here else x
        if (family, layer) != (str(at[0]), at[1]) or head not in heads:
            return x
        if what == "cross" and part in ("k", "v"):
            return put(x, getattr(a.heads[place], part), rows)
        if part != name:
            return x
        return put(x, a.z[place], rows) if part == "z" else put_weights(x, a.heads[place].pattern, rows, keys)

    return carry


@pytest.mark.parametrize("by", ["head", "position"])
@pytest.mark.parametrize("what", ["heads", "patterns", "residual", "cross"])
def test_every_cell_is_what_plain_torch_says(made: Made, what: str, by: str) -> None:
    found = ask(made.bundle, PatchOf(MEASURED, what, by))  # type: ignore[arg-type]
    a, b = plain(made.folder, A, STEP_A), PatchedPlain(made.folder)
    first = a.read(A.src_ids, A.out_ids[: STEP_A + 1])[STEP_A]
    assert found.m_a == pytest.approx(float(first[14] - first[3]), abs=CLOSE)
    assert found.m_b == pytest.approx(m(b), abs=CLOSE)
    assert (found.step, found.step_a, found.word, found.rival) == (STEP, STEP_A, 14, 3)
    assert max(np.nanmax(abs(grid.m - found.m_b)) for grid in found.grids) > 200 * CLOSE
    group = 2 // (made.bundle.config.architecture.key_heads if what == "cross" else 2)
    for grid in found.grids:
        rows = SOURCE if what == "cross" or grid.kind is ENCODER else READ
        keys = READ if grid.kind is DECODER else SOURCE
        wanted = np.full(grid.m.shape, np.nan)
        for layer, column in np.ndindex(grid.m.shape):
            heads = set(range(column * group, column * group + group)) if grid.by == "head" else {0, 1}
            chosen = rows if grid.by == "head" else [row for row in rows if row[0] == column]
            if chosen:
                b.carry = carried(a, what, (grid.kind, layer), heads, chosen, keys)
                wanted[layer, column] = m(b)
        assert grid.by == "position" or what != "residual"
        np.testing.assert_allclose(grid.m, wanted, atol=CLOSE)
        missing = np.isnan(grid.m).all(0).nonzero()[0].tolist()
        assert missing == [i for i in range(grid.m.shape[1]) if grid.by == "position" and i not in dict(rows)]
        np.testing.assert_allclose(
            found.effect(grid.m), (wanted - found.m_b) / (found.m_a - found.m_b), atol=CLOSE / 0.01
        )


def reached(sender: HeadPlace, kind: AttentionKind, layer: int, part: str) -> bool:
    """Whether a part of an attention reads what comes after the sender."""
    if kind is CROSS and part != "q":
        return sender.kind is ENCODER
    same = (sender.kind is ENCODER) == (kind is ENCODER)
    return same and (layer, kind is CROSS) > (sender.layer, sender.kind is CROSS)


@pytest.mark.parametrize(
    "sender", [HeadPlace(ENCODER, 0, 1), HeadPlace(DECODER, 0, 0), HeadPlace(CROSS, 1, 1)]
)
def test_paths_are_what_two_passes_of_plain_torch_say(made: Made, sender: HeadPlace) -> None:
    """Everything frozen at B but the sender: what its receiver reads then. B again with that read."""
    found = ask(made.bundle, PathOf(MEASURED, sender))
    a, b = plain(made.folder, A, STEP_A), plain(made.folder, B, STEP)
    name = f"{FAMILIES[sender.kind]}.layers.{sender.layer}." + (
        "multihead_attn" if sender.kind is CROSS else "self_attn"
    )
    place = (str(sender.kind), sender.layer, sender.head)
    rows = SOURCE if sender.kind is ENCODER else READ
    outputs = {name: seen.left for name, seen in b.seen.items() if "attn" in name or "feed" in name}
    columns = b.w[f"{name}.out_proj.weight"].chunk(2, 1)[sender.head]
    frozen = PatchedPlain(made.folder)
    sent = (put(b.z[place], a.z[place], rows) - b.z[place]) @ columns.T
    frozen.frozen = {**outputs, name: outputs[name] + sent}
    frozen.heads = b.heads
    final = m(frozen)
    last = PatchedPlain(made.folder)
    seen = {}
    for grid in found.grids:
        for layer, column in np.ndindex(grid.m.shape):
            if grid.part == "final":
                seen[grid.part] = grid.m[0, 0]
                if not made.bundle.config.architecture.copying:  # the oracle's pointer is not frozen
                    assert grid.m[0, 0] == pytest.approx(final, abs=CLOSE)
                continue
            site = f"{FAMILIES[grid.kind]}.layers.{layer}." + (
                "multihead_attn" if grid.kind is CROSS else "self_attn"
            )
            x, memory = frozen.entered_[site]
            read = x if grid.part == "q" else memory
            if not reached(sender, grid.kind, layer, grid.part):
                assert np.isnan(grid.m[layer, column])
                continue
            group = 2 // grid.m.shape[1]
            heads = range(column * group, column * group + group)
            last.reads = {(site, grid.part, head): read for head in heads}
            assert grid.m[layer, column] == pytest.approx(m(last), abs=CLOSE), (grid.kind, grid.part, layer)
            seen[str(grid.kind), grid.part] = True
    parts = {
        ENCODER: {("encoder_self", part) for part in "qkv"} | {("cross", "k"), ("cross", "v")},
        DECODER: {("decoder_self", part) for part in "qkv"} | {("cross", "q"), "final"},
        CROSS: {("decoder_self", part) for part in "qkv"} | {("cross", "q"), "final"},
    }
    assert set(seen) == parts[sender.kind]
    if sender.kind is CROSS:
        two = Receiver("q", HeadPlace(CROSS, 2, 0)), Receiver("v", HeadPlace(DECODER, 2, 1))
        together = ask(made.bundle, PathOf(MEASURED, sender, two)).together
        site = "decoder.layers.2."
        read_q, read_v = (frozen.entered_[site + each] for each in ("multihead_attn", "self_attn"))
        shared = range(2) if made.bundle.config.architecture.key_heads == 1 else (1,)
        last.reads = {(site + "self_attn", "v", head): read_v[1] for head in shared}
        last.reads[site + "multihead_attn", "q", 0] = read_q[0]
        assert together == pytest.approx(m(last), abs=CLOSE)


def test_everything_carried_is_a_and_nothing_is_b(make: Make) -> None:
    """With one decoder input: all of the source's stream is A, and A carried into itself changes nothing."""
    made = make()
    same = replace(A, src_ids=(4, 9, 6, 5, 11, 3), out_ids=(11, 20, 8, 5, 3))
    found = ask(made.bundle, PatchOf(Measured(A), "residual"), same)
    assert found.step == 3
    assert found.grids[1].m[-1, -1] == pytest.approx(found.m_a, abs=1e-6)

    from model.causes.patching import Variation, patched
    from model.causes.two_runs import TwoRuns
    from model.inspection.asked import Asked

    runs = TwoRuns(Measured(A), Asked(made.bundle, same))
    every = slice(None)
    rows = runs.rows(ENCODER)
    all_of_it = patched(runs, "residual", ENCODER, 1, [Variation(every, rows)])
    assert all_of_it == [pytest.approx(runs.m_a, abs=1e-6)]
    nothing = runs.rows(ENCODER, 99)
    for what in ("heads", "patterns", "residual"):
        assert patched(runs, what, ENCODER, 0, [Variation(every, nothing)]) == [runs.m_b]  # type: ignore[arg-type]

    own = TwoRuns(Measured(same, 3, word=8, rival=5), Asked(made.bundle, same))
    for what, kind in (("heads", ENCODER), ("patterns", DECODER), ("residual", DECODER), ("cross", CROSS)):
        rows = own.rows(ENCODER if what == "cross" else kind)
        assert patched(own, what, kind, 1, [Variation(every, rows)]) == [own.m_b]  # type: ignore[arg-type]


CELLS: list[tuple[str, str, int, int, int]] = [
    ("heads", "head", 0, 1, 1),
    ("heads", "head", 2, 2, 0),
    ("heads", "position", 1, 0, 3),
    ("patterns", "head", 1, 1, 0),
    ("patterns", "head", 2, 1, 1),
    ("residual", "position", 0, 0, 2),
    ("residual", "position", 1, 1, 4),
    ("cross", "head", 0, 2, 1),
    ("cross", "position", 0, 1, 2),
]


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("mode", ["cached", "beam"])
def test_the_translation_of_a_cell_holds_the_patch(make: Make, cell: Any, mode: str) -> None:
    """Row by row in the cached decode: with B's words before it, the step says what the grid says."""
    made = make()
    what, by, grid, layer, column = cell
    b = replace(B, src_ids=tuple(made.bundle.source_tokenizer.source_ids("the red dog")))
    a = replace(A, src_ids=tuple(made.bundle.source_tokenizer.source_ids("the wet dog")))
    question = PatchOf(Measured(a, STEP), what, by)
    found = ask(made.bundle, question, b)
    change = carry_of(question, found, found.grids[grid], layer, column)
    settings: dict[str, Any] = {"mode": "beam", "beam_size": 2} if mode == "beam" else {}
    config = DecodeConfig(prefix_ids=b.out_ids[:STEP], max_length=7, candidates=40, **settings)
    *_, last = decode_events(made.bundle, "the red dog", config, alterations=(change,))
    trace = last.trace
    told = dict(zip(trace.candidate_ids[STEP].tolist(), trace.candidate_logprobs[STEP].tolist()))
    wanted = found.grids[grid].m[layer, column]
    assert told[found.word] - told[found.rival or 0] == pytest.approx(wanted, abs=CLOSE)
    assert trace.alterations == (change.to_json(),)
    forced = forced_logprobs(made.bundle, "the red dog", b.out_ids, (change,))
    assert forced[STEP] == pytest.approx(told[found.rival or 0], abs=CLOSE)
    for kind in AttentionKind:
        for at in range(trace.layers(kind)):
            np.testing.assert_allclose(trace.patterns.layer(kind, at).sum(-1), 1, atol=1e-5)


def test_changes_of_a_and_of_b_stay(make: Make) -> None:
    """A head that is off in B and carried from A as it is there; a blocked token gets no weight."""
    made = make(**KINDS["pre_norm"])
    off = replace(B, src_ids=A.src_ids, out_ids=A.out_ids, alterations=(ScaleHead(CROSS, 1, 0, 0.0),))
    found = ask(made.bundle, PatchOf(Measured(A, 3, word=14)), off)
    assert found.rival is None
    assert found.grids[2].m[1, 0] == pytest.approx(found.m_a, abs=1e-5)  # it is all that differs
    blocked = replace(off, alterations=(BlockToken(2),))
    seen = ask(made.bundle, PatchOf(Measured(A, 3, word=14), "patterns"), blocked)
    a, b = plain(made.folder, A, 3), PatchedPlain(made.folder)
    b.blocked = [2]
    every, known = [(i, i) for i in range(6)], [(i, i) for i in range(6) if i != 2]
    for layer, head in np.ndindex(seen.grids[0].m.shape):
        b.carry = carried(a, "patterns", (ENCODER, layer), {head}, every, known)
        wanted = float(b.read(A.src_ids, A.out_ids)[3, 14])
        assert seen.grids[0].m[layer, head] == pytest.approx(wanted, abs=CLOSE)


def test_what_cannot_be_is_refused_in_a_sentence(make: Make) -> None:
    made = make()

    def refused(question: Any, about: Reading = B, bundle: Bundle = made.bundle) -> str:
        with pytest.raises(HeadscopeError) as caught:
            ask(bundle, question, about)
        return caught.value.code

    assert refused(PatchOf(Measured(B))) == "patch_same"
    assert refused(PatchOf(Measured(B, 2))) == "patch_small"
    assert refused(PatchOf(Measured(A, 5))) == "patch_step"
    assert refused(PatchOf(Measured(A, 2))) == "patch_apart"
    assert refused(PatchOf(Measured(A, 4, word=999))) == "token_id"
    models = Measured(replace(A, model_sha256="a"))
    assert refused(PatchOf(models), replace(B, model_sha256="b")) == "patch_models"
    assert refused(PathOf(MEASURED, HeadPlace(ENCODER, 9, 0))) == "alteration_layer"
    sender = HeadPlace(CROSS, 1, 0)
    assert refused(PathOf(MEASURED, sender, (Receiver("q", HeadPlace(CROSS, 0, 0)),))) == "patch_receiver"
    assert refused(PathOf(MEASURED, HeadPlace(ENCODER, 0, 0), (Receiver("final"),))) == "patch_receiver"
    both = Receiver("final"), Receiver("q", HeadPlace(CROSS, 2, 0))
    assert refused(PathOf(MEASURED, sender, both)) == "patch_final"
    change = carry_of(
        PatchOf(MEASURED),
        ask(made.bundle, PatchOf(MEASURED)),
        ask(made.bundle, PatchOf(MEASURED)).grids[0],
        0,
        0,
    )
    assert refused(PatchOf(MEASURED), replace(B, alterations=(change,))) == "carry_inside"


def test_tokens_are_matched_as_compare_matches_them() -> None:
    pairs = matched(A, B, 2)
    assert pairs.source == tuple(dict(SOURCE).get(i, -1) for i in range(7))
    assert pairs.read == tuple(dict(READ).get(i, -1) for i in range(5))
    assert pairs.differs == 1
    assert matched(A, A).differs is None
