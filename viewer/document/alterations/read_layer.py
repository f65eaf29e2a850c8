"""ReadLayer in the window: its words, and the one layer that is read instead."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.alterations.read_layer import ReadLayer
from model.trace.trace import AttentionKind, Trace
from viewer.document.alterations.edits import Changes, replaced
from viewer.document.alterations.row import AlterationRow

translate = QCoreApplication.translate


class ReadLayerRow(AlterationRow[ReadLayer]):
    """Another encoder layer for the decoder to read."""

    section = "viewer.pages.look.what_if.layer_section:LayerSection"

    def text(self, change: ReadLayer, trace: Trace | None) -> str:
        """See `AlterationRow`."""
        if change.layer == 0:
            return translate("Alterations", "decoder reads the embeddings, before any encoder layer")
        return translate("Alterations", "decoder reads encoder layer {layer}").format(layer=change.layer)

    def vain(self, change: ReadLayer, trace: Trace, positions: str) -> str:
        """See `AlterationRow`."""
        if change.layer != trace.layers(AttentionKind.ENCODER_SELF):
            return ""
        return translate("Outcome", "the decoder reads the encoder's last layer anyway, as published")


def read_layer_of(changes: Changes) -> int | None:
    """The encoder layer that is read instead; None where it is what the model was trained to read."""
    return next((change.layer for change in changes if isinstance(change, ReadLayer)), None)


def with_read_layer(changes: Changes, layer: int | None) -> Changes:
    """The changes with that layer read, or (None) what the model was trained to read."""
    old = [change for change in changes if isinstance(change, ReadLayer)]
    return replaced(changes, old, None if layer is None else ReadLayer(layer))
