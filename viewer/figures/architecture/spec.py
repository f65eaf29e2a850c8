"""ArchitectureSpec: a model's blocks, the arrows between them, and what of it is being computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from model.trace.trace import AttentionKind
from viewer.figures.architecture.anatomy import StackName

Role = Literal[
    "length", "embedding", "scale", "positions", "segments", "attention", "feed_forward", "norm", "add",
    "add_norm", "linear", "softmax", "copy",
]  # fmt: skip
"""What a block is; `add_norm` is one block as in the paper, where the norm stands after the sum."""
Sublayer = Literal["", "self_attention", "cross", "feed_forward"]


@dataclass(frozen=True)
class Block:
    """A block.

    Attributes:
        key: names it in the whole model, such as `decoder.1.cross`, layers from 0.
        name, note: what stands on it, and smaller under that.
        layer: None below the first layer and above the last.
        sublayer: which one it is, or whose sum or norm it is; empty outside of layers.
        kind, heads: of attention.
        masked: later tokens are masked.
        shape: of what leaves it, such as (13, 256); empty where it is not known.
        parameters: trained numbers that are its own; None where nobody knows.
        shares: the block whose weights it uses, by its key; empty for none.
    """

    key: str
    stack: StackName
    role: Role
    name: str
    note: str = ""
    layer: int | None = None
    sublayer: Sublayer = ""
    kind: AttentionKind | None = None
    heads: int = 0
    masked: bool = False
    shape: tuple[int, ...] = ()
    parameters: int | None = None
    shares: str = ""


def said_key(key: str) -> str:
    """A block's key as commands say it: layers from 1."""
    return ".".join(str(int(part) + 1) if part.isdigit() else part for part in key.split("."))


@dataclass(frozen=True)
class Layer:
    """A layer that is drawn: its blocks from `first` to `last` in the stack's.

    Attributes:
        cache: how many positions have their keys and values kept; None of an encoder.
        cache_text: the same in words.
    """

    layer: int
    first: int
    last: int
    heading: str
    cache: int | None = None
    cache_text: str = ""


@dataclass(frozen=True)
class Stack:
    """A stack, blocks in the order of computation.

    Attributes:
        foot: what it reads: the stack's name and how many tokens.
        layers: those that are drawn; `count` how many there are.
        skips: (from, to) blocks: a residual connection leaves before the first and ends in the second.
        labels: by the block that an arrow enters (their number: what leaves the last), what it carries.
        produced: the token that comes out at the top, and its probability; empty for none.
        positions: how many the decoder will have read in the end.
    """

    name: StackName
    foot: str
    blocks: tuple[Block, ...]
    count: int
    layers: tuple[Layer, ...]
    skips: tuple[tuple[int, int], ...]
    labels: tuple[tuple[int, str], ...] = ()
    produced: str = ""
    positions: int = 0

    def label(self, index: int) -> str:
        """What the arrow into a block carries; empty where nothing is said."""
        return dict(self.labels).get(index, "")


@dataclass(frozen=True, eq=False)
class ArchitectureSpec:
    """The figure.

    Attributes:
        stacks: encoder, decoder, or both.
        unfolded: every layer is drawn, not one of each stack.
        order: keys of all blocks of the model in the order of computation, drawn or not.
        chosen: the block in view; empty for none.
        computed: keys of what was computed up to now; None: everything.
        lit: family, layer and head (None: their mean) that other views show.
        memory: what goes from the encoder to the decoder, such as "K, V (13, 256)".
        every: each block of the model, for its numbers.
    """

    title: str
    badges: tuple[str, ...]
    stacks: tuple[Stack, ...]
    unfolded: bool
    order: tuple[str, ...]
    every: tuple[Block, ...]
    chosen: str = ""
    computed: frozenset[str] | None = None
    lit: tuple[AttentionKind, int, int | None] | None = None
    memory: str = ""

    def block(self, key: str) -> Block | None:
        """A block of the model by its key."""
        return next((block for block in self.every if block.key == key), None)
