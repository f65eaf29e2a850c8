"""PLACES: of every place in the window the part of the manual that F1 opens there, as `page#anchor`."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from viewer.document.session import Session
from viewer.pages.look.pane_views import pane_view
from viewer.pages.widgets.appearance import Appearance
from viewer.window.pages import LEARN, LOOK, POSITIONS, Pages

PLACES = {
    "present": "lectures",
    "view.map": "the-map",
    "view.flow": "views#flow",
    "view.words": "views#words",
    "view.heads": "views#all-heads",
    "view.contributions": "contributions",
    "inspector.next_word": "decoding#next-word",
    "inspector.arithmetic": "arithmetic",
    "inspector.what_if": "what-if",
    "drawer.branches": "branches",
    "drawer.compare": "compare",
    "drawer.heads_table": "heads",
    "drawer.sentences": "sentences",
    "positions.bias": "positions#other-sorts-of-positions",
    "positions.encoding": "positions#the-encoding",
    "positions.wavelengths": "positions#wavelengths",
    "positions.rotation": "positions#rotation",
    "positions.distance": "positions#similarity",
    "positions.bases": "positions#other-bases-and-widths",
    "positions.decode": "positions#without-positions",
    "learn.architecture": "learn#architecture",
    "learn.weighted_average": "lessons#a-weighted-average",
    "learn.scaling": "lessons#why-d_k",
    "learn.masks": "lessons#masks",
    "learn.slips": "lessons#common-mistakes",
    "learn.base": "lessons#base-10000-or-1000",
    "learn.parallel": "lessons#parallel-or-step-by-step",
    "learn.norms": "lessons#layernorm-or-batchnorm",
    "learn.search": "lessons#greedy-beam-sampling",
    "learn.smoothing": "lessons#smoothing-and-warm-up",
    "learn.bleu": "lessons#bleu-and-a-bleu-of-1000",
    "learn.tokenisation": "lessons#tokenisation",
    "learn.explanation": "lessons#is-attention-explanation",
    "learn.walk": "learn#layer-walk",
    "learn.two_sentences": "learn#one-word-two-sentences",
    "learn.order": "learn#order-of-words",
    "learn.copying": "experiments#copy-mechanism",
    "learn.guided": "experiments#guided-attention",
    "learn.rounds": "experiments#all-at-once-in-rounds",
    "learn.scheduled_sampling": "experiments#scheduled-sampling",
    "learn.batch_norm": "experiments#batchnorm-trained",
    "learn.norm_order": "experiments#pre-norm-or-post-norm",
    "learn.wiring": "experiments#what-the-decoder-reads",
    "learn.positions": "experiments#six-ways-to-tell-order",
    "learn.many_heads": "experiments#many-heads",
    "learn.kv_heads": "experiments#shared-keys-tied-tables",
    "train": "training",
    "dialog.AboutDialog": "first-look",
    "dialog.BatchDialog": "training#what-a-batch-looks-like",
    "dialog.BeamDialog": "branches#beam-search",
    "dialog.CircuitsDialog": "circuits",
    "dialog.DrawingDialog": "circuits#draw-a-pattern",
    "dialog.BookmarkNameDialog": "sessions#bookmarks",
    "dialog.BookmarksDialog": "sessions#bookmarks",
    "dialog.ExportDialog": "exporting",
    "dialog.GoldDialog": "alignment",
    "dialog.KeptDialog": "sessions#after-a-crash",
    "dialog.ModelInfoDialog": "formats#model-bundle",
    "dialog.PaletteDialog": "keys",
    "dialog.ReportDialog": "problems#report-a-problem",
    "dialog.SamplingDialog": "branches#sampling",
    "dialog.ScriptDialog": "recorder",
    "dialog.TrustDialog": "contrast#can-this-map-be-trusted",
    "dialog.SessionDialog": "sessions#saving",
}
"""By name: `view.`, `inspector.`, `drawer.`, `positions.`, `learn.` and a row's; `dialog.` and a class's."""


def target_of(place: str) -> str:
    """What the manual opens at a place, as `page#anchor`; its beginning for one that has no row."""
    return PLACES.get(place, "")


def place_now(pages: Pages, session: Session, appearance: Appearance) -> str:
    """The place one is in: where the keys are, else what is open beside the picture, else the picture."""
    if appearance.present:
        return "present"
    if pages.index == LOOK:
        selection = session.selection()
        view = "map" if selection is None else pane_view(selection.view).name
        return _in_look(pages, view)
    if pages.index == POSITIONS:
        return f"positions.{pages.positions.tab}"
    if pages.index == LEARN:
        return f"learn.{pages.learn.scene()[0]}"
    return "train"


def _in_look(pages: Pages, view: str) -> str:
    look = pages.look
    focused = look.window().focusWidget()
    if _holds(look.inspector, focused):
        return f"inspector.{look.inspector.names[look.inspector.tab]}"
    if look.drawer.panel and (_holds(look.drawer, focused) or not look.picture.isVisible()):
        return f"drawer.{look.drawer.panel}"
    return f"view.{view}"


def _holds(part: QWidget, focused: QWidget | None) -> bool:
    return focused is not None and part.isVisible() and part.isAncestorOf(focused)
