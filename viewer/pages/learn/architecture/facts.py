"""Facts of a block: shapes of what it computes, and how many trained numbers it has."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.trace.trace import AttentionKind
from viewer.figures.architecture.anatomy import Anatomy
from viewer.figures.architecture.parts import Sizes
from viewer.figures.architecture.spec import Block
from viewer.figures.architecture.text import shape_text

translate = QCoreApplication.translate
Fact = tuple[str, str]


def block_facts(anatomy: Anatomy, block: Block, sizes: Sizes | None) -> tuple[Fact, ...]:
    """Names with numbers; what is not known is left out."""
    found: list[Fact] = []
    rows = 0 if sizes is None else sizes.of(block.stack)
    if block.kind is not None:
        found += _of_attention(anatomy, block, block.kind, sizes)
    if block.role == "feed_forward" and rows and anatomy.inner(block.stack):
        inner = shape_text((rows, anatomy.inner(block.stack)))
        found.append((translate("ArchitectureView", "Inside"), inner))
    if block.shape:
        found.append((translate("ArchitectureView", "Output"), shape_text(block.shape)))
    if block.parameters is not None:
        found.append((translate("ArchitectureView", "Parameters"), parameters_text(block)))
    return tuple(found)


def parameters_text(block: Block) -> str:
    """How many of its own, and whose it uses besides."""
    count = f"{block.parameters or 0:,}"
    if block.shares:
        text = translate("ArchitectureView", "{count} (shared with the embedding)")
        if block.role == "positions":
            text = translate("ArchitectureView", "{count} (shared with the encoder)")
        return text.format(count=count)
    return count


def _of_attention(anatomy: Anatomy, block: Block, kind: AttentionKind, sizes: Sizes | None) -> list[Fact]:
    if sizes is None or not sizes.of(block.stack) or not block.heads:
        return []
    queries = sizes.of(block.stack)
    keys = sizes.source if kind is AttentionKind.CROSS else queries
    found = []
    if anatomy.head_width:
        each = shape_text((queries, anatomy.head_width))
        found.append((translate("ArchitectureView", "Q of each head"), each))
        each = shape_text((keys, anatomy.head_width))
        found.append((translate("ArchitectureView", "K and V of each head"), each))
    found.append((translate("ArchitectureView", "Weights"), shape_text((block.heads, queries, keys))))
    return found
