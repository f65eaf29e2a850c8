from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.bundle.bundle import load_bundle
from model.errors import HeadscopeError
from model.folder.training_log import read_entries
from model.network.precision import present_devices
from model.training.progress.events import DoneEvent
from model.training.train import stored_options, train
from model.training.trainer import Trainer
from tests.model.tiny_training import events, options, refused, rewritten, write_pairs


def test_existing_folder(pairs: Path, out: Path) -> None:
    out.mkdir()
    (out / "mine.txt").write_text("dear to me")
    assert "--resume" in str(refused("training_exists", options(pairs), out))
    assert [path.name for path in out.iterdir()] == ["mine.txt"]


def test_nothing_to_resume(pairs: Path, out: Path) -> None:
    refused("training_nothing", options(pairs), out, resume=True)
    out.mkdir()
    refused("training_nothing", options(pairs), out, resume=True)
    with pytest.raises(HeadscopeError, match="no training state"):
        stored_options(out)


def test_other_options_or_data_do_not_resume(pairs: Path, out: Path, tmp_path: Path) -> None:
    events(options(pairs, steps=4), out, stop_at=4)
    error = refused("training_resume_differs", options(pairs, steps=4, d_ff=32), out, resume=True)
    assert error.values == {"field": "d_ff", "old": 64, "new": 32}
    refused("training_resume_differs", options(pairs, seed=3), out, resume=True)
    refused("training_resume_differs", options(pairs, vocab_size=300), out, resume=True)
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    pairs.rename(moved / pairs.name)
    changed = write_pairs(tmp_path / "pairs.tsv", [("a", "b"), ("c", "d")])
    refused("training_data_differs", options(changed, steps=4), out, resume=True)
    assert events(options(moved / pairs.name, steps=4), out, resume=True)[-1].step == 4


def test_the_same_files_of_other_names_resume_in_their_order_alone(tmp_path: Path, out: Path) -> None:
    here, there = tmp_path / "here.en", tmp_path / "there.fr"
    here.write_text("".join(f"the cat {n}\n" for n in range(60)), encoding="utf-8")
    there.write_text("".join(f"le chat {n}\n" for n in range(60)), encoding="utf-8")
    begun = options(here, pairs=(), parallel=(str(here), str(there)))
    events(begun, out, stop_at=4)
    swapped = replace(begun, parallel=(str(there), str(here)))
    refused("training_data_differs", swapped, out, resume=True)
    renamed = tmp_path / "renamed.en"
    here.rename(renamed)
    assert events(replace(begun, parallel=(str(renamed), str(there))), out, resume=True)[-1].step == 10


def test_what_can_be_refused_at_once_is_before_any_file_is_read(out: Path, tmp_path: Path) -> None:
    unread = tmp_path / "none.tsv"
    (spm := tmp_path / "words.spm").write_bytes(b"no tokenizer")
    refused("tokenizer_invalid", options(unread, vocab_files=(str(spm),)), out)
    absent = next(device for device in ("mps", "cuda") if device not in present_devices())
    refused("device_absent", options(unread, device=absent), out)
    assert not out.exists()


def test_a_name_that_no_folder_can_have(pairs: Path, tmp_path: Path) -> None:
    refused("file_failed", options(pairs), tmp_path / ("m" * 300))
    with pytest.raises(HeadscopeError, match="no training state"):
        stored_options(tmp_path / ("m" * 300))
    assert [entry.name for entry in tmp_path.iterdir()] == [pairs.name]


@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")]
)
def test_too_little_memory_is_said(
    pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def run_step(_: Trainer) -> None:
        raise error

    monkeypatch.setattr(Trainer, "run_step", run_step)
    assert "smaller" in str(refused("training_memory", options(pairs), out))
    load_bundle(out)


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: b"\x80\x04" + data,
        rewritten({"options": None}),
        rewritten({"options": "{"}),
        rewritten({"options": "[]"}),
        rewritten({"options": '{"pairs": 1}'}),
        rewritten({"step": "many"}),
        rewritten({"data": "7"}),
        rewritten({"progress": '{"best": 1}'}),
        rewritten({"progress": "[]"}),
        rewritten({"format": "other"}),
    ],
)
def test_a_damaged_state_is_said(pairs: Path, out: Path, harm: Any) -> None:
    events(options(pairs, steps=2), out, stop_at=4)
    path = out / "training_state.safetensors"
    path.write_bytes(harm(path.read_bytes()))
    with pytest.raises(HeadscopeError) as error:
        list(train(options(pairs, steps=2), out, resume=True))
    assert len(str(error.value)) > 20
    load_bundle(out)


@pytest.mark.parametrize("name", ["config.json", "source.spm"])
def test_a_damaged_bundle_does_not_resume(pairs: Path, out: Path, name: str) -> None:
    events(options(pairs, steps=2), out, stop_at=4)
    (out / name).write_bytes(b"garbage")
    with pytest.raises(HeadscopeError):
        list(train(options(pairs, steps=2), out, resume=True))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"", "corpus_empty"),
        (b"only one column\n", "corpus_one_column"),
        ("a\tb\n".encode("utf-16")[:-1], "corpus_undecodable"),
        (b"a\t\nb\t \n", "training_no_pairs"),
    ],
)
def test_bad_pairs_leave_nothing_behind(tmp_path: Path, out: Path, text: bytes, code: str) -> None:
    path = tmp_path / "p.tsv"
    path.write_bytes(text)
    refused(code, options(path), out)
    assert [entry.name for entry in tmp_path.iterdir()] == ["p.tsv"]


def test_other_refusals(pairs: Path, out: Path, tmp_path: Path) -> None:
    refused("training_no_pairs", options(pairs, max_tokens=2), out)
    refused("tokenizer_vocab_too_small", options(pairs, vocab_size=100), out)
    refused("folder_missing", options(pairs), tmp_path / "no" / "such")
    refused("corpus_missing", options(tmp_path / "none.tsv"), out)
    assert not out.exists()


def test_one_pair_is_enough(tmp_path: Path, out: Path) -> None:
    path = write_pairs(tmp_path / "p.tsv", [("the house", "la maison")])
    found = events(options(path, steps=80, dropout=0.0, label_smoothing=0.0), out)
    assert isinstance(found[-1], DoneEvent)
    assert found[-1].heldout_loss is not None
    assert found[-1].heldout_loss < 0.5
    assert read_entries(out)[0]["pairs"]["dev"] == 0
    assert "too few to hold any out" in (out / "README.md").read_text(encoding="utf-8")


def test_pairs_longer_than_the_model_are_left_out(tmp_path: Path, out: Path) -> None:
    path = write_pairs(tmp_path / "p.tsv", [("a b c", "d e f"), ("a " * 90, "d " * 90), ("b " * 9, "e")] * 3)
    found = events(options(path, steps=3, max_positions=16, max_tokens=500), out)
    assert isinstance(found[-1], DoneEvent)
    assert read_entries(out)[0]["pairs"]["left_out_long"] > 0
