"""`BatchView`: a training batch as a person looks at it. No torch; see `model.training.look_at_batch`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

DEFAULT_PAD = 4  # columns of padding that a look at a batch begins with

Ids = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Pieces = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class BatchView:
    """B pairs padded to S source and T target tokens, as step `step` reads them, and what padding changes.

    Attributes:
        step: which step's batch, from 0; `steps_per_epoch` of them are a pass over the data.
        source: [B, S] ids, end token, then padding.
        target_in: [B, T] ids that the decoder reads: start token, then the target.
        target_out: [B, T] ids that it should predict: the same shifted by one, then the end token.
        source_mask, target_mask: True where the token is real.
        source_pieces, target_in_pieces, target_out_pieces: the ids as raw pieces, [B][S] and [B][T].
        source_pad, target_pad: the id of padding on each side.
        padded_by: how many more columns of padding the second computation had on both sides.
        loss, padded_loss: nats per target token without and with them, in float32, dropout off.
        largest_difference: of any next-token log-probability at any real target token between the two.
    """

    step: int
    steps_per_epoch: int
    source: Ids
    target_in: Ids
    target_out: Ids
    source_mask: Mask
    target_mask: Mask
    source_pieces: Pieces
    target_in_pieces: Pieces
    target_out_pieces: Pieces
    source_pad: int
    target_pad: int
    padded_by: int
    loss: float
    padded_loss: float
    largest_difference: float
