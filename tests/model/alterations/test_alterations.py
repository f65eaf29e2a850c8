"""Alterations as values: JSON there and back, what makes no sense refused in one sentence, words for each."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.alterations import registry
from model.alterations.alteration import Alteration
from model.alterations.block_token import BlockToken
from model.alterations.carry import Carry
from model.alterations.change_positions import ChangePositions
from model.alterations.registry import all_to_json, among_steps, check_alterations, from_json
from model.alterations.reorder import Reorder
from model.alterations.scale_head import ScaleHead, parse_ablation
from model.alterations.set_row import SetRow
from model.config import Architecture
from model.decoding.altering import Altering
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind

ENCODER, DECODER, CROSS = AttentionKind
A = Architecture(
    source_vocab=8, target_vocab=8, d_model=4, n_heads=2, encoder_layers=2, decoder_layers=3, max_positions=9
)
S = 5

counts = st.integers(0, 6)
heads = st.none() | counts
kinds = st.sampled_from(AttentionKind)


def weights(count: int) -> st.SearchStrategy[tuple[float, ...]]:
    some = st.lists(st.floats(0, 1), min_size=count, max_size=count).filter(lambda values: sum(values) > 0.01)
    return some.map(lambda values: tuple(value / sum(values) for value in values))


def rows() -> st.SearchStrategy[SetRow]:
    plain = st.builds(SetRow, kinds, counts, heads, counts)
    focus = st.builds(SetRow, kinds, counts, heads, st.just(6), counts)
    typed = counts.flatmap(
        lambda query: st.builds(SetRow, kinds, counts, heads, st.just(query), st.none(), weights(query + 1))
    )
    return plain | focus | typed


alterations: st.SearchStrategy[Alteration] = (
    st.builds(ScaleHead, kinds, counts, heads, st.floats(0, 100))
    | st.builds(BlockToken, counts)
    | st.builds(
        ChangePositions,
        st.sampled_from(["source", "target", "both"]),
        st.sampled_from(["none", "shuffled"]),
        st.integers(0, 2**63 - 1),
    )
    | rows()
    | st.builds(
        Carry,
        st.sampled_from(["heads", "patterns"]),
        kinds,
        counts,
        heads,
        st.none() | counts,
        st.just((5, 3)),
        st.just((7, 3)),
        st.lists(st.integers(-1, 1)).map(tuple),
        st.lists(st.integers(-1, 1)).map(tuple),
        st.text(max_size=5),
    )
    | st.integers(0, 6).flatmap(lambda n: st.permutations(range(n))).map(lambda order: Reorder(tuple(order)))
)


@given(alterations)
def test_json_there_and_back(alteration: Alteration) -> None:
    written = json.loads(json.dumps(alteration.to_json()))

    assert from_json(written) == alteration


def test_json_says_what_it_is_in_plain_words() -> None:
    assert all_to_json([ScaleHead(CROSS, 1, 2, 0.5), BlockToken(3), Reorder((1, 0))]) == (
        {"type": "scale", "kind": "cross", "layer": 1, "head": 2, "factor": 0.5},
        {"type": "block", "token": 3},
        {"type": "reorder", "order": [1, 0]},
    )


def test_absent_values_take_their_defaults() -> None:
    assert from_json({"type": "scale", "kind": "cross", "layer": 0}) == ScaleHead(CROSS, 0, None, 0.0)
    assert from_json({"type": "positions"}) == ChangePositions("both", "none", 0)


WRONG: list[Any] = [
    {},
    {"type": "melt"},
    {"type": None},
    {"type": ["scale"]},
    {"type": "block"},
    {"type": "block", "token": True},
    {"type": "block", "token": "1"},
    {"type": "block", "token": -1},
    {"type": "block", "token": 1.0},
    {"type": "block", "token": 10**400},
    {"type": "block", "token": 1, "colour": "red"},
    {"type": "scale", "kind": "crosswise", "layer": 0},
    {"type": "scale", "kind": ["cross"], "layer": 0},
    {"type": "scale", "kind": "cross", "layer": 0, "head": True},
    {"type": "scale", "kind": "cross", "layer": 0, "factor": math.nan},
    {"type": "scale", "kind": "cross", "layer": 0, "factor": -0.5},
    {"type": "scale", "kind": "cross", "layer": 0, "factor": math.inf},
    {"type": "scale", "kind": "cross", "layer": 0, "factor": True},
    {"type": "scale", "kind": "cross", "layer": 0, "factor": "0.5"},
    {"type": "scale", "kind": "cross", "layer": 0, "factor": 101},
    {"type": "positions", "side": "left"},
    {"type": "positions", "how": ["none"]},
    {"type": "positions", "seed": -1},
    {"type": "positions", "seed": 2**63},
    {"type": "row", "kind": "cross", "layer": 0, "head": 0, "query": 0, "weights": [0.5, 0.4]},
    {"type": "row", "kind": "cross", "layer": 0, "head": 0, "query": 0, "weights": [1.5, -0.5]},
    {"type": "row", "kind": "cross", "layer": 0, "head": 0, "query": 0, "weights": [1.0, math.nan]},
    {"type": "row", "kind": "cross", "layer": 0, "head": 0, "query": 0, "weights": [1e308, 1e308]},
    {"type": "row", "kind": "cross", "layer": 0, "head": 0, "query": 0, "weights": []},
    {"type": "row", "kind": "cross", "layer": 0, "head": 0, "query": 0, "weights": {"0": 1}},
    {"type": "row", "kind": "cross", "layer": 0, "head": 0, "query": 0, "weights": [1.0], "key": 0},
    {"type": "row", "kind": "decoder_self", "layer": 0, "head": 0, "query": 1, "key": 2},
    {"type": "row", "kind": "decoder_self", "layer": 0, "head": 0, "query": 1, "weights": [1.0]},
    {"type": "reorder", "order": [0, 0]},
    {"type": "reorder", "order": [1, 2]},
    {"type": "reorder", "order": [False, True]},
    {"type": "reorder", "order": "10"},
    [],
    "scale",
    None,
    7,
]


@pytest.mark.parametrize("values", WRONG, ids=lambda v: repr(v)[:60])
def test_what_makes_no_sense_is_refused(values: Any) -> None:
    with pytest.raises(HeadscopeError):
        from_json(values)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | kinds.map(str),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=3), inside, max_size=2),
    max_leaves=6,
)
FIELDS = [
    "kind",
    "layer",
    "head",
    "factor",
    "token",
    "side",
    "how",
    "seed",
    "query",
    "key",
    "weights",
    "order",
]


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(["scale", "block", "positions", "row", "reorder"]),
    st.dictionaries(st.sampled_from(FIELDS), anything | counts | kinds.map(str), max_size=6),
)
def test_nothing_but_a_clear_error_comes_of_any_json(name: str, values: dict[str, Any]) -> None:
    try:
        made = from_json({"type": name, **values})
        Altering([made], A, source_length=S)
    except HeadscopeError:
        return
    assert from_json(made.to_json()) == made
    assert made.label()


@given(anything)
def test_a_message_repeats_only_the_beginning_of_a_wrong_value(value: Any) -> None:
    with pytest.raises(HeadscopeError) as caught:
        from_json({"type": "scale", "kind": [value] * 999, "layer": 0})
    assert len(str(caught.value)) < 300


@settings(max_examples=200, deadline=None)
@given(st.lists(alterations, max_size=5))
def test_any_alterations_fit_the_model_or_are_refused(changes: list[Alteration]) -> None:
    try:
        check_alterations(changes, A, S)
    except HeadscopeError:
        with pytest.raises(HeadscopeError):
            Altering(changes, A, source_length=S)
    else:
        if any(isinstance(change, Carry) for change in changes):
            with pytest.raises(HeadscopeError, match="carried in from another text"):
                Altering(changes, A, source_length=S)
            return
        Altering(changes, A, source_length=S)


UNFIT: dict[str, tuple[list[Alteration], str]] = {
    "encoder layer": ([ScaleHead(ENCODER, 2)], "alteration_layer"),
    "decoder layer": ([ScaleHead(CROSS, 3)], "alteration_layer"),
    "head": ([ScaleHead(CROSS, 0, 2)], "alteration_head"),
    "token": ([BlockToken(5)], "alteration_token"),
    "row of the encoder": ([SetRow(ENCODER, 0, 0, 5)], "alteration_row"),
    "row of the decoder": ([SetRow(CROSS, 0, 0, 9)], "alteration_row"),
    "key": ([SetRow(CROSS, 0, 0, 0, key=5)], "alteration_token"),
    "blocked key": ([SetRow(CROSS, 0, 0, 0, key=1), BlockToken(1)], "alteration_blocked"),
    "weights": ([SetRow(CROSS, 0, 0, 0, weights=(0.5, 0.5))], "alteration_weights_count"),
    "weights of blocked": (
        [SetRow(CROSS, 0, 0, 0, weights=(0.2,) * 5), BlockToken(1)],
        "alteration_weights_count",
    ),
    "nothing left": ([SetRow(CROSS, 0, 0, 0), *map(BlockToken, range(S))], "alteration_all_blocked"),
    "order": ([Reorder((1, 0))], "alteration_order"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_what_the_model_or_the_sentence_does_not_have(case: str) -> None:
    changes, code = UNFIT[case]

    with pytest.raises(HeadscopeError) as caught:
        check_alterations(changes, A, S)
    assert caught.value.code == code


def test_the_last_of_everything_fits() -> None:
    """Each is one beyond the model or the sentence in `UNFIT`: nothing is raised here."""
    check_alterations(
        [
            ScaleHead(ENCODER, 1, 1),
            ScaleHead(CROSS, 2, 1),
            BlockToken(4),
            SetRow(DECODER, 2, None, 8, key=8),
            SetRow(CROSS, 0, 0, 8, weights=(0.25,) * 4),
            Reorder((3, 2, 1, 0)),
        ],
        A,
        S,
    )


@pytest.mark.parametrize(
    ("alteration", "words"),
    [
        (ScaleHead(CROSS, 1, 2), "cross-attention of decoder layer 2, head 3 switched off"),
        (ScaleHead(ENCODER, 0, None, 0.5), "self-attention of encoder layer 1 × 0.5"),
        (BlockToken(3), "source token 4 blocked"),
        (ChangePositions(), "no positions"),
        (ChangePositions("target", "none"), "no target positions"),
        (ChangePositions("source", "shuffled", 3), "source positions shuffled (seed 3)"),
        (ChangePositions("both", "shuffled", 3), "positions shuffled (seed 3)"),
        (
            ChangePositions("both", "shuffled", 3, 9),
            "positions shuffled, the target's among steps 1 to 9 (seed 3)",
        ),
        (
            ChangePositions("target", "shuffled", 3, 9),
            "target positions shuffled among steps 1 to 9 (seed 3)",
        ),
        (SetRow(DECODER, 0, 1, 4, key=1), "row 5 of self-attention of decoder layer 1, head 2 on key 2"),
        (SetRow(CROSS, 0, None, 4), "row 5 of cross-attention of decoder layer 1 uniform"),
        (
            SetRow(CROSS, 0, 1, 4, weights=(0.25, 0.75)),
            "row 5 of cross-attention of decoder layer 1, head 2 set to 0.25 0.75",
        ),
        (Reorder((2, 1, 0)), "pieces reordered 3 2 1"),
    ],
)
def test_each_in_words(alteration: Alteration, words: str) -> None:
    assert alteration.label() == words


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("cross:2:3", ScaleHead(CROSS, 1, 2, 0.0)),
        ("cross:2:3=0.5", ScaleHead(CROSS, 1, 2, 0.5)),
        ("cross:2", ScaleHead(CROSS, 1, None, 0.0)),
        ("encoder_self:1=2", ScaleHead(ENCODER, 0, None, 2.0)),
        (" Decoder-Self:1:1=.25 ", ScaleHead(DECODER, 0, 0, 0.25)),
    ],
)
def test_the_command_lines_form(text: str, change: ScaleHead) -> None:
    assert parse_ablation(text) == change


@pytest.mark.parametrize(
    "text",
    ["", "cross", "cross:", "cross:0:1", "cross:1:0", "cross:00", "self:1:1", "cross:1:1=", "cross:1:1=.",
     "cross:1:1=-1", "cross:1:1=nan", "cross:1:1=1e1", "cross:1:1:1", "cross:²:1", "cross:9999999999:1"],
)  # fmt: skip
def test_a_form_that_names_no_head(text: str) -> None:
    with pytest.raises(HeadscopeError) as caught:
        parse_ablation(text)
    assert caught.value.code == "ablation_syntax"


@given(
    st.text(max_size=20) | st.from_regex(r"(cross|encoder_self):\d{0,12}:\d{0,3}=?[\d.]{0,5}", fullmatch=True)
)
def test_any_text_is_a_form_or_a_clear_error(text: str) -> None:
    try:
        change = parse_ablation(text)
    except HeadscopeError:
        return
    assert change.layer >= 0


def test_only_shuffled_positions_of_a_target_have_a_number_of_steps() -> None:
    shuffled = ChangePositions("both", "shuffled", 3, steps=9)
    assert shuffled.to_json()["steps"] == 9
    assert from_json(shuffled.to_json()) == shuffled
    assert "steps" not in ChangePositions("both", "shuffled", 3).to_json()
    for other in (ChangePositions("source", "shuffled", 3, 9), ChangePositions("both", "none", 3, 9)):
        assert other.steps is None
    with pytest.raises(HeadscopeError):
        ChangePositions("target", "shuffled", 3, steps=-1)
    changes = (BlockToken(1), ChangePositions("target", "shuffled"), shuffled)
    assert among_steps(changes, 4) == (BlockToken(1), ChangePositions("target", "shuffled", 0, 4), shuffled)


def test_an_alteration_that_leaves_anything_out_cannot_be_made() -> None:
    class Forgetful(Alteration, name="forgetful"):
        def label(self) -> str:
            return "something"

    with pytest.raises(TypeError, match=r"abstract methods? .*act.*check"):
        Forgetful()  # type: ignore[abstract]
    with pytest.raises(TypeError, match="name"):

        class Nameless(Alteration):  # type: ignore[call-arg]
            pass


def test_every_name_stands_for_one_alteration() -> None:
    assert len({row.name for row in registry.ALTERATIONS}) == len(registry.ALTERATIONS)
    assert all(registry.named(row.name) is row for row in registry.ALTERATIONS)
    assert registry.named("unknown") is registry.named(["scale"]) is None
