"""Files that Headscope 0.1 wrote, in `v0_1/`: every later version reads them. They are never written anew."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, QSettings

from main import main
from model.config import Architecture
from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.folder.bundle_config import read_config
from model.trace.trace import AttentionKind
from model.trace.trace_file import open_trace
from model.translator.translator import Translator
from tests.model.safetensors_by_hand import build, parse
from viewer.document.files.session_file import open_session, outline_of, save_session
from viewer.document.selection import Numbers
from viewer.figures.map.build import map_figure
from viewer.window.settings import Settings

OLD = Path(__file__).parent / "v0_1"
SENTENCE = "The little girl gave her brother a red apple."
CROSS = AttentionKind.CROSS


def test_the_files_are_of_that_version() -> None:
    assert parse(OLD / "tiny.trace")[1]["created_by"] == "headscope 0.1.0"
    assert '"created_by": "headscope 0.1.0"' in (OLD / "look.headscope/session.json").read_text("utf-8")


def test_a_trace_opens_with_every_number() -> None:
    trace, (arrays, header) = open_trace(OLD / "tiny.trace"), parse(OLD / "tiny.trace")

    assert (trace.src_text, trace.tgt_text) == (SENTENCE, "La petite fille a donné")
    assert json.loads(header["src_tokens"]) == list(trace.src_tokens)
    for kind in AttentionKind:
        for layer, head in np.ndindex(arrays[str(kind)].shape[:2]):
            np.testing.assert_array_equal(trace.pattern(kind, layer, head), arrays[str(kind)][layer, head])
    np.testing.assert_array_equal(trace.step_logprob, arrays["step_logprob"])


def test_a_bundle_computes_what_it_did() -> None:
    """The trace beside it was computed by 0.1; float32 on another processor differs in its last digits."""
    arrays, _ = parse(OLD / "tiny.trace")
    *_, last = Translator.load(OLD / "tiny").decode(SENTENCE, DecodeConfig(max_length=12))

    assert last.trace.tgt_out_ids.tolist() == arrays["tgt_out_ids"].tolist()
    np.testing.assert_allclose(last.trace.step_logprob, arrays["step_logprob"], atol=1e-4)
    for head in range(2):
        np.testing.assert_allclose(last.trace.pattern(CROSS, 0, head), arrays["cross"][0, head], atol=1e-5)


def test_what_a_bundle_does_not_say_is_as_it_was() -> None:
    """Options that came later are in no `config.json` of 0.1, which meant the paper's Transformer."""
    said = read_config(OLD / "tiny").architecture

    assert said == Architecture.from_json(json.loads((OLD / "tiny/config.json").read_text())["architecture"])
    assert (said.d_model, said.n_heads, said.positions) == (8, 2, "sinusoidal")


def test_a_session_opens_and_can_be_saved_over(tmp_path: Path) -> None:
    folder = tmp_path / "look.headscope"
    shutil.copytree(OLD / "look.headscope", folder)
    told = outline_of(folder)
    saved = open_session(folder)
    document = saved.document

    assert told is not None
    assert (told.runs, told.made, told.marked, told.model, told.text) == (2, 1, True, "tiny", SENTENCE)
    assert [(run.id, run.parent) for run in document.runs] == [("run-1", None), ("run-2", "run-1")]
    change = {"type": "scale", "kind": "cross", "layer": 0, "head": 1, "factor": 0.0}
    assert document.runs[1].alterations == (change,)
    first, second = (pane.selection for pane in document.panes)
    assert (first.kind, first.layer, first.head, first.step, first.query, first.key) == (CROSS, 0, 1, 2, 1, 0)
    assert (second.head, second.numbers) == (None, Numbers.MAX_HEADS)
    assert (document.pinned, document.active, document.view.sqrt_scale) == ("run-1", 1, True)
    assert [(mark.name, mark.note) for mark in document.bookmarks] == [("看这里", "a note")]
    arrays, _ = parse(OLD / "tiny.trace")
    np.testing.assert_array_equal(document.runs[0].trace.pattern(CROSS, 0, 1), arrays["cross"][0, 1])

    save_session(folder, document, saved.text, saved.model, known=saved.stamp)
    again = open_session(folder).document
    assert (again.panes, again.bookmarks, again.view) == (document.panes, document.bookmarks, document.view)


def test_settings_are_still_the_same(tmp_path: Path) -> None:
    path = tmp_path / "settings.ini"
    shutil.copyfile(OLD / "settings.ini", path)
    settings = Settings(str(path))

    assert (settings.theme, settings.language) == ("dark", "zh_CN")
    assert settings.recents == ["/home/somebody/a.headscope", "/home/somebody/b.trace"]
    assert settings.export == {"width": 85, "format": "pdf"}
    options = settings.train_options
    assert options is not None
    assert (options.name, options.pairs) == ("mine", ("/home/somebody/p.tsv",))
    assert settings.unfinished_training == "/home/somebody/run"
    assert settings.callouts_seen
    assert settings.sqrt_scale
    assert settings.raw_pieces
    assert settings.whole_words
    assert settings.hide_specials
    assert settings.state("geometry") == QByteArray(b"\x00\x01\xff")


# What a later version may have written.


def test_keys_of_a_later_version_stay_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "settings.ini"
    shutil.copyfile(OLD / "settings.ini", path)
    text = path.read_text("utf-8") + "\n[later]\nthing=a, b\n"
    path.write_text(text.replace("theme=dark", "theme=sepia\nmood=3"), "utf-8")

    settings = Settings(str(path))
    settings.language = "en"
    settings.sync()

    assert (settings.theme, settings.language) == ("system", "en")
    assert QSettings(str(path), QSettings.Format.IniFormat).value("mood") == "3"


def test_a_session_shows_weights_for_numbers_of_a_later_version(tmp_path: Path) -> None:
    folder = tmp_path / "look.headscope"
    shutil.copytree(OLD / "look.headscope", folder)
    text = (folder / "session.json").read_text("utf-8")
    (folder / "session.json").write_text(text.replace('"max_heads"', '"of_a_later_version"'), "utf-8")

    document = open_session(folder).document
    trace, pane = document.runs[1].trace, document.panes[1]
    figure = map_figure(trace, pane.selection.but(head=0), document.view)

    assert figure.body.numbers is Numbers.WEIGHTS
    np.testing.assert_array_equal(figure.body.matrix, trace.pattern(pane.selection.kind, 0, 0))
    said = "weights are shown, not “of_a_later_version”: no package that is installed gives these numbers"
    assert said in figure.body.badges


def test_newer_files_are_met_with_one_sentence(tmp_path: Path) -> None:
    arrays, header = parse(OLD / "tiny.trace")
    (tmp_path / "x.trace").write_bytes(build(arrays, {**header, "version": "2"}))
    for name, file in (("tiny", "config.json"), ("look.headscope", "session.json")):
        shutil.copytree(OLD / name, tmp_path / name)
        values = json.loads((tmp_path / name / file).read_text("utf-8"))
        (tmp_path / name / file).write_text(json.dumps({**values, "version": 2}), "utf-8")

    for read, name, code in (
        (open_trace, "x.trace", "trace_newer"),
        (read_config, "tiny", "bundle_newer"),
        (open_session, "look.headscope", "session_newer"),
    ):
        with pytest.raises(HeadscopeError) as caught:
            read(tmp_path / name)
        assert caught.value.code == code


def test_a_command_says_it_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arrays, header = parse(OLD / "tiny.trace")
    path = tmp_path / "x.trace"
    path.write_bytes(build(arrays, {**header, "version": "2"}))

    assert main(["heads", "--trace", str(path)]) == 1
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert "newer Headscope (format version 2)" in err
