from __future__ import annotations

import errno
import json
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from model.bundle import load_bundle
from model.errors import HeadscopeError
from model.training import run as training_run
from model.training.events import DoneEvent, EvalEvent, SavedEvent, StepEvent, WorkEvent
from model.training.heldout import Heldout
from model.training.log import read_entries
from model.training.train import stored_options, train
from model.training.trainer import Trainer
from model.transformer import Transformer
from tests.model.tiny_training import events, losses, options, stop_after, write_pairs


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return write_pairs(tmp_path / "pairs.tsv")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def refused(code: str, *args: Any, **kwargs: Any) -> HeadscopeError:
    with pytest.raises(HeadscopeError) as error:
        events(*args, **kwargs)
    assert error.value.code == code
    return error.value


def test_a_run_leaves_a_whole_bundle(pairs: Path, out: Path) -> None:
    found = events(options(pairs, steps=20, eval_every=10, log_every=2, dropout=0.0), out)
    kinds = [event.name for event in found]
    assert kinds == ["step"] * 5 + ["eval", "saved"] + ["step"] * 5 + ["eval", "saved", "saved", "done"]
    assert [event.step for event in found if isinstance(event, StepEvent)] == list(range(2, 21, 2))
    steps = list(losses(found).values())
    assert steps[-1] < steps[0] - 0.3
    done = found[-1]
    assert isinstance(done, DoneEvent)
    last = [event for event in found if isinstance(event, EvalEvent) and event.best][-1]
    assert (done.heldout_loss, done.bleu) == (last.heldout_loss, last.bleu)
    assert sorted(path.name for path in out.iterdir()) == [
        "README.md",
        "config.json",
        "example.trace",
        "model.safetensors",
        "source.spm",
        "target.spm",
        "training_log.jsonl",
        "training_state.safetensors",
    ]
    assert [path.name for path in out.parent.iterdir() if path.name.endswith((".lock", ".tmp"))] == []
    bundle = load_bundle(out)
    assert bundle.config.showcase is not None
    assert (bundle.config.name, bundle.config.languages) == ("tiny", ("en", "fr"))
    entries = read_entries(out)
    assert [entry["event"] for entry in entries] == ["start", "eval", "eval", "done"]
    start = entries[0]
    assert start["command"] == "headscope train …"
    assert start["seed"] == 1
    assert start["versions"]["torch"] == torch.__version__
    assert list(start["data"]) == ["pairs.tsv"]
    assert start["pairs"]["train"] + start["pairs"]["dev"] == 60


def test_a_longer_run_learns(pairs: Path, out: Path) -> None:
    found = events(options(pairs, steps=150, dropout=0.0, batch_tokens=512), out)
    steps = list(losses(found).values())
    assert steps[-1] < 0.5 * steps[0]
    bests = [event for event in found if isinstance(event, EvalEvent) and event.best]
    assert bests[-1].heldout_loss < bests[0].heldout_loss


def test_same_options_same_run(pairs: Path, tmp_path: Path) -> None:
    first = events(options(pairs, steps=8), tmp_path / "a")
    again = events(options(pairs, steps=8), tmp_path / "b")
    other = events(options(pairs, steps=8, seed=2), tmp_path / "c")
    assert losses(first) == losses(again)
    assert (tmp_path / "a/model.safetensors").read_bytes() == (tmp_path / "b/model.safetensors").read_bytes()
    assert losses(first) != losses(other)


# stopping and resuming


def test_a_stopped_run_goes_on_as_if_it_had_not(pairs: Path, tmp_path: Path) -> None:
    plain = options(pairs, steps=24, eval_every=8)
    whole = events(plain, tmp_path / "whole")
    out = tmp_path / "out"
    first = events(plain, out, until=stop_after(11))
    assert isinstance(first[-1], SavedEvent)
    assert not any(isinstance(event, DoneEvent) for event in first)
    stopped_at = first[-1].step
    assert 0 < stopped_at < 24
    second = events(stored_options(out), out, resume=True)
    assert losses(first) | losses(second) == losses(whole)
    assert min(losses(second)) == stopped_at + 1
    for name in ("model.safetensors", "training_state.safetensors"):
        kept, wanted = load_file(out / name), load_file(tmp_path / "whole" / name)
        assert all(torch.equal(kept[tensor], wanted[tensor]) for tensor in wanted)
    told = [entry for entry in read_entries(out) if entry["event"] == "eval"]
    assert [{**entry, "minutes": 0} for entry in told] == [
        {**entry, "minutes": 0} for entry in read_entries(tmp_path / "whole") if entry["event"] == "eval"
    ]


def test_a_run_left_between_saves_repeats_what_was_lost(pairs: Path, tmp_path: Path) -> None:
    plain = options(pairs, steps=16, save_every=5, eval_every=7)
    whole = events(plain, tmp_path / "whole")
    out = tmp_path / "out"
    run = train(plain, out)
    for event in run:
        if isinstance(event, StepEvent) and event.step == 9:
            break  # evaluated at 7, saved there; as good as killed at 9
    run.close()  # type: ignore[attr-defined]
    second = events(stored_options(out), out, resume=True)
    assert min(losses(second)) == 8
    assert losses(second) == {step: loss for step, loss in losses(whole).items() if step > 7}


def test_a_log_ahead_of_the_state_is_cut(pairs: Path, out: Path) -> None:
    events(options(pairs, steps=6, eval_every=3), out, until=stop_after(5))
    state = (out / "training_state.safetensors").read_bytes()
    step = json.loads(_metadata(out)["step"])
    events(stored_options(out), out, resume=True)
    (out / "training_state.safetensors").write_bytes(state)
    events(stored_options(out), out, resume=True)
    entries = read_entries(out)
    places = [entry["step"] for entry in entries if entry["event"] == "eval"]
    assert places == sorted(set(places))
    assert [entry["event"] for entry in entries].count("done") == 1
    assert [entry["step"] for entry in entries if entry["event"] == "resume"] == [step, step]


@pytest.mark.parametrize(
    "log", [None, b"", b"\xff\x00 nonsense\n{", b'{"event": "eval", "step": "x"}\n[1]\n']
)
def test_a_lost_log_does_not_stop_a_resume(pairs: Path, out: Path, log: bytes | None) -> None:
    events(options(pairs, steps=6), out, until=stop_after(5))
    path = out / "training_log.jsonl"
    path.unlink() if log is None else path.write_bytes(log)
    assert events(stored_options(out), out, resume=True)[-1].step == 6
    assert [entry["event"] for entry in read_entries(out)] == ["start", "resume", "eval", "done"]


def test_stop_during_an_evaluation_changes_nothing(pairs: Path, out: Path) -> None:
    plain = options(pairs, steps=4, eval_every=2)
    stop: list[bool] = []
    run = train(plain, out, should_stop=lambda: bool(stop))
    found = []
    for event in run:
        found.append(event)
        if isinstance(event, WorkEvent) and event.stage == "evaluating" and len(found) > 6:
            stop.append(True)
    assert isinstance(found[-1], SavedEvent)
    assert found[-1].step == 2
    assert not any(isinstance(event, EvalEvent) for event in found)
    state = load_file(out / "training_state.safetensors")
    kept = load_file(out / "model.safetensors")
    # Two steps were made and saved, and the bundle still holds the random start.
    name = "encoder.layers.0.linear1.weight"
    assert not torch.equal(state[f"weights.{name}"].half(), kept[name])
    second = events(stored_options(out), out, resume=True)
    assert [event.step for event in second if isinstance(event, EvalEvent)] == [2, 4]


def test_stop_before_there_is_anything(pairs: Path, out: Path) -> None:
    refused("cancelled", options(pairs), out, until=lambda: True)
    assert not out.exists()


def test_resuming_a_finished_run(pairs: Path, out: Path) -> None:
    events(options(pairs, steps=4), out)
    again = events(stored_options(out), out, resume=True)
    assert [event.name for event in again] == ["saved", "done"]
    longer = events(stored_options(out).resumed_with({"steps": 7}), out, resume=True)
    assert list(losses(longer)) == [5, 6, 7]
    assert [entry["event"] for entry in read_entries(out)].count("done") == 1


def test_only_one_writer(pairs: Path, out: Path) -> None:
    first = train(options(pairs, steps=4), out)
    while not isinstance(next(first), StepEvent):
        pass
    refused("folder_busy", options(pairs), out, resume=True)
    refused("folder_busy", options(pairs), out)
    first.close()  # type: ignore[attr-defined]
    assert events(stored_options(out), out, resume=True)[-1].step == 4


# refusals


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
    events(options(pairs, steps=4), out, until=stop_after(4))
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


def _rewritten(change: dict[str, str | None]) -> Any:
    """The state's bytes with other header entries (None removes one)."""

    def harm(data: bytes) -> bytes:
        length = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + length])
        metadata = {**header["__metadata__"], **change}
        header["__metadata__"] = {key: value for key, value in metadata.items() if value is not None}
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        return len(text).to_bytes(8, "little") + text + data[8 + length :]

    return harm


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: b"\x80\x04" + data,
        _rewritten({"options": None}),
        _rewritten({"options": "{"}),
        _rewritten({"options": "[]"}),
        _rewritten({"options": '{"pairs": 1}'}),
        _rewritten({"step": "many"}),
        _rewritten({"data": "7"}),
        _rewritten({"progress": '{"best": 1}'}),
        _rewritten({"progress": "[]"}),
        _rewritten({"format": "other"}),
    ],
)
def test_a_damaged_state_is_said(pairs: Path, out: Path, harm: Any) -> None:
    events(options(pairs, steps=2), out, until=stop_after(4))
    path = out / "training_state.safetensors"
    path.write_bytes(harm(path.read_bytes()))
    with pytest.raises(HeadscopeError) as error:
        list(train(options(pairs, steps=2), out, resume=True))
    assert len(str(error.value)) > 20
    load_bundle(out)


@pytest.mark.parametrize("name", ["config.json", "source.spm"])
def test_a_damaged_bundle_does_not_resume(pairs: Path, out: Path, name: str) -> None:
    events(options(pairs, steps=2), out, until=stop_after(4))
    (out / name).write_bytes(b"garbage")
    with pytest.raises(HeadscopeError):
        list(train(options(pairs, steps=2), out, resume=True))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"", "corpus_empty"),
        (b"only one column\n", "corpus_one_column"),
        ("caf\xe9\tcoffee\n".encode("latin-1"), "corpus_not_utf8"),
        ("a\tb\n".encode("utf-16"), "corpus_utf16"),
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


# what is kept


class Poisoned:
    """Makes the weights of a run infinite before a given step."""

    def __init__(self, step: int) -> None:
        self.step, self.own = step, Trainer.run_step

    def __call__(self, trainer: Trainer) -> Any:
        if trainer.step + 1 == self.step:
            with torch.no_grad():
                trainer.parameters[0].fill_(float("inf"))
        return self.own(trainer)


def test_a_loss_that_is_no_number_keeps_the_last_good_state(
    pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poisoned = Poisoned(6)
    monkeypatch.setattr(Trainer, "run_step", lambda trainer: poisoned(trainer))
    error = refused("training_diverged", options(pairs, eval_every=4, steps=9), out)
    assert error.values["step"] == 6
    monkeypatch.undo()
    load_bundle(out)  # finite, or it would be refused
    state = load_file(out / "training_state.safetensors")
    assert all(bool(torch.isfinite(tensor).all()) for tensor in state.values())
    assert list(losses(events(stored_options(out), out, resume=True))) == [5, 6, 7, 8, 9]


def _scripted(monkeypatch: pytest.MonkeyPatch, script: Iterator[float]) -> list[Tensor]:
    """Held-out losses from a script, and the table of each model that was asked about."""
    asked: list[Tensor] = []

    def fake(transformer: Transformer, heldout: Heldout, *rest: Any) -> Generator[None, None, float]:
        asked.append(transformer.source_embedding.weight.detach().clone())
        yield
        return next(script)

    monkeypatch.setattr(training_run, "heldout_loss", fake)
    return asked


def test_the_best_on_dev_is_kept(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Own weights and average in turn: the third evaluation's average is the best of all."""
    asked = _scripted(monkeypatch, iter([5.0, 6.0, 4.0, 4.5, 3.5, 3.0, 3.2, 3.1]))
    found = events(options(pairs, steps=24, eval_every=6, bleu_sentences=0, half=False), out)
    evals = [event for event in found if isinstance(event, EvalEvent)]
    assert [event.heldout_loss for event in evals] == [5.0, 4.0, 3.0, 3.1]
    assert [event.averaged for event in evals] == [False, False, True, True]
    assert [event.best for event in evals] == [True, True, True, False]
    assert [event.bleu for event in evals] == [None] * 4
    stored = load_file(out / "model.safetensors")["source_embedding.weight"]
    assert torch.equal(stored, asked[5])
    assert not torch.equal(asked[4], asked[5])
    done = found[-1]
    assert isinstance(done, DoneEvent)
    assert (done.heldout_loss, done.bleu) == (3.0, None)
    # The run itself went on with its own weights, not with the average.
    state = load_file(out / "training_state.safetensors")
    assert torch.equal(state["weights.source_embedding.weight"], asked[6])


def test_bleu_decides_before_the_loss(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _scripted(monkeypatch, iter([3.0, 9.0, 2.0, 9.0, 2.5, 9.0]))
    scores = iter([10.0, 8.0, 10.0])

    def fake(*args: Any) -> Generator[None, None, tuple[float, tuple[tuple[str, str], ...]]]:
        yield
        return next(scores), ()

    monkeypatch.setattr(training_run, "heldout_bleu", fake)
    found = events(options(pairs, steps=6, eval_every=2), out)
    evals = [event for event in found if isinstance(event, EvalEvent)]
    assert [event.best for event in evals] == [True, False, True]  # level on BLEU, better loss


def test_a_heldout_loss_that_is_no_number(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _scripted(monkeypatch, iter([float("nan")]))
    refused("training_diverged", options(pairs, steps=2), out)


def test_the_test_part_is_never_looked_at(tmp_path: Path) -> None:
    """Two files that differ in nothing but their test part train to the same bytes."""
    from model.data.corpus import tatoeba_hash_part

    base = [(f"the {a} {b}", f"le {b} {a}") for a in ("red", "old", "big") for b in map(str, range(100))]
    parts = [tatoeba_hash_part(source) for source, _ in base]
    assert {"test", "dev"} <= set(parts)
    results = []
    for name, poison in (("a", False), ("b", True)):
        pairs = [
            (source, "ÞØÏŠÓÑ " * 3 if poison and part == "test" else target)
            for (source, target), part in zip(base, parts)
        ]
        path = write_pairs(tmp_path / f"{name}.tsv", pairs)
        out = tmp_path / name
        found = events(options(path, steps=6, eval_every=3, split="tatoeba-hash", name="same"), out)
        evals = [event for event in found if isinstance(event, EvalEvent)]
        results.append(
            [(out / file).read_bytes() for file in ("model.safetensors", "source.spm", "config.json")]
            + [repr(evals), repr(losses(found))]
        )
    assert results[0] == results[1]


def test_full_disk_is_said_and_keeps_the_old(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events(options(pairs, steps=4), out, until=stop_after(4))
    before = {path.name: path.read_bytes() for path in out.iterdir()}

    def full(descriptor: int, data: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    found = train(stored_options(out), out, resume=True)
    while not isinstance(next(found), StepEvent):
        pass
    before["training_log.jsonl"] = (out / "training_log.jsonl").read_bytes()
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(HeadscopeError) as error:
        list(found)
    monkeypatch.undo()
    assert error.value.code == "disk_full"
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert events(stored_options(out), out, resume=True)[-1].step == 4


# limits and time


def test_whole_epochs(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_run, "LEAST_APART", 9)
    found = events(options(pairs, steps=0, epochs=4.0, batch_tokens=256), out)
    epochs = [event.epoch for event in found if isinstance(event, StepEvent)]
    ends = [step for step, epoch in enumerate(epochs, 1) if epoch == int(epoch)]
    assert epochs[-1] == 4.0
    assert len(ends) == 4
    # Measured at the end of an epoch, unless it was not long ago, and always at the end.
    wanted, last = [], 0
    for end in ends:
        if end - last >= 9 or end == ends[-1]:
            wanted.append(end)
            last = end
    assert [event.step for event in found if isinstance(event, EvalEvent)] == wanted
    assert 1 < len(wanted) < 4


class FakeTime:
    """Seconds that pass only when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


def test_minutes_count_work_and_not_waiting(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, own = FakeTime(), Trainer.run_step
    monkeypatch.setattr(training_run, "time", clock)

    def slow(trainer: Trainer) -> Any:
        clock.now += 30.0
        return own(trainer)

    monkeypatch.setattr(Trainer, "run_step", slow)
    steps: list[int] = []
    chosen = options(pairs, steps=0, minutes=3.0, eval_every=100)
    for event in train(chosen, out, should_stop=lambda: len(steps) == 4):
        if isinstance(event, StepEvent):
            steps.append(event.step)
        clock.now += 500.0  # somebody else's
    assert steps == [1, 2, 3, 4]
    assert json.loads(_metadata(out)["progress"])["minutes"] == pytest.approx(2.0)
    second = events(stored_options(out), out, resume=True)
    assert list(losses(second)) == [5, 6]
    assert isinstance(second[-1], DoneEvent)
    assert second[-1].minutes == pytest.approx(3.0)


def _metadata(out: Path) -> dict[str, str]:
    data = (out / "training_state.safetensors").read_bytes()
    header: dict[str, dict[str, str]] = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return header["__metadata__"]


def test_threads_are_given_back(pairs: Path, out: Path) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        seen = [torch.get_num_threads() for _ in train(options(pairs, steps=2, threads=1), out)]
        assert set(seen) == {1}
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)


def test_states_of_an_earlier_version_resume(pairs: Path, out: Path) -> None:
    """Headers without what was added since: the task, and when it was last evaluated."""
    events(options(pairs, steps=4), out, until=stop_after(4))
    chosen = json.loads(_metadata(out)["options"])
    progress = json.loads(_metadata(out)["progress"])
    del chosen["task"], chosen["task_size"], progress["last_eval"]
    path = out / "training_state.safetensors"
    change: dict[str, str | None] = {
        "options": json.dumps(chosen),
        "progress": json.dumps(progress),
        "config_hash": "0" * 64,
    }
    path.write_bytes(_rewritten(change)(path.read_bytes()))
    assert events(stored_options(out), out, resume=True)[-1].step == 4
