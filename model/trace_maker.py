"""Dresses decoded ids and patterns with tokens, texts and provenance: a `Trace`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from model.alterations import Alteration, all_to_json
from model.bundle import Bundle
from model.decode_config import DecodeConfig
from model.tensor_file import well_formed
from model.trace import Floats, Ids, Patterns, Trace
from model.version import VERSION


@dataclass(frozen=True, eq=False)
class DecodedPath:
    """The steps of one hypothesis as numbers; T steps, K candidates.

    Attributes:
        out_ids: produced tokens, the end token included.
        step_logprob: [T].
        candidate_ids, candidate_logprobs: [T, K].
        step_rank: [T].
        candidate_drawn, drawn_count: [T, K] and [T] when sampling, else None.
    """

    patterns: Patterns
    out_ids: tuple[int, ...]
    step_logprob: Floats
    candidate_ids: Ids
    candidate_logprobs: Floats
    step_rank: Ids
    candidate_drawn: Floats | None = None
    drawn_count: Ids | None = None


class TraceMaker:
    """What all traces of one decoding have in common.

    Args:
        source: ids of `text` with the end token, in the order in which they are read.
        alterations: what is changed in the model's computation.
    """

    def __init__(
        self,
        bundle: Bundle,
        text: str,
        source: Sequence[int],
        config: DecodeConfig,
        alterations: tuple[Alteration, ...] = (),
    ) -> None:
        self.config = config
        self._target = bundle.target_tokenizer
        self._rows: dict[bytes, tuple[str, ...]] = {}
        piece = bundle.source_tokenizer.piece
        self._common: dict[str, Any] = {
            "src_text": well_formed(text),
            "src_tokens": tuple(piece(i) for i in source),
            "src_ids": _frozen(np.array(source, np.int64)),
            "model_name": bundle.config.name,
            "model_sha256": bundle.sha256,
            "decoding": config.to_json(),
            "alterations": all_to_json(alterations),
            "compute_dtype": str(bundle.transformer.source_embedding.weight.dtype).removeprefix("torch."),
            "seed": config.seed if config.mode == "sample" else None,
            "created_by": f"headscope {VERSION}",
        }

    def trace(self, path: DecodedPath, *, finished: bool) -> Trace:
        """The trace of `path`; `finished` when it ends with the end token."""
        piece = self._target.piece
        out_ids = path.out_ids
        in_ids = (self._target.start_id, *out_ids[:-1])[: len(out_ids)]
        return Trace(
            patterns=path.patterns,
            tgt_text=self._target.decode(out_ids),
            tgt_in_tokens=tuple(piece(i) for i in in_ids),
            tgt_out_tokens=tuple(piece(i) for i in out_ids),
            tgt_in_ids=_frozen(np.array(in_ids, np.int64)),
            tgt_out_ids=_frozen(np.array(out_ids, np.int64)),
            step_logprob=_frozen(path.step_logprob),
            candidate_ids=_frozen(path.candidate_ids),
            candidate_logprobs=_frozen(path.candidate_logprobs),
            candidate_tokens=tuple(map(self._pieces, path.candidate_ids)),
            step_rank=_frozen(path.step_rank),
            candidate_drawn=None if path.candidate_drawn is None else _frozen(path.candidate_drawn),
            drawn_count=None if path.drawn_count is None else _frozen(path.drawn_count),
            finished=finished,
            **self._common,
        )

    def _pieces(self, ids: Ids) -> tuple[str, ...]:
        """Pieces of a row of candidates; each event tells all rows so far, so they are kept."""
        key = ids.tobytes()
        pieces = self._rows.get(key)
        if pieces is None:
            pieces = self._rows[key] = tuple(map(self._target.piece, ids.tolist()))
        return pieces


def _frozen(array: Any) -> Any:
    view = array.view()
    view.flags.writeable = False
    return view
