"""Parts: the blocks of a stack from the bottom up, and the residual connections around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from model.trace.trace import AttentionKind
from viewer.figures.architecture.anatomy import Anatomy, StackName
from viewer.figures.architecture.counts import parameter_counts, shared_weights
from viewer.figures.architecture.spec import Block, Role, Sublayer
from viewer.figures.architecture.text import block_name, block_note


@dataclass(frozen=True)
class Sizes:
    """How much of a sentence there is.

    Attributes:
        source: tokens that the encoder reads.
        target: tokens that the decoder has read, the newest included.
        steps: how many it will read in the end.
    """

    source: int = 0
    target: int = 0
    steps: int = 0

    def of(self, stack: StackName) -> int:
        """Tokens that a stack has in hand."""
        return self.source if stack == "encoder" else self.target


def blocks_of(anatomy: Anatomy, stack: StackName, sizes: Sizes | None) -> tuple[Block, ...]:
    """All blocks of all layers, in the order of computation."""
    counts = parameter_counts(anatomy.architecture) if anatomy.own else {}
    return tuple(_Maker(anatomy, stack, sizes, counts).blocks())


class _Maker:
    def __init__(
        self, anatomy: Anatomy, stack: StackName, sizes: Sizes | None, counts: dict[str, int]
    ) -> None:
        self._anatomy, self._stack, self._counts = anatomy, stack, counts
        self._rows = 0 if sizes is None else sizes.of(stack)
        self._shares = shared_weights(anatomy.tie)
        if anatomy.positions == "learned" and anatomy.own and stack == "decoder":
            self._shares = {**self._shares, "decoder.positions": "encoder.positions"}

    def blocks(self) -> Iterator[Block]:
        """From the tokens up."""
        anatomy, stack = self._anatomy, self._stack
        if anatomy.in_rounds and stack == "decoder":
            yield self._block("length")
        yield self._block("embedding")
        if anatomy.scaled:
            yield self._block("scale")
        if anatomy.segments:
            yield self._block("segments")
        if anatomy.added_positions:
            yield self._block("positions")
        if anatomy.embedding_norm:
            yield self._block("norm", "embedding_norm")
        for layer in range(anatomy.layers(stack)):
            for sublayer in self._sublayers():
                yield from self._sublayer(layer, sublayer)
        if anatomy.norm == "pre_norm":
            yield self._block("norm", "final_norm")
        last = stack == "decoder" or not anatomy.crosses
        if last and anatomy.top:
            yield self._block("linear")
            if anatomy.top != "classes" or anatomy.architecture.get("class_rule") == "softmax":
                yield self._block("softmax")
            if anatomy.copying:
                yield self._block("copy")

    def _sublayers(self) -> tuple[Sublayer, ...]:
        if self._stack == "decoder" and self._anatomy.crosses:
            return ("self_attention", "cross", "feed_forward")
        return ("self_attention", "feed_forward")

    def _sublayer(self, layer: int, sublayer: Sublayer) -> Iterator[Block]:
        norm = self._anatomy.norm
        if norm == "pre_norm":
            yield self._block("norm", layer=layer, sublayer=sublayer)
        yield self._block("feed_forward" if sublayer == "feed_forward" else "attention", "", layer, sublayer)
        if norm:
            role: Role = "add" if norm == "pre_norm" else "add_norm"
            yield self._block(role, layer=layer, sublayer=sublayer)

    def _block(self, role: Role, name: str = "", layer: int | None = None, sublayer: Sublayer = "") -> Block:
        anatomy, stack = self._anatomy, self._stack
        kind = _kind(stack, sublayer) if role == "attention" else None
        key = f"{stack}.{name or role}"
        if layer is not None:
            own = role in ("attention", "feed_forward")
            key = f"{stack}.{layer}.{sublayer}" if own else f"{stack}.{layer}.{sublayer}.{role}"
        return Block(
            key=key,
            stack=stack,
            role=role,
            name=block_name(anatomy, role, sublayer, kind),
            note=block_note(anatomy, stack, role, kind),
            layer=layer,
            sublayer=sublayer,
            kind=kind,
            heads=0 if kind is None else anatomy.heads_of(kind),
            masked=kind is AttentionKind.DECODER_SELF and not anatomy.in_rounds,
            shape=self._shape(role),
            parameters=self._counts.get(key, 0) if anatomy.own else None,
            shares=self._shares.get(key, ""),
        )

    def _shape(self, role: Role) -> tuple[int, ...]:
        """Of what leaves a block: rows are tokens."""
        anatomy = self._anatomy
        if not self._rows or not anatomy.d_model:
            return ()
        if role == "length":
            return (int(anatomy.architecture.get("max_positions", 0)),)
        if role in ("linear", "softmax", "copy"):
            if anatomy.top == "classes":
                return (anatomy.classes,)
            vocab = anatomy.vocab(self._stack)
            return (self._rows, vocab) if vocab else ()
        return (self._rows, anatomy.d_model)


def _kind(stack: StackName, sublayer: Sublayer) -> AttentionKind:
    if sublayer == "cross":
        return AttentionKind.CROSS
    return AttentionKind.ENCODER_SELF if stack == "encoder" else AttentionKind.DECODER_SELF


def skips_of(blocks: tuple[Block, ...]) -> tuple[tuple[int, int], ...]:
    """Residual connections: from below a sub-layer (and its norm, where that comes first) to its sum."""
    found, start = [], 0
    for index, block in enumerate(blocks):
        before = blocks[index - 1] if index else None
        same = before is not None and (before.layer, before.sublayer) == (block.layer, block.sublayer)
        start = start if same else index
        if block.layer is not None and block.role in ("add", "add_norm"):
            found.append((start, index))
    return tuple(found)
