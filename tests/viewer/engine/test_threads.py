from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from model.network.precision import has_fast_bfloat16

UNBOUND = """
import os

for name in ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY"):
    os.environ.pop(name, None)
"""
LOADED = """
import sys
from viewer.engine.threads import load_library, prepare_torch

load_library()
assert "torch" not in sys.modules
print("libtorch_cpu" in open("/proc/self/maps").read())
assert "LRU_CACHE_CAPACITY" not in os.environ
prepare_torch(1)
import torch

print(os.environ["ONEDNN_PRIMITIVE_CACHE_CAPACITY"], os.environ["LRU_CACHE_CAPACITY"])
print((torch.ones(2, 3) @ torch.ones(3)).tolist(), torch.get_num_threads())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells nobody what is loaded")
def test_the_library_is_there_before_the_import_and_serves_it() -> None:
    """And kernels are bounded before the first is made: torch reads the bound once."""
    script = UNBOUND + LOADED
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["True", "64 1", "[3.0, 3.0] 1"]


def test_a_torch_that_lies_elsewhere_is_left_to_the_import(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from viewer.engine import threads

    (tmp_path / "torch.py").write_text("")
    monkeypatch.delitem(sys.modules, "torch")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(threads.ctypes, "CDLL", pytest.fail)
    threads.load_library()
    assert "torch" not in sys.modules


KERNELS = """
import torch
from model.network.precision import bound_kernel_cache
from viewer.engine.threads import prepare_torch

def own():
    line = next(each for each in open("/proc/self/status") if each.startswith("RssAnon"))
    return int(line.split()[1]) * 1024

def multiply(count, dtype):
    for more in range(count):
        torch.ones(37 + more, 64, dtype=dtype) @ torch.ones(64, 48 + more, dtype=dtype)
        x = torch.ones(4, 20 + more, 16, dtype=dtype)
        x @ x.transpose(1, 2)

prepare_torch(1)
rows = torch.ones(70, 64)
torch.ops.mkldnn._linear_pointwise(rows, torch.ones(64, 64), None, "none", [], "")  # a translation
bound_kernel_cache()  # a run begins
multiply(3, torch.bfloat16)
before = own()
multiply(150, torch.bfloat16)
print(own() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells nobody what is in memory")
@pytest.mark.skipif(not has_fast_bfloat16(torch.device("cpu")), reason="the processor has no such kernels")
def test_a_run_after_a_translation_remembers_few_kernels() -> None:
    """300 shapes would be 150 MB."""
    script = UNBOUND + KERNELS
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 60 << 20
