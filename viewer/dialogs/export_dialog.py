"""The export dialog: what, how, where. It asks and shows a preview; the application writes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QDialog, QFileDialog, QVBoxLayout, QWidget

from model.errors import HeadscopeError
from model.trace.trace import AttentionKind
from viewer.dialogs import export_command
from viewer.dialogs.export_command import Asking, ExportContext
from viewer.dialogs.export_form import DATA, ONE, ExportForm
from viewer.dialogs.export_names import set_stem, size_text, stem, with_ending
from viewer.dialogs.export_offers import formats_of, offers, with_row
from viewer.document.messages.notice import error_sentence
from viewer.document.selection import Selection
from viewer.export.animation import ANIMATIONS, DEFAULT_DPI, frame_count, frame_size, seconds
from viewer.export.page import build_page
from viewer.export.picture import FORMATS, PX_PER_INCH, Picture, to_image
from viewer.export.sets import Member, sets_of
from viewer.export.sets import members as members_of
from viewer.figures.building import of_a_step
from viewer.figures.kind import Asked, Subject
from viewer.figures.paper import DPI, RESOLUTION
from viewer.figures.registry import asked
from viewer.figures.request import Each, ExportRequest, Over
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.question import agreed
from viewer.pages.widgets.reader import Reader
from viewer.pages.widgets.worded import Worded

_WIDEST, _HIGHEST, _EDGE = 1000, 680, 40
_LONGEST_PREVIEW = 3000  # pixels of a side; what is larger is previewed less sharp


class FolderMemory(Protocol):
    """What remembers the last folder and choices: `viewer.window.settings.Settings`."""

    folder: str
    export: dict[str, Any]


@dataclass(frozen=True)
class ExportChoice:
    """What the user asked to be written; a set's path is what its files' names begin with."""

    request: ExportRequest
    path: str
    members: tuple[Member, ...] = ()
    each: Each | None = None


class ExportDialog(Worded, QDialog):
    """Asks what to export and where to.

    Signals:
        export_asked: an `ExportChoice`, to be written; the dialog stays, and is told with `say`.
        copy_asked: an `ExportRequest`, whose picture goes to the clipboard.
        command_asked: a str, the command that makes the same file, for the clipboard.
        caption_asked: a str, the caption, for the clipboard.
    """

    export_asked = Signal(object)
    copy_asked = Signal(object)
    command_asked = Signal(str)
    caption_asked = Signal(str)

    def __init__(self, context: ExportContext, settings: FolderMemory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._settings = context, settings
        self._folder = Path(settings.folder)  # asked once: it looks at the disk
        self._named = False  # whether the user chose the file's name
        self._said = ""  # what became of the last file
        self._confirmed = ""  # a path whose replacement the user agreed to
        self.form = ExportForm(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.form)
        self._reader = Reader(self)  # which draws the preview
        self._reader.failed.connect(self._cannot_draw)
        self._reader.done.connect(self._show_drawn)
        self._drawn: list[QImage] = []
        self._page_width = 1.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self.refresh)
        if parent is not None:  # the picture has what the window can give
            room = parent.size()
            self.resize(min(_WIDEST, room.width() - _EDGE), min(_HIGHEST, room.height() - _EDGE))
        self._fill()
        wanted = self._settings.export.get("format")
        self._connect()
        self.retranslate()
        self._what_changed()
        if wanted in FORMATS:
            self.form.format.setCurrentIndex(max(0, self.form.format.findData(wanted)))

    def _fill(self) -> None:
        form, source, request = self.form, self._context.source, self._context.request
        compared, asks = self._context.compared is not None, self._context.asks_model
        for what in offers(source, request.selection, compared=compared, asks_model=asks):
            form.what.addItem("", what)
        if source.trace is not None and source.trace.kinds:
            form.what.addItem("", DATA)
        form.what.setCurrentIndex(max(0, form.what.findData(request.view)))
        form.paper.show_request(request)
        form.paper.remember(self._settings.export)
        self._other_dpi = DEFAULT_DPI  # pictures and animations keep resolutions of their own
        # The last step of this frame is not the last of every frame of a time-lapse.
        trace = source.trace
        whole = source.sequence is not None and trace is not None and request.step == trace.steps - 1
        form.upto.setChecked(request.step is not None and not whole)

    def _connect(self) -> None:
        form = self.form
        form.what.currentIndexChanged.connect(self._what_changed)
        form.format.currentIndexChanged.connect(self._format_changed)
        form.each.currentIndexChanged.connect(self._changed)
        form.paper.changed.connect(self._changed)
        form.upto.toggled.connect(self._changed)
        form.motion.changed.connect(self._motion_changed)
        form.path.textEdited.connect(self._path_edited)
        form.browse.clicked.connect(self._browse)
        form.copy.clicked.connect(self._copy)
        form.command.clicked.connect(self._copy_command)
        form.export.clicked.connect(self._export)
        form.copy_caption.clicked.connect(self._copy_caption)
        form.close_button.clicked.connect(self.reject)
        self.finished.connect(self._remember)

    @property
    def what(self) -> str:
        """The name of a kind of figure, or `data` for the whole decoding."""
        return str(self.form.what.currentData() or ExportRequest().view)

    @property
    def file_format(self) -> str:
        """The chosen ending, such as `png`."""
        return str(self.form.format.currentData() or "png")

    @property
    def animated(self) -> bool:
        """Whether the chosen format is an animation's."""
        return self.file_format in ANIMATIONS

    @property
    def request(self) -> ExportRequest:
        """The figure as the fields describe it."""
        form, request = self.form, self._context.request
        view = self._view
        # What the heads are worth to the whole translation is no matter of steps or of training.
        worth = request.options.importance and not self.animated
        stepped = of_a_step(request.but(view=view)) or (self._offers_step() and form.upto.isChecked())
        step = request.step if stepped else None
        row = None if stepped or self.animated else request.step
        return request.but(
            view=view,
            selection=with_row(self._selection, asked(view), row),
            options=replace(request.options, importance=worth),
            step=step,
            **form.paper.values,
            motion=form.motion.motion if self.animated else request.motion,
        )

    @property
    def _view(self) -> str:
        """The kind of figure that is drawn."""
        return ExportRequest().view if self.what == DATA else self.what

    @property
    def _kind(self) -> Asked:
        """How it is asked for."""
        return asked(self._view)

    @property
    def _selection(self) -> Selection:
        """What the figure shows; of a difference what the pane with B shows, be it active or not."""
        compared = self._context.compared if self._kind.about is Subject.PAIR else None
        return self._context.request.selection if compared is None else compared

    @property
    def path(self) -> str:
        """The file to write, with the ending of the chosen format."""
        text = self.form.path.text().strip()
        if not text:
            return ""
        path = self._folder / Path(text).expanduser()
        ending = f".{self.file_format}"
        # The root has no name to end; it is refused when it is written.
        return str(path) + ("" if path.suffix.lower() == ending or not path.name else ending)

    def command(self) -> str | None:
        """The command that makes the same file; None if there is none, see `no_command`."""
        return export_command.command(self._context, self._asking)

    def no_command(self) -> str:
        """Why there is no command for this file."""
        return export_command.no_command(self._context, self._asking)

    @property
    def _asking(self) -> Asking:
        return Asking(self.request, self.path, self.file_format, self.each)

    def retranslate(self) -> None:
        """Set every text in the language in force."""
        self.setWindowTitle(self.tr("Export"))
        self.form.retranslate((self._context.request.step or 0) + 1)
        for index in range(self.form.format.count()):
            self.form.format.setItemText(index, self._format_name(self.form.format.itemData(index)))
        self._changed()

    def refresh_soon(self) -> None:
        """Something that the figure needs has been worked out."""
        self._timer.start()

    def refresh(self) -> None:
        """Draw the preview and say what is wrong with the choice, if anything is."""
        form = self.form
        problem, said, command = "", "", self.command()
        form.preview.setVisible(self.what != DATA)
        size = caption = ""
        if self.what != DATA:
            try:
                page = build_page(self._context.source, self.request)
                picture, caption = page.picture, page.picture.caption
                self._draw(picture)
                if self.animated:
                    said = self._extent(picture.height)
                elif self.file_format in FORMATS:
                    size = size_text(page, self.file_format, self.request)
                    if self.request.to_maximum and not page.topped:
                        said = self.tr("The scale of this picture does not depend on the largest weight.")
            except HeadscopeError as error:
                self._reader.stop()
                form.preview.clear()
                problem = error_sentence(error)
        form.extent.setText(size)
        form.caption.setPlainText(caption)
        form.copy_caption.setEnabled(bool(caption))
        said = said or ("" if problem else self._files_text())
        form.message.setText(problem or self._said or said)
        form.export.setEnabled(not problem and bool(self.path))
        form.copy.setEnabled(not problem and self.what != DATA)
        form.command.setEnabled(not problem and command is not None)
        form.command.setToolTip(plain(command or self.no_command()))

    def _draw(self, picture: Picture) -> None:
        """Have the page drawn as large as it is on paper, by the screen's own idea of an inch.

        Beside the window, since a page may have the heads of a long text; what stood there stays until then.
        """
        ratio = min(self.devicePixelRatioF(), _LONGEST_PREVIEW / max(picture.width, picture.height))
        dpi = max(DPI[0], round(PX_PER_INCH * ratio))
        self._drawn = drawn = []

        def drawing() -> Iterator[None]:
            drawn.append(to_image(picture, dpi))
            yield

        self._page_width = picture.width
        self._reader.read(picture, drawing)

    def _show_drawn(self) -> None:
        for image in self._drawn:
            pixmap = QPixmap.fromImage(image)
            pixmap.setDevicePixelRatio(image.width() / self._page_width)
            self.form.preview.setPixmap(pixmap)

    def _cannot_draw(self, error: HeadscopeError) -> None:
        self.form.preview.clear()
        self.form.message.setText(error_sentence(error))
        self.form.export.setEnabled(False)
        self.form.copy.setEnabled(False)

    def _files_text(self) -> str:
        """How many files a set has and what the first and the last are called; empty for one."""
        members, path = self._members(), self.path
        if not members or not path:
            return ""
        names = [Path(member.path(path)).name for member in (members[0], members[-1])]
        text = self.tr("{count} files: {first} to {last}")
        return text.format(count=len(members), first=names[0], last=names[1])

    def _members(self) -> tuple[Member, ...]:
        """The files of the set that is asked for; none of a single file."""
        context = self._context
        return () if self.each is None else members_of(context.source, self.request, self.each, context.marks)

    def say(self, text: str) -> None:
        """Say what became of what was asked; it stands until something is changed."""
        self._said = text
        self.form.message.setText(text)

    def _extent(self, height: float) -> str:
        """How long and how large the animation will be; `HeadscopeError` when that is too much."""
        request = self.request
        frames = frame_count(self._context.source, request)
        width_px, height_px = frame_size(request, height)
        return self.tr("{frames} frames of {width} × {height} pixels, {seconds} seconds").format(
            frames=frames, width=width_px, height=height_px, seconds=f"{seconds(request.motion, frames):.1f}"
        )

    def _offers_step(self) -> bool:
        request = self._context.request
        kind = self._kind
        every = "kind" in kind.ignored
        decoder = every or request.selection.kind is not AttentionKind.ENCODER_SELF
        stepping = self.animated and self.form.motion.motion.over == "steps"
        offered = request.step is not None and decoder and kind.stepped and not stepping
        return offered and self.what != DATA and not of_a_step(request.but(view=self.what))

    def _overs(self) -> list[Over]:
        """What can be animated of the chosen view."""
        source, kind = self._context.source, self._context.request.selection.kind
        overs: list[Over] = []
        if self.what != DATA and self._kind.moves:
            if source.sequence is not None and len(source.sequence) > 1:
                overs.append("training")
            if source.trace is not None and source.trace.steps > 1 and kind is not AttentionKind.ENCODER_SELF:
                overs.append("steps")
        return overs

    def _what_changed(self) -> None:
        form, wanted = self.form, self.file_format
        overs = self._overs()
        form.motion.offer(overs)
        formats = (*formats_of(self.what, self._context.source), *(ANIMATIONS if overs else ()))
        with QSignalBlocker(form.format):
            form.format.clear()
            for name in formats:
                form.format.addItem(self._format_name(name), name)
            form.format.setCurrentIndex(max(0, form.format.findData(wanted)))
        self._format_changed()

    def _format_name(self, name: str) -> str:
        if name in ANIMATIONS:
            shown = {"gif": "GIF", "webp": "WebP"}[name]
            return self.tr("{format} (animation)").format(format=shown)
        return {"trace": "trace", "pharaoh": "Pharaoh"}.get(name, name.upper())

    def _format_changed(self) -> None:
        form = self.form
        picture = self.file_format in (*FORMATS, *ANIMATIONS)
        ignored = self._kind.ignored
        form.paper.enable(
            lambda option: (
                picture
                and option.dest not in ignored
                and (not option.only or self.file_format in option.only)
            )
        )
        if self.animated != form.motion.shown:
            resolution = form.paper.editors[RESOLUTION.name]
            dpi = resolution.value()
            with QSignalBlocker(resolution):
                resolution.setValue(self._other_dpi)
            self._other_dpi = dpi
        form.motion.set_shown(self.animated)
        form.upto.setVisible(self._offers_step())
        self._offer_sets()
        named = Path(form.path.text().strip())
        if self._named and named.name:
            form.path.setText(with_ending(named, self.file_format))
        else:
            form.path.setText(str(self._folder / f"{self._stem()}.{self.file_format}"))
        self._changed()

    def _offer_sets(self) -> None:
        single = self.what == DATA or self.animated
        self.form.offer_sets(
            () if single else sets_of(self._context.source, self.request, self._context.marks)
        )

    @property
    def each(self) -> Each | None:
        """Which set of files is asked for; None for one."""
        chosen = self.form.each.currentData()
        return None if chosen in (None, ONE) else chosen

    def _stem(self) -> str:
        """A name for the file, or what the names of a set begin with."""
        if self.each == "bookmarks":
            return "bookmarks"
        trace, page = self._context.source.trace, self._context.source.page
        over = self.form.motion.motion.over if self.animated else ""
        if self.each is not None:
            return set_stem(self.what, self.request, self.each)
        return stem(self.what, self.request, trace=trace, over=over, page="" if page is None else page.name)

    def _changed(self) -> None:
        self._said = ""
        if not self._named:
            with QSignalBlocker(self.form.path):
                self.form.path.setText(str(self._folder / f"{self._stem()}.{self.file_format}"))
        self._timer.start()

    def _motion_changed(self) -> None:
        self.form.upto.setVisible(self._offers_step())
        self._changed()

    def _path_edited(self) -> None:
        self._named = True
        self._changed()

    def _browse(self) -> None:
        endings = f"{self.file_format.upper()} (*.{self.file_format})"
        path, _ = QFileDialog.getSaveFileName(self, self.tr("Export"), self.path, endings)
        if path:
            self._named = True
            self.form.path.setText(path)
            self._confirmed = self.path if self.path == path else ""
            self._changed()

    def _copy(self) -> None:
        self.copy_asked.emit(self.request)

    def _copy_command(self) -> None:
        command = self.command()
        if command is not None:
            self.command_asked.emit(command)

    def _copy_caption(self) -> None:
        self.caption_asked.emit(self.form.caption.toPlainText())

    def _remember(self) -> None:
        """Keep the choices for the next time."""
        if self.animated:  # the resolution in view is an animation's
            kept = {**self.form.paper.kept, RESOLUTION.name: self._other_dpi}
        else:
            kept = self.form.paper.kept
        self._settings.export = {**kept, "format": self.file_format}

    def _export(self) -> None:
        path = self.path
        if not path:
            return
        members = self._members()
        files = [member.path(path) for member in members] or [path]
        there = [file for file in files if Path(file).exists()]
        if there and path != self._confirmed and not self._may_replace(there):
            return
        self._confirmed = ""
        self._settings.folder = str(Path(path).parent)
        self._remember()
        self.export_asked.emit(ExportChoice(self.request, path, members, self.each))

    def _may_replace(self, there: list[str]) -> bool:
        if len(there) == 1:
            question = self.tr("{name} already exists. Replace it?").format(name=Path(there[0]).name)
        else:
            question = self.tr("{count} of these files exist already. Replace them?").format(count=len(there))
        return agreed(self, self.tr("Export"), question)
