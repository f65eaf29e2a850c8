"""Animations: a time-lapse, or the steps of a decoding, each frame drawn as every other export is."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from model.errors import HeadscopeError
from model.files.files import StrPath, replacing
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_sequence import TraceSequence
from viewer.document.selection import Selection
from viewer.export.animation_files import GIF_MS, AnimationFile, GifFile, WebpFile
from viewer.export.animation_palette import GlobalPalette, Pixels
from viewer.export.page import figure_picture
from viewer.export.picture import PX_PER_INCH, Picture, page_width, to_image
from viewer.figures.building import asks_model, build_figure, check
from viewer.figures.canvas.theme import theme
from viewer.figures.figure import AnyFigure
from viewer.figures.kind import Subject
from viewer.figures.registry import asked, drawing_of
from viewer.figures.request import ExportRequest, Motion, Source

ANIMATIONS = ("gif", "webp")
DEFAULT_DPI = 120  # what a screen shows; at a printer's 300 a file would be six times as large
RATES = (0.2, 50.0)  # frames a second; players show none faster
LONGEST_HOLD = 60.0
MOST_FRAMES = 2000
MOST_PIXELS = 8_300_000  # of a frame
LONGEST_SIDE = 16_383  # of a WebP


@dataclass(frozen=True)
class FrameProgress:
    """How far the writing is.

    Attributes:
        done, total: in arbitrary units.
        asking: a frame's numbers are still being worked out; try again in a while.
    """

    done: int
    total: int
    asking: bool = False


class Frames:
    """The figures of an animation, made one at a time when they are asked for.

    A time-lapse is taken as it is now; a frame that training drops meanwhile is passed over.
    """

    def __init__(self, source: Source, request: ExportRequest) -> None:
        """Raises as `frame_count`, or as `TraceSequence.open`."""
        self._request = request
        self._sequence: TraceSequence | None = None
        if request.motion.over == "training" and source.sequence is not None:
            self._sequence = TraceSequence.open(source.sequence.folder)
            source = replace(source, sequence=self._sequence)
        self._source = source
        self.count = frame_count(source, request)

    def figure(self, place: int) -> AnyFigure | None:
        """One frame's figure; None when its file has gone. Raises as `build_figure`."""
        request = self._request
        if self._sequence is None:
            selection = asked(request.view).at_a_step(request)
            return build_figure(self._source, request.but(step=place, selection=selection))
        try:
            trace = self._sequence.frame(place)
        except HeadscopeError as error:
            if error.code == "file_missing":
                return None
            raise
        step, selection = _step_in(trace, request.step), _cell_in(trace, request.selection)
        source = Source(trace=trace, gold=self._source.gold)
        return build_figure(source, request.but(step=step, selection=selection))


def frame_count(source: Source, request: ExportRequest) -> int:
    """How many frames the animation has.

    Raises:
        HeadscopeError: nothing moves, or too much, or the source lacks what is asked for.
    """
    check_motion(request.motion)
    kind = asked(request.view)
    if not kind.moves and kind.about is not Subject.MODEL:
        raise HeadscopeError("animation_view")
    if request.to_maximum:
        raise HeadscopeError("animation_scale")
    if request.motion.over == "training":
        if source.sequence is None:
            raise HeadscopeError("animation_single")
        if asks_model(request):  # the weights of former training steps are gone
            raise HeadscopeError("export_no_model", name=source.need_trace().model_name or "?")
        count = len(source.sequence)
    else:
        check(source, request.but(step=None))
        if kind.about is Subject.MODEL or request.selection.kind is AttentionKind.ENCODER_SELF:
            raise HeadscopeError("animation_no_steps")
        count = source.need_trace().steps
    if count > MOST_FRAMES:
        raise HeadscopeError("animation_long", frames=count, most=MOST_FRAMES)
    return count


def check_motion(motion: Motion) -> None:
    """Raise `HeadscopeError` for a rate or a pause that no player shows."""
    low, high = RATES
    if not low <= motion.fps <= high:
        raise HeadscopeError("animation_rate", fps=f"{motion.fps:g}", low=f"{low:g}", high=f"{high:g}")
    if not 0 <= motion.hold <= LONGEST_HOLD:
        raise HeadscopeError("animation_hold", seconds=f"{motion.hold:g}", high=f"{LONGEST_HOLD:g}")


def animate(
    source: Source, request: ExportRequest, path: StrPath, file_format: str
) -> Generator[FrameProgress, None, int]:
    """Write an animation piece by piece; closing the generator gives it up and leaves an old file.

    Frames are drawn by whoever drives the generator and compressed in a thread meanwhile. All frames are as
    large as the largest, lie at its top left, and differ in nothing but what they show.

    Args:
        file_format: one of `ANIMATIONS`.

    Returns:
        how many frames were written.

    Raises:
        HeadscopeError: as for `Frames`; the picture is too large; the file cannot be written.
    """
    if request.motion.over == "steps":
        request = request.but(highlight=True)  # the step is what moves
    frames = Frames(source, request)
    total = 2 * frames.count
    height, signed = 1.0, False
    for place in range(frames.count):
        figure = yield from _awaited(frames, place, FrameProgress(place, total))
        if figure is not None:
            height = max(height, _page(figure, request).height)
            signed = signed or drawing_of(figure.body).signed(figure.body)
        yield FrameProgress(place + 1, total)
    size = frame_size(request, height)
    written = 0
    with (
        replacing(path) as temporary,
        Path(temporary).open("xb") as raw,
        ThreadPoolExecutor(1) as pool,
    ):
        file = _file(raw, size, request, file_format, signed=signed)
        waiting: Future[None] | None = None
        last: Pixels | None = None
        for place in range(frames.count):
            figure = yield from _awaited(frames, place, FrameProgress(frames.count + place, total))
            if figure is None:
                continue
            drawn = _drawn(figure, request, height)
            if waiting is not None:
                waiting.result()
            if last is not None:
                waiting = pool.submit(file.add, last, frame_ms(request.motion, written))
                written += 1
            last = drawn
            yield FrameProgress(frames.count + place + 1, total)
        if waiting is not None:
            waiting.result()
        if last is None:
            raise HeadscopeError("animation_single")
        file.add(last, frame_ms(request.motion, written) + _ms(request.motion.hold))
        file.finish()
    return written + 1


def finished(work: Generator[FrameProgress, None, int], progress: Callable[[FrameProgress], None]) -> int:
    """Drive `animate` to its end; returns the number of frames. What `progress` raises gives it up."""
    try:
        while True:
            try:
                step = next(work)
            except StopIteration as end:
                return int(end.value)
            progress(step)
    finally:
        work.close()


def seconds(motion: Motion, frames: int) -> float:
    """How long an animation plays."""
    return sum(frame_ms(motion, place) for place in range(frames)) / 1000 + motion.hold


def frame_ms(motion: Motion, place: int) -> int:
    """How long a frame stays, in whole hundredths of a second that do not drift from the rate."""
    first, after = (round(count * 1000 / GIF_MS / motion.fps) for count in (place, place + 1))
    return (after - first) * GIF_MS


def frame_size(request: ExportRequest, height: float) -> tuple[int, int]:
    """Pixels across and down of a page of that height; `HeadscopeError` when they are too many."""
    scale = request.dpi / PX_PER_INCH
    width_px, height_px = round(page_width(request.width_mm) * scale), max(1, round(height * scale))
    if max(width_px, height_px) > LONGEST_SIDE or width_px * height_px > MOST_PIXELS:
        raise HeadscopeError("animation_large", width=width_px, height=height_px)
    return width_px, height_px


def _page(figure: AnyFigure, request: ExportRequest) -> Picture:
    return figure_picture(figure, request)


def _awaited(
    frames: Frames, place: int, progress: FrameProgress
) -> Generator[FrameProgress, None, AnyFigure | None]:
    """One frame's figure, as soon as the numbers that it needs have been worked out."""
    while True:
        try:
            return frames.figure(place)
        except HeadscopeError as error:
            if error.code != "export_waiting":
                raise
        yield replace(progress, asking=True)


def _drawn(figure: AnyFigure, request: ExportRequest, height: float) -> Pixels:
    """A frame's pixels [row, column]."""
    page = _page(figure, request)
    own = page.rect

    def paint(painter: QPainter, rect: QRectF, vector: bool) -> None:
        page.paint(painter, own, vector)

    return _pixels(to_image(replace(page, paint=paint, height=height), request.dpi))


def _pixels(image: QImage) -> Pixels:
    """A copy of a 32-bit image as [row, column] of 0x..RRGGBB."""
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.bytesPerLine() // 4)
    pixels: Pixels = rows[:, : image.width()].copy()
    return pixels


def _file(
    raw: BinaryIO, size: tuple[int, int], request: ExportRequest, file_format: str, *, signed: bool
) -> AnimationFile:
    loop = request.motion.loop
    if file_format == "webp":
        return WebpFile(raw, size, loop=loop)
    colours = theme(request.theme, request.colours)
    return GifFile(raw, size, loop=loop, palette=GlobalPalette(colours, signed=signed))


def _step_in(trace: Trace, step: int | None) -> int | None:
    """The step as far as this frame has it: a sentence that is written anew may be shorter."""
    return None if step is None or trace.steps == 0 else min(step, trace.steps - 1)


def _cell_in(trace: Trace, selection: Selection) -> Selection:
    """Without a cell that this frame does not have."""
    queries, keys = trace.query_tokens(selection.kind), trace.key_tokens(selection.kind)
    inside = (selection.query or 0) < len(queries) and (selection.key or 0) < len(keys)
    return selection if inside else selection.but(query=None, key=None)


def _ms(seconds: float) -> int:
    return round(seconds * 1000 / GIF_MS) * GIF_MS
