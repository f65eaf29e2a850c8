"""What the window remembers."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings

from model.config import TrainConfig
from model.train_options import TrainOptions
from viewer.window.settings import MOST_RECENTS, Settings


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "s.ini")


def again(settings: Settings, path: str) -> Settings:
    settings.sync()
    return Settings(path)


def test_a_fresh_start_has_defaults(path: str) -> None:
    settings = Settings(path)

    assert settings.theme == "system"
    assert settings.language in ("en", "zh_CN")
    assert settings.recents == []
    assert not settings.callouts_seen
    assert settings.state("geometry").isEmpty()


def test_choices_survive(path: str) -> None:
    settings = Settings(path)
    settings.theme, settings.language = "dark", "zh_CN"
    settings.callouts_seen = settings.sqrt_scale = True
    settings.keep_state("geometry", QByteArray(b"\x00\x01"))

    later = again(settings, path)

    assert (later.theme, later.language) == ("dark", "zh_CN")
    assert (later.callouts_seen, later.sqrt_scale, later.raw_pieces) == (True, True, False)
    assert later.state("geometry") == QByteArray(b"\x00\x01")


def test_recents_are_newest_first_without_repeats_and_few(path: str) -> None:
    settings = Settings(path)
    for name in [*map(str, range(12)), "5"]:
        settings.remember_recent(name)

    later = again(settings, path)

    assert later.recents == ["5", "11", "10", "9", "8", "7", "6", "4", "3"]
    assert len(later.recents) == MOST_RECENTS
    later.forget_recent("9")
    assert "9" not in later.recents


def test_a_single_recent_is_read_back_as_one(path: str) -> None:
    settings = Settings(path)
    settings.remember_recent("/only/one")

    assert again(settings, path).recents == ["/only/one"]


@pytest.mark.parametrize(
    "key", ["theme", "language", "recents", "folder", "callouts_seen", "layout/geometry"]
)
def test_foreign_values_read_as_defaults(path: str, key: str) -> None:
    store = QSettings(path, QSettings.Format.IniFormat)
    store.setValue(key, {"a": [1]})
    store.sync()

    settings = Settings(path)

    assert settings.theme == "system"
    assert settings.recents == []
    assert settings.language in ("en", "zh_CN")
    assert not settings.callouts_seen
    assert settings.state("geometry").isEmpty()
    assert Path(settings.folder).is_dir()


def test_the_last_training_run_survives_and_damage_reads_as_none(path: str) -> None:
    settings = Settings(path)
    assert settings.train_options is None
    options = TrainOptions(name="x", pairs=("/a b.tsv",), train=TrainConfig(steps=3, learning_rate=0.1 + 0.2))
    settings.train_options = options
    assert again(settings, path).train_options == options

    for damage in ("{", "[]", "3", '{"name": "x"}', '{"name": "x", "train": {}, "new": 1}', '{"name": 3}'):
        store = QSettings(path, QSettings.Format.IniFormat)
        store.setValue("train_options", damage)
        store.sync()
        assert Settings(path).train_options is None, damage


def test_recents_of_each_kind_stay_beside_many_of_another(path: str) -> None:
    settings = Settings(path)
    settings.remember_recent("/models/a", "model")
    settings.remember_recent("/run/probe", "sequence")
    for number in range(MOST_RECENTS + 3):
        settings.remember_recent(f"/traces/{number}.trace", "trace")

    later = again(settings, path)

    assert later.recents[-2:] == ["/run/probe", "/models/a"]
    assert len(later.recents) == MOST_RECENTS + 2
    assert [later.recent_kind(item) for item in later.recents[-3:]] == ["trace", "sequence", "model"]
    later.forget_recent("/run/probe")
    assert again(later, path).recent_kind("/run/probe") == "model"  # forgotten


def test_recents_of_version_0_1_have_a_kind(path: str) -> None:
    old = ["/a/b.trace", "/a/c.npz", "/a/talk.headscope", "/models/en-fr"]
    store = QSettings(path, QSettings.Format.IniFormat)
    store.setValue("recents", old)
    store.sync()

    settings = Settings(path)

    assert settings.recents == old
    assert [settings.recent_kind(item) for item in old] == ["trace", "trace", "session", "model"]


@pytest.mark.parametrize(
    "value", ["nonsense", "-3", "1e9", ["1"], '{"export": 3}', "{", "99999999999999999999"]
)
def test_damaged_choices_read_as_those_at_first(path: str, value: object) -> None:
    store = QSettings(path, QSettings.Format.IniFormat)
    for key in ("type_size", "threads", "memory", "device", "start_folder", "keys", "recent_kinds"):
        store.setValue(key, value)
    store.sync()

    settings = Settings(path)

    assert (settings.type_size, settings.threads, settings.memory) == (100, 0, 1536)
    assert (settings.device, settings.keys) == ("auto", {})
    assert Path(settings.folder).is_dir()
    assert settings.recent_kind("/a.trace") == "trace"
