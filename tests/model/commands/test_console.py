"""What every command shares, seen from outside: streams, encodings, numbers out of all proportion."""

from __future__ import annotations

import errno
import io
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from main import main
from model.commands import console
from model.commands.train_report import BarReport
from model.config import TrainConfig
from model.errors import MESSAGES, HeadscopeError

ROOT = Path(__file__).parents[3]
# Without a locale of UTF-8, and without Python making up for that.
PLAIN = {**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}

needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")


def info(bundle: Path, *arguments: str, **streams: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "main.py", "info", *arguments, str(bundle)]
    return subprocess.run(command, cwd=ROOT, env=PLAIN, **streams)  # type: ignore[call-overload, no-any-return]


def one_line(data: bytes) -> str:
    """What stderr says, which must be one sentence."""
    (line,) = data.decode().splitlines()
    assert line.startswith("headscope: error: ")
    return line


def test_a_pipe_gets_utf8_whatever_the_locale(tmp_path: Path, tiny_bundle: Path) -> None:
    named = tmp_path / "model"
    named.mkdir()
    for file in tiny_bundle.iterdir():
        (named / file.name).write_bytes(file.read_bytes())
    config = json.loads((named / "config.json").read_bytes())
    (named / "config.json").write_text(json.dumps({**config, "name": "模型"}))
    done = info(named, "--json", capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout.decode("utf-8"))["name"] == "模型"


@needs_full
@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_a_full_disk_behind_stdout(tiny_bundle: Path, arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = info(tiny_bundle, *arguments, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert os.strerror(errno.ENOSPC) in one_line(done.stderr)


@needs_full
def test_a_full_disk_behind_stderr(tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = info(tmp_path, stdout=subprocess.PIPE, stderr=full)
    assert (done.returncode, done.stdout) == (1, b"")


def test_a_reader_that_has_gone(tiny_bundle: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = info(tiny_bundle, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


def test_closed_streams(
    tiny_bundle: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        assert main(["info", str(tiny_bundle)]) == 1
    assert "standard output (it is closed)" in one_line(capsys.readouterr().err.encode())
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", None)
        assert main(["translate", "--model", str(tiny_bundle), "-"]) == 1
    assert "standard input is closed" in one_line(capsys.readouterr().err.encode())
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", None)
        assert main(["info", str(tiny_bundle / "none")]) == 1
    assert capsys.readouterr() == ("", "")  # what was meant for stderr does not turn up in the results


def test_a_terminal_keeps_its_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    terminal = Terminal(io.BytesIO(), encoding="latin-1")
    monkeypatch.setattr(sys, "stdout", terminal)

    def work() -> int:
        console.put("é 模")
        return 0

    assert console.guarded(work) == 0
    assert terminal.buffer.getvalue() == b"\xe9 ?\n"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("[enforce fail at alloc_cpu.cpp:124] DefaultCPUAllocator: can't allocate memory"),
        RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate 8 bytes."),
        RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB"),
    ],
)
def test_memory_that_runs_out(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> int:
        raise error

    assert console.guarded(work) == 1
    assert one_line(capsys.readouterr().err.encode()).endswith(MESSAGES["out_of_memory"])


def test_a_mistake_of_ours_is_not_hidden() -> None:
    def work() -> int:
        raise RuntimeError("shapes do not fit")

    with pytest.raises(RuntimeError, match="shapes do not fit"):
        console.guarded(work)


@pytest.mark.parametrize("count", ["1025", "100000000000", "9" * 5000, "0", "-1", "²", "1.5"])
def test_numbers_of_threads_that_no_machine_has(count: str, tiny_bundle: Path) -> None:
    for command in (["translate", "tea"], ["evaluate", "--pairs", "none.tsv"]):
        with pytest.raises(SystemExit) as caught:
            main([*command, "--model", str(tiny_bundle), "--threads", count])
        assert caught.value.code == 2


def test_the_most_threads_are_taken() -> None:
    assert console.thread_count("1024") == 1024


def test_errors_keep_to_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> int:
        raise HeadscopeError("file_missing", path="a\nb\x1b")

    assert console.guarded(work) == 1
    assert capsys.readouterr().err.count("\n") == 1


COMMANDING = "a\x1b]0;title\x07\x1b[31m\x9b2Jb\x00\x08\r\x7fc"


def test_no_text_of_a_model_commands_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    console.put(f"x\ty\n{COMMANDING}")
    console.emit({"text": COMMANDING})
    console.fail(f"a\n{COMMANDING}\u202ekcab\u2066")
    printed = capsys.readouterr()
    text, value = printed.out.rsplit("\n", 2)[0], printed.out.splitlines()[-1]
    assert text == "x\ty\na\ufffd]0;title\ufffd\ufffd[31m\ufffd2Jb\ufffd\ufffd\ufffd\ufffdc"
    assert json.loads(value) == {"text": COMMANDING}
    for character in {*(printed.out + printed.err)} - {"\t", "\n"}:
        assert character.isprintable(), hex(ord(character))
    assert printed.err.count("\n") == 1


def test_signs_that_texts_need_stay(capsys: pytest.CaptureFixture[str]) -> None:
    text = "👩\u200d👩 می\u200cخواهم \u200fשלום\u200e\u2028é"
    console.put(text)
    assert capsys.readouterr().out == text + "\n"


def test_a_hostile_folder_says_no_more_than_its_lines(
    tmp_path: Path, tiny_bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its name, its log and its folder's own name, told by `info` and by errors."""
    folder = tmp_path / "a\x1b]0;x\x07\u202eb"
    shutil.copytree(tiny_bundle, folder)
    config = json.loads((folder / "config.json").read_bytes())
    (folder / "config.json").write_text(
        json.dumps({**config, "name": f"{COMMANDING}\n  trained by: me\u2066"})
    )
    data = {f"a\u2028{COMMANDING}": "\x1b[2J"}
    start = {"event": "start", "command": f"train\n{COMMANDING}", "data": data}
    (folder / "training_log.jsonl").write_text(json.dumps(start) + "\n")
    assert main(["info", str(folder)]) == 0
    assert main(["info", str(folder), "--json"]) == 0
    *lines, as_json, rest = capsys.readouterr().out.split("\n")
    assert (len(lines), rest) == (6, "")
    assert json.loads(as_json)["training"]["command"] == start["command"]
    (folder / "model.safetensors").unlink()
    assert main(["translate", "--model", str(folder), "tea"]) == 1
    told = "".join([*lines, as_json, *one_line(capsys.readouterr().err.encode()).splitlines()])
    assert {letter for letter in told if not letter.isprintable()} <= {"\u2028"}
    assert "\u2028" not in "".join(lines)


def test_a_bar_commands_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    bar = BarReport(TrainConfig(steps=1))
    bar.note(f"a\n{COMMANDING}")
    bar.close()
    assert "\x1b]0;title" not in screen.getvalue()
    assert "\ufffd]0;title" in screen.getvalue()


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no such signal")
def test_a_program_that_is_to_outlive_its_terminal_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_DFL)
    assert console.ending_signals() == [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_IGN)  # as `nohup` begins it
    assert console.ending_signals() == [signal.SIGINT, signal.SIGTERM]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such terminals")
def test_to_a_terminal_that_was_closed_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = os.openpty()
    with open(slave, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(sys, "stdout", None)
        os.close(master)
        with pytest.raises(OSError, match="Input/output error"):
            os.write(slave, b"to nobody")
        before = len(os.listdir("/dev/fd"))
        console.let_terminal_go()
        assert len(os.listdir("/dev/fd")) == before
        print("to nobody", file=stream, flush=True)


def test_another_python_than_it_needs_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 12, "final", 0))
    with pytest.raises(SystemExit, match=r"Python 3\.11 or newer is needed"):
        main(["info", "en-fr"])


@pytest.mark.parametrize(("package", "arguments"), [("numpy", ["info", "en-fr"]), ("platformdirs", [])])
def test_a_package_that_is_not_installed_is_named(package: str, arguments: list[str]) -> None:
    hiding = f"import sys; sys.modules[{package!r}] = None; "
    program = hiding + f"import main; sys.exit(main.main({arguments}))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True)
    assert done.returncode == 1
    assert f"the Python package {package} is not installed; " in one_line(done.stderr)


def test_a_module_that_an_installed_package_lacks_is_a_fault_of_ours() -> None:
    def work() -> int:
        raise ModuleNotFoundError("No module named 'json.lost'", name="json.lost")

    with pytest.raises(ModuleNotFoundError):
        console.guarded(work)
