"""Library: the compiled kernels, and the threads that torch has.

They are compiled when Headscope is installed, where there is a compiler of C (GCC or Clang); where there is
none, torch's own kernels do the work.
"""

from __future__ import annotations

import ctypes
import sys
from functools import lru_cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

_HERE = Path(__file__).parent

VERSION = 3
"""As in `version.c`."""

# Libraries of OpenMP, one of which torch has loaded, and folders in which it brings it.
_OPENMP = ("libgomp", "libomp", "libiomp")
_TORCH = {"torch", "torch.libs"}


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL | None:
    """The kernels; None where they were not compiled for this Python and machine, or from other sources."""
    for ending in EXTENSION_SUFFIXES:
        path = _HERE / f"_kernels{ending}"
        if path.is_file():
            try:
                found = ctypes.CDLL(str(path))
                if found.headscope_version() == VERSION:
                    return found
            except (OSError, AttributeError):
                continue
    return None


@lru_cache(maxsize=1)
def parallel() -> int | None:
    """Where `GOMP_parallel` lies, of the library that torch has loaded; LLVM's and Intel's have it as well.

    None where that cannot be told: a library of our own would bring threads of its own.
    """
    if not sys.platform.startswith("linux"):
        return None
    try:
        lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
        paths = {Path(line.split(maxsplit=5)[-1].strip()) for line in lines if "/" in line}
        found = [path for path in paths if path.name.startswith(_OPENMP)]
        # Others bring one of their own beside it.
        own = [path for path in found if _TORCH.intersection(path.parts)] or found
        if len(own) != 1:
            return None
        return ctypes.cast(ctypes.CDLL(str(own[0])).GOMP_parallel, ctypes.c_void_p).value
    except (OSError, AttributeError):
        return None
