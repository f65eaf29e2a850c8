"""Forced cross-attention: of given translations, all rows in one pass (teacher forcing), pair after pair."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from model.bundle.bundle import Bundle
from model.errors import HeadscopeError
from model.files.tensor_file import well_formed
from model.network.attention import AttentionSite
from model.trace.trace import ArrayPatterns, AttentionKind, Floats, Trace
from model.version import VERSION


class _CrossTap:
    """Keeps what cross-attention reports, one array [H, T, S] a layer."""

    def __init__(self) -> None:
        self.layers: list[Floats] = []

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """See `model.network.attention.Tap`."""
        if site.kind is AttentionKind.CROSS:
            self.layers.append(pattern[0].float().numpy(force=True))
        return None


@torch.inference_mode()
def forced_cross(bundle: Bundle, source: str, target: str) -> Trace:
    """The trace of a sentence pair with cross-attention alone, and without candidates.

    Raises:
        HeadscopeError: `empty_text`, `too_long`, `model_overflow`, `writes_in_rounds`.
    """
    bundle.transformer.require_left_to_right()
    source, target = well_formed(source), well_formed(target)
    if not source.strip() or not target.strip():
        raise HeadscopeError("empty_text")
    reader, writer = bundle.source_tokenizer, bundle.target_tokenizer
    src_ids = reader.source_ids(source)
    out_ids = writer.target_ids(target)
    for ids, limit in ((src_ids, bundle.source_limit), (out_ids, bundle.target_limit)):
        if len(ids) > limit:
            raise HeadscopeError("too_long", tokens=len(ids), limit=limit)
    in_ids = [writer.start_id, *out_ids[:-1]]
    transformer, tap = bundle.transformer, _CrossTap()
    device = transformer.source_embedding.weight.device
    memory = transformer.encode(torch.tensor([src_ids], device=device))
    hidden = transformer.decode(torch.tensor([in_ids], device=device), memory, tap=tap)
    chosen = torch.tensor(out_ids, device=device)[:, None]
    logprobs = transformer.project(hidden[0]).float().log_softmax(-1).gather(-1, chosen)[:, 0]
    if bool(logprobs.isnan().any()):
        raise HeadscopeError("model_overflow")
    return Trace(
        patterns=ArrayPatterns({AttentionKind.CROSS: np.stack(tap.layers)}),
        src_text=source,
        tgt_text=target,
        src_tokens=tuple(map(reader.piece, src_ids)),
        tgt_in_tokens=tuple(map(writer.piece, in_ids)),
        tgt_out_tokens=tuple(map(writer.piece, out_ids)),
        src_ids=np.array(src_ids, np.int64),
        tgt_in_ids=np.array(in_ids, np.int64),
        tgt_out_ids=np.array(out_ids, np.int64),
        step_logprob=logprobs.numpy(force=True),
        candidate_ids=np.empty((len(out_ids), 0), np.int64),
        candidate_logprobs=np.empty((len(out_ids), 0), np.float32),
        candidate_tokens=((),) * len(out_ids),
        model_name=bundle.config.name,
        model_sha256=bundle.sha256,
        decoding={"mode": "forced", "target": target},
        created_by=f"headscope {VERSION}",
    )
