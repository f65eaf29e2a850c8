"""The longest wait of the window's thread at whatever a person can do.

The real program without a screen, on a fresh user's settings. Each deed is done from the event loop, as a
click is; from then on until it is over and half a second later a heartbeat of the same thread listens (see
`tests.benchmarks.tools.heartbeat`). Each group of deeds has a process of its own; what is visited for the
first time there is visited `--after` seconds after the window stood still (idle moments may have prepared
it), in the group `at_once` right after the start. Of several rounds the median is told, of each deed alone.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from tests.benchmarks.tools.deeds import LIMIT_MS, LONG, MODEL, SHORT, Bench, Deed, Deeds, listened
from tests.benchmarks.tools.full_deeds import FULL_GROUPS
from tests.benchmarks.tools.heartbeat import Heartbeat, Onlooker
from tests.benchmarks.tools.made_up_trace import write_made_up_trace
from tests.benchmarks.tools.measure import Row, arguments, report, say
from tests.benchmarks.tools.offscreen import wait_until
from tests.benchmarks.tools.worker import ROOT

_TRACE_TOKENS = 577  # 192 MB
_RUNS = 200
_CORPUS_BYTES = 50_000_000
_UNPREPARED = ("at_once", "beforehand")
_PAGES = ("Look", "Positions", "Learn", "Train")


def model(bench: Bench) -> Deeds:
    """A model and a sentence."""
    opening = partial(bench.window.path_asked.emit, str(bench.model))
    yield Deed(f"open {bench.model.name}", opening, bench.has_model)
    yield Deed("translate 12 tokens", partial(bench.translate, SHORT), bench.rests)
    yield Deed("translate 60 tokens", partial(bench.translate, LONG), bench.rests)
    yield Deed("the same, first 2 s of it queued up", partial(bench.translate, LONG), bench.rests, held=2.0)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield Deed(
            "the same beside as many busy processes as cores", partial(bench.translate, LONG), bench.rests
        )
    finally:
        for process in busy:
            process.kill()
            process.wait()
    yield Deed("open it again", opening, bench.has_model)
    reverse = str(MODEL.with_name("reverse"))
    yield Deed("open another model", partial(bench.window.path_asked.emit, reverse), bench.has_model)


def trace(bench: Bench) -> Deeds:
    """A trace of 192 MB; what the map draws of it is measured by `long_inputs`."""
    path = bench.folder / "large.trace"
    write_made_up_trace(path, _TRACE_TOKENS)
    session, window = bench.session, bench.window
    yield Deed(
        "open a trace of 192 MB",
        partial(window.path_asked.emit, str(path)),
        lambda: session.run() is not None,
    )
    for layer in (1, 2, 3):
        yield Deed(f"switch to head 3 of layer {layer + 1}", partial(session.select_head, layer, 2))
    yield Deed("step", partial(session.step_by, -1))
    yield Deed("another kind of attention", partial(bench.trigger, "encoder_self"))
    yield Deed("mean over heads", partial(bench.trigger, "mean"))
    yield Deed("resize the window", partial(window.resize, 1200, 760))
    again = bench.folder / "again.trace"
    again.write_bytes(path.read_bytes())
    yield Deed(
        "open another one",
        partial(window.path_asked.emit, str(again)),
        lambda: session.run() is not None and "again" in session.run().provenance["path"],
    )  # type: ignore[union-attr]


def pages(bench: Bench) -> Deeds:
    """Each page, for the first and the second time."""
    bench.open_model()
    for visit in ("first", "second"):
        for index in (1, 2, 3):
            yield Deed(f"{_PAGES[index]} page, {visit} visit", partial(bench.window.pages.show_page, index))
            yield Deed(f"back to Look ({visit})", partial(bench.window.pages.show_page, 0))


def at_once(bench: Bench) -> Deeds:
    """The same first visits right after the start."""
    yield Deed("Train page at once", partial(bench.window.pages.show_page, 3))
    yield Deed("Learn page at once", partial(bench.window.pages.show_page, 2))
    yield Deed("Positions page at once", partial(bench.window.pages.show_page, 1))


def beforehand(bench: Bench) -> Deeds:
    """What idle moments prepare: it is not to be felt either."""
    bench.open_model()
    ahead = bench.program.beforehand
    yield Deed("import and make beforehand", ahead.start, lambda: ahead.over)


def panels(bench: Bench) -> Deeds:
    """Each panel of drawer and inspector, and what else there is on the Look page."""
    bench.open_model()
    look = bench.window.look_page
    for visit in ("first", "second"):
        for index, name in enumerate(look.drawer.names):
            yield Deed(f"drawer {name}, {visit} visit", partial(look.drawer.show_panel, index))
        yield Deed(f"close the drawer ({visit})", partial(look.drawer.show_panel, None))
        for index, name in enumerate(look.inspector.names):
            yield Deed(f"inspector {name}, {visit} visit", partial(look.inspector.show_tab, index))
        for name in ("view_flow", "view_words", "view_map", "second_pane"):
            yield Deed(f"{name} ({visit})", partial(bench.trigger, name))
        yield Deed(f"one pane again ({visit})", partial(bench.trigger, "second_pane"))


def lessons(bench: Bench) -> Deeds:
    """Each lesson, for the first and the second time."""
    bench.open_model()
    learn = bench.window.pages.learn
    bench.window.pages.show_page(2)
    bench.pass_time(1)
    for visit in ("first", "second"):
        for index, lesson in enumerate(learn.lessons):
            yield Deed(
                f"lesson {lesson.name}, {visit} visit", partial(learn.show_experiment, index), bench.rests
            )


def dialogs(bench: Bench) -> Deeds:
    """Each dialog and window of its own, for the first and the second time."""
    from model.train_options import TrainOptions
    from viewer.document.messages.training_requests import MakeBatch

    bench.open_model()
    training = bench.program.training
    batch = MakeBatch(TrainOptions(name="batch", task="copy", task_size=60), "", 0, 4)
    names = (
        "settings",
        "manual",
        "palette",
        "keys",
        "about",
        "report",
        "model_info",
        "first_tour",
        "export",
        "gold_links",
        "add_bookmark",
        "edit_bookmarks",
        "save_session",
        "script",
        "tour",
    )
    for visit in ("first", "second"):
        for name in names:
            yield Deed(f"{name}, {visit} time", partial(bench.trigger, name))
            yield Deed(f"close {name} ({visit})", bench.close_others)
            bench.window.guidance.leave()
        for title, ask in (
            ("sampling", bench.window.dialogs.ask_sampling),
            ("beam", bench.window.dialogs.ask_beam),
            ("circuits", bench.window.dialogs.show_circuits),
            ("trust", bench.window.dialogs.ask_trust),
        ):
            yield Deed(f"{title}, {visit} time", ask, bench.rests)
            bench.close_others()
        yield Deed(f"a batch, {visit} time", partial(training.ask, batch), lambda: not training.looking)
        bench.close_others()
        bench.window.pages.show_page(0)


def looks(bench: Bench) -> Deeds:
    """Theme, language, the lecture, the window's size, heads."""
    bench.open_model()
    bench.translate(SHORT)
    bench.pass_time(1)
    wait_until(bench.rests)
    window, session = bench.window, bench.session
    for visit in ("first", "second"):
        for theme in ("dark", "light"):
            yield Deed(f"{theme} theme ({visit})", window.actions_.themes[theme].trigger)
        yield Deed(f"Chinese ({visit})", window.toggle_language)
        yield Deed(f"English ({visit})", window.toggle_language)
        yield Deed(f"F5 ({visit})", partial(bench.trigger, "present"))
        yield Deed(f"F5 back ({visit})", partial(bench.trigger, "present"))
        yield Deed(f"smaller window ({visit})", partial(window.resize, 1000, 700))
        yield Deed(f"larger window ({visit})", partial(window.resize, 1440, 900))
        for layer in (0, 1, 2):
            yield Deed(f"head 2 of layer {layer + 1} ({visit})", partial(session.select_head, layer, 1))
        yield Deed(f"step back ({visit})", partial(session.step_by, -1))
        yield Deed(f"undo ({visit})", partial(bench.trigger, "undo"))
        yield Deed(
            f"larger type ({visit})",
            partial(window._appearance.set_type_size, 150 - 50 * (visit == "second")),
        )


def files(bench: Bench) -> Deeds:
    """Sessions and a corpus."""
    from viewer.document.files.session_file import save_session

    bench.open_model()
    session, window = bench.session, bench.window
    run = session.run()
    assert run is not None
    own = {"source": "decoded"}
    runs = tuple(
        replace(run, id=f"r{number}", trace=replace(run.trace, model_name=f"m{number}"), provenance=own)
        for number in range(_RUNS)
    )
    document = replace(
        session.document,
        runs=runs,
        panes=tuple(replace(pane, run_id="r0") for pane in session.document.panes),
    )
    folder = bench.folder / "many.headscope"
    save_session(folder, document, "", None)
    corpus = bench.folder / "pairs.tsv"
    line = "The little girl gave her brother a red apple.\tLa petite fille a donné une pomme rouge.\n"
    with corpus.open("w", encoding="utf-8") as file:
        for number in range(_CORPUS_BYTES // len(line)):
            file.write(f"{number} {line}")
    yield Deed(
        f"open a session of {_RUNS} runs",
        partial(window.path_asked.emit, str(folder)),
        lambda: len(session.document.runs) == _RUNS,
    )
    saved = bench.folder / "saved.headscope"
    yield Deed("save it", partial(window.saving.save, saved), lambda: not window.saving.jobs)
    yield Deed("undo what was opened", partial(bench.trigger, "undo"))
    bench.pass_time(1)
    form = window.pages.train.form
    window.pages.show_page(3)
    bench.pass_time(1)
    survey = bench.program.training
    yield Deed(
        "choose a corpus of 50 MB",
        partial(form.take_files, [str(corpus)]),
        lambda: (
            survey.survey is not None and survey.survey.complete and survey.survey.total > _CORPUS_BYTES // 2
        ),
    )


def exports(bench: Bench) -> Deeds:
    """A file of every format, the clipboard, the trace; animations."""
    from viewer.dialogs.export_dialog import ExportChoice
    from viewer.export.writers import SUFFIXES

    bench.open_model()
    bench.translate(LONG)
    bench.pass_time(1)
    wait_until(bench.rests)
    exporting = bench.window.exporting
    for suffix in SUFFIXES:
        choice = ExportChoice(exporting.request(), str(bench.folder / f"figure.{suffix}"))
        yield Deed(f"export {suffix}", partial(exporting.writing.write, choice), bench.rests)
    heads = exporting.request().but(view="heads")
    for suffix in ("pdf", "gif"):
        choice = ExportChoice(heads, str(bench.folder / f"heads.{suffix}"))
        yield Deed(f"export all heads, {suffix}", partial(exporting.writing.write, choice), bench.rests)
    yield Deed("copy picture", exporting.copy_picture, bench.rests)
    run = bench.session.run()
    assert run is not None
    path = str(bench.folder / "saved.trace")
    yield Deed("save trace", partial(exporting.writing.save_trace, run, path), bench.rests)
    yield Deed("copy as command", exporting.copy_command)


GROUPS = (
    model,
    trace,
    at_once,
    beforehand,
    pages,
    panels,
    lessons,
    dialogs,
    looks,
    files,
    exports,
    *FULL_GROUPS,
)


def one_group(name: str, after: float, where: bool, model: Path) -> dict[str, dict[str, float]]:
    """All deeds of a group in this process."""
    group = next(each for each in GROUPS if each.__name__ == name)
    told: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), ahead=name not in _UNPREPARED, model=model)
        heartbeat = Heartbeat(LIMIT_MS)
        onlooker = Onlooker(heartbeat, LIMIT_MS / 2) if where else None
        if name not in _UNPREPARED:
            wait_until(lambda: bench.program.beforehand.over)
            bench.pass_time(after)
        try:
            for number, deed in enumerate(group(bench)):
                if number == 0 and name not in ("model", "trace", *_UNPREPARED):
                    bench.pass_time(after)
                told[deed.what] = listened(bench, deed, heartbeat)
                if onlooker is not None:
                    longest = told[deed.what]
                    seen = onlooker.told()
                    if longest["wall"] > LIMIT_MS:
                        say(
                            f"  {deed.what}: {longest['wall']:.0f} ms, processor {longest['cpu']:.0f}\n{seen}"
                        )
        finally:
            if onlooker is not None:
                onlooker.stop()
            QGuiApplication.clipboard().clear()
            bench.end()
    return told


def measure(names: list[str], rounds: int, after: float, where: bool, model: Path) -> list[Row]:
    """A row a deed."""
    rows = []
    for name in names:
        answers = []
        for _ in range(rounds):
            command = [sys.executable, "-m", "tests.benchmarks.waits", "--group", name, "--after", str(after)]
            command += ["--model", str(model)]
            result = subprocess.run(
                command + ["--where"] * where, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
            )
            answers.append(json.loads(result.stdout.splitlines()[-1]))
        for what in answers[0]:
            wall, cpu = (
                statistics.median(answer[what][key] for answer in answers) for key in ("wall", "cpu")
            )
            often = max(answer[what]["over"] for answer in answers)
            note = f"of its processor time {cpu:.0f} ms" + (
                f"; {often:.0f} blocks over the limit" if often > 1 else ""
            )
            rows.append(Row(f"{name}: {what}", wall, "ms", LIMIT_MS, absolute=True, note=note))
    return rows


def main() -> None:
    """Measure and print; with --group be the fresh process."""
    parser = arguments(__doc__)
    names = [group.__name__ for group in GROUPS]
    parser.add_argument(
        "--only", nargs="+", choices=names, default=names, metavar="GROUP", help=", ".join(names)
    )
    parser.add_argument("--model", type=Path, default=MODEL, help="a folder of one's own instead of en-fr")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--after", type=float, default=6.0, help="seconds in which the window is left alone")
    parser.add_argument("--where", action="store_true", help="say where the window's thread was meanwhile")
    parser.add_argument("--over", action="store_true", help="tell only what is over the limit")
    parser.add_argument("--group", choices=names, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.group:
        print(json.dumps(one_group(options.group, options.after, options.where, options.model)))
        return
    rows = measure(options.only, options.rounds, options.after, options.where, options.model.resolve())
    if options.over:
        say(f"{sum(not row.within for row in rows)} of {len(rows)} are over the limit")
        rows = [row for row in rows if not row.within]
    report(rows, as_json=options.json)


if __name__ == "__main__":
    main()
