"""Dresses decoded ids and patterns with tokens, texts and provenance: a `Trace`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

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
    """

    patterns: Patterns
    out_ids: tuple[int, ...]
    step_logprob: Floats
    candidate_ids: Ids
    candidate_logprobs: Floats


class TraceMaker:
    """What all traces of one decoding have in common.

    Args:
        source: ids of `text` with the end token.
        alterations: what is changed in the model's computation, JSON-able.
    """

    def __init__(
        self,
        bundle: Bundle,
        text: str,
        source: list[int],
        config: DecodeConfig,
        alterations: tuple[Any, ...] = (),
    ) -> None:
        self.config = config
        self._target = bundle.target_tokenizer
        piece = bundle.source_tokenizer.piece
        self._common: dict[str, Any] = {
            "src_text": well_formed(text),
            "src_tokens": tuple(piece(i) for i in source),
            "src_ids": _frozen(np.array(source, np.int64)),
            "model_name": bundle.config.name,
            "model_sha256": bundle.sha256,
            "decoding": config.to_json(),
            "alterations": alterations,
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
            candidate_tokens=tuple(tuple(piece(i) for i in row) for row in path.candidate_ids.tolist()),
            finished=finished,
            **self._common,
        )


def _frozen(array: Any) -> Any:
    view = array.view()
    view.flags.writeable = False
    return view
