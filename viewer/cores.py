"""Cores: how many of the processor's this process may use, and how many are left beside the window."""

from __future__ import annotations

import os


def cores() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS or Windows
        return os.cpu_count() or 1


def spare_cores() -> int:
    """Cores that this process may use, less one for the window; at least 1."""
    return max(1, cores() - 1)
