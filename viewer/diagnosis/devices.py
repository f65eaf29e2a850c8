"""Devices: what a run can be trained on here, as far as that is known without waiting."""

from __future__ import annotations

import sys


def training_devices() -> tuple[str, ...]:
    """Such as `cuda` and `cpu`; before torch was imported (with the first model) the processor alone."""
    if "torch" not in sys.modules:
        return ("cpu",)
    from model.network.precision import present_devices

    return tuple(present_devices())
