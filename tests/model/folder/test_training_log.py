from __future__ import annotations

import json
from pathlib import Path

import pytest

from model.errors import HeadscopeError
from model.folder.training_log import LOG, TrainingLog, read_entries, serialized, summary

START = {
    "event": "start", "command": "c", "seed": 3, "versions": {"torch": "2"}, "data": {"p": "ab"},
    "pairs": {"train": 9, "dev": 1},
}  # fmt: skip


def measured(step: int, best: bool) -> dict[str, object]:
    return {
        "event": "eval", "step": step, "epoch": step / 2, "heldout_loss": 1.5, "bleu": 2.5, "averaged": True,
        "best": best, "minutes": step * 1.0, "samples": [["a", "b"]],
    }  # fmt: skip


def test_what_is_written_is_on_disk(tmp_path: Path) -> None:
    log = TrainingLog(tmp_path, [dict(START)])
    log.add(measured(1, True))
    log.write()
    log.add({"event": "done", "text": "é\u2028中"})
    assert len(read_entries(tmp_path)) == 2
    log.write()
    assert read_entries(tmp_path) == [START, measured(1, True), {"event": "done", "text": "é\u2028中"}]
    lines = (tmp_path / LOG).read_bytes().decode().split("\n")
    assert [json.loads(line)["event"] for line in lines[:-1]] == ["start", "eval", "done"]
    assert serialized(read_entries(tmp_path)) == (tmp_path / LOG).read_bytes()


def test_no_file_is_no_entries_and_a_folder_is_an_error(tmp_path: Path) -> None:
    assert read_entries(tmp_path) == []
    (tmp_path / LOG).mkdir()
    with pytest.raises(HeadscopeError):
        read_entries(tmp_path)


def test_summary() -> None:
    entries = [
        START,
        measured(1, True),
        measured(2, True),
        measured(3, False),
        {"event": "done", "minutes": 4.5},
    ]
    told = summary(entries)
    assert told is not None
    assert told["best"] == {"step": 2, "epoch": 1.0, "heldout_loss": 1.5, "bleu": 2.5, "averaged": True}
    assert told["last_eval"]["step"] == 3
    assert told["minutes"] == 4.5
    assert {key: told[key] for key in ("command", "seed", "versions", "data", "pairs")} == {
        key: START[key] for key in ("command", "seed", "versions", "data", "pairs")
    }
    assert summary(entries[1:]) is None
    assert summary([]) is None
    bare = summary([START])
    assert bare is not None
    assert (bare["best"], bare["last_eval"], bare["minutes"]) == (None, None, None)
