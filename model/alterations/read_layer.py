"""ReadLayer: the decoder reads another layer of the encoder than it was trained on. No torch.

DecoderLens (Langedijk et al. 2023, arXiv 2310.03686): cross-attention is given the encoder's layer l, so that
the decoder itself says what stands there. In pre-norm the layer passes the norm that closes the encoder, as
in the paper; in post-norm each layer ends with a norm of its own.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from model.alterations.alteration import Alteration, Case
from model.alterations.effects import Effects
from model.alterations.values import check_count
from model.errors import HeadscopeError

EVERY_LAYER = "all"
"""What `translate` takes for one translation from each layer."""


@dataclass(frozen=True)
class ReadLayer(Alteration, name="read_layer"):
    """Every decoder layer reads one and the same layer of the encoder, whatever the model's wiring.

    Attributes:
        layer: how many layers the source has passed: 0 is the sum of embeddings and positions, 1 the first
            layer's output, and as many as there are the encoder's own output.
    """

    crosses = True

    layer: int

    def __post_init__(self) -> None:
        check_count("layer", self.layer)

    def label(self) -> str:
        """See `Alteration`."""
        if self.layer == 0:
            return "the decoder reads the embeddings, before any encoder layer"
        return f"the decoder reads encoder layer {self.layer}"

    def check(self, case: Case) -> None:
        """See `Alteration`."""
        count = case.architecture.encoder_layers
        if self.layer > count:
            raise HeadscopeError("alteration_read_layer", value=self.layer, count=count)

    def act(self, effects: Effects) -> None:
        """See `Alteration`."""
        effects.read(self.layer)

    @classmethod
    def add_arguments(cls, to: argparse._ArgumentGroup) -> None:
        """See `Alteration`."""
        to.add_argument(
            "--read-layer",
            type=_layer,
            metavar="L",
            help="let the decoder read the output of encoder layer L instead (DecoderLens); 0: the "
            "embeddings, before any layer",
        )

    @classmethod
    def of_arguments(
        cls, given: argparse.Namespace, parser: argparse.ArgumentParser
    ) -> tuple[ReadLayer, ...]:
        """See `Alteration`."""
        if given.read_layer == EVERY_LAYER:
            parser.error(f"--read-layer {EVERY_LAYER}: only `translate` says all of them; name one layer")
        return () if given.read_layer is None else (cls(given.read_layer),)

    def as_arguments(self) -> tuple[str, ...] | None:
        """See `Alteration`."""
        return "--read-layer", str(self.layer)


def _layer(text: str) -> int | str:
    if text.strip().lower() == EVERY_LAYER:
        return EVERY_LAYER
    if not text.strip().isdecimal() or not text.strip().isascii() or len(text.strip()) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a layer: 0, 1, 2, … or {EVERY_LAYER}")
    return int(text)
