"""The form as a person fills it in: what it says, what it refuses, what it asks for."""

from __future__ import annotations

import gzip
import shlex
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from model.commands.train_arguments import build_parser, options_from
from model.config import TrainConfig
from model.data.pairs.survey import CorpusSurvey
from model.train_options import TrainOptions
from model.training.fields.fields import FIELDS
from model.training.progress.progress import TRAINING_STATE
from tests.viewer.heard_requests import heard
from tests.viewer.pages.train.test_form_values import train_options, whole
from viewer.document.messages.training_requests import ReadCorpus, ShowRun, StartRun
from viewer.document.training.training import Training
from viewer.pages.train.form.form_editors import ChoiceBox, NumberBox, PairBox
from viewer.pages.train.form.form_files import FilesBox, TwoFilesBox
from viewer.pages.train.form.form_row import FieldRow, row_of
from viewer.pages.train.form.train_form import TrainForm
from viewer.pages.widgets.appearance import Appearance


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    return home


@pytest.fixture
def training(qapp: QApplication) -> Training:
    return Training()


@pytest.fixture
def form(qtbot: QtBot, training: Training) -> Iterator[TrainForm]:
    host = QWidget()  # a window of a fixed width is more than the offscreen platform can do
    form = TrainForm(training, Appearance("light"))
    column = QVBoxLayout(host)
    column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
    column.addWidget(form)
    qtbot.addWidget(host)
    host.resize(470, 900)
    host.show()
    qtbot.waitExposed(host)
    yield form
    host.hide()


def row(form: TrainForm, name: str) -> FieldRow:
    return form.row(name)


def put(form: TrainForm, **values: Any) -> None:
    for name, value in values.items():
        row(form, name).set_value(value)


def orders(form: TrainForm) -> list[Any]:
    return heard(form._training, StartRun)


def test_the_first_thing_seen_starts_with_one_press(form: TrainForm, home: Path) -> None:
    asked = orders(form)

    QTest.mouseClick(form.foot.start, Qt.MouseButton.LeftButton)

    assert [order.out for order in asked] == [str(home / "Headscope" / "reverse")]
    assert asked[0].options.task == "reverse"
    assert not asked[0].resume
    assert (home / "Headscope").is_dir()
    assert not form.foot.reason.isVisible()


@given(train_options())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_run_can_be_shown_and_read_back(form: TrainForm, options: TrainOptions) -> None:
    form.set_options(options, "/models/out")

    assert whole(form.options()) == whole(options)
    assert form.out() == "/models/out"


def test_leaving_a_field_by_tab_changes_nothing(form: TrainForm) -> None:
    config = TrainConfig(epochs=3.7, learning_rate=0.1 + 0.2, seed=4_000_000_000, weight_decay=1e-7)
    form.set_options(TrainOptions(name="x", task="copy", task_size=5, train=config))
    for group in form.groups:
        group.more.setChecked(True)
    before = form.options()

    QTest.qWait(0)
    for _ in range(90):
        QTest.keyClick(QApplication.focusWidget() or form, Qt.Key.Key_Tab)

    assert form.options() == before


def test_numbers_are_typed_as_people_write_them(form: TrainForm) -> None:
    for name, typed, wanted in (
        ("batch_tokens", "8,192", 8192), ("learning_rate", "2e-1", 0.2), ("dropout", "0,25", 0.25),
        ("steps", "1000 steps", 1000), ("minutes", "nonsense", 0.0), ("n_heads", "0", 1),
    ):  # fmt: skip
        editor = row(form, name).editor
        assert isinstance(editor, NumberBox)
        editor.setFocus()
        editor.selectAll()
        QTest.keyClicks(editor, typed)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        assert row(form, name).value() == wanted, name


@pytest.mark.parametrize(
    ("name", "start", "up", "down"),
    [("batch_tokens", 4096, 4352, 4096), ("warmup", 1, 100, 1), ("dropout", 0.12, 0.15, 0.1)],
)
def test_arrows_go_to_round_numbers(form: TrainForm, name: str, start: float, up: float, down: float) -> None:
    put(form, **{name: start})
    editor = row(form, name).editor
    QTest.keyClick(editor, Qt.Key.Key_Up)
    assert row(form, name).value() == up
    QTest.keyClick(editor, Qt.Key.Key_Down)
    assert row(form, name).value() == down


def test_the_wheel_scrolls_and_changes_no_value(form: TrainForm) -> None:
    before = form.values()
    for name in ("n_heads", "schedule", "learning_rate", "task", "columns"):
        editor = row(form, name).editor
        target: QWidget = editor.boxes[0] if isinstance(editor, PairBox) else editor
        target.setFocus()
        nowhere = QPointF(target.rect().center())
        event = QWheelEvent(
            nowhere, QPointF(target.mapToGlobal(nowhere)), QPoint(), QPoint(0, -120),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(target, event)
        assert not event.isAccepted(), name

    assert form.values() == before


def test_the_focused_field_explains_itself_at_the_foot(form: TrainForm) -> None:
    assert "Press Start" in form.foot.help.text()

    row(form, "n_heads").editor.setFocus()

    assert form.foot.title.text() == "Heads"
    assert form.foot.help.text() == FIELDS["n_heads"].meaning
    assert row(form, "n_heads").editor.toolTip() == FIELDS["n_heads"].meaning
    assert form.foot.help.text() in row(form, "n_heads").editor.accessibleDescription()


def test_every_editor_has_a_name_and_a_meaning_for_a_screen_reader(form: TrainForm) -> None:
    for name in FIELDS:
        editor = row(form, name).editor
        assert editor.accessibleName() == FIELDS[name].label
        assert FIELDS[name].meaning in editor.accessibleDescription()


def test_the_tab_key_goes_from_top_to_bottom(form: TrainForm) -> None:
    for group in form.groups:
        group.more.setChecked(True)
    form.data.set_source("task")
    places = []
    widget = form.data.more
    widget.setFocus()
    for _ in range(200):
        now = QApplication.focusWidget()
        assert now is not None
        if now is form.foot.start:
            break
        places.append(now.mapTo(form.area.widget(), QPoint(0, 0)).y())
        QTest.keyClick(now, Qt.Key.Key_Tab)

    assert QApplication.focusWidget() is form.foot.start
    assert len(places) > 50
    assert [high for high, low in pairwise(places) if low < high - 30] == []


@pytest.mark.parametrize(
    ("values", "name", "words"),
    [
        ({"n_heads": 5}, "n_heads", "64 cannot be shared evenly among 5 heads; try 4 or 8"),
        ({"n_heads": 4, "kv_heads": 3}, "kv_heads", "4 heads cannot be shared evenly among 3 of keys"),
        ({"d_model": 63, "n_heads": 3}, "d_model", "must be even"),
        ({"epochs": 0}, "epochs", "Choose when the run ends"),
        ({"schedule": "cosine", "epochs": 0, "minutes": 5}, "schedule", "where it ends"),
        ({"schedule": "constant", "learning_rate": 2}, "learning_rate", "would ruin the weights in one step"),
        ({"max_positions": 100}, "max_positions", "128 tokens"),
        ({"patience": 3, "stop_on": "bleu", "bleu_sentences": 0}, "stop_on", "BLEU is not measured"),
        ({"probe_target": "va !"}, "probe_target", "Give the sentence"),
        ({"max_ratio": 0.5}, "max_ratio", "1 or more"),
        ({"name": " "}, "name", "must be a name"),
    ],
)
def test_what_is_wrong_is_said_where_it_stands(
    form: TrainForm, values: dict[str, Any], name: str, words: str
) -> None:
    put(form, **values)

    problem = row(form, name).problem
    assert problem.isVisible()
    assert words in problem.text()
    assert not form.foot.start.isEnabled()
    assert problem.text() in form.foot.reason.text()
    assert row(form, name).shown_name() in form.foot.reason.text()
    assert problem.text() in row(form, name).editor.accessibleDescription()


def test_what_was_wrong_and_is_mended_is_forgotten(form: TrainForm) -> None:
    put(form, n_heads=5)
    put(form, n_heads=4)

    assert not row(form, "n_heads").problem.isVisible()
    assert form.foot.start.isEnabled()


def test_two_vocabularies_untie_the_tables_and_tying_them_again_is_refused(form: TrainForm) -> None:
    put(form, shared_vocab=False)
    assert row(form, "tie_embeddings").value() == "target_output"
    assert form.foot.start.isEnabled()

    put(form, tie_embeddings="all")
    assert "Two vocabularies" in row(form, "tie_embeddings").problem.text()
    assert row(form, "tie_embeddings").isVisible()  # though it is one of those behind "More"
    put(form, tie_embeddings="target_output", copying=True)
    assert "share one vocabulary" in row(form, "copying").problem.text()


def test_another_schedule_brings_a_rate_that_suits_it(form: TrainForm) -> None:
    put(form, schedule="cosine")
    assert 0 < row(form, "learning_rate").value() < 0.01
    put(form, schedule="noam")
    assert row(form, "learning_rate").value() == 1


def test_a_preset_fills_the_fields_and_changing_one_makes_it_custom(form: TrainForm) -> None:
    preset = form.model.preset
    preset.set_value("base")

    assert (row(form, "d_model").value(), row(form, "encoder_layers").value()) == (512, 6)
    assert preset.value() == "base"
    put(form, d_ff=1000)
    assert preset.value() == "custom"


def test_the_preset_of_the_notes_brings_their_sentences_unless_the_person_chose_a_task(
    form: TrainForm,
) -> None:
    form.model.preset.set_value("notes")
    assert (row(form, "task").value(), row(form, "d_model").value()) == ("notes", 32)
    assert row(form, "vocab_type").value() == "word"

    put(form, task="reverse")
    form.model.preset.set_value("notes")

    assert (row(form, "task").value(), row(form, "d_model").value()) == ("reverse", 32)
    form.afresh.click()
    form.model.preset.set_value("small")  # suits no task in particular
    assert row(form, "task").value() == "reverse"


def test_the_preset_of_the_notes_leaves_files_alone(form: TrainForm, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("go .\tva !\n", encoding="utf-8")
    form.take_files([str(pairs)])
    form.model.preset.set_value("notes")

    assert form.data.source() == "files"
    assert form.options().pairs == (str(pairs),)
    assert form.options().architecture["d_model"] == 32


def test_more_shows_the_rest_and_counts_what_was_changed(form: TrainForm) -> None:
    training = form.training
    assert not row(form, "seed").isVisible()
    assert training.more.text() == "More"

    put(form, seed=7, accumulate=2)
    assert training.more.text() == "More (2 changed)"
    training.more.click()

    assert row(form, "seed").isVisible()
    assert training.more.text() == "Less"


def test_figures_follow_the_fields(form: TrainForm) -> None:
    put(form, vocab_type="unigram", vocab_size=8000)
    form.model.preset.set_value("small")

    assert form.model.shape.text() == "3+3 layers, each with 4 heads of 64 dimensions"
    assert form.model.figures.text().startswith("7,577,600 parameters; training needs about 8")
    assert "15 MB" in form.result.disk.text()
    put(form, d_model=512)
    assert not form.model.figures.text().startswith("7,577,600")


def test_a_model_larger_than_the_machine_is_said_to_be(form: TrainForm) -> None:
    assert not form.notes.tight.isVisible()

    put(form, batch_tokens=2**31 - 1)

    assert form.notes.tight.isVisible()
    assert "choose a smaller batch or model" in form.notes.tight.text()
    assert form.foot.start.isEnabled()  # an estimate forbids nothing


def test_what_suits_the_data_is_no_change_worth_counting(form: TrainForm, tmp_path: Path) -> None:
    form.take_files([write(tmp_path / "pairs.tsv")])
    assert [group.more.text() for group in form.groups] == ["More"] * len(form.groups)
    put(form, task_size=30, d_ff=600)
    form.data.set_source("task")
    form.data.source_changed.emit()
    put(form, task="notes")
    assert [group.more.text() for group in form.groups] == ["More"] * len(form.groups)
    put(form, coverage=0.99, byte_fallback=False, label_smoothing=0.2)
    assert form.training.more.text() == "More (1 changed)"


def test_the_time_lapse_says_its_disk_beforehand(form: TrainForm, training: Training) -> None:
    put(form, probe_every=100, steps=1000, epochs=0)
    assert form.notes.time_lapse.text().startswith("About 11 frames of ")

    put(form, steps=0, minutes=5)
    assert "at most 256 MB" in form.notes.time_lapse.text()

    put(form, probe_every=0)
    assert not form.notes.time_lapse.isVisible()


def test_steps_are_guessed_from_the_survey(form: TrainForm, training: Training) -> None:
    put(form, probe_every=10, batch_sentences=64, epochs=2)
    training.set_survey(CorpusSurvey("task", True, pairs=6400, train=6400))

    assert form.notes.time_lapse.text().startswith("About 21 frames of ")  # 2 x 100 steps, and the first


def write(path: Path, text: str = "go .\tva !\n") -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_dropped_files_become_the_data(form: TrainForm, tmp_path: Path) -> None:
    pairs = write(tmp_path / "eng-fra.tsv")
    form.take_files([pairs])

    options = form.options()
    assert (options.task, options.pairs, options.name) == (None, (pairs,), "eng-fra")
    assert options.vocab_type == "unigram"
    assert form.foot.start.isEnabled()
    assert not row(form, "task").isVisible()


def test_files_can_be_added_and_taken_away(form: TrainForm, tmp_path: Path) -> None:
    one, two = write(tmp_path / "a.tsv"), write(tmp_path / "b.tsv")
    form.take_files([one, two])
    form.take_files([two])
    editor = row(form, "pairs").editor
    assert isinstance(editor, FilesBox)
    assert editor.chosen() == (one, two)

    buttons = [item.widget() for item in map(editor.list.itemAt, range(2)) if item is not None]
    from viewer.pages.widgets.buttons import IconButton

    remove = buttons[0].findChild(IconButton)
    assert isinstance(remove, IconButton)
    assert remove.accessibleName() == "Remove this file"
    remove.click()

    assert editor.chosen() == (two,)


def test_a_file_that_is_not_there_and_none_at_all_are_said(form: TrainForm, tmp_path: Path) -> None:
    form.data.sources["files"].click()
    assert "Choose a file" in row(form, "pairs").problem.text()

    put(form, pairs=(str(tmp_path / "gone.tsv"),))
    assert "gone.tsv" in row(form, "pairs").problem.text()


def test_two_files_are_needed_side_by_side(form: TrainForm, tmp_path: Path) -> None:
    form.data.sources["parallel"].click()
    english, french = write(tmp_path / "x.en"), write(tmp_path / "x.fr")
    editor = row(form, "parallel").editor
    assert isinstance(editor, TwoFilesBox)
    editor.boxes[0].setText(english)
    assert "two files" in row(form, "parallel").problem.text()

    editor.boxes[1].setText(english)
    assert "the same" in row(form, "parallel").problem.text()

    editor.boxes[1].setText(french)
    assert form.options().parallel == (english, french)
    assert form.foot.start.isEnabled()


def test_columns_are_offered_by_the_names_in_the_csv(
    form: TrainForm, training: Training, tmp_path: Path
) -> None:
    form.take_files([write(tmp_path / "a.csv", "id,en,fr\n1,go,va\n")])
    training.set_survey(CorpusSurvey("csv", header=("id", "en", "fr")))
    editor = row(form, "columns").editor
    assert isinstance(editor, PairBox)

    assert [editor.boxes[0].itemText(i) for i in range(3)] == ["id", "en", "fr"]
    assert editor.chosen() == ("1", "2")
    editor.choose(("en", "en"))
    assert "Both columns are the same" in row(form, "columns").problem.text()


def test_the_survey_of_other_data_leaves_the_view_while_no_file_is_chosen(
    form: TrainForm, training: Training
) -> None:
    training.set_survey(CorpusSurvey("task", True, pairs=6400, train=6400))
    form.data.set_source("files")
    form.data.source_changed.emit()
    form.ask_survey()

    assert training.survey is None


def test_the_data_is_surveyed_when_it_has_settled_and_not_before(
    form: TrainForm, qtbot: QtBot, tmp_path: Path
) -> None:
    asked = heard(form._training, ReadCorpus)
    qtbot.waitUntil(lambda: len(asked) == 1)

    for count in (10, 20, 30):
        put(form, task_size=count)
    assert len(asked) == 1
    qtbot.waitUntil(lambda: len(asked) == 2)
    assert asked[1].options.task_size == 30

    put(form, d_ff=77)  # says nothing of the data
    form.data.sources["files"].click()  # no file yet
    QTest.qWait(600)
    assert len(asked) == 2
    form.take_files([write(tmp_path / "a.tsv")])
    qtbot.waitUntil(lambda: len(asked) == 3)


def test_name_and_folder_are_suggested_until_the_person_says_so(form: TrainForm, home: Path) -> None:
    put(form, task="sort")
    assert (row(form, "name").value(), form.out()) == ("sort", str(home / "Headscope" / "sort"))

    put(form, name="mine")
    assert form.out() == str(home / "Headscope" / "mine")
    put(form, task="copy")
    assert row(form, "name").value() == "mine"

    form.result.out.set_value(str(home / "elsewhere"))
    put(form, name="other")
    assert form.out() == str(home / "elsewhere")


def test_a_folder_with_a_run_offers_to_go_on(form: TrainForm, home: Path) -> None:
    folder = home / "old"
    folder.mkdir()
    (folder / TRAINING_STATE).write_bytes(b"x")
    resumed: list[str] = []
    form.resume_run_asked.connect(resumed.append)
    looked = heard(form._training, ShowRun)

    form.result.out.set_value(str(folder))

    assert "can be resumed" in form.result.out.problem.text()
    assert not form.foot.start.isEnabled()
    assert form.foot.command.isEnabled()
    form.result.resume.click()
    form.result.open.click()
    assert (resumed, looked) == ([str(folder)], [ShowRun(str(folder))])


@pytest.mark.parametrize(
    ("what", "words"),
    [("file", "already taken"), ("folder", "already taken"),
     ("empty", "already taken"), ("nothing", "Choose a folder"),
     ("inside a file", "No folder can be created")],
)  # fmt: skip
def test_a_place_that_will_not_do_is_said(form: TrainForm, home: Path, what: str, words: str) -> None:
    place = home / "taken"
    if "file" in what:
        place.write_text("x")
    elif what in ("folder", "empty"):
        place.mkdir()
    if what == "folder":
        (place / "x").write_text("x")
    paths = {"nothing": " ", "inside a file": str(place / "model")}
    form.result.out.set_value(paths.get(what, str(place)))

    assert words in form.result.out.problem.text()
    assert not form.foot.start.isEnabled()


def test_nothing_starts_while_a_run_goes_on(form: TrainForm, training: Training) -> None:
    training.begin(StartRun(form.options(), form.out()))

    assert not form.foot.start.isEnabled()
    assert "A run is in progress" in form.foot.reason.text()
    training.set_phase("ended")
    assert form.foot.start.isEnabled()


def test_after_a_run_another_folder_is_suggested(form: TrainForm, training: Training, home: Path) -> None:
    training.begin(StartRun(form.options(), form.out()))
    Path(form.out()).mkdir(parents=True)
    training.set_phase("ended")

    assert form.out() == str(home / "Headscope" / "reverse-2")


def test_the_copied_command_trains_the_same(form: TrainForm, tmp_path: Path) -> None:
    form.take_files([write(tmp_path / "a b.tsv")])
    put(form, n_heads=8, schedule="inverse_sqrt", patience=4, probe="- go .", attention_bias=False)
    form.foot.command.click()

    program, command, *arguments = shlex.split(QGuiApplication.clipboard().text())
    said = vars(build_parser().parse_args(arguments))
    assert (program, command, said.pop("out")) == ("headscope", "train", form.out())
    assert whole(options_from(said, Path(form.out()))) == whole(form.options())


def test_reset_brings_the_first_task_back(form: TrainForm) -> None:
    first = form.options()
    put(form, task="trees", d_ff=5, name="x", seed=9)

    form.afresh.click()

    assert form.options() == first


def test_what_was_asked_for_last_is_restored_if_its_files_are_there(form: TrainForm, tmp_path: Path) -> None:
    pairs = write(tmp_path / "a.tsv")
    options = TrainOptions(name="mine", pairs=(pairs,), train=TrainConfig(steps=5))
    form.restore(options)
    assert whole(form.options()) == whole(options)

    form.restore(replace(options, pairs=(str(tmp_path / "gone.tsv"),)))
    assert whole(form.options()) == whole(options)
    form.restore(None)
    assert whole(form.options()) == whole(options)


def test_existing_pieces_make_the_other_fields_of_the_vocabulary_needless(
    form: TrainForm, tiny_bundle: Path
) -> None:
    from model.folder.bundle_config import read_config

    pieces = read_config(tiny_bundle).architecture.source_vocab
    put(form, vocab_files=(str(tiny_bundle / "source.spm"),))

    assert not row(form, "vocab_size").isVisible()
    assert row(form, "vocab_files").isVisible()
    assert form.options().shared_vocab
    width = form.options().architecture["d_model"]
    more = pieces * width
    before = form.model.figures.text()
    put(form, tie_embeddings="none")
    counts = [
        int(text.replace("at most ", "").split(" ")[0].replace(",", ""))
        for text in (before, form.model.figures.text())
    ]
    assert counts[1] - counts[0] == 2 * more


def test_focus_follows_the_row_that_a_widget_is_in(form: TrainForm) -> None:
    editor = row(form, "languages").editor
    inner = editor.findChild(QLineEdit)

    assert row_of(inner) is row(form, "languages")
    assert row_of(form.foot.start) is None


def test_histories_of_numpy_are_not_needed_for_a_survey_of_nothing(
    form: TrainForm, training: Training
) -> None:
    training.set_survey(CorpusSurvey("tsv", True, train=10, target_lengths=np.zeros(0, np.int64)))

    assert form.notes.time_lapse.text()


def test_compressed_files_are_named_without_their_endings(form: TrainForm, tmp_path: Path) -> None:
    path = tmp_path / "corpus.tsv.gz"
    path.write_bytes(gzip.compress(b"a\tb\n"))
    form.take_files([str(path)])

    assert form.options().name == "corpus"


def test_choices_keep_their_value_when_others_are_offered(qapp: QApplication) -> None:
    box = ChoiceBox((("a", "A"), ("b", "B")))
    box.choose("b")
    box.set_choices((("b", "B"), ("c", "C")))

    assert box.chosen() == "b"
