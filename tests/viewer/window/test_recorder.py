"""The recorder at the real window: what was done, run as a script, makes the same files again."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import main
from model.alterations.block_token import BlockToken
from model.alterations.set_row import SetRow
from model.decoding.decode_config import DecodeConfig
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace
from tests.assets import SENTENCE
from tests.viewer.desk import Desk
from tests.viewer.fake_training import OPTIONS, start_event
from viewer.dialogs.export_dialog import ExportChoice
from viewer.dialogs.script_dialog import ScriptDialog
from viewer.document.document import Run
from viewer.document.files.session_file import open_session, save_session
from viewer.document.messages.requests import Alter, Branch, ShowHypothesis, Translate
from viewer.document.messages.training_requests import StartRun
from viewer.document.run_source import RunSource
from viewer.export.script import Script
from viewer.figures.request import ExportRequest

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

CHECKOUT = Path(main.__file__).parent


def commands(script: Script) -> list[list[str]]:
    """The words of each of its commands, as a shell takes them apart."""
    lines = [line for line in script.text.splitlines() if line.startswith("$HEADSCOPE ")]
    return [shlex.split(line)[1:] for line in lines]


def run_all(script: Script, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What bash would do, without a process for each line."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    script.write(str(folder / "script.sh"))
    for words in commands(script):
        assert main.main(words) == 0, words


def same_numbers(first: Trace, second: Trace) -> None:
    """Two decodings of the same; a batch of threads may add in another order."""
    assert first.tgt_out_ids.tolist() == second.tgt_out_ids.tolist()
    assert first.src_ids.tolist() == second.src_ids.tolist()
    assert first.alterations == second.alterations
    np.testing.assert_allclose(first.step_logprob, second.step_logprob, atol=1e-4)
    for kind in AttentionKind:
        for layer in range(first.layers(kind)):
            for head in range(first.heads(kind)):
                ours, again = first.pattern(kind, layer, head), second.pattern(kind, layer, head)
                np.testing.assert_allclose(ours, again, atol=1e-5)


def export(desk: Desk, request: ExportRequest, path: Path) -> None:
    desk.window.exporting.writing.write(ExportChoice(request, str(path)))
    desk.wait(lambda: not desk.window.exporting.writing.jobs)


def every_way(desk: Desk) -> None:
    """Runs of all sorts: forced, beam and one of its losers, sampled, a branch, a row set."""
    session = desk.session
    first = session.run()
    assert first is not None
    session.ask(Branch(first.id, 1, int(first.trace.candidate_ids[1, 2])))
    desk.wait(desk.translated)
    for config in (
        DecodeConfig(mode="sample", seed=5, temperature=2.5, top_k=20),
        DecodeConfig(mode="forced", target="Nous rentrons."),
        DecodeConfig(mode="beam", beam_size=3, length_penalty=0.5),
    ):
        session.ask(Translate(config.to_json()))
        desk.wait(desk.translated)
    search = session.run()
    assert search is not None
    lost = next(one for one in reversed(search.search) if one.fate not in ("kept", "finished", "chosen"))
    session.ask(ShowHypothesis(search.id, lost.id))
    desk.wait(lambda: session.run() is not search and desk.translated())
    keys = len(first.trace.src_ids) - 1  # one is blocked
    row = SetRow(AttentionKind.CROSS, 1, 2, 1, weights=(0.25, *[0.75 / (keys - 1)] * (keys - 1)))
    session.ask(Alter(first.id, (BlockToken(3), row)))
    desk.wait(lambda: any(run.alterations for run in session.document.runs) and not session.job.busy)


def test_a_whole_session_again(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, exporting, recorder = desk.session, desk.window.exporting, desk.window.exporting.recorder
    session.deeds.take(())
    every_way(desk)
    written = tmp_path / "written"
    written.mkdir()
    request = exporting.request().but(view="heatmap")
    for name in ("map.csv", "map.png"):
        export(desk, request, written / name)
    altered = next(run for run in session.document.runs if run.alterations)
    session.show_run(altered.id)
    export(desk, exporting.request(), written / "a b" / ".." / "map.svg")
    export(desk, exporting.request().but(view="all_heads"), written / "all's.pdf")
    script = recorder.whole()
    assert not script.beside
    runs = session.document.runs
    assert len(commands(script)) == len(runs) + 4
    run_all(script, tmp_path / "again", monkeypatch)
    for number, run in enumerate(runs, 1):
        same_numbers(run.trace, open_trace(f"run-{number}.trace"))
    for name in ("map.csv", "map.png", "map.svg", "all's.pdf"):
        assert Path(name).stat().st_size > 500
    # The traces were written anew, and the last digits of a weight may differ from those in the window.
    ours, again = (path.read_text().splitlines() for path in (written / "map.csv", Path("map.csv")))
    assert [line.split(",")[:7] for line in ours] == [line.split(",")[:7] for line in again]


@pytest.mark.slow
def test_bash_takes_it_as_it_is(desk: Desk, tmp_path: Path) -> None:
    """One figure: the trace that it needs and itself; texts of any kind are one word each."""
    recorder, session = desk.window.exporting.recorder, desk.session
    odd = 'She\'s "here"; rm -rf $HOME `x` \\ 100 % — 你好'
    first = session.run()
    assert first is not None
    session.set_text(odd)
    session.ask(Translate())
    desk.wait(lambda: session.run() is not first and desk.translated())
    script = recorder.figure()
    assert [words[0] for words in commands(script)] == ["trace", "render"]
    script.write(str(tmp_path / "figure.sh"))
    environment = os.environ | {
        "HEADSCOPE": f"{shlex.quote(sys.executable)} {shlex.quote(str(CHECKOUT / 'main.py'))}",
        "QT_QPA_PLATFORM": "offscreen",
    }
    done = subprocess.run(
        ["bash", "figure.sh"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=110
    )
    assert done.returncode == 0, done.stderr
    (trace,) = tmp_path.glob("*.trace")
    assert open_trace(trace).src_text == odd
    assert len(list(tmp_path.glob("*.png"))) == 1


def test_what_no_command_makes_lies_beside(desk: Desk, tmp_path: Path) -> None:
    """A run of a model that is not known here, and a picture that only the window has."""
    session, recorder = desk.session, desk.window.exporting.recorder
    session.deeds.take(())
    run = session.run()
    assert run is not None
    lost = replace(run.trace, model_sha256="0" * 64, model_name="nobody's", src_text="two\nlines\x1b[2J")
    session.add_run(Run("lost", lost, provenance={"source": RunSource.DECODED}))
    session.deeds.note(str(tmp_path / "handout.pdf"), reason="Bookmarks belong to the window.")
    script = recorder.whole()
    ((name, trace),) = script.beside
    assert trace is lost
    script.write(str(tmp_path / "s.sh"))
    assert open_trace(tmp_path / name).model_name == "nobody's"
    assert f"# No command makes {name}: it lies beside this script." in script.text
    assert "# No command makes it: Bookmarks belong to the window." in script.text
    assert "# two lines[2J" in script.text
    assert "handout.pdf" in script.text


def test_what_was_written_is_kept_with_the_session(desk: Desk, tmp_path: Path) -> None:
    session, exporting = desk.session, desk.window.exporting
    session.deeds.take(())
    export(desk, exporting.request(), tmp_path / "one.png")
    export(desk, exporting.request(), tmp_path / "two.png")
    export(desk, exporting.request(), tmp_path / "one.png")
    deeds = session.deeds.all
    assert [Path(deed.path).name for deed in deeds] == ["two.png", "one.png"]
    save_session(tmp_path / "s.headscope", session.saved, SENTENCE, None)
    assert open_session(tmp_path / "s.headscope").document.deeds == deeds
    session.undo()
    assert session.deeds.all == deeds


def test_the_dialog_shows_and_saves(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.session.deeds.take(())
    recorder, out = desk.window.exporting.recorder, tmp_path / "done.sh"
    monkeypatch.setattr("viewer.window.recorder.QFileDialog.getSaveFileName", lambda *args: (str(out), ""))
    desk.window.actions_["script"].trigger()
    dialog = desk.window.findChild(ScriptDialog)
    assert dialog is not None
    assert "render" not in dialog.text.toPlainText()
    dialog.which.setCurrentIndex(1)
    assert "$HEADSCOPE render --view heatmap" in dialog.text.toPlainText()
    dialog.save.click()
    assert out.read_text("utf-8") == dialog.text.toPlainText()
    dialog.reject()
    recorder.save(recorder.whole(), str(tmp_path / "no" / "such" / "place.sh"))
    assert desk.session.notice is not None


def test_a_training_comes_first_and_names_its_model(desk: Desk, tmp_path: Path) -> None:
    """The folder that was trained into has a new name, by which the runs of its model go."""
    session, training, recorder = desk.session, desk.window.training, desk.window.exporting.recorder
    session.deeds.take(())
    out, run = str(tmp_path / "trained"), session.run()
    assert run is not None
    training.begin(StartRun(replace(OPTIONS, task="notes"), out))
    training.start = start_event()
    training.set_phase("ended")
    session.deeds.model_opened(run.trace.model_sha256, out)
    try:
        train, *traces = commands(recorder.whole())
    finally:
        session.deeds.model_opened(run.trace.model_sha256, session.model.path if session.model else "")
        training.set_phase("idle")
    assert train[:3] == ["train", "--task", "notes"]
    assert train[train.index("--out") + 1] == "trained"
    assert [words[words.index("--model") + 1] for words in traces] == ["trained"] * len(session.document.runs)
