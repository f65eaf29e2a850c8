"""What a person does in a full session and with much at once, for `tests.benchmarks.waits`.

Forty runs (translations, what-ifs, forced ones, one of 512 tokens), thirty bookmarks and sixty edits stand in
the window before anybody listens.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from tests.benchmarks.tools.deeds import SHORT, Bench, Deed, Deeds
from tests.benchmarks.tools.made_up_trace import write_made_up_trace
from tests.benchmarks.tools.offscreen import wait_until

_RUNS, _MARKS, _EDITS, _TOKENS = 200, 40, 60, 512


def _filled(bench: Bench) -> None:
    """Many runs of one sentence, bookmarks, steps to undo."""
    bench.open_model()
    session = bench.session
    run = session.run()
    assert run is not None
    runs = tuple(
        run.but(
            id=f"r{number}",
            parent=f"r{number // 2}" if number else None,
            provenance={"source": "decoded"},
        )
        for number in range(_RUNS)
    )
    panes = tuple(replace(pane, run_id="r0") for pane in session.document.panes)
    session.set_document(replace(session.document, runs=runs, panes=panes))
    for number in range(_MARKS):
        session.step_by(-1 if number % 5 else 4)
        session.bookmarks.add(f"mark {number}")
    for number in range(_EDITS):
        session.select_head(number % 3, number % 4)
    wait_until(bench.rests)
    bench.pass_time(1)


def full(bench: Bench) -> Deeds:
    """Runs, bookmarks, panels and dialogs where there are many."""
    _filled(bench)
    session, window = bench.session, bench.window
    look = window.look_page
    for index, name in enumerate(look.drawer.names):
        yield Deed(f"drawer {name} beside many runs", partial(look.drawer.show_panel, index), bench.rests)
        yield Deed(f"another run beside {name}", partial(session.show_run, f"r{10 + index}"), bench.rests)
        yield Deed(f"a run less beside {name}", partial(session.remove_run, f"r{_RUNS - 1 - index}"))
    yield Deed("pin a run", partial(session.pin, "r5"), bench.rests)
    yield Deed("compare", bench.window.pages.show_compare, bench.rests)
    yield Deed("close the drawer", partial(look.drawer.show_panel, None))
    yield Deed("second pane", partial(bench.trigger, "second_pane"), bench.rests)
    yield Deed("the other pane", partial(session.activate_pane, 0), bench.rests)
    yield Deed("another run in it", partial(session.show_run, "r7"), bench.rests)
    yield Deed("one pane", partial(bench.trigger, "second_pane"), bench.rests)
    yield Deed("a bookmark", partial(session.bookmarks.show, 3), bench.rests)
    yield Deed("next bookmark", partial(session.bookmarks.step, 1), bench.rests)
    yield Deed("another bookmark", partial(session.bookmarks.add, "new"), bench.rests)
    for name in ("edit_bookmarks", "add_bookmark", "palette", "export", "report", "gold_links", "script"):
        yield Deed(f"{name} of many", partial(bench.trigger, name), bench.rests)
        if name == "palette":
            palette = window.palette_.dialog
            assert palette is not None
            for text in ("a", "an", "and", "h", ""):
                yield Deed(f"type {text!r} there", partial(palette.field.setText, text))
        yield Deed(f"close {name}", bench.close_others)
    for menu in window.menuBar().findChildren(QMenu):
        yield Deed(f"menu {menu.title()}", partial(menu.popup, QPoint(50, 50)))
        menu.close()
    for number in range(3):
        yield Deed(f"undo {number + 1}", partial(bench.trigger, "undo"), bench.rests)
    for number in range(3):
        yield Deed(f"redo {number + 1}", partial(bench.trigger, "redo"), bench.rests)
    saved = bench.folder / "full.headscope"
    yield Deed("save a full session", partial(window.saving.save, saved), lambda: not window.saving.jobs)
    yield Deed("away with all runs", session.clear_runs, bench.rests)
    yield Deed(
        "open the full session",
        partial(window.path_asked.emit, str(saved)),
        lambda: len(session.document.runs) > _RUNS // 2 and bench.rests(),
    )


def much(bench: Bench) -> Deeds:
    """Much at once: many files, long traces in all heads, lectures, the whole form, many sizes."""
    bench.open_model()
    session, window = bench.session, bench.window
    paths = []
    for number in range(5):
        path = bench.folder / f"dropped{number}.trace"
        write_made_up_trace(path, 60)
        paths.append(str(path))
    yield Deed("drop five traces", partial(window.paths_asked.emit, paths), bench.rests)
    yield Deed("drop two traces", partial(window.paths_asked.emit, paths[:2]), bench.rests)
    sentences = bench.folder / "sentences.txt"
    sentences.write_text(f"{SHORT}\n" * 300, encoding="utf-8")
    yield Deed(
        "drop a file of 300 sentences", partial(window.paths_asked.emit, [str(sentences)]), bench.rests
    )
    window.look_page.drawer.show_panel(None)
    long = bench.folder / "long.trace"
    write_made_up_trace(long, _TOKENS)
    session.clear_runs()
    yield Deed("open 512 tokens", partial(window.path_asked.emit, str(long)), bench.rests)
    yield Deed("all heads of 512 tokens", partial(bench.trigger, "view_heads"), bench.rests)
    bench.pass_time(2)
    yield Deed("step in all heads", partial(session.step_by, -3), bench.rests)
    yield Deed("another kind in all heads", partial(bench.trigger, "encoder_self"), bench.rests)
    yield Deed("the map again", partial(bench.trigger, "view_map"), bench.rests)
    yield Deed("flow of 512 tokens", partial(bench.trigger, "view_flow"), bench.rests)
    yield Deed("words of 512 tokens", partial(bench.trigger, "view_words"), bench.rests)
    yield Deed("the map of 512 tokens", partial(bench.trigger, "view_map"), bench.rests)
    yield Deed("gold links of 512 tokens", partial(bench.trigger, "gold_links"), bench.rests)
    yield Deed("close it", bench.close_others)
    for visit in ("first", "second"):
        for language in ("en", "zh"):
            yield Deed(
                f"lecture {language} ({visit})", partial(window.lecture_asked.emit, language), bench.has_model
            )
            for stop in range(4):
                yield Deed(f"its stop {stop + 2}", partial(session.bookmarks.step, 1), bench.rests)
    yield Deed("the example", window.example_asked.emit, bench.rests)
    window.pages.show_page(0)
    for width, height in ((900, 600), (1100, 650), (1280, 800), (1920, 1080), (1440, 900)):
        yield Deed(f"window {width}x{height}", partial(window.resize, width, height), bench.rests)
    yield Deed("type a sentence", partial(session.set_text, SHORT), bench.rests)
    window.pages.show_page(3)
    bench.pass_time(1)
    form = window.pages.train.form
    for group in form.groups:
        fold = getattr(group, "more", None)
        if fold is not None:
            yield Deed(f"unfold {type(group).__name__}", fold.click)
    yield Deed("Look from there", partial(window.pages.show_page, 0), bench.rests)
    yield Deed("Train with all options", partial(window.pages.show_page, 3), bench.rests)


FULL_GROUPS = (full, much)
