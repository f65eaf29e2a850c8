"""Arguments of commands: the values that they take. No torch."""

from __future__ import annotations

import argparse


def positive(text: str) -> int:
    """A whole number from 1 up, for an argument's `type`."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return int(text)


def natural(text: str) -> int:
    """A whole number from 0 up, the same way."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 up")
    return int(text)
