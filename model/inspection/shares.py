"""Shares of source and prefix in each step, decoder layer by layer.

The question is that of Ferrando and Costa-jussà (2021), "Attention Weights in Transformer NMT Fail Aligning
Words Between Sequences but Largely Explain Model Predictions" (arXiv 2109.05853): a model regulates what the
two contexts contribute to a prediction. The measure here is this project's own and simple, no equation of
that paper: where cross-attention joins the residual stream,

    source share = ‖c‖ / (‖c‖ + ‖x‖)

with c [d] what cross-attention adds at that step (the sum of all heads' α f(x), without the bias of W_O,
which is of neither side) and x [d] the residual stream that it is added to.

What it leaves out: x holds source information that lower layers brought in, so that the share is the layer's
own and not accumulated; the angle between c and x, which may cancel each other; LayerNorm and the
feed-forward network afterwards. In pre-norm the stream grows with depth and shares shrink accordingly.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from model.inspection.arithmetic import output_bias
from model.inspection.asked import Asked
from model.inspection.plain import plain
from model.inspection.reading import Reader, Sublayer
from model.questions.answers import SourceShares
from model.questions.questions import SharesOf
from model.read_only import read_only
from model.trace.trace import AttentionKind, Floats


def shares_of(question: SharesOf, asked: Asked) -> Iterator[SourceShares | None]:
    """The source's share in every decoder layer at every step; yields None while a stack is to be computed.

    Raises:
        HeadscopeError: there is no translation; or numbers overflow.
    """
    readings = asked.readings
    reader = readings.reader(asked.reading)
    target = yield from readings.target(reader)
    cross = [sublayer for sublayer in target.sublayers if sublayer.name == "cross"]
    yield SourceShares(read_only(np.stack([_share(reader, sublayer) for sublayer in cross])))


@torch.inference_mode()
def _share(reader: Reader, cross: Sublayer) -> Floats:
    """[T]; 0 where both are zero."""
    attention = reader.attention(AttentionKind.CROSS, cross.layer)
    source = (cross.output.double() - output_bias(attention)).norm(dim=-1)
    both = source + cross.before.double().norm(dim=-1)
    return plain(torch.where(both > 0, source / both, 0.0))
