"""Processor: what it calls itself."""

from __future__ import annotations

import contextlib
import platform
from pathlib import Path


def processor_name() -> str:
    """As on a label, such as "Intel(R) Xeon(R) Platinum 8259CL CPU"; `unknown` where it does not say."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"
