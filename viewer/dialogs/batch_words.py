"""Batch words: what the look at a batch says in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from model.training.batch_view import BatchView
from viewer.document.text.token_text import text_after

_ROUNDING = 1e-3  # log-probabilities of float32 differ by less for rounding alone

translate = QCoreApplication.translate


def size_sentence(view: BatchView) -> str:
    """Which batch it is, how large, and how much of it is padding."""
    real = int(view.source_mask.sum() + view.target_mask.sum())
    cells = view.source_mask.size + view.target_mask.size
    return translate(
        "Batch",
        "Training step {step} ({per_epoch} steps are one pass over the pairs): {pairs} pairs, padded "
        "to {source} source and {target} target tokens; {share} % of the cells are padding.",
    ).format(
        step=f"{view.step + 1:,}",
        per_epoch=f"{view.steps_per_epoch:,}",
        pairs=len(view.source),
        source=view.source.shape[1],
        target=view.target_in.shape[1],
        share=f"{100 * (1 - real / cells):.0f}",
    )


def verdict(view: BatchView) -> str:
    """What more padding changed."""
    numbers = translate(
        "Batch",
        "With {count} more columns of padding, log probabilities differ by at most {difference}; loss "
        "{loss} without them, {padded} with them.",
    ).format(
        count=view.padded_by,
        difference=f"{view.largest_difference:.1g}",
        loss=f"{view.loss:.4f}",
        padded=f"{view.padded_loss:.4f}",
    )
    if view.largest_difference < _ROUNDING:
        meaning = translate("Batch", "This is rounding: padding changes nothing.")
    else:
        meaning = translate("Batch", "This is more than rounding: this model reads its padding.")
    return f"{numbers} {meaning}"


def _text(pieces: Sequence[str], column: int) -> str:
    return text_after(pieces[:column], pieces[column]).marked


def pair_sentence(view: BatchView, row: int, column: int) -> str:
    """What the decoder has read at a real position, and what it should predict there."""
    last = column + 1 >= view.target_mask.shape[1] or not view.target_mask[row, column + 1]
    if last:
        text = translate(
            "Batch", "Pair {row}, position {column}: having read “{read}”, it should predict “{predicted}”."
        )
    else:
        text = translate(
            "Batch",
            "Pair {row}, position {column}: having read “{read}”, it should predict “{predicted}”, "
            "which it then reads.",
        )
    return text.format(
        row=row + 1,
        column=column + 1,
        read=_text(view.target_in_pieces[row], column),
        predicted=_text(view.target_out_pieces[row], column),
    )
