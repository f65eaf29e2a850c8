"""Figures of the architecture: of a model, and of the sentence in hand at a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from model.trace.trace import AttentionKind, Trace
from viewer.document.text.model_text import unverified_badge
from viewer.document.text.token_text import token_texts
from viewer.figures.architecture import text
from viewer.figures.architecture.anatomy import Anatomy, StackName
from viewer.figures.architecture.parts import Sizes, blocks_of, skips_of
from viewer.figures.architecture.spec import ArchitectureSpec, Block, Layer, Stack
from viewer.figures.figure import FigureSpec
from viewer.figures.text import made_by, provenance_caption, sentence, trace_badges, trace_facts

Lit = tuple[AttentionKind, int, int | None]


@dataclass(frozen=True)
class Shown:
    """What of a model is looked at.

    Attributes:
        unfolded: all layers, not one of each stack.
        chosen: key of the block in view; empty for none.
        walking: only what was computed before it has its colour.
        lit: family, layer and head that other views show; None for none.
        step: decoding step, from 0; None for the whole decoding.
    """

    unfolded: bool = False
    chosen: str = ""
    walking: bool = False
    lit: Lit | None = None
    step: int | None = None


def sizes_of(trace: Trace | None, step: int | None) -> Sizes | None:
    """How much of a trace's sentence there is as of a step; None without a trace."""
    if trace is None:
        return None
    steps = trace.steps
    read = steps if step is None else min(max(0, step), max(0, steps - 1)) + 1
    return Sizes(len(trace.src_tokens), min(read, steps) if steps else 0, steps)


def architecture_figure(
    anatomy: Anatomy,
    shown: Shown,
    trace: Trace | None = None,
    *,
    model: tuple[str, str] = ("", ""),
    verified: bool = True,
    provenance: Mapping[str, Any] | None = None,
) -> FigureSpec[ArchitectureSpec]:
    """The blocks of a model.

    Args:
        trace: a sentence that it read; None draws it without sizes.
        model: name and hash, where there is no trace.
        verified: whether the model's kind is proven to be what it seems.
    """
    keys = _order(anatomy)
    chosen = shown.chosen if shown.chosen in keys else ""
    computed = _computed(keys, chosen) if shown.walking and chosen else None
    sizes = sizes_of(trace, shown.step)
    if sizes is not None and computed is not None and chosen.startswith("encoder."):
        sizes = replace(sizes, target=0)  # the decoder has read nothing yet
    every = {stack: blocks_of(anatomy, stack, sizes) for stack in anatomy.stacks}
    view = _View(anatomy, shown, chosen, computed, sizes, trace)
    stacks = tuple(view.stack(name, blocks) for name, blocks in every.items())
    badges = _badges(anatomy, trace, verified=verified)
    source = (sizes.source, anatomy.d_model) if sizes is not None and anatomy.d_model else ()
    spec = ArchitectureSpec(
        title=text.title(anatomy),
        badges=badges,
        stacks=stacks,
        unfolded=shown.unfolded,
        order=keys,
        every=tuple(block for blocks in every.values() for block in blocks),
        chosen=chosen,
        computed=computed,
        lit=shown.lit,
        memory=text.memory_text(source, anatomy.wiring) if anatomy.crosses else "",
    )
    notes = [
        text.positions_sentence(anatomy.positions, own=anatomy.own),
        text.wiring_sentence(anatomy.wiring),
        _paper(),
    ]
    if trace is not None and shown.step is not None and 0 <= shown.step < trace.steps:
        notes.append(text.step_sentence(shown.step, trace.steps))
    notes = [note for note in notes if note]
    if trace is not None:
        caption = provenance_caption(trace, spec.title, badges, provenance or {}, notes)
    else:
        said = [sentence(badge[:1].upper() + badge[1:]) for badge in badges]
        caption = " ".join([sentence(spec.title), *said, *notes, made_by(*model, "")])
    facts = {} if trace is None else trace_facts(trace)
    facts |= {
        "view": "architecture",
        "architecture": dict(anatomy.architecture),
        "step": shown.step,
        "badges": list(badges),
        "provenance": dict(provenance or {}),
    }
    return FigureSpec(spec, caption, facts)


def opened_layer(stack: StackName, count: int, chosen: str, lit: Lit | None) -> int:
    """The layer that a folded stack shows: that of the block in view, else the one other views show."""
    parts = chosen.split(".")
    if len(parts) > 2 and parts[0] == stack and parts[1].isdigit():
        return min(int(parts[1]), max(0, count - 1))
    if lit is not None and (lit[0] is AttentionKind.ENCODER_SELF) is (stack == "encoder"):
        return min(lit[1], max(0, count - 1))
    return 0


def _order(anatomy: Anatomy) -> tuple[str, ...]:
    return tuple(block.key for stack in anatomy.stacks for block in blocks_of(anatomy, stack, None))


@dataclass(frozen=True)
class _View:
    """What a stack is drawn of; `sizes` as of the moment."""

    anatomy: Anatomy
    shown: Shown
    chosen: str
    computed: frozenset[str] | None
    sizes: Sizes | None
    trace: Trace | None

    def stack(self, name: StackName, every: tuple[Block, ...]) -> Stack:
        """A stack with all its layers, or one of them."""
        unfolded, count = self.shown.unfolded, self.anatomy.layers(name)
        opened = opened_layer(name, count, self.chosen, self.shown.lit)
        blocks = tuple(block for block in every if unfolded or block.layer in (None, opened))
        drawn = range(count) if unfolded else range(opened, min(opened + 1, count))
        tokens = None if self.sizes is None else self.sizes.of(name)
        return Stack(
            name=name,
            foot=text.foot(self.anatomy, name, tokens),
            blocks=blocks,
            count=count,
            layers=tuple(self._layer(name, blocks, layer, count) for layer in drawn),
            skips=skips_of(blocks),
            labels=_labels(blocks),
            produced=self._produced(blocks) if name == "decoder" else "",
            positions=0 if self.sizes is None else self.sizes.steps,
        )

    def _layer(self, name: StackName, blocks: tuple[Block, ...], layer: int, count: int) -> Layer:
        inside = [index for index, block in enumerate(blocks) if block.layer == layer]
        cache = self._cached(layer) if name == "decoder" else None
        said = "" if cache is None else text.cache_text(cache)
        return Layer(layer, inside[0], inside[-1], text.layer_heading(layer, count), cache, said)

    def _cached(self, layer: int) -> int | None:
        """Positions whose keys and values are there: the newest only once its attention is computed."""
        if self.sizes is None or not self.sizes.steps or self.anatomy.in_rounds:
            return None
        computed = self.computed is None or f"decoder.{layer}.self_attention" in self.computed
        return self.sizes.target if computed else max(0, self.sizes.target - 1)

    def _produced(self, blocks: tuple[Block, ...]) -> str:
        """The token at the top, once it is computed."""
        trace = self.trace
        if trace is None or not trace.steps or blocks[-1].role not in ("softmax", "copy"):
            return ""
        if self.computed is not None and blocks[-1].key not in self.computed:
            return ""
        step = trace.steps - 1 if self.shown.step is None else min(max(0, self.shown.step), trace.steps - 1)
        token = token_texts(trace.tgt_out_tokens, style=trace.token_style)[step].marked
        return text.produced_text(token, trace.probability(step) if trace.known_steps[step] else None)


def _labels(blocks: tuple[Block, ...]) -> tuple[tuple[int, str], ...]:
    """Shapes where a layer begins, on the queries of cross-attention, around the output."""
    found = []
    for index, block in enumerate(blocks):
        before = blocks[index - 1] if index else None
        if before is None:
            continue
        if block.role == "attention" and block.sublayer == "cross":
            found.append((index, text.query_text(before.shape)))
        elif block.layer != before.layer or block.role in ("softmax", "copy"):
            found.append((index, text.shape_text(before.shape)))
    return tuple((index, said) for index, said in found if said)


def _computed(order: tuple[str, ...], chosen: str) -> frozenset[str]:
    """Up to and with the block in view: the encoder once, then the decoder for each token."""
    return frozenset(order[: order.index(chosen) + 1])


def _badges(anatomy: Anatomy, trace: Trace | None, *, verified: bool) -> tuple[str, ...]:
    found = [] if trace is None else trace_badges(trace, sqrt_scale=False)
    if not verified and unverified_badge() not in found:
        found.append(unverified_badge())
    if not anatomy.norm:
        found.append(text.unknown_wiring_badge())
    return tuple(found)


def _paper() -> str:
    return text.translate("Architecture", "After Vaswani et al. 2017, figure 1.")
