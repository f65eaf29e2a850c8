"""Flatten: an alteration that is not shipped, with its row in the window and its part of What if."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from model.alterations.alteration import Alteration, Case
from model.alterations.effects import Effects, Tensor
from model.alterations.place import check_there, check_values, place_label
from model.trace.trace import AttentionKind, Trace
from viewer.document.alterations.row import AlterationRow
from viewer.document.alterations.words import head_text
from viewer.document.what_if.what_if_editor import WhatIfEditor
from viewer.pages.look.what_if.section import Section
from viewer.pages.widgets.appearance import Appearance


@dataclass(frozen=True)
class Flatten(Alteration, name="flatten"):
    """A head attends to everything that it may attend to alike."""

    kind: AttentionKind
    layer: int
    head: int

    def __post_init__(self) -> None:
        check_values(self.kind, self.layer, self.head)

    def label(self) -> str:
        return f"{place_label(self.kind, self.layer, self.head)} flattened"

    def check(self, case: Case) -> None:
        check_there(self.kind, self.layer, self.head, case)

    def act(self, effects: Effects) -> None:
        effects.rewrite(self.kind, self.layer, self.head, None, self._flat)

    def _flat(self, pattern: Tensor, first: int, allowed: Tensor) -> Tensor:
        result = pattern.clone()
        result[:, self.head] = allowed.to(pattern.dtype) / allowed.sum(-1, keepdim=True)
        return result

    @classmethod
    def add_arguments(cls, to: argparse._ArgumentGroup) -> None:
        to.add_argument("--flatten", action="append", default=[], metavar="LAYER:HEAD", help="flatten a head")

    @classmethod
    def of_arguments(cls, given: argparse.Namespace, parser: argparse.ArgumentParser) -> tuple[Flatten, ...]:
        pairs = [text.split(":") for text in given.flatten]
        return tuple(cls(AttentionKind.CROSS, int(layer) - 1, int(head) - 1) for layer, head in pairs)

    def as_arguments(self) -> tuple[str, ...] | None:
        return "--flatten", f"{self.layer + 1}:{self.head + 1}"


class FlattenRow(AlterationRow[Flatten]):
    section = f"{__name__}:FlattenSection"

    def text(self, change: Flatten, trace: Trace | None) -> str:
        return f"{head_text(change.kind, change.layer, change.head)} flat"


class FlattenSection(Section):
    def __init__(self, editor: WhatIfEditor, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(editor, appearance, parent)
        self.button = QPushButton("Flatten")
        QVBoxLayout(self).addWidget(self.button)
        self.button.clicked.connect(self._ask)

    def refresh(self) -> None:
        flat = any(isinstance(change, Flatten) for change in self.editor.changes)
        self.button.setEnabled(not flat)

    def retranslate(self) -> None:
        self.button.setText("Flatten")

    def _ask(self) -> None:
        self.editor.ask((*self.editor.changes, Flatten(AttentionKind.CROSS, 1, 0)))
