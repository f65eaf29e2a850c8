"""Batches by length: which sentences are decoded together, so that little is computed for padding."""

from __future__ import annotations

from collections.abc import Sequence

TOKENS = 8192
"""Tokens of a batch, padding included: enough rows for a processor's products, little memory."""


def by_length(
    lengths: Sequence[int], *, most_rows: int | None = None, most_tokens: int = TOKENS
) -> list[list[int]]:
    """The indices of sentences of like length together; batches in the order of their first sentence.

    So what is translated in batches comes out early where it stands early. Each batch has its shorter
    sentences first, and of equal ones the earlier.

    Args:
        lengths: tokens of each.
        most_rows: sentences in a batch; as many as fit if None.
        most_tokens: rows times the longest; one sentence that is longer is a batch.
    """
    batches: list[list[int]] = []
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        rows = len(batch) + 1
        if batch and (rows * lengths[index] > most_tokens or (most_rows is not None and rows > most_rows)):
            batches.append(batch)
            batch = []
        batch.append(index)
    return sorted([*batches, batch] if batch else batches, key=min)
