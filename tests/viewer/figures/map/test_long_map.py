"""Long maps: what a pixel shows, what is read, and that the numbers under the pointer are the file's."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray, QPointF, QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from model.files.tensor_file import TensorFile
from model.trace.trace import ArrayPatterns, AttentionKind, Trace
from model.trace.trace_file import open_trace, save_trace
from tests.viewer.export_samples import sample_trace
from viewer.document.document import Run, ViewOptions
from viewer.document.selection import Numbers, Selection
from viewer.document.session import Session
from viewer.export.page import figure_picture
from viewer.export.picture import to_svg
from viewer.figures.canvas.cell_colours import codes, pooled_along
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import LIGHT
from viewer.figures.canvas.zoom import Zoom
from viewer.figures.drawing import figure_geometry, paint_figure
from viewer.figures.figure import FigureSpec
from viewer.figures.flow.build import flow_figure
from viewer.figures.known import NotRead
from viewer.figures.map import head_grid, long_map, numbers_maps
from viewer.figures.map.axes import axes_of
from viewer.figures.map.build import map_figure
from viewer.figures.map.long_map import Block, LongArray, LongMap, shown_until
from viewer.figures.map.spec import MapSpec
from viewer.figures.map.whole_words import are_known, words_of
from viewer.figures.request import ExportRequest
from viewer.figures.words.build import words_figure
from viewer.pages.look.map.map_view import MapView
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.usefixtures("qapp")

ENC, DEC = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF
TOKENS, BLOCK = 61, 61 * 4


@pytest.fixture(autouse=True)
def long_from_hundred(monkeypatch: pytest.MonkeyPatch) -> None:
    """A map of more than 100 cells is a long one here, and read some four rows at a time."""
    monkeypatch.setattr(long_map, "LONG", 100)
    monkeypatch.setattr(head_grid, "LONG", 100)
    monkeypatch.setattr("model.trace.trace._BLOCK", BLOCK)
    monkeypatch.setattr("model.trace.trace_file._CHECKED_AT_OPEN", 0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A decoder of 1 layer and 3 heads over 61 tokens, its specials first and last, words of two pieces."""
    generator = np.random.default_rng(3)
    weights = np.tril(generator.random((1, 3, TOKENS, TOKENS), np.float32) ** 6)
    weights /= weights.sum(-1, keepdims=True)
    pieces = [f"▁w{n}" if n % 3 else "x" for n in range(1, TOKENS)]
    ids = np.arange(TOKENS, dtype=np.int64)
    trace = replace(
        sample_trace(),
        patterns=ArrayPatterns({DEC: weights}),
        src_text="",
        src_tokens=(),
        src_ids=np.zeros(0, np.int64),
        tgt_in_tokens=("<s>", *pieces),
        tgt_out_tokens=(*pieces, "</s>"),
        tgt_in_ids=ids,
        tgt_out_ids=np.append(ids[1:], 70),
        step_logprob=np.full(TOKENS, -1.0, np.float32),
        candidate_ids=np.zeros((TOKENS, 0), np.int64),
        candidate_logprobs=np.zeros((TOKENS, 0), np.float32),
        candidate_tokens=((),) * TOKENS,
    )
    save_trace(trace, tmp_path / "long.trace")
    return tmp_path / "long.trace"


def in_file(path: Path) -> np.ndarray:
    """[head, query, key] as safetensors describes it, read by hand."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    info = json.loads(data[8 : 8 + length])["decoder_self"]
    start, end = (8 + length + offset for offset in info["data_offsets"])
    return np.frombuffer(data[start:end], "<f4").reshape(info["shape"])[0]


def selection(**changes: object) -> Selection:
    return Selection(DEC, 0, 1, step=TOKENS - 1).but(**changes)


# What a pixel shows.

SIZES = st.integers(1, 40)


@st.composite
def windows(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, tuple[int, int, int, int], tuple[int, int]]:
    rows, columns = draw(SIZES), draw(SIZES)
    generator = np.random.default_rng(draw(st.integers(0, 1000)))
    matrix = generator.standard_normal((rows, columns)).astype(np.float32)
    if draw(st.booleans()):
        matrix = np.abs(matrix)
    first, left = draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1))
    last, right = draw(st.integers(first + 1, rows)), draw(st.integers(left + 1, columns))
    masked = generator.random((rows, columns)) < draw(st.sampled_from([0.0, 0.6, 1.0]))
    return matrix, masked, (first, last, left, right), (draw(SIZES), draw(SIZES))


def blocks(first: int, last: int, most: int) -> list[slice]:
    """A window's rows or columns shared out among no more pixels than there are."""
    count = min(most, last - first)
    ends = [first + place * (last - first) // count for place in range(count + 1)]
    return [slice(a, b) for a, b in itertools.pairwise(ends)]


def farthest(cells: np.ndarray) -> float:
    """By hand: the cell farthest from 0; of two as far, the one above it."""
    return max(cells.ravel().tolist(), key=lambda value: (abs(value), value))


@settings(max_examples=80, deadline=None)
@given(windows(), st.integers(0, 40))
def test_a_pixel_shows_the_number_farthest_from_zero_of_just_its_cells(given_: object, until: int) -> None:
    matrix, masked, window, pixels = given_  # type: ignore[misc]

    def read(first: int, last: int) -> Block:
        return matrix[first:last], masked[first:last] if masked.any() else None

    found = LongMap(matrix.shape, read)
    picture = found.whole_picture(window, pixels)
    downwards, across = blocks(*window[:2], pixels[0]), blocks(*window[2:], pixels[1])
    assert picture.values.tolist() == [[farthest(matrix[r, c]) for c in across] for r in downwards]
    if masked.any():
        assert picture.masked is not None
        wholly = [[bool(masked[r, c].all()) for c in across] for r in downwards]
        assert picture.masked.tolist() == wholly
    # Of a part of the rows (up to the step in view) no pixel shows anything of those after it.
    last = min(max(until, window[0]), window[1])
    shown = shown_until(picture, last)
    kept = [rows for rows in downwards if rows.stop <= last]
    assert shown.window == (window[0], kept[-1].stop if kept else window[0], *window[2:])
    assert shown.values.tolist() == picture.values[: len(kept)].tolist()
    if shown.window[1] < last:
        strip = found.strip((shown.window[1], last, *window[2:]), pixels[1])
        rest = slice(shown.window[1], last)
        assert strip.values.tolist() == [[farthest(matrix[rest, c]) for c in across]]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([2, 4, 9]).flatmap(lambda most: st.lists(st.integers(1, most), min_size=1, max_size=12)),
    st.one_of(st.integers(1, 300), st.just(20_000)),  # of so many columns few rows are taken at once
    st.sampled_from([0, 1]),
)
def test_blocks_of_any_sizes_are_pooled_to_their_largest(sizes: list[int], wide: int, axis: int) -> None:
    edges = np.cumsum([0, *sizes])
    matrix = np.random.default_rng(wide).standard_normal((edges[-1], wide)).astype(np.float32)
    wanted = np.array([matrix[a:b].max(0) for a, b in itertools.pairwise(edges)])
    found = pooled_along(np.maximum, matrix if axis == 0 else matrix.T, edges, axis)
    np.testing.assert_array_equal(found if axis == 0 else found.T, wanted)


@settings(max_examples=40, deadline=None)
@given(windows())
def test_what_is_shown_until_a_part_is_read_is_true_of_the_cells_that_it_covers(given_: object) -> None:
    matrix, _, window, pixels = given_  # type: ignore[misc]
    found = LongMap(matrix.shape, lambda first, last: (matrix[first:last], None))
    assert found.coarse(window) is None
    found.drawn = pixels
    for _ in found.scan():
        pass
    coarse = found.coarse(window)
    assert coarse is not None
    around = coarse.window
    assert around[0] <= window[0]
    assert around[1] >= window[1]
    assert around[2] <= window[2]
    assert around[3] >= window[3]
    downwards = [b for b in blocks(0, len(matrix), pixels[0]) if around[0] <= b.start < around[1]]
    across = [b for b in blocks(0, matrix.shape[1], pixels[1]) if around[2] <= b.start < around[3]]
    assert coarse.values.tolist() == [[farthest(matrix[r, c]) for c in across] for r in downwards]


def test_a_window_of_another_size_while_all_is_read_loses_nothing() -> None:
    matrix = np.random.default_rng(5).random((40, 30), np.float32)
    found = LongMap(matrix.shape, lambda first, last: (matrix[first:last], None))
    scan = found.scan()
    next(scan)
    found.drawn = (7, 9)
    for _ in scan:
        pass
    assert found.largest == matrix.max()


# Numbers, masks and sentences.


@pytest.mark.parametrize("hide", [False, True])
@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("head", [1, None])
def test_every_cell_of_a_long_map_is_that_of_the_file(
    path: Path, monkeypatch: pytest.MonkeyPatch, head: int | None, words: bool, hide: bool
) -> None:
    view = ViewOptions(hide_specials=hide, whole_words=words)
    found = map_figure(open_trace(path), selection(head=head), view)
    assert isinstance(found.body.matrix, LongArray)
    assert found.body.masked is not None
    if not words:
        weights = in_file(path)
        weights = weights[1] if head is not None else weights.astype(np.float64).mean(0).astype(np.float32)
        if hide:  # the row that predicts the end, the column of the start
            weights = weights[:-1, 1:]
        np.testing.assert_array_equal(np.asarray(found.body.matrix), weights)
        for row, column in [(0, 0), (17, 5), (17, 40), (len(weights) - 1, 3)]:
            assert found.body.weight_at(row, column) == weights[row, column]
            assert bool(found.body.masked[row, column]) == (weights[row, column] == 0)
    # As the same map read whole: which other tests hold to the file.
    monkeypatch.setattr(head_grid, "LONG", 1 << 30)
    whole = map_figure(open_trace(path), selection(head=head), view).body
    assert not isinstance(whole.matrix, LongArray)
    np.testing.assert_array_equal(np.asarray(found.body.matrix), whole.matrix)
    np.testing.assert_array_equal(np.asarray(found.body.masked), whole.masked)
    assert (found.body.badges, found.body.levels) == (whole.badges, whole.levels)
    assert [found.body.sentence_at(40, c) for c in range(20)] == [whole.sentence_at(40, c) for c in range(20)]


@pytest.mark.parametrize("hide", [False, True])
@pytest.mark.parametrize("words", [False, True])
def test_what_follows_from_a_long_maps_weights_is_worked_out_of_the_file(
    path: Path, monkeypatch: pytest.MonkeyPatch, words: bool, hide: bool
) -> None:
    view, chosen = ViewOptions(hide_specials=hide, whole_words=words), selection(numbers=Numbers.MAX_HEADS)
    trace = open_trace(path)
    found = map_figure(trace, chosen, view).body
    assert isinstance(found.matrix, LongArray)
    largest = in_file(path).max(0)
    if hide:
        rows = largest[:-1].sum(1, dtype=np.float64), largest[:-1, 1:].sum(1, dtype=np.float64)
        share = 1 - rows[1].sum() / rows[0].sum()
        assert f"special tokens hidden: {100 * share:.1f} % of the rows' sums" in found.badges
        largest = largest[:-1, 1:]
    if not words:
        np.testing.assert_array_equal(np.asarray(found.matrix), largest)
        assert [found.weight_at(17, c) for c in range(30)] == largest[17, :30].tolist()
        again = map_figure(trace, chosen.but(head=2), view).body
        assert again.matrix.of is found.matrix.of, "its pictures are kept while another head is chosen"
    monkeypatch.setattr(head_grid, "LONG", 1 << 30)
    whole = map_figure(open_trace(path), chosen, view).body
    np.testing.assert_array_equal(np.asarray(found.matrix), whole.matrix)
    np.testing.assert_array_equal(np.asarray(found.masked), whole.masked)
    assert (found.badges, found.levels) == (whole.badges, whole.levels)


def test_flow_and_words_of_a_long_map_are_those_of_the_map_read_whole(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = selection(step=40, query=30, key=7)
    view = replace(ViewOptions(), threshold=0.02)
    long = open_trace(path)
    flow, words = flow_figure(long, chosen, view).body, words_figure(long, chosen, view).body
    incoming = words_figure(long, chosen, replace(view, incoming=True)).body
    weights = in_file(path)[1][:41]
    reach = weights >= np.float32(0.02)
    assert len(flow.lines) == int(reach.sum())
    assert flow.hidden_share == pytest.approx(float(weights[~reach].sum() / weights.sum()), rel=1e-5)
    assert sorted(flow.of_tokens(30, None).value.tolist()) == sorted(weights[30][reach[30]].tolist())
    monkeypatch.setattr("viewer.figures.flow.lines._MOST_KEPT", 50)
    many = flow_figure(open_trace(path), chosen, view).body
    assert not many.lines.value.size
    assert many.reached.count == int(reach.sum())
    assert sorted(many.of_tokens(30, None).value.tolist()) == sorted(weights[30][reach[30]].tolist())
    assert sorted(many.of_tokens(None, 7).value.tolist()) == sorted(weights[:, 7][reach[:, 7]].tolist())
    assert [word.weight for word in words.blocks[0].words][:31] == weights[30][:31].tolist()
    queries = [word.weight for block in incoming.blocks if block.shaded for word in block.words]
    assert queries[7:41] == weights[7:, 7].tolist()
    assert queries[:7] == [None] * 7


def test_rows_that_are_no_weights_are_found_while_a_long_map_is_read(path: Path) -> None:
    trace = open_trace(path)
    weights = np.array(in_file(path))[None]
    weights[0, 1, 33] *= 3
    save_trace(replace(trace, patterns=ArrayPatterns({DEC: weights})), path.with_name("bad.trace"))
    bad = open_trace(path.with_name("bad.trace"))
    with pytest.raises(NotRead) as unread:
        map_figure(bad, selection(), ViewOptions(), lazy=True)
    assert not bad.found_unsound()
    for _ in unread.value.reading():
        pass
    spec = map_figure(bad, selection(), ViewOptions(), lazy=True).body
    assert spec.badges[0] == "damaged: row 34 sums to 3, not to 1"


def test_the_mean_of_many_cells_is_read_beside_the_window(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(head_grid, "LONG", TOKENS**2)  # one map is short, the heads of a layer are not
    monkeypatch.setattr(head_grid, "_MOST_AT_ONCE", TOKENS**2)
    trace, mean = open_trace(path), replace(selection(), head=None)
    with pytest.raises(NotRead) as unread:
        map_figure(trace, mean, ViewOptions(), lazy=True)
    slices = sum(1 for _ in unread.value.reading())
    assert slices == trace.heads(DEC)
    monkeypatch.setattr(type(trace.patterns), "layer", None)  # what was read is not read again
    matrix = map_figure(trace, mean, ViewOptions(), lazy=True).body.matrix
    assert np.array_equal(matrix, in_file(path).mean(axis=0, dtype=np.float64).astype(np.float32))
    assert map_figure(trace, selection(), ViewOptions(), lazy=True).body.matrix.shape == matrix.shape


@pytest.mark.parametrize(
    ("numbers", "by_hand"),
    [
        (Numbers.MAX_HEADS, lambda heads: heads.max(0)),
        (Numbers.MEAN_LAYERS, lambda heads: heads.mean(0, dtype=np.float64).astype(np.float32)),
        (Numbers.MAX_LAYERS, lambda heads: heads.max(0)),
    ],
)
def test_what_follows_from_many_cells_is_worked_out_beside_the_window(
    path: Path, monkeypatch: pytest.MonkeyPatch, numbers: Numbers, by_hand: Callable[[np.ndarray], np.ndarray]
) -> None:
    monkeypatch.setattr(head_grid, "LONG", TOKENS**2)  # one map is short, all heads together are not
    monkeypatch.setattr(head_grid, "_MOST_AT_ONCE", TOKENS**2)
    trace, chosen = open_trace(path), selection(numbers=numbers)
    with pytest.raises(NotRead) as unread:
        map_figure(trace, chosen, ViewOptions(), lazy=True)
    for _ in unread.value.reading():
        pass
    found = map_figure(trace, chosen, ViewOptions(), lazy=True).body
    assert np.array_equal(found.matrix, by_hand(in_file(path)))
    assert found.numbers is numbers
    growing = replace(open_trace(path), finished=False)  # its next token comes before this one's were read
    found = map_figure(growing, chosen, ViewOptions(whole_words=True), lazy=True).body
    assert found.words


# What is read.


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many numbers were read from files, in order."""
    counts: list[int] = []
    read = TensorFile.array

    def counted(file: TensorFile, name: str, first: int = 0, count: int | None = None) -> np.ndarray:
        found = read(file, name, first, count)
        if name == DEC:
            counts.append(found.size)
        return found

    monkeypatch.setattr(TensorFile, "array", counted)
    return counts


def drawn(figure: FigureSpec[MapSpec], options: DrawOptions, side: int = 400) -> QImage:
    image = QImage(side, side, QImage.Format.Format_RGB32)
    image.fill(LIGHT.color("panel"))
    painter = QPainter(image)
    paint_figure(painter, figure, QRectF(0, 0, side, side), LIGHT, options)
    painter.end()
    return image


def test_no_map_is_read_whole_to_be_drawn_and_a_part_in_view_alone(path: Path, reads: list[int]) -> None:
    figure = map_figure(open_trace(path), selection(), ViewOptions())
    drawn(figure, DrawOptions(), 150)
    assert 0 < max(reads) <= BLOCK, "some rows at a time"
    reads.clear()
    drawn(figure, DrawOptions(zoom=Zoom(20, 24, 5, 9)))
    assert sum(reads) == 4 * TOKENS, "the rows in view"
    reads.clear()
    figure.body.weight_at(50, 3)
    assert sum(reads) == TOKENS, "the row under the pointer"
    trace = open_trace(path)
    drawn(map_figure(trace, selection(), ViewOptions()), DrawOptions(), 150)
    reads.clear()
    for step in (10, 30, 50):
        drawn(map_figure(trace, selection(step=step), ViewOptions()), DrawOptions(), 150)
    assert sum(reads) < 0.5 * TOKENS * TOKENS, "another step reads only the pixels that it begins in"


def test_an_svg_of_an_earlier_step_has_the_rows_until_then(path: Path) -> None:
    """Qt's writer of SVG takes no part of an image: all rows would be squeezed into the place of these."""
    figure = map_figure(open_trace(path), selection(step=29), ViewOptions())
    picture = figure_picture(figure, ExportRequest())
    (link,) = re.findall(rb'base64,([^"]*)"', to_svg(picture))
    image = QImage.fromData(QByteArray.fromBase64(link))
    assert (image.height(), image.width()) == (30, TOKENS)
    by_hand = codes(in_file(path)[1][:30], None, figure.body.levels, sqrt_scale=False)
    for row, column in ((29, 29), (29, 0), (0, 0), (12, 7)):
        assert image.pixel(column, row) == LIGHT.table[by_hand[row, column]]


def test_a_files_picture_is_not_what_a_window_draws_until_its_own_is_read(path: Path) -> None:
    """It may have a hundred times as many pixels, each of which would be coloured while somebody waits."""
    trace, chosen = open_trace(path), selection()
    grid = axes_of(trace, chosen.kind, raw=False, hide=False).grid
    long = grid.long_map(chosen.layer, chosen.head)
    long.drawn = (20, 25)
    figure = map_figure(trace, chosen, ViewOptions())
    to_svg(figure_picture(figure, ExportRequest()))
    assert long.drawn == (20, 25)
    around = long.coarse(long.whole)
    assert around is not None
    assert around.values.shape == (20, 25)


def test_a_lone_weight_stays_to_be_seen(qapp: object, path: Path) -> None:
    weights = np.zeros((1, 1, 400, 400), np.float32)
    weights[0, 0, :, 0] = 1
    weights[0, 0, 277, 0], weights[0, 0, 277, 131] = 0, 1
    trace = replace(open_trace(path), patterns=ArrayPatterns({ENC: weights}))
    trace = replace(
        trace,
        src_tokens=tuple(f"▁s{n}" for n in range(400)),
        src_ids=np.arange(400, dtype=np.int64),
    )
    figure = map_figure(trace, Selection(ENC, 0, 0), ViewOptions())
    for side in (123, 250, 371):
        image = drawn(figure, DrawOptions(), side)
        place = figure_geometry(figure, QRectF(0, 0, side, side), DrawOptions())
        spot = place.rect_of(277, 131).center()
        near = [QPointF(spot.x() + x, spot.y() + y).toPoint() for x in (-1, 0, 1) for y in (-1, 0, 1)]
        darkest = LIGHT.table[-1]
        assert any(image.pixel(point) == int(darkest) for point in near), side


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 55), st.integers(0, 55), st.integers(1, 61), st.integers(1, 61), st.integers(150, 900))
def test_every_label_stands_at_its_own_cells_at_any_zoom(
    tmp_path_factory: pytest.TempPathFactory, top: int, left: int, high: int, wide: int, side: int
) -> None:
    figure = _labelled()
    zoom = Zoom(float(top), float(top + high), float(left), float(left + wide))
    place = figure_geometry(figure, QRectF(0, 0, side, side), DrawOptions(zoom=zoom))
    inside = place.map_rect.center()
    for label in place.rows:
        found = place.cell_at(QPointF(inside.x(), label.origin.y()))
        assert found is not None
        assert found[0] == label.index
        said = "".join(run.text for run in label.runs)
        assert f"{label.index}." in said or "…" in said
    for label in place.columns:
        lean = 0.4 * max(run.pixels for run in label.runs)
        centre = place.rect_of(place.first_row, label.index).center().x()
        assert abs(label.origin.x() - centre) <= lean + 1e-6


_figures: list[FigureSpec[MapSpec]] = []


def _labelled() -> FigureSpec[MapSpec]:
    if not _figures:
        patterns = ArrayPatterns({ENC: np.full((1, 1, TOKENS, TOKENS), 1 / TOKENS, np.float32)})
        trace = replace(
            sample_trace(),
            patterns=patterns,
            src_tokens=tuple(f"▁{n}." for n in range(TOKENS)),
            src_ids=np.arange(TOKENS, dtype=np.int64),
        )
        _figures.append(map_figure(trace, Selection(ENC, 0, 0), ViewOptions()))
    return _figures[0]


# In the window.


def shown_map(qtbot: QtBot, trace: Trace) -> MapView:
    session = Session()
    view = MapView(session, Appearance("light"), 0)
    qtbot.addWidget(view)
    session.add_run(Run("r1", trace))
    session.select(kind=DEC, layer=0, head=1, step=TOKENS - 1)
    view.resize(90, 90)
    view.show()
    return view


def test_what_cannot_be_read_is_told_once_and_tried_again_when_something_changes(
    qtbot: QtBot, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object) -> np.ndarray:
        raise HeadscopeError("picture_failed", reason="no such file")

    monkeypatch.setattr(numbers_maps, "_worked_out", broken)
    view = shown_map(qtbot, open_trace(path))
    told: list[HeadscopeError] = []
    view.failed.connect(told.append)
    view._session.select(numbers=Numbers.MAX_HEADS)
    for times in (1, 2):
        view.grab()
        qtbot.waitUntil(lambda count=times: len(told) == count and not view.reading)
        for _ in range(5):  # it would begin again with each frame
            view.grab()
            qtbot.wait(10)
        assert (len(told), view.figure, view.waiting) == (times, None, "")
        view.mark_dirty()


def test_words_of_two_kinds_are_known_beside_each_other(path: Path) -> None:
    """Two panes would have theirs found anew by turns, for ever."""
    trace = open_trace(path)
    axes = axes_of(trace, DEC, raw=False, hide=False)
    others = tuple(replace(row) for row in axes.rows)  # as those of a head with rows set by hand
    for rows in (axes.rows, others, axes.rows):
        words_of(trace, DEC, TOKENS - 1, rows, axes.columns, raw=False)
    assert are_known(trace, DEC, TOKENS - 1, axes.rows, axes.columns)
    assert are_known(trace, DEC, TOKENS - 1, others, axes.columns)
    assert not are_known(trace, DEC, TOKENS - 2, others, axes.columns)
    assert not are_known(trace, DEC, TOKENS - 1, tuple(others), axes.columns[1:])


def test_the_window_reads_beside_and_ends_with_what_an_export_draws(qtbot: QtBot, path: Path) -> None:
    view = shown_map(qtbot, open_trace(path))
    session = view._session
    assert view.figure is None
    assert view.reading
    assert view.waiting == "Reading…"
    qtbot.waitUntil(lambda: view.figure is not None)
    qtbot.waitUntil(lambda: view.grab() is not None and not view._finer.busy)

    def exact() -> bool:
        figure = view.figure
        assert figure is not None
        wanted = QImage(view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32))
        painter = QPainter(image := QImage(view.size(), QImage.Format.Format_RGB32))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(view.rect(), view.theme.color("panel"))
        paint_figure(painter, figure, view.figure_rect, view.theme, replace(view.options(), lazy=False))
        painter.end()
        return image == wanted

    qtbot.waitUntil(exact)
    before = view.figure
    session.select(head=2)
    assert view.figure is None
    assert view.holding, "the last map stays until the next one is read"
    qtbot.waitUntil(lambda: view.figure is not None)
    assert view.figure is not before
    assert view.spec is not None
    assert view.spec.weight_at(9, 4) == in_file(path)[2][9, 4]
    view.zoom_by(1.3)
    qtbot.waitUntil(exact)
