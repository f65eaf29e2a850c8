"""Figures of the layer walk."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.questions.answers import EmbeddingSum, RowArithmetic, Walk
from model.trace.trace import AttentionKind, Side, Trace
from viewer.figures.figure import FigureSpec
from viewer.figures.text import made_by, provenance_caption, sentence, trace_badges, trace_facts
from viewer.figures.walk import text
from viewer.figures.walk.details import (
    embedding_detail,
    heads_detail,
    lens_detail,
    neurons_detail,
    norm_detail,
    residual_detail,
)
from viewer.figures.walk.spec import Detail, ResidualDetail, Stack, WalkSpec
from viewer.figures.walk.stack import stack
from viewer.figures.walk.stages import Stage, is_pre_norm, layers_of, stages, stages_of

translate = QCoreApplication.translate
_ATTENTION = ("self_attention", "cross")


def walk_figure(
    trace: Trace,
    walk: Walk,
    embedding: EmbeddingSum | None,
    selected: int,
    *,
    row: RowArithmetic | None = None,
    other: Walk | None = None,
    architecture: Mapping[str, Any] | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> FigureSpec[WalkSpec]:
    """The map of both stacks with one stage of a walk in detail.

    Args:
        embedding: of the walk's side; needed in detail at the first three stages only.
        selected: index into `walk.steps`; their number is the decoder's last word.
        row: of the sub-layer in view, for its heads; None leaves them out.
        other: a walk through the other stack, whose lengths are shown too.
        architecture: as in `model.config.Architecture.to_json`, for the formulas' details.
    """
    shape, passed = dict(architecture or {}), stages_of(walk)
    pre_norm, layers = is_pre_norm(passed), layers_of(passed)
    selected = min(max(0, selected), len(passed) - (walk.side == "source"))
    stage = passed[selected] if selected < len(passed) else None
    row = row if _is_of(row, walk, stage) else None
    badges = tuple(trace_badges(trace, sqrt_scale=False))
    scale = _scale(embedding, shape)
    detail = _detail(walk, selected, embedding, row)
    spec = WalkSpec(
        title=text.title(walk),
        badges=badges,
        stacks=_stacks(trace, walk, other, selected, pre_norm=pre_norm),
        side=walk.side,
        selected=selected,
        heading=text.heading(walk.side, stage, layers, walk.normalisation),
        formula=text.formula(stage, shape, pre_norm=pre_norm, scale=scale, normalisation=walk.normalisation),
        sentences=_sentences(walk, selected, detail, row, shape),
        source=text.source(stage, walk.normalisation),
        detail=detail,
        longest=max(step.norm for way in (walk, other) if way is not None for step in way.steps),
    )
    facts = trace_facts(trace) | {
        "view": "walk",
        "side": walk.side,
        "position": walk.position,
        "stage": None if stage is None else stage.stage,
        "sublayer": None if stage is None else stage.sublayer,
        "layer": None if stage is None else stage.layer,
        "formula": spec.formula,
        "source": spec.source,
        "badges": list(badges),
        "provenance": dict(provenance or {}),
    }
    notes = [sentence(spec.heading), sentence(spec.formula), spec.source]
    caption = provenance_caption(trace, spec.title, badges, provenance or {}, notes)
    return FigureSpec(spec, caption, facts)


def architecture_figure(
    architecture: Mapping[str, Any], *, model_name: str = "", model_sha256: str = ""
) -> FigureSpec[WalkSpec]:
    """The map of a model that has read nothing yet.

    Args:
        architecture: as in `model.config.Architecture.to_json`.
    """
    pre_norm = architecture.get("norm") == "pre_norm"
    norm = str(architecture.get("normalisation", "layer"))
    counts = (int(architecture["encoder_layers"]), int(architecture["decoder_layers"]))
    title = translate("Walk", "Architecture: {encoder} encoder and {decoder} decoder layers")
    title = title.format(encoder=counts[0], decoder=counts[1])
    spec = WalkSpec(
        title=title,
        badges=(),
        stacks=(
            stack("source", stages("source", counts[0], pre_norm=pre_norm), None, 0, norm),
            stack("target", stages("target", counts[1], pre_norm=pre_norm), None, 0, norm),
        ),
        side="source",
        selected=-1,
        heading=title,
        formula="",
        sentences=_shape_sentences(architecture, pre_norm=pre_norm),
        source=translate("Walk", "Paper, figure 1."),
    )
    caption = " ".join([sentence(title), spec.source, made_by(model_name, model_sha256, "")])
    facts = {"view": "walk", "architecture": dict(architecture), "badges": []}
    return FigureSpec(spec, caption, facts)


def _shape_sentences(architecture: Mapping[str, Any], *, pre_norm: bool) -> tuple[str, ...]:
    sizes = translate(
        "Walk", "Each token is a vector of d_model = {d} numbers; {heads} heads; {f} neurons in each network."
    )
    if "decoder_d_ff" in architecture:
        sizes = translate(
            "Walk",
            "Each token is a vector of d_model = {d} numbers; {heads} heads; {f} neurons in each network of "
            "the encoder, {g} in each of the decoder.",
        )
    sizes = sizes.format(
        d=architecture["d_model"],
        heads=architecture["n_heads"],
        f=architecture["d_ff"],
        g=architecture.get("decoder_d_ff"),
    )
    if architecture.get("normalisation") == "batch":
        if pre_norm:
            return sizes, translate("Walk", "BatchNorm stands before each sub-layer (pre-norm).")
        return sizes, translate("Walk", "BatchNorm stands after each residual sum (post-norm).")
    if pre_norm:
        return sizes, translate("Walk", "LayerNorm stands before each sub-layer (pre-norm).")
    return sizes, translate("Walk", "LayerNorm stands after each residual sum (post-norm), as in the paper.")


def _stacks(
    trace: Trace, walk: Walk, other: Walk | None, selected: int, *, pre_norm: bool
) -> tuple[Stack, Stack]:
    passed = stages_of(walk)
    at = passed[min(selected, len(passed) - 1)].layer
    opened = (0 if selected < 3 else layers_of(passed) - 1) if at is None else at
    side: Side = "target" if walk.side == "source" else "source"
    if other is not None and other.side == side:
        beside = stack(side, stages_of(other), other, opened, walk.normalisation)
    else:
        kind = AttentionKind.CROSS if side == "target" else AttentionKind.ENCODER_SELF
        layers = trace.layers(kind) if kind in trace.kinds else 0
        beside = stack(side, stages(side, layers, pre_norm=pre_norm), None, opened, walk.normalisation)
    own = stack(walk.side, passed, walk, opened, walk.normalisation)
    return (own, beside) if walk.side == "source" else (beside, own)


def _scale(embedding: EmbeddingSum | None, architecture: Mapping[str, Any]) -> float:
    if embedding is not None:
        return embedding.scale
    if architecture.get("scale_embedding") and "d_model" in architecture:
        return math.sqrt(architecture["d_model"])
    return 1.0


def _detail(
    walk: Walk, selected: int, embedding: EmbeddingSum | None, row: RowArithmetic | None
) -> Detail | None:
    if selected == len(walk.steps):
        return lens_detail(walk)
    step = walk.steps[selected]
    if step.stage in ("embedding", "position", "sum"):
        known = embedding is not None and embedding.side == walk.side
        return embedding_detail(embedding, walk, step.stage) if known and embedding is not None else None
    if step.stage in ("norm", "final_norm"):
        return norm_detail(walk, selected)
    if step.stage == "residual":
        return residual_detail(walk, selected)
    if step.stage == "feed_forward":
        return neurons_detail(next(found for found in walk.neurons if found.layer == step.layer))
    return None if row is None else heads_detail(row)


def _is_of(row: RowArithmetic | None, walk: Walk, stage: Stage | None) -> bool:
    """Whether the heads are those of the sub-layer in view, at the walk's position."""
    if row is None or stage is None or stage.stage not in _ATTENTION:
        return False
    kind = AttentionKind.ENCODER_SELF if walk.side == "source" else AttentionKind.DECODER_SELF
    kind = AttentionKind.CROSS if stage.stage == "cross" else kind
    return (row.kind, row.layer, row.query) == (kind, stage.layer, walk.position)


def _sentences(
    walk: Walk, selected: int, detail: Detail | None, row: RowArithmetic | None, shape: Mapping[str, Any]
) -> tuple[str, ...]:
    if selected == len(walk.steps):
        purpose = text.purpose(None, walk.side, walk.normalisation)
        return (purpose, text.lens_caveat()) if len(walk.lenses) > 2 else (purpose,)
    step = walk.steps[selected]
    stage = stages_of(walk)[selected]
    positions, wiring = (str(shape.get(*one)) for one in (("positions", "sinusoidal"), ("wiring", "last")))
    purpose = text.unplaced(positions) if stage.stage == "position" else ""
    found = [
        purpose or text.purpose(stage, walk.side, walk.normalisation),
        text.numbers_sentence(walk, selected, row),
        text.wiring_sentence(stage, walk.side, wiring),
    ]
    if isinstance(detail, ResidualDetail):
        found.append(text.residual_sentence(detail))
    if detail is None and step.stage in (*_ATTENTION, "embedding", "position", "sum"):
        found.append(translate("Walk", "The numbers are being worked out…"))
    return tuple(each for each in found if each)
