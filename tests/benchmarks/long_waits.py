"""The longest wait of the window's thread at whatever a person can do with a long trace.

As `waits`, of which this is the part for long inputs: on each trace (made up: of 4,096 tokens 1 layer of 12
heads, of fewer 6 layers of 8 heads of each family; or files of one's own, recorded ones say) the views, the
pointer and the keys, zoom and pan, every panel, what is shown of all heads, and files written of it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent, QWheelEvent

from tests.benchmarks.tools.deeds import LIMIT_MS, Bench, Deed, Deeds, listened
from tests.benchmarks.tools.heartbeat import Heartbeat, Onlooker
from tests.benchmarks.tools.made_up_trace import write_made_up_trace
from tests.benchmarks.tools.measure import Row, arguments, report, say
from tests.benchmarks.tools.offscreen import QCoreApplication, wait_until
from tests.benchmarks.tools.worker import ROOT
from viewer.pages.look.map.map_view import MapView

LENGTHS = (1024, 2048, 4096)
_NONE = Qt.MouseButton.NoButton
_LEFT = Qt.MouseButton.LeftButton
_PLAIN = Qt.KeyboardModifier.NoModifier


class LongBench(Bench):
    """A window on a long trace."""

    def __init__(self, folder: Path, path: Path) -> None:
        super().__init__(folder, ahead=True)
        self.path = path

    @property
    def map(self) -> MapView:
        """The map of the first pane."""
        return self.window.look_page.panes[0].map

    def shown(self) -> bool:
        """Whether every view in view shows what it is to show."""
        views = [view for pane in self.window.look_page.panes for view in pane.views.values()]
        still = not any(view.isVisible() and (view.reading or view.stale) for view in views)
        return self.rests() and still

    def point(self, share: float) -> QPointF:
        """A point of the map on the way from its upper left to its lower right corner."""
        geometry = self.map.geometry_now()
        assert geometry is not None
        area = geometry.map_rect
        return QPointF(area.left() + share * area.width(), area.top() + share * area.height())

    def mouse(self, kind: QEvent.Type, share: float, held: bool = False) -> None:
        """The pointer does something on the map."""
        where = self.point(share)
        button = _LEFT if kind is not QEvent.Type.MouseMove else _NONE
        buttons = _LEFT if held else _NONE
        event = QMouseEvent(kind, where, self.map.mapToGlobal(where), button, buttons, _PLAIN)
        QCoreApplication.sendEvent(self.map, event)

    def click(self, share: float) -> None:
        """On a cell of the map."""
        self.mouse(QEvent.Type.MouseButtonPress, share, held=True)
        self.mouse(QEvent.Type.MouseButtonRelease, share)

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = _PLAIN) -> None:
        """On the map."""
        QCoreApplication.sendEvent(self.map, QKeyEvent(QEvent.Type.KeyPress, key, modifiers))

    def wheel(self, turns: int) -> None:
        """At the middle of the map."""
        where = self.point(0.5)
        angle = QPoint(0, 120 * turns)
        event = QWheelEvent(
            where,
            self.map.mapToGlobal(where),
            QPoint(),
            angle,
            _NONE,
            _PLAIN,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QCoreApplication.sendEvent(self.map, event)


def first_sight(bench: LongBench) -> Deeds:
    """The file, heads, steps, families."""
    session, window = bench.session, bench.window
    yield Deed(
        "open the trace",
        partial(window.path_asked.emit, str(bench.path)),
        lambda: (
            session.run() is not None
            and session.run().provenance.get("path") == str(bench.path)  # type: ignore[union-attr]
            and bench.shown()
        ),
    )
    trace = session.trace()
    assert trace is not None
    for kind in trace.kinds:
        yield Deed(f"to {kind}", partial(session.select_kind, kind), bench.shown)
        layers, heads = trace.layers(kind), trace.heads(kind)
        for head in (1, 2, heads - 1):
            yield Deed(f"head {head + 1}", partial(session.select_head, layers - 1, head), bench.shown)
    for steps in (-1, -1000, 500):
        yield Deed(f"step {steps}", partial(session.step_by, steps), bench.shown)
    yield Deed("first step", session.first_step, bench.shown)
    yield Deed("last step", session.last_step, bench.shown)
    for name in ("mean", "mean", "sqrt", "raw_pieces", "hide_specials", "hide_specials", "whole_words"):
        yield Deed(name, partial(bench.trigger, name), bench.shown)
    yield Deed("another head of words", partial(session.move_head, 0, -1), bench.shown)
    yield Deed("whole_words off", partial(bench.trigger, "whole_words"), bench.shown)
    yield Deed("undo", partial(bench.trigger, "undo"), bench.shown)
    yield Deed("redo", partial(bench.trigger, "redo"), bench.shown)


def pointing(bench: LongBench) -> Deeds:
    """Pointer, keys, zoom, pan, search."""
    _open(bench)
    look = bench.window.look_page
    for place in (0.2, 0.5, 0.51, 0.52, 0.8):
        yield Deed(f"pointer at {place}", partial(bench.mouse, QEvent.Type.MouseMove, place), bench.shown)
    for place in (0.3, 0.7, 0.4):
        yield Deed(f"click at {place}", partial(bench.click, place), bench.shown)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up):
        yield Deed(f"arrow {key.name}", partial(bench.key, key), bench.shown)
    for turn in range(1, 24):
        yield Deed(f"wheel in {turn}", partial(bench.wheel, 1), bench.shown)
        if turn % 5 == 0:
            yield Deed(
                f"pointer at zoom {turn}", partial(bench.mouse, QEvent.Type.MouseMove, 0.6), bench.shown
            )
            for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left):
                pan = partial(bench.key, key, Qt.KeyboardModifier.ShiftModifier)
                yield Deed(f"pan at zoom {turn}, {key.name}", pan, bench.shown)
            yield Deed(f"click at zoom {turn}", partial(bench.click, 0.45), bench.shown)
            yield Deed(f"arrow at zoom {turn}", partial(bench.key, Qt.Key.Key_Right), bench.shown)
    yield Deed("another head, zoomed in", partial(bench.session.move_head, 0, 1), bench.shown)
    for turn in range(1, 24):
        yield Deed(f"wheel out {turn}", partial(bench.wheel, -1), bench.shown)
    yield Deed("all of it", bench.map.reset_zoom, bench.shown)
    yield Deed("go to", partial(bench.trigger, "go_to"), bench.shown)
    line = look.panes[0].go_to
    for text in ("w", "wo", "1", "10", "100"):
        yield Deed(f"search {text}", partial(line.field.setText, text), bench.shown)
    for number in range(3):
        yield Deed(f"next match {number}", line.forth.click, bench.shown)
    yield Deed("close the search", line.close_line, bench.shown)
    yield Deed("smaller window", partial(bench.window.resize, 900, 600), bench.shown)
    yield Deed("larger window", partial(bench.window.resize, 1920, 1080), bench.shown)


def views(bench: LongBench) -> Deeds:
    """Every view of a pane, with heads and steps; two panes."""
    _open(bench)
    session = bench.session
    for visit in ("first", "second"):
        for name in ("view_heads", "view_flow", "view_words", "view_contributions", "view_map"):
            yield Deed(f"{name} ({visit})", partial(bench.trigger, name), bench.shown)
            yield Deed(f"{name}, another head", partial(session.move_head, 0, 1), bench.shown)
            yield Deed(f"{name}, another step", partial(session.step_by, -100), bench.shown)
            yield Deed(f"{name}, whole words", partial(bench.trigger, "whole_words"), bench.shown)
            yield Deed(f"{name}, tokens", partial(bench.trigger, "whole_words"), bench.shown)
    yield Deed("second pane", partial(bench.trigger, "second_pane"), bench.shown)
    yield Deed("another head in it", partial(session.move_head, 0, 1), bench.shown)
    yield Deed("another step in both", partial(session.step_by, -100), bench.shown)
    yield Deed("wheel beside it", partial(bench.wheel, 2), bench.shown)
    yield Deed("one pane", partial(bench.trigger, "second_pane"), bench.shown)
    for theme in ("dark", "light"):
        yield Deed(f"{theme} theme", bench.window.actions_.themes[theme].trigger, bench.shown)
    yield Deed("Chinese", bench.window.toggle_language, bench.shown)
    yield Deed("English", bench.window.toggle_language, bench.shown)
    yield Deed("F5", partial(bench.trigger, "present"), bench.shown)
    yield Deed("another head before a class", partial(session.move_head, 0, -1), bench.shown)
    yield Deed("F5 back", partial(bench.trigger, "present"), bench.shown)


def panels(bench: LongBench) -> Deeds:
    """Each panel of drawer and inspector, and steps and heads beside it; numbers of many heads; dialogs."""
    from viewer.document.selection import Numbers

    _open(bench)
    look, session = bench.window.look_page, bench.session
    for index, name in enumerate(look.drawer.names):
        yield Deed(f"drawer {name}", partial(look.drawer.show_panel, index), bench.shown)
        yield Deed(f"step beside {name}", partial(session.step_by, -3), bench.shown)
        yield Deed(f"head beside {name}", partial(session.move_head, 0, 1), bench.shown)
        yield Deed(f"click beside {name}", partial(bench.click, 0.45 + 0.02 * index), bench.shown)
        yield Deed(f"scroll {name}", partial(_scrolled, look.drawer), bench.shown)
    yield Deed("close the drawer", partial(look.drawer.show_panel, None), bench.shown)
    for index, name in enumerate(look.inspector.names):
        yield Deed(f"inspector {name}", partial(look.inspector.show_tab, index), bench.shown)
        yield Deed(f"step beside {name}", partial(session.step_by, -3), bench.shown)
        yield Deed(f"head beside {name}", partial(session.move_head, 0, -1), bench.shown)
        yield Deed(f"click beside {name}", partial(bench.click, 0.45 - 0.02 * index), bench.shown)
    for numbers in (Numbers.MAX_HEADS, Numbers.MEAN_LAYERS, Numbers.MAX_LAYERS, Numbers.ROLLOUT):
        yield Deed(f"numbers {numbers.value}", partial(session.select, numbers=numbers), bench.shown)
        yield Deed(
            f"pointer on {numbers.value}", partial(bench.mouse, QEvent.Type.MouseMove, 0.5), bench.shown
        )
        yield Deed(f"step of {numbers.value}", partial(session.step_by, -1), bench.shown)
    yield Deed("numbers weights", partial(session.select, numbers=Numbers.WEIGHTS), bench.shown)
    for name in ("export", "report", "model_info", "add_bookmark", "gold_links", "palette"):
        yield Deed(name, partial(bench.trigger, name), bench.shown)
        yield Deed(f"close {name}", bench.close_others, bench.shown)
    for number, name in ((1, "Positions"), (2, "Learn"), (0, "Look")):
        yield Deed(f"page {name}", partial(bench.window.pages.show_page, number), bench.shown)


def exports(bench: LongBench) -> Deeds:
    """Files of the map and of all heads; one given up."""
    from viewer.dialogs.export_dialog import ExportChoice

    _open(bench)
    exporting = bench.window.exporting
    request = exporting.request()
    heads = request.but(view="heads")
    writing = exporting.writing
    for what, asked, endings in (
        ("map", request, ("png", "svg", "pdf", "csv")),
        ("all heads", heads, ("png", "svg", "pdf", "npz")),
    ):
        for ending in endings:
            choice = ExportChoice(asked, str(bench.folder / f"figure.{ending}"))
            yield Deed(f"{what} as {ending}", partial(writing.write, choice), bench.rests)
            Path(choice.path).unlink(missing_ok=True)
    yield Deed("copy picture", exporting.copy_picture, bench.rests)
    choice = ExportChoice(heads, str(bench.folder / "figure.csv"))
    yield Deed("all heads as csv, begun", partial(writing.write, choice), lambda: bool(writing.jobs))
    bench.pass_time(2)
    yield Deed("the same, another head meanwhile", partial(bench.session.move_head, 0, 1), lambda: True)
    yield Deed("given up", lambda: [job.cancel() for job in writing.jobs], bench.rests)


GROUPS = (first_sight, pointing, views, panels, exports)


def _open(bench: LongBench) -> None:
    bench.window.path_asked.emit(str(bench.path))
    wait_until(lambda: bench.session.run() is not None and bench.shown())
    bench.pass_time(3)
    wait_until(bench.shown)
    bench.session.last_step()
    wait_until(bench.shown)


def _scrolled(drawer: object) -> None:
    from PySide6.QtWidgets import QAbstractScrollArea

    for area in drawer.findChildren(QAbstractScrollArea):  # type: ignore[attr-defined]
        if area.isVisible():
            bar = area.verticalScrollBar()
            bar.setValue(bar.maximum() // 2)


def one_group(name: str, path: Path, where: bool) -> Iterator[tuple[str, dict[str, float]]]:
    """All deeds of a group in this process."""
    group = next(each for each in GROUPS if each.__name__ == name)
    with tempfile.TemporaryDirectory() as folder:
        bench = LongBench(Path(folder), path)
        heartbeat = Heartbeat(LIMIT_MS)
        onlooker = Onlooker(heartbeat, LIMIT_MS / 2) if where else None
        wait_until(lambda: bench.program.beforehand.over)
        bench.pass_time(3)
        try:
            for deed in group(bench):
                told = listened(bench, deed, heartbeat, 240, listen=0.2)
                if onlooker is not None:
                    seen = onlooker.told()
                    if told["wall"] > LIMIT_MS:
                        say(f"  {deed.what}: {told['wall']:.0f} ms, processor {told['cpu']:.0f}\n{seen}")
                yield deed.what, told
        finally:
            if onlooker is not None:
                onlooker.stop()
            QGuiApplication.clipboard().clear()
            bench.end()


def measure(path: Path, what: str, names: list[str], where: bool) -> list[Row]:
    """A row a deed."""
    rows = []
    for name in names:
        command = [sys.executable, "-m", "tests.benchmarks.long_waits", "--group", name, "--trace", str(path)]
        result = subprocess.run(
            command + ["--where"] * where, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
        )
        for deed, told in json.loads(result.stdout.splitlines()[-1]):
            note = f"over after {told['seconds']:.2f} s"
            rows.append(
                Row(f"{what}, {name}: {deed}", told["wall"], "ms", LIMIT_MS, absolute=True, note=note)
            )
    return rows


def main() -> None:
    """Measure and print; with --group be the fresh process."""
    parser = arguments(__doc__)
    names = [group.__name__ for group in GROUPS]
    parser.add_argument("--tokens", type=int, nargs="+", default=LENGTHS)
    parser.add_argument("--trace", type=Path, help="a trace file of one's own instead of those made up")
    parser.add_argument(
        "--only", nargs="+", choices=names, default=names, metavar="GROUP", help=", ".join(names)
    )
    parser.add_argument("--where", action="store_true", help="say where the window's thread was meanwhile")
    parser.add_argument("--over", action="store_true", help="tell only what is over the limit")
    parser.add_argument("--group", choices=names, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.group:
        print(json.dumps(list(one_group(options.group, options.trace, options.where))))
        return
    rows = []
    if options.trace:
        rows = measure(options.trace.resolve(), options.trace.stem, options.only, options.where)
    for tokens in () if options.trace else options.tokens:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "long.trace"
            say(f"long waits: writing a trace of {tokens} tokens")
            write_made_up_trace(path, tokens, *(((1, 12),) if tokens > max(LENGTHS[:-1]) else ()))
            rows += measure(path, f"{tokens:,}", options.only, options.where)
    if options.over:
        say(f"{sum(not row.within for row in rows)} of {len(rows)} are over the limit")
        rows = [row for row in rows if not row.within]
    report(rows, as_json=options.json)


if __name__ == "__main__":
    main()
