"""Several processes on one run, on loopback; the oracle is the same run in one process."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch

from model.errors import HeadscopeError
from model.training.distributed import Ranks, joined
from model.training.progress.history import stored_run
from tests.model.training.rank_process import LONGEST, Command

ROOT = Path(__file__).resolve().parents[3]
COMMAND = (
    "train", "--task", "copy", "--task-size", "600", "--json", "--dropout", "0", "--precision", "float32",
    "--batch-tokens", "256", "--accumulate", "2", "--warmup", "20", "--bleu-sentences", "2", "--threads", "1",
    "--eval-every", "1000",
    # Learning sets in later than with an even start; from then on rounding differences grow a hundredfold.
    "--output-start", "unit",
)  # fmt: skip


def losses(lines: str) -> dict[int, float]:
    events = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
    return {event["step"]: event["loss"] for event in events if event["event"] == "step"}


def near(found: dict[int, float], wanted: dict[int, float], steps: range) -> None:
    assert list(found) == list(steps)
    assert max(abs(found[step] - wanted[step]) for step in steps) < 1e-4


@contextmanager
def ranks_of(folder: Path, *arguments: str, world: int = 2) -> Iterator[list[Command]]:
    """The processes of one run, as a launcher would start them."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        address = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(found.getsockname()[1])}
    with ExitStack() as stack:
        children = []
        for rank in map(str, range(world)):
            named = {"RANK": rank, "WORLD_SIZE": str(world), "LOCAL_RANK": rank}
            child = Command(folder, f"rank{rank}", arguments, **address, **named)
            children.append(stack.enter_context(child))
        yield children


def train_alone(folder: Path, *arguments: str) -> dict[int, float]:
    """The losses of one process."""
    with Command(folder, "alone", arguments) as child:
        assert child.status() == 0, child.said
        return losses(child.told)


def new(out: Path, steps: int = 100_000) -> tuple[str, ...]:
    return (*COMMAND, "--out", str(out), "--steps", str(steps))


def resumed(out: Path, steps: int) -> tuple[str, ...]:
    return ("train", "--json", "--out", str(out), "--resume", "--steps", str(steps))


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[int, float]:
    """Losses of 55 steps in one process."""
    folder = tmp_path_factory.mktemp("alone")
    return train_alone(folder, *new(folder / "run", 55))


@pytest.mark.slow
def test_two_ranks_follow_one_and_resume_its_run(tmp_path: Path, alone: dict[int, float]) -> None:
    """Five steps alone; then fifty by two ranks, with what the optimizer of the one remembered."""
    out = tmp_path / "run"
    train_alone(tmp_path, *new(out, 5))
    launcher = (sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2")
    result = subprocess.run(
        [*launcher, "main.py", *resumed(out, 55)],
        cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True,
        timeout=LONGEST, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    near(losses(result.stdout), alone, range(6, 56))
    assert '"event": "done"' in result.stdout


@pytest.mark.slow
def test_two_ranks_draw_the_cuts_that_one_draws(tmp_path: Path) -> None:
    """With BPE-dropout every rank needs the pieces, not only the ids."""
    more = ("--vocab-type", "bpe", "--vocab-size", "320", "--bpe-dropout", "0.3")
    one = train_alone(tmp_path, *new(tmp_path / "one", 6), *more)
    with ranks_of(tmp_path, *new(tmp_path / "two", 6), *more) as children:
        assert [child.status() for child in children] == [0, 0]
        near(losses(children[0].told), one, range(1, 7))


@pytest.mark.slow
def test_a_killed_rank_ends_the_others_and_loses_no_step(tmp_path: Path, alone: dict[int, float]) -> None:
    out = tmp_path / "run"
    with ranks_of(tmp_path, *new(out), world=3) as children:
        children[0].wait_for('"step": 5,')
        children[2].process.kill()
        assert [child.status() for child in children] == [1, 1, -signal.SIGKILL]
        for child in children[:2]:
            assert "headscope: error: another process of this run has ended" in child.said
            assert "Traceback" not in child.said
        done = losses(children[0].told)
    near({step: done[step] for step in range(1, 6)}, alone, range(1, 6))
    # The state is that of the last whole step, and one process goes on from it.
    last = max(done)
    assert list(train_alone(tmp_path, *resumed(out, last + 1))) == [last + 1]


def test_the_first_rank_killed_ends_the_others(tmp_path: Path) -> None:
    with ranks_of(tmp_path, *new(tmp_path / "run")) as children:
        children[0].wait_for('"step": 2,')
        children[0].process.kill()
        assert children[1].status() == 1
        assert "headscope: error: another process of this run has ended" in children[1].said
        assert "Traceback" not in children[1].said


def test_an_interruption_saves_once_and_ends_all(tmp_path: Path) -> None:
    """As `torchrun` passes it on: to every rank."""
    with ranks_of(tmp_path, *new(tmp_path / "run")) as children:
        children[0].wait_for('"step": 2,')
        for child in children:
            child.send(signal.SIGINT)
        assert [child.status() for child in children] == [130, 130]
        assert children[0].told.count('"event": "saved"') == 1
        assert children[0].said.count("saving the run first") == 1
        assert children[1].told + children[1].said == ""


def test_an_error_of_the_first_rank_is_told_once_and_ends_all(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    with ranks_of(tmp_path, *new(tmp_path / "run")) as children:
        assert [child.status() for child in children] == [1, 0]
        assert [child.said.count("already exists") for child in children] == [1, 0]


def test_wrong_usage_is_told_once(tmp_path: Path) -> None:
    with ranks_of(tmp_path, "train", "--no-such-flag") as children:
        assert [child.status() for child in children] == [2, 2]
        assert [child.said.count("no-such-flag") for child in children] == [1, 0]


def test_what_is_no_training_is_told_once(tmp_path: Path) -> None:
    with ranks_of(tmp_path, "train", "--task", "copy", "--estimate") as children:
        assert [child.status() for child in children] == [0, 0]
        assert [child.told.count("parameters") for child in children] == [1, 0]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a process keeps its parent's number there")
def test_ranks_save_and_end_when_their_launcher_is_killed(tmp_path: Path) -> None:
    launcher = (sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2")
    told = tmp_path / "told"
    with told.open("wb") as file:
        process = subprocess.Popen(
            [*launcher, "main.py", *new(tmp_path / "run")],
            cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"}, stdout=file, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    until = time.monotonic() + LONGEST
    while '"step": 2,' not in told.read_text(encoding="utf-8"):
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.01)
    process.kill()
    process.wait()
    lock = tmp_path / ".run.lock"
    while lock.exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    last = json.loads(told.read_text(encoding="utf-8").splitlines()[-1])
    assert last["event"] == "saved"
    assert stored_run(tmp_path / "run").step == last["step"] == max(losses(told.read_text(encoding="utf-8")))


def test_alone_nothing_is_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RANK", "WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)
    module = torch.nn.Linear(2, 2)
    with joined() as ranks:
        assert (ranks.rank, ranks.world, ranks.is_writer) == (0, 1, True)
        assert not torch.distributed.is_initialized()
        ranks.order({"order": "step"})
        assert ranks.data_parallel(module) is module
        tensor = torch.tensor([3.0])
        assert ranks.mean(tensor).tolist() == [3.0]
    assert Ranks(1, 2).is_writer is False


@pytest.mark.parametrize(
    ("variables", "code"),
    [
        ({"WORLD_SIZE": "two"}, "ranks_environment"),
        ({"WORLD_SIZE": "2", "RANK": "-1"}, "ranks_environment"),
        ({"WORLD_SIZE": "2", "RANK": "0", "MASTER_PORT": "1"}, "ranks_start"),  # no address
    ],
)
def test_an_environment_that_makes_no_sense(
    variables: dict[str, str], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(HeadscopeError) as error, joined():
        pass
    assert error.value.code == code


def test_each_rank_has_a_device_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def has(cuda: int, mps: bool) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda > 0)
        monkeypatch.setattr(torch.cuda, "device_count", lambda: cuda)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)

    chosen: list[torch.device] = []
    monkeypatch.setattr(torch.cuda, "set_device", chosen.append)

    def code_of(ranks: Ranks, wanted: Any) -> str:
        with pytest.raises(HeadscopeError) as error:
            ranks.pick_device(wanted)
        return error.value.code

    has(cuda=2, mps=False)
    assert Ranks(3, 4, local_rank=1).pick_device("auto") == torch.device("cuda:1")
    assert chosen == [torch.device("cuda:1")]
    assert code_of(Ranks(2, 4, local_rank=2), "auto") == "device_few"
    has(cuda=0, mps=True)
    assert Ranks().pick_device("auto") == torch.device("mps")
    assert Ranks(1, 2).pick_device("auto") == torch.device("cpu")
    assert code_of(Ranks(1, 2), "mps") == "config_value"
