"""`Handout`: a lecture on paper: a page of A4 for each stop, with its title, its note and its figure."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, Qt
from PySide6.QtGui import QPageLayout, QPageSize, QPainter, QPixmap

from model.errors import HeadscopeError
from viewer.export.kept_images import PdfPaper
from viewer.export.page import figure_picture
from viewer.export.pdf import searchable
from viewer.export.picture import CREATOR, PX_PER_INCH
from viewer.figures.canvas.lettering import TextRun, draw_runs, line_height, wrapped
from viewer.figures.canvas.theme import theme
from viewer.figures.figure import AnyFigure
from viewer.figures.request import ExportRequest

_WIDTH_MM = 170.0  # between the margins of A4
_MARGIN_MM = 20.0
_DPI = 600
_TITLE, _NOTE, _SMALL = 22.0, 15.0, 11.0
_GAP = 14.0


class Handout:
    """A PDF that is written page by page; nothing is on the disk before `data` is."""

    def __init__(self, title: str) -> None:
        """Begin.

        Args:
            title: of the file.
        """
        # The first of all, so that it goes first: one that outlives what it paints on ends the process.
        self._painter = QPainter()
        self._buffer = QBuffer()
        self._buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        self._writer = PdfPaper(self._buffer)
        self._writer.setResolution(_DPI)
        self._writer.setTitle(title)
        self._writer.setCreator(CREATOR)
        margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
        paper = QPageLayout(
            QPageSize(QPageSize.PageSizeId.A4),
            QPageLayout.Orientation.Portrait,
            margins,
            QPageLayout.Unit.Millimeter,
        )
        if not self._writer.setPageLayout(paper):
            raise HeadscopeError("picture_failed", reason="Qt refused the page size")
        if not self._painter.begin(self._writer):
            raise HeadscopeError("picture_failed", reason="Qt cannot write a PDF")
        scale = _DPI / PX_PER_INCH
        self._painter.scale(scale, scale)
        size = self._writer.pageLayout().paintRectPixels(_DPI)
        self._room = QRectF(0, 0, size.width() / scale, size.height() / scale)
        self.pages = 0

    def add(self, title: str, note: str, shown: AnyFigure | QPixmap | None, foot: str) -> None:
        """A page.

        Args:
            shown: the figure, whose caption stands below it; a picture of the window where there is none.
            foot: the last line, such as the page's number.

        Raises:
            HeadscopeError: the figure's numbers cannot be read.
        """
        if self.pages:
            self._writer.newPage()
        self.pages += 1
        room, colours = self._room, theme("light")
        y = 0.0
        for text, pixels, bold in ((title, _TITLE, True), (note, _NOTE, False)):
            for line in (line for part in text.splitlines() for line in wrapped(part, pixels, room.width())):
                y += line_height(pixels)
                run = TextRun(line, 0.0, y - 0.3 * pixels, pixels, bold=bold)
                draw_runs(self._painter, [run], colours)
            y += _GAP / 2
        end = TextRun(foot, 0.0, room.bottom(), _SMALL, "dim")
        draw_runs(self._painter, [end], colours)
        left = QRectF(0.0, y + _GAP / 2, room.width(), room.bottom() - 2 * line_height(_SMALL) - y - _GAP / 2)
        if isinstance(shown, QPixmap):
            self._put_pixmap(shown, left)
        elif shown is not None:
            self._put_figure(shown, left)

    def data(self) -> bytes:
        """The file; nothing is added after it."""
        self.close()
        return searchable(self._writer.kept.to_pdf(bytes(self._buffer.data().data())))

    def close(self) -> None:
        """Add nothing more."""
        if self._painter.isActive():
            self._painter.end()

    def _put_figure(self, figure: AnyFigure, room: QRectF) -> None:
        picture = figure_picture(figure, ExportRequest(width_mm=_WIDTH_MM))
        share = min(1.0, room.height() / picture.height, room.width() / picture.width)
        self._painter.save()
        # Without it Qt stores stand-ins as JPEG, which changes their colours.
        self._painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        self._painter.translate(room.topLeft())
        self._painter.scale(share, share)
        try:
            picture.paint(self._painter, picture.rect, True)
        finally:
            self._painter.restore()

    def _put_pixmap(self, pixmap: QPixmap, room: QRectF) -> None:
        size = pixmap.size().toSizeF().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        self._painter.drawPixmap(QRectF(room.topLeft(), size), pixmap, QRectF(pixmap.rect()))
