"""Model info: what is known of the model in use: numbers, and its card."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QLocale, Qt, QUrl
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from model.folder.families import Family
from model.positions.position_facts import is_stored
from viewer.document.messages.messages import ModelInfo
from viewer.document.positions.positions_known import facts_of
from viewer.document.text.lists import names as listed
from viewer.document.text.model_text import family_of, languages_text, unverified_sentence
from viewer.guarded import Guarded
from viewer.pages.widgets.buttons import label

_WIDE, _HIGH, _LOWEST = 660, 320, 140  # of the card


class CardPage(Guarded, QTextBrowser):
    """A model card: somebody's Markdown, of which nothing but the words is shown and nothing is opened."""

    def __init__(self, card: str) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setMarkdown(card)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """A blank instead of an image or a style sheet: Qt would read whatever file the card names.

        None would not do: where a page has nothing, its document opens the file itself.
        """
        return QImage(1, 1, QImage.Format.Format_Mono)


class ModelInfoDialog(QDialog):
    """Name, shape, size and hash of a model, and its card, in the window's language if it has one in it."""

    def __init__(self, info: ModelInfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Model information"))
        form = QFormLayout()
        form.setHorizontalSpacing(20)
        for name, value in self._facts(info):
            if not value:  # what a model does not have, or its folder does not say
                continue
            text = label("", value)
            text.setWordWrap(True)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            form.addRow(label("", name), text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.addLayout(form)
        chinese = QLocale().language() == QLocale.Language.Chinese
        card = (info.card_zh if chinese else "") or info.card
        if card:
            page = CardPage(card)
            page.setMinimumHeight(_LOWEST)
            page.setAccessibleName(self.tr("Model card"))
            column.addWidget(page, 1)
        column.addWidget(buttons)
        self.setMinimumWidth(_WIDE)
        self.resize(_WIDE, self.minimumSizeHint().height() + (_HIGH - _LOWEST if card else 0))

    def _facts(self, info: ModelInfo) -> list[tuple[str, str]]:
        """Name and value of each fact; an empty value where there is nothing to say."""
        shape = info.architecture
        norms = {
            "post_norm": self.tr("after each sub-layer (post)"),
            "pre_norm": self.tr("before each sub-layer (pre)"),
        }
        norm, activation = str(shape.get("norm", "")), str(shape.get("activation", ""))
        return [
            (self.tr("Name"), info.name),
            (self.tr("Kind"), self._kind(info)),
            (self.tr("Verified"), "" if info.verified else unverified_sentence(info.model_type)),
            (self.tr("Languages"), languages_text(info.languages)),
            (self.tr("Layers"), self._layers(info)),
            (self.tr("Keys and values"), self._grouped(shape)),
            (self.tr("Width"), self._width(shape)),
            (self.tr("Vocabulary"), self._vocabulary(info)),
            (self.tr("Layer norm"), norms.get(norm, norm)),
            (self.tr("Activation"), activation),
            (self.tr("Classes"), listed(map(str, shape.get("classes", ())))),
            (self.tr("Not shown"), self._unshown(shape)),
            (self.tr("Positions"), self._positions(info)),
            (self.tr("Ignored rules"), self._ignored(shape)),
            (self.tr("Parameters"), f"{info.parameters:,}"),
            ("SHA-256", info.sha256),
            (self.tr("Folder"), info.path),
        ]

    def _kind(self, info: ModelInfo) -> str:
        """Whose folder it is, and which stacks the model has."""
        families = {
            Family.ENCODER_DECODER: self.tr("encoder and decoder"),
            Family.DECODER_ONLY: self.tr("decoder only"),
            Family.ENCODER_ONLY: self.tr("encoder only"),
        }
        stacks = families[family_of(info)]
        if info.model_type == "headscope":
            return self.tr("{stacks}; Headscope bundle").format(stacks=stacks)
        if info.model_type == "marian":
            text = self.tr("{stacks}; Hugging Face Marian model, computed by Headscope itself")
            return text.format(stacks=stacks)
        text = self.tr("{stacks}; Hugging Face model of type {type}, run by transformers")
        return text.format(stacks=stacks, type=info.model_type or "?")

    def _layers(self, info: ModelInfo) -> str:
        shape, family = info.architecture, family_of(info)
        heads = shape.get("n_heads", 0)
        values = {
            "encoder": shape.get("encoder_layers", 0),
            "decoder": shape.get("decoder_layers", 0),
            "heads": heads,
            "decoder_heads": shape.get("decoder_heads", heads),
        }
        if family is Family.ENCODER_ONLY:
            return self.tr("{encoder}, of {heads} heads each").format(**values)
        if family is Family.DECODER_ONLY:
            return self.tr("{decoder}, of {heads} heads each").format(**values)
        if values["decoder_heads"] != heads:
            text = self.tr("{encoder} encoder, of {heads} heads; {decoder} decoder, of {decoder_heads} heads")
            return text.format(**values)
        return self.tr("{encoder} encoder, {decoder} decoder; {heads} heads each").format(**values)

    def _grouped(self, shape: dict[str, Any]) -> str:
        """Of a model in which several heads share them (grouped-query attention)."""
        grouped, heads = shape.get("kv_heads"), shape.get("n_heads", 0)
        if not grouped or grouped == heads:
            return ""
        text = self.tr("{grouped} heads, shared by {heads} query heads (grouped-query attention)")
        return text.format(grouped=grouped, heads=heads)

    def _width(self, shape: dict[str, Any]) -> str:
        if "d_model" not in shape:
            return ""
        if not shape.get("d_ff"):
            return self.tr("d_model {d_model}").format(d_model=shape["d_model"])
        text = self.tr("d_model {d_model}, feed-forward {d_ff}")
        if shape.get("decoder_d_ff"):
            text = self.tr(
                "d_model {d_model}, feed-forward {d_ff} in the encoder, {decoder_d_ff} in the decoder"
            )
        return text.format_map(shape)

    def _unshown(self, shape: dict[str, Any]) -> str:
        """Of a model whose answer is of a kind that has no place in the window."""
        head = shape.get("unshown_head")
        return self.tr("its answer ({head}); its attention heads are shown").format(head=head) if head else ""

    def _vocabulary(self, info: ModelInfo) -> str:
        shape = info.architecture
        source, target = shape.get("source_vocab", 0), shape.get("target_vocab", 0)
        if family_of(info) is not Family.ENCODER_DECODER:
            return self.tr("{pieces} pieces").format(pieces=source or target) if source or target else ""
        if not source and not target:
            return ""
        text = self.tr("{source} source pieces, {target} target pieces")
        if shape.get("copying") is True:
            text = self.tr("{source} pieces for both languages; words can be copied")
        return text.format(source=source, target=target)

    def _positions(self, info: ModelInfo) -> str:
        if is_stored(facts_of(info)):
            return self.tr("sinusoidal, stored as a table")
        name = str(info.architecture.get("positions", ""))
        if name == "relative" and info.model_type == "headscope":
            name = "vectors"
        return {
            "sinusoidal": self.tr("sinusoidal"),
            "learned": self.tr("learned"),
            "rotary": self.tr("rotary (RoPE)"),
            "relative": self.tr("relative bias"),
            "vectors": self.tr("relative vectors"),
            "alibi": "ALiBi",
            "none": self.tr("none"),
            "unknown": self.tr("of a kind that Headscope cannot show"),
        }.get(name, name)

    def _ignored(self, shape: dict[str, Any]) -> str:
        """Settings of `generation_config.json` that change what `transformers` would produce."""
        ignored = shape.get("ignored_rules", ())
        if not isinstance(ignored, list | tuple) or not ignored:
            return ""
        text = self.tr("from generation_config.json: {names}; output may differ from that of transformers")
        return text.format(names=listed(map(str, ignored)))
