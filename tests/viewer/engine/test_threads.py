from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

LOADED = """
import sys
from viewer.engine.threads import load_library, prepare_torch

load_library()
assert "torch" not in sys.modules
print("libtorch_cpu" in open("/proc/self/maps").read())
prepare_torch(1)
import torch

print((torch.ones(2, 3) @ torch.ones(3)).tolist(), torch.get_num_threads())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells nobody what is loaded")
def test_the_library_is_there_before_the_import_and_serves_it() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["True", "[3.0, 3.0] 1"]


def test_a_torch_that_lies_elsewhere_is_left_to_the_import(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from viewer.engine import threads

    (tmp_path / "torch.py").write_text("")
    monkeypatch.delitem(sys.modules, "torch")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(threads.ctypes, "CDLL", pytest.fail)
    threads.load_library()
