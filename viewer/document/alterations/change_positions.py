"""ChangePositions in the window: its words, and the one change of positions that there is."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.alterations.change_positions import ChangePositions
from model.trace.trace import Trace
from viewer.document.alterations.edits import Changes, replaced
from viewer.document.alterations.row import AlterationRow

translate = QCoreApplication.translate


class ChangePositionsRow(AlterationRow[ChangePositions]):
    """No positions, or shuffled ones."""

    section = "viewer.pages.look.what_if.source_section:SourceSection"

    def text(self, change: ChangePositions, trace: Trace | None) -> str:
        """See `AlterationRow`."""
        if change.how == "none":
            texts = {
                "both": translate("Alterations", "no positions"),
                "source": translate("Alterations", "no positions in the source"),
                "target": translate("Alterations", "no positions in the target"),
            }
            return texts[change.side]
        if change.side == "source":
            text = translate("Alterations", "positions of the source shuffled (seed {seed})")
        elif (
            change.steps is None
        ):  # a trace of an earlier version, or a wish that nothing has been decoded for
            texts = {
                "both": translate(
                    "Alterations",
                    "positions shuffled, the target's among all possible ones (seed {seed})",
                ),
                "target": translate(
                    "Alterations", "positions of the target shuffled among all possible ones (seed {seed})"
                ),
            }
            text = texts[change.side]
        elif change.side == "both":
            text = translate(
                "Alterations",
                "positions shuffled, the target's among steps 1 to {steps} (seed {seed})",
            )
        else:
            text = translate(
                "Alterations", "positions of the target shuffled among steps 1 to {steps} (seed {seed})"
            )
        return text.format(seed=change.seed, steps=change.steps)

    def vain(self, change: ChangePositions, trace: Trace, positions: str) -> str:
        """See `AlterationRow`."""
        if positions != "none":
            return ""
        return translate("Outcome", "this model adds no positions to its tokens")


def positions_of(changes: Changes) -> ChangePositions | None:
    """The change of the positions, None if they are as they were."""
    return next((change for change in changes if isinstance(change, ChangePositions)), None)


def with_positions(changes: Changes, new: ChangePositions | None) -> Changes:
    """The changes with the positions changed so, or (None) not at all."""
    return replaced(changes, [change for change in changes if isinstance(change, ChangePositions)], new)
