"""LayersOf: what the decoder makes of every encoder layer (DecoderLens, arXiv 2310.03686). No torch."""

from __future__ import annotations

from dataclasses import dataclass

from model.questions.causes.method import Given, Method
from model.questions.causes.report import Report
from model.questions.questions import Question
from model.trace.trace import Floats


@dataclass(frozen=True)
class LayersOf(Question, answered_by="model.causes.decoder_lens:layers_of_encoder"):
    """A translation from each encoder layer, greedy or in rounds; answered by `LayersRead`, which grows.

    The reading's text is read anew: what changes its order must be among the reading's alterations.
    """


@dataclass(frozen=True, eq=False)
class LayerRow:
    """What the decoder writes when it reads one encoder layer.

    Attributes:
        layer: how many encoder layers the source has passed; 0 for the embeddings.
        tokens: raw pieces that were produced, the end token included where it came.
        logprobs: float32, natural log probability of each.
        finished: False where the length limit stopped it.
        given: natural log probability of the reading's own translation, read token by token, with that layer;
            NaN where the reading has none.
    """

    layer: int
    text: str
    tokens: tuple[str, ...]
    logprobs: Floats
    finished: bool
    given: float

    @property
    def mean_logprob(self) -> float:
        """Natural log probability per token of what was written; NaN of nothing."""
        return float(self.logprobs.mean(dtype="float64")) if len(self.logprobs) else float("nan")


@dataclass(frozen=True, eq=False)
class LayersRead:
    """The layers so far, in order from 0.

    Attributes:
        layers: N, how many layers the encoder has; all are there when there are N + 1 rows.
    """

    rows: tuple[LayerRow, ...]
    layers: int


def _report(found: LayersRead, given: Given) -> Report:
    columns = ("layer", "tokens", "finished", "logprob", "mean_logprob", "given_logprob", "text")
    rows = [
        (
            row.layer,
            len(row.tokens),
            "yes" if row.finished else "no",
            float(row.logprobs.sum(dtype="float64")),
            row.mean_logprob,
            row.given,
            row.text,
        )
        for row in found.rows
    ]
    arrays = {f"logprobs_{row.layer}": row.logprobs for row in found.rows}
    texts = [row.text for row in found.rows]
    same = next((at for at in range(len(texts)) if len(set(texts[at:])) == 1), 0)
    meaning = (
        f"From layer {same} on the text is that of the last layer."
        if same + 1 < len(texts)
        else "No earlier layer gives the text of the last one."
    )
    return Report({"encoder_layers": found.layers}, columns, rows, arrays, meaning=(meaning,))


DECODER_LENS = Method(
    "layers",
    "A translation from each encoder layer",
    "the decoder reads the encoder's layer l (0: the embeddings) through the norm that closes the encoder, "
    "if it has one, instead of its output",
    "The decoder was trained on what it usually reads: what it cannot say of another layer may well be "
    "there.",
    "Langedijk et al. 2023 (arXiv 2310.03686)",
    lambda given: LayersOf(),
    _report,
)
