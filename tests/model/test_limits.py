"""No file is read that is larger than anybody's, and no JSON parsed that nobody has written in earnest."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model import limits
from model.alignment.pharaoh import read_pharaoh
from model.bundle.bundle import load_bundle
from model.commands.info import describe
from model.errors import HeadscopeError
from model.files import files
from model.files.files import read_bytes, read_start
from model.files.tensor_file import TensorFile, parse_json
from model.folder.bundle_config import read_config
from model.folder.card import read_card
from model.folder.training_log import LOG, entries_of, read_entries, summary
from model.tokens.tokenizer import SentencePieceTokenizer
from model.trace.trace_file import open_trace
from model.training.card import write_card
from model.translator.load_model import load_model
from tests.foreign_assets import WRITERS
from viewer.document.files.session_file import open_session, outline_of
from viewer.pages.train.form.form_disk import pieces_in
from viewer.resources import training_samples

HUGE = 6 << 30  # bytes of a hole, which costs nothing


def hole(path: Path, size: int = HUGE) -> Path:
    """Make a file that large, whatever is in it first."""
    with path.open("ab") as file:
        file.truncate(size)
    return path


@pytest.fixture
def bundle(tiny_bundle: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_bundle, tmp_path / "bundle"))


@pytest.fixture
def nothing_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sizes of the files that were read as a whole."""
    sizes: list[int] = []
    original = os.fdopen

    def watched(descriptor: int, *arguments: Any, **keywords: Any) -> Any:
        sizes.append(os.fstat(descriptor).st_size)
        return original(descriptor, *arguments, **keywords)

    monkeypatch.setattr(files.os, "fdopen", watched)
    return sizes


def code_of(work: Callable[[], object]) -> str:
    with pytest.raises(HeadscopeError) as caught:
        work()
    return caught.value.code


def test_files_that_are_read_whole_have_a_limit(
    bundle: Path, tmp_path: Path, nothing_read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    readers: dict[str, Callable[[Path], object]] = {
        "config.json": lambda path: read_config(path.parent),
        "source.spm": lambda path: load_bundle(path.parent),
        "target.spm": lambda path: load_bundle(path.parent),
        "plain.spm": SentencePieceTokenizer.load,
        "links.pharaoh": read_pharaoh,
        "session.json": lambda path: open_session(path.parent),
    }
    for name, read in readers.items():
        path = bundle / name
        before = path.read_bytes() if path.exists() else b""
        assert code_of(lambda: read(hole(path))) == "file_large", name  # noqa: B023
        path.write_bytes(before)
    hole(bundle / "session.json")
    assert outline_of(bundle) is None
    assert pieces_in(str(hole(tmp_path / "x.spm"))) == 0
    assert max(nothing_read) < limits.SESSION


@pytest.mark.parametrize("kind", ["gpt2", "t5", "bert"])
def test_every_file_of_a_folder_of_others_has_one(kind: str, tmp_path: Path, nothing_read: list[int]) -> None:
    folder = WRITERS[kind](tmp_path / kind)
    names = {"config.json", "generation_config.json", "special_tokens_map.json", "added_tokens.json"}
    names |= {"tokenizer.json", "tokenizer_config.json", "vocab.json", "vocab.txt", "merges.txt", "x.model"}
    for name in sorted(names):
        path = folder / name
        before = path.read_bytes() if path.exists() else None
        hole(path)
        assert code_of(lambda: load_model(folder)) == "file_large", name
        path.unlink()
        if before is not None:
            path.write_bytes(before)
    (folder / "model.safetensors").rename(folder / "other.safetensors")
    hole(folder / "model.safetensors.index.json")
    assert code_of(lambda: load_model(folder)) == "file_large"
    assert max(nothing_read) < limits.VOCABULARY


def test_the_sentence_says_how_large_and_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(HeadscopeError) as caught:
        read_bytes(hole(tmp_path / "a"), limit=1 << 20)
    assert str(caught.value).startswith(
        f"{tmp_path / 'a'} is too large (6.4 GB; the limit for such a file is 1.0 MB)"
    )
    path = tmp_path / "b"
    path.write_bytes(b"12345")
    assert read_bytes(path, limit=5) == b"12345"
    assert code_of(lambda: read_bytes(path, limit=4)) == "file_large"
    assert read_start(path, 3) == b"123"


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no /proc here")
def test_a_file_without_a_size_has_a_limit_too() -> None:
    assert os.stat("/proc/self/status").st_size == 0
    assert read_bytes("/proc/self/status", limit=1 << 20).startswith(b"Name:")
    assert code_of(lambda: read_bytes("/proc/self/status", limit=10)) == "file_large"


def test_a_card_of_any_size_is_read_and_kept(bundle: Path, nothing_read: list[int]) -> None:
    card = bundle / "README.md"
    card.write_text("mine", "utf-8")
    hole(card)
    assert read_card(bundle).startswith("mine")
    assert len(read_card(bundle)) == limits.CARD
    write_card(bundle)
    assert card.stat().st_size == HUGE


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_no_pipe_and_no_device_is_waited_for(bundle: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.trace"
    os.mkfifo(pipe)
    for read in (open_trace, TensorFile, read_pharaoh, SentencePieceTokenizer.load):
        assert code_of(lambda: read(pipe)) in ("file_not_ordinary", "tokenizer_unreadable")  # noqa: B023
        assert code_of(lambda: read(Path("/dev/zero"))) in ("file_not_ordinary", "tokenizer_unreadable")  # noqa: B023
    for name in ("config.json", "source.spm", "model.safetensors", LOG):
        before = (bundle / name).read_bytes() if (bundle / name).exists() else b""
        (bundle / name).unlink(missing_ok=True)
        os.mkfifo(bundle / name)
        work = describe if name == LOG else load_bundle
        assert code_of(lambda: work(bundle)) in ("file_not_ordinary", "tokenizer_unreadable")  # noqa: B023
        (bundle / name).unlink()
        (bundle / name).write_bytes(before)
    (bundle / "README.md").unlink(missing_ok=True)
    os.mkfifo(bundle / "README.md")
    assert read_card(bundle) == ""


def test_a_header_longer_than_the_format_allows_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    path.write_bytes((limits.HEADER + 1).to_bytes(8, "little"))
    assert code_of(lambda: TensorFile(hole(path))) == "tensors_invalid"


# JSON


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000 + "]" * 100_000,
        "[" * (limits.DEEPEST + 2) + "]" * (limits.DEEPEST + 2),
        '{"a":' * 70 + "1" + "}" * 70,
        "[" + "1" * (limits.LONGEST_NUMBER + 1) + "]",
        "-" + "9" * 10_000,
        "[" + "[]," * limits.VALUES + "[]]",
        "NaN",
    ],
    ids=["endless", "deep", "objects", "number", "digits", "crowded", "nan"],
)
def test_json_that_nobody_has_written_is_none(text: str) -> None:
    assert parse_json(text) is None
    assert parse_json(text.encode()) is None


def test_json_in_earnest_is_read() -> None:
    deep: Any = 1
    for _ in range(limits.DEEPEST):
        deep = [deep]
    for value in (deep, {"a": [1, -2, 3.5, None, True], "b": {"c": ""}}, 10**60, "x", 3):
        assert parse_json(json.dumps(value)) == value
    assert parse_json('{"a": 1, "a": 2}') == {"a": 2}
    assert parse_json('{"a": 1, "a": 2}', unique=True) is None
    assert parse_json('{"a": {"b": 1}, "b": 2}', unique=True) == {"a": {"b": 1}, "b": 2}


def test_headers_name_nothing_twice(tmp_path: Path) -> None:
    tensor = b'"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}'
    for header, good in ((b"{%b}" % tensor, True), (b"{%b,%b}" % (tensor, tensor), False)):
        path = tmp_path / "a.safetensors"
        path.write_bytes(len(header).to_bytes(8, "little") + header)
        if good:
            assert list(TensorFile(path).tensors) == ["a"]
        else:
            assert code_of(lambda: TensorFile(path)) == "tensors_invalid"  # noqa: B023


# training_log.jsonl

START = {"event": "start", "command": "headscope train", "seed": 1}


def evaluation(step: int, **values: object) -> dict[str, object]:
    return {"event": "eval", "step": step, "epoch": 1.0, "heldout_loss": 2.0, "best": True, **values}


def test_a_log_of_any_size_is_read_in_its_beginning_and_its_end(tmp_path: Path) -> None:
    path = tmp_path / LOG
    with path.open("wb") as log:
        log.write(json.dumps(START).encode() + b"\n" + json.dumps(evaluation(1)).encode() + b"\n")
        log.seek(HUGE)
        log.write(b"\n" + json.dumps(evaluation(99)).encode() + b"\n")
    found = read_entries(tmp_path)
    assert [entry.get("step") for entry in found] == [None, 1, 99]
    told = summary(found)
    assert told is not None
    assert (told["command"], told["best"]["step"]) == ("headscope train", 99)


def test_a_log_of_endless_lines_and_values_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LOG_VALUES", 20_000)
    long = json.dumps({"event": "eval", "text": "a" * limits.LOG_LINE})
    crowded = '{"event": "eval", "a": [' + "[]," * 2000 + "[]]}"
    lines = [json.dumps(START), long, "x" * (3 * limits.LOG_LINE), json.dumps(evaluation(2)), *[crowded] * 30]
    (tmp_path / LOG).write_text("\n".join(lines) + "\n")
    found = read_entries(tmp_path)
    assert found[:2] == [START, evaluation(2)]
    assert 2 < len(found) < 2 + 10
    assert next(entries_of(tmp_path)) == START


def test_numbers_of_hundreds_of_digits_in_a_log_are_no_matter(bundle: Path) -> None:
    lines = [json.dumps(START), f'{{"event": "eval", "step": 1, "minutes": {"9" * 4000}}}']
    (bundle / LOG).write_text("\n".join([*lines, json.dumps(evaluation(3, bleu=float("nan")))]) + "\n")
    assert describe(bundle)["training"]["best"]["step"] == 3


def test_samples_of_a_training_are_looked_for_no_further_than_that(tmp_path: Path) -> None:
    (tmp_path / LOG).write_text(json.dumps({"event": "eval", "samples": [["tea", "thé"]]}) + "\n")
    hole(tmp_path / LOG)
    assert training_samples(str(tmp_path)) == ["tea"]
