"""Animated GIF and WebP, read back with Pillow: colours, timing, size, frames that vanish, giving up."""

from __future__ import annotations

import os
import struct
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QRectF
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from model.questions.answers import Gradients
from model.questions.questions import GradientOf, Question, Reading
from model.trace import trace_sequence
from model.trace.trace import AttentionKind
from model.trace.trace_sequence import TraceSequence
from tests.viewer.export_samples import FRENCH, sample_trace
from tests.viewer.time_lapse_samples import STEPS, keep, make_sequence, weights_on_disk
from viewer.document.document import ViewOptions
from viewer.document.selection import Numbers, Selection
from viewer.export import animation
from viewer.export.animation import animate, finished, frame_ms
from viewer.export.animation_files import changed
from viewer.export.animation_job import AnimationJob, Written
from viewer.export.animation_palette import GlobalPalette
from viewer.export.page import MARGIN, build_picture, page_options
from viewer.export.picture import to_image
from viewer.export.writers import write_export
from viewer.figures.building import build_figure
from viewer.figures.canvas.theme import theme
from viewer.figures.drawing import figure_geometry
from viewer.figures.map.layout import MapGeometry
from viewer.figures.request import ExportRequest, Motion, Source

pytestmark = pytest.mark.usefixtures("qapp")

# GIF has 160 of the colour map's 256 colours: each channel is at most so far from the true one.
GIF_TOLERANCE = 3
REQUEST = ExportRequest(selection=Selection(layer=1, head=2), width_mm=100.0, dpi=72)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_sequence(tmp_path / "probe")


@pytest.fixture
def source(folder: Path) -> Source:
    sequence = TraceSequence.open(folder)
    return Source(trace=sequence.frame(3), sequence=sequence)


def frames_of(path: Path) -> list[np.ndarray]:
    with Image.open(path) as image:
        found = []
        for place in range(image.n_frames):
            image.seek(place)
            found.append(np.asarray(image.convert("RGB")).astype(int))
        return found


def durations_of(path: Path) -> list[int]:
    with Image.open(path) as image:
        found = []
        for place in range(image.n_frames):
            image.seek(place)
            image.load()
            found.append(int(image.info["duration"]))
        return found


def pixels_of(source: Source, request: ExportRequest) -> np.ndarray:
    """The same figure as a still, from the code that writes PNG."""
    image = to_image(
        build_picture(source, request.but(highlight=request.motion.over == "steps")), request.dpi
    )
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    return rows[:, : image.width(), 2::-1].astype(int)


def middles(source: Source, request: ExportRequest) -> np.ndarray:
    """Pixel (x, y) in the middle of each cell, [row, column, 2]."""
    figure = build_figure(source, request)
    picture = build_picture(source, request)
    inner = QRectF(0, 0, picture.width, picture.height).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    place = figure_geometry(figure, inner, page_options(request))
    assert isinstance(place, MapGeometry)
    rows, columns = figure.body.matrix.shape
    scale = request.dpi / 96
    centers = [[place.rect_of(r, c).center() for c in range(columns)] for r in range(rows)]
    return np.array([[(int(p.x() * scale), int(p.y() * scale)) for p in row] for row in centers])


def map_colours(weights: np.ndarray, theme_name: str, *, sqrt: bool = False) -> np.ndarray:
    """The colour map's colour of each weight, worked out anew."""
    share = np.sqrt(weights) if sqrt else weights
    packed = theme(theme_name).table[np.floor(share * 255 + 0.5).astype(int)]
    return np.stack([packed >> 16 & 255, packed >> 8 & 255, packed & 255], -1).astype(int)


@pytest.mark.parametrize(("theme_name", "sqrt"), [("light", False), ("dark", True)])
@pytest.mark.parametrize("ending", ["gif", "webp"])
def test_cells_have_the_colours_of_the_file_s_numbers(
    tmp_path: Path, folder: Path, source: Source, ending: str, theme_name: str, sqrt: bool
) -> None:
    request = REQUEST.but(theme=theme_name, options=ViewOptions(sqrt_scale=sqrt))
    path = tmp_path / f"a.{ending}"
    write_export(source, request, path)
    at = middles(source, request)
    frames = frames_of(path)
    assert len(frames) == len(STEPS)
    for step, frame in zip(STEPS, frames, strict=True):
        wanted = map_colours(weights_on_disk(folder, step, 1, 2), theme_name, sqrt=sqrt)
        found = frame[at[..., 1], at[..., 0]]
        assert np.abs(found - wanted).max() <= (GIF_TOLERANCE if ending == "gif" else 0)
    panel = theme(theme_name).color("panel").getRgb()[:3]
    assert all(tuple(frame[0, 0]) == panel for frame in frames)  # the ground is exact


@pytest.mark.parametrize("view", ["heatmap", "heads"])
def test_webp_is_the_still_pixel_for_pixel_and_gif_nearly(tmp_path: Path, source: Source, view: str) -> None:
    request = REQUEST.but(view=view)
    for ending in ("gif", "webp"):
        write_export(source, request, tmp_path / f"a.{ending}")
    assert source.sequence is not None
    moving = zip(frames_of(tmp_path / "a.webp"), frames_of(tmp_path / "a.gif"), strict=True)
    for place, (webp, gif) in enumerate(moving):
        still = pixels_of(Source(trace=source.sequence.frame(place)), request)
        np.testing.assert_array_equal(webp[: len(still)], still)
        apart = np.abs(gif[: len(still)] - still).max(-1)
        assert apart.max() <= 24  # antialiased type
        assert (apart > GIF_TOLERANCE).mean() < 0.06


def test_gif_has_one_palette_and_no_dithering(tmp_path: Path, source: Source) -> None:
    write_export(source, REQUEST, tmp_path / "a.gif")
    data = (tmp_path / "a.gif").read_bytes()
    assert data[:6] == b"GIF89a"
    assert data[10] & 0x87 == 0x87  # a global table of 256
    frames, place = 0, 13 + 768
    while data[place] != 0x3B:
        if data[place] == 0x21:
            place += 2
        else:
            frames += 1
            assert data[place : place + 1] == b","
            assert data[place + 9] & 0xC0 == 0  # no local table, not interlaced
            place += 11
        while data[place]:
            place += 1 + data[place]
        place += 1
    assert (frames, place) == (len(STEPS), len(data) - 1)
    # Where the true picture is of one colour, so is the GIF: inside of every cell.
    at, still = middles(source, REQUEST), frames_of(tmp_path / "a.gif")[-1]
    for x, y in at.reshape(-1, 2):
        assert (still[y - 3 : y + 4, x - 3 : x + 4] == still[y, x]).all()


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("signed", [False, True])
def test_the_palette_is_near_every_colour_of_the_map(name: str, signed: bool) -> None:
    colours = theme(name)
    table = colours.diverging if signed else colours.table
    palette = GlobalPalette(colours, signed=signed)
    assert len(palette.colours) <= 256
    assert int(palette.colours[0]) == colours.color("panel").rgb() & 0xFFFFFF
    nearest = np.frombuffer(palette.table(), np.uint8).reshape(256, 3)[palette.indices(table)].astype(int)
    wanted = np.stack([table >> 16 & 255, table >> 8 & 255, table & 255], -1).astype(int)
    assert np.abs(nearest - wanted).max() <= GIF_TOLERANCE
    assert palette.indices(np.array([[0xFF000001]], np.uint32)).shape == (1, 1)


def test_time_is_kept_and_the_last_frame_is_held(tmp_path: Path, source: Source) -> None:
    for ending in ("gif", "webp"):
        path = tmp_path / f"a.{ending}"
        write_export(source, REQUEST.but(motion=Motion(fps=3, hold=2.0)), path)
        assert durations_of(path) == [330, 340, 330, 2330]
    assert sum(frame_ms(Motion(fps=7), place) for place in range(70)) == 10_000  # it does not drift
    assert {frame_ms(Motion(fps=7), place) for place in range(70)} == {140, 150}


@pytest.mark.parametrize("loop", [True, False])
def test_looping(tmp_path: Path, source: Source, loop: bool) -> None:
    for ending in ("gif", "webp"):
        write_export(source, REQUEST.but(motion=Motion(loop=loop)), tmp_path / f"a.{ending}")
    gif = (tmp_path / "a.gif").read_bytes()
    assert (b"NETSCAPE2.0\x03\x01\x00\x00\x00" in gif) is loop
    with Image.open(tmp_path / "a.webp") as webp:
        assert webp.info["loop"] == (0 if loop else 1)
    data = (tmp_path / "a.webp").read_bytes()
    assert struct.unpack_from("<I", data, 4)[0] == len(data) - 8


@pytest.mark.parametrize("view", ["heatmap", "heads"])
def test_the_steps_of_a_decoding(tmp_path: Path, view: str) -> None:
    source = Source(trace=sample_trace())
    request = REQUEST.but(view=view, motion=Motion(over="steps"), step=2)
    write_export(source, request, tmp_path / "a.webp")
    frames = frames_of(tmp_path / "a.webp")
    assert len(frames) == len(FRENCH) - 1
    for step, frame in enumerate(frames):
        still = pixels_of(source, request.but(step=step))
        np.testing.assert_array_equal(frame[: len(still)], still)


def test_every_frame_says_its_step(source: Source) -> None:
    frames = animation.Frames(source, REQUEST)
    for place, step in enumerate(STEPS):
        figure = frames.figure(place)
        assert figure is not None
        assert figure.caption.endswith(f" Training step {step:,}.")  # no other word moves


def test_frames_of_other_lengths_lie_on_one_page(tmp_path: Path, folder: Path) -> None:
    keep(folder, 100, FRENCH[:3])
    sequence = TraceSequence.open(folder)
    request = REQUEST.but(step=5)
    write_export(Source(trace=sequence.frame(0), sequence=sequence), request, tmp_path / "a.webp")
    frames = frames_of(tmp_path / "a.webp")
    stills = [
        pixels_of(Source(trace=sequence.frame(place)), request.but(step=1 if place == 1 else 5))
        for place in range(4)
    ]
    assert len({still.shape for still in stills}) > 1
    for frame, still in zip(frames, stills, strict=True):
        assert frame.shape[0] == max(other.shape[0] for other in stills)
        np.testing.assert_array_equal(frame[: len(still)], still)
        assert (frame[len(still) :] == frame[0, 0]).all()


def test_frames_that_vanish_or_come_meanwhile(
    tmp_path: Path, folder: Path, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace_sequence, "_OPEN_TRACES", 1)
    path = tmp_path / "a.webp"
    work = animate(source, REQUEST, path, "webp")
    for _ in range(5):
        next(work)
    (folder / "00000200.trace").unlink()
    keep(folder, 1300)
    assert finished(work, lambda progress: None) == 3
    assert len(frames_of(path)) == 3
    assert durations_of(path) == [200, 200, 1700]  # the last one is held, whichever it is


def test_giving_up_leaves_what_was_there(tmp_path: Path, source: Source) -> None:
    path = tmp_path / "a.gif"
    path.write_bytes(b"old")
    work = animate(source, REQUEST, path, "gif")
    for _ in range(6):
        next(work)
    assert len(list(tmp_path.glob(".a.gif.*"))) == 1
    work.close()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.glob(".a.gif.*")) == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda r: r.but(motion=Motion(fps=0.0)), "animation_rate"),
        (lambda r: r.but(motion=Motion(fps=float("nan"))), "animation_rate"),
        (lambda r: r.but(motion=Motion(hold=-1.0)), "animation_hold"),
        (lambda r: r.but(dpi=2400), "animation_large"),
        (lambda r: r.but(selection=Selection(layer=7)), "export_layer"),
        (lambda r: r.but(motion=Motion("steps"), view="positions"), "export_no_positions"),
        (
            lambda r: r.but(motion=Motion("steps"), selection=Selection(AttentionKind.ENCODER_SELF)),
            "animation_no_steps",
        ),
    ],
)
def test_what_cannot_be_is_said(
    tmp_path: Path, source: Source, change: Callable[[ExportRequest], ExportRequest], code: str
) -> None:
    with pytest.raises(HeadscopeError) as caught:
        write_export(source, change(REQUEST), tmp_path / "a.gif")
    assert caught.value.code == code
    assert not (tmp_path / "a.gif").exists()


def test_a_single_trace_has_no_training(tmp_path: Path) -> None:
    with pytest.raises(HeadscopeError) as caught:
        write_export(Source(trace=sample_trace()), REQUEST, tmp_path / "a.gif")
    assert caught.value.code == "animation_single"


def test_an_endless_animation_is_refused(
    tmp_path: Path, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(animation, "MOST_FRAMES", 3)
    with pytest.raises(HeadscopeError, match="4 frames is too long; the limit is 3"):
        write_export(source, REQUEST, tmp_path / "a.gif")


def test_a_full_disk_is_a_sentence(tmp_path: Path, source: Source) -> None:
    with pytest.raises(HeadscopeError):
        write_export(source, REQUEST, tmp_path / "no" / "a.gif")


def test_the_rectangle_that_changed() -> None:
    before = np.zeros((4, 6), np.uint32)
    after = before.copy()
    assert changed(None, after) == (0, 0, 6, 4)
    assert changed(before, after) == (0, 0, 1, 1)
    after[1, 2] = after[3, 4] = 1
    assert changed(before, after) == (2, 1, 3, 3)


def test_a_job_draws_and_writes_beside_the_window(
    tmp_path: Path, source: Source, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, threads = animation._drawn, set()

    def seen(*arguments: Any) -> Any:
        threads.add(threading.get_ident())
        return drawn(*arguments)

    monkeypatch.setattr(animation, "_drawn", seen)
    job = AnimationJob(source, REQUEST, str(tmp_path / "a.gif"))
    steps: list[tuple[int, int]] = []
    ends: list[object] = []
    job.progressed.connect(lambda done, total: steps.append((done, total)))
    job.ended.connect(ends.append)
    job.start()
    qtbot.waitUntil(lambda: bool(ends), timeout=20_000)
    size = (tmp_path / "a.gif").stat().st_size
    assert ends == [Written(str(tmp_path / "a.gif"), 4, size)]
    assert steps == [(done, 8) for done in range(1, 9)]
    assert len(threads) == 1
    assert threads != {threading.get_ident()}


def test_a_job_can_be_cancelled_and_can_fail(tmp_path: Path, source: Source, qtbot: QtBot) -> None:
    ends: list[object] = []
    (tmp_path / "a.gif").write_bytes(b"old")
    job = AnimationJob(source, REQUEST, str(tmp_path / "a.gif"))
    job.ended.connect(ends.append)
    job.progressed.connect(lambda done, total: job.cancel() if done == 6 else None)
    job.start()
    qtbot.waitUntil(lambda: bool(ends), timeout=20_000)
    job.cancel()
    assert ends == [None]
    assert (tmp_path / "a.gif").read_bytes() == b"old"
    assert sorted(os.listdir(tmp_path)) == ["a.gif", "probe"]
    bad = AnimationJob(source, replace(REQUEST, dpi=2400), str(tmp_path / "a.gif"))
    bad.ended.connect(ends.append)
    bad.start()
    qtbot.waitUntil(lambda: len(ends) == 2, timeout=20_000)
    assert isinstance(ends[1], HeadscopeError)


def test_numbers_of_models_that_are_gone_are_refused_before_a_frame_is_drawn(source: Source) -> None:
    selection = REQUEST.selection.but(numbers=Numbers.VALUE_WEIGHTED)
    with pytest.raises(HeadscopeError) as raised:
        animation.frame_count(source, REQUEST.but(selection=selection))
    assert raised.value.code == "export_no_model"


def test_frames_wait_for_what_is_being_worked_out(tmp_path: Path, qtbot: QtBot) -> None:
    trace = sample_trace()
    asked: list[int] = []

    def known(question: Question, reading: Reading | None) -> object:
        """Each step's answer, the third time that it is asked for."""
        assert isinstance(question, GradientOf)
        asked.append(question.step)
        if asked.count(question.step) < 3:
            return None
        ones = {kind: np.ones(trace.patterns.shape(kind) or (), np.float32) for kind in trace.kinds}
        return Gradients(question.step, -1.0, ones)

    source = Source(trace=trace, known=known)
    selection = Selection(AttentionKind.CROSS, numbers=Numbers.GRADIENT)
    request = ExportRequest(selection=selection, motion=Motion(over="steps"), dpi=72, width_mm=60)
    ends: list[object] = []
    job = AnimationJob(source, request, str(tmp_path / "a.gif"))
    job.ended.connect(ends.append)
    job.start()
    qtbot.waitUntil(lambda: bool(ends), timeout=20_000)
    assert isinstance(ends[0], Written), ends
    assert ends[0].frames == trace.steps
    assert sorted(set(asked)) == list(range(trace.steps))
