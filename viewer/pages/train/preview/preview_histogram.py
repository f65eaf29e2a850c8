"""`LengthHistogram`: how long the sentences of a corpus are, of both sides."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from model.data.pairs.survey import CorpusSurvey
from viewer.pages.accessible.cells import CellHost, Cells
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.worded import Worded

Counts = npt.NDArray[np.int64]
_BINS = 40
_COVERED = 0.99  # share of the sentences inside; the few beyond are said in words


def shown_length(source: Counts, target: Counts) -> int:
    """The length at which the histogram ends: 99 of 100 sentences of either side are no longer."""
    longest = 1
    for counts in (source, target):
        total = int(counts.sum())
        if total:
            longest = max(longest, int(np.searchsorted(np.cumsum(counts), _COVERED * total)))
    return longest


def bars(counts: Counts, length: int) -> Counts:
    """Sentences in equally wide bins of lengths 0 … `length`, [bins] with bins at most 40."""
    width = bin_width(length)
    kept = np.zeros(-(-(length + 1) // width) * width, np.int64)
    known = counts[: length + 1]
    kept[: len(known)] = known
    sums: Counts = kept.reshape(-1, width).sum(1)
    return sums


def bin_width(length: int) -> int:
    """Characters of a bin."""
    return max(1, -(-(length + 1) // _BINS))


class LengthHistogram(Worded, CellHost, QWidget):
    """Characters of a sentence across, sentences up: the source's as bars, the target's as a line."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._source: Counts = np.zeros(0, np.int64)
        self._target: Counts = np.zeros(0, np.int64)
        self.length = 0
        self._longest = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.update)

    def show_lengths(self, survey: CorpusSurvey | None) -> None:
        """Take what a survey has counted."""
        if survey is None or not len(survey.source_lengths) or not survey.source_lengths.sum():
            self._source = self._target = np.zeros(0, np.int64)
            self.length = 0
        else:
            both = (survey.source_lengths, survey.target_lengths)
            self.length = shown_length(*both)
            self._source, self._target = (bars(counts, self.length) for counts in both)
            self._longest = max(int(np.flatnonzero(counts)[-1]) if counts.any() else 0 for counts in both)
        self.setAccessibleName(self.tr("Lengths of the sentences in characters"))
        self.update()
        self.follow_cells()

    def cells(self) -> Cells | None:
        """A bar a column."""
        source, target, wide = self._source, self._target, bin_width(self.length)
        text = self.tr("{first} to {last} characters: sentences {source}, translations {target}")

        def name(row: int, column: int) -> str:
            counts = {"source": f"{int(source[column]):,}", "target": f"{int(target[column]):,}"}
            return text.format(first=column * wide, last=(column + 1) * wide - 1, **counts)

        def rect(row: int, column: int) -> QRectF:
            step = self.width() / len(source)
            return QRectF(column * step, 0, step, self.height())

        return Cells(1 if len(source) else 0, len(source), name, rect=rect)

    def sizeHint(self) -> QSize:
        """Low and wide."""
        return QSize(self._appearance.px(300), self._appearance.px(96))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Bars, line, axis, key."""
        if not self.length:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self.font()
        font.setPixelSize(self._appearance.px(12))
        painter.setFont(font)
        line = self._appearance.px(16)
        room = QRectF(0, line, self.width(), self.height() - 2 * line - 2)
        highest = max(int(self._source.max()), int(self._target.max()), 1)
        self._draw_bars(painter, room, highest)
        self._draw_line(painter, room, highest)
        painter.setPen(QPen(self._appearance.color("border_strong"), 1))
        painter.drawLine(room.bottomLeft(), room.bottomRight())
        self._write(painter, room, line)

    def _draw_bars(self, painter: QPainter, room: QRectF, highest: int) -> None:
        step = room.width() / len(self._source)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.color("chip"))
        for index, count in enumerate(self._source):
            height = room.height() * int(count) / highest
            gap = min(1.0, step / 6)
            painter.drawRect(
                QRectF(room.left() + index * step + gap, room.bottom() - height, step - 2 * gap, height)
            )

    def _draw_line(self, painter: QPainter, room: QRectF, highest: int) -> None:
        step = room.width() / len(self._target)
        painter.setPen(QPen(self._appearance.color("warn_text"), 1.5))
        points = []
        for index, count in enumerate(self._target):
            y = room.bottom() - room.height() * int(count) / highest
            points += [QPointF(room.left() + index * step, y), QPointF(room.left() + (index + 1) * step, y)]
        painter.drawPolyline(points)

    def _write(self, painter: QPainter, room: QRectF, line: int) -> None:
        muted, below = self._appearance.color("muted"), QRectF(0, room.bottom() + 2, self.width(), line)
        painter.setPen(muted)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, "0")
        end = self.tr("{length} characters").format(length=f"{self.length:,}")
        if self._longest > self.length:
            end = self.tr("{length} characters (1 in 100 is longer, up to {longest})").format(
                length=f"{self.length:,}", longest=f"{self._longest:,}"
            )
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, end)
        side = self._appearance.px(10)
        x = 0.0
        for text, color in ((self.tr("sentence"), "chip"), (self.tr("translation"), "warn_text")):
            x = self._key(painter, x, line, side, text, self._appearance.color(color), muted)

    def _key(
        self, painter: QPainter, x: float, line: int, side: int, text: str, color: QColor, ink: QColor
    ) -> float:
        painter.fillRect(QRectF(x, (line - side) / 2, side, side), color)
        x += side + 5
        painter.setPen(ink)
        width = painter.fontMetrics().horizontalAdvance(text)
        painter.drawText(QRectF(x, 0, width + 4, line), Qt.AlignmentFlag.AlignVCenter, text)
        return x + width + 16
