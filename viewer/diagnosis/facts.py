"""facts_here: versions, processor, memory, Qt, fonts, extras and the last run's log, as one text."""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import itertools
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from model.extensions.found import extensions, left_out
from model.extensions.kinds import LOADERS, METRICS, QUANTITIES
from model.heads.added_scores import OWN as metric_names
from model.network.processor import processor_name
from model.version import VERSION
from viewer.diagnosis.run_log import last_lines
from viewer.figures.quantities import OWN as quantity_names

PACKAGES = (
    "torch",
    "PySide6-Essentials",
    "pyqtgraph",
    "numpy",
    "sentencepiece",
    "safetensors",
    "sacrebleu",
    "ziamath",
)
EXTRAS = {"hf": ("transformers", "tokenizers")}


@dataclass(frozen=True)
class Fact:
    """One line.

    Attributes:
        value: what it is here.
        advice: what to do about it; empty where all is well.
    """

    name: str
    value: str
    advice: str = ""


def facts_here(*, load: bool = False) -> list[Fact]:
    """All that can be told; a `QGuiApplication` must be there.

    Args:
        load: torch too is imported, to ask it, where it is not yet there.
    """
    computing = _computing() if load or "torch" in sys.modules else ()
    return [*_program(), *_machine(), *computing, *_qt()]


def report(facts: list[Fact]) -> str:
    """The facts as text, and the end of the last run's log."""
    lines = [f"{fact.name}: {fact.value}" + (f" ({fact.advice})" if fact.advice else "") for fact in facts]
    logged = last_lines()
    return "\n".join([*lines, "last run logged:", *(f"  {line}" for line in logged or ["nothing"])]) + "\n"


def to_json(facts: list[Fact]) -> dict[str, Any]:
    """The same as values."""
    return {
        "facts": [{"name": fact.name, "value": fact.value, "advice": fact.advice} for fact in facts],
        "log": last_lines(),
    }


def _program() -> Iterator[Fact]:
    yield Fact("headscope", VERSION)
    yield Fact("python", f"{platform.python_version()} {sys.implementation.name}")
    for name in PACKAGES:
        yield _package(name, "install it again: pip install -c constraints.txt -e .")
    for extra, names in EXTRAS.items():
        found = [one for one in map(_version, names) if one]
        value = " ".join(found) if len(found) == len(names) else "not installed"
        yield Fact(f"extra {extra}", value)
    yield from _extensions()


def _extensions() -> Iterator[Fact]:
    for kind, group, own in (
        ("head metric", METRICS, metric_names),
        ("quantity", QUANTITIES, quantity_names),
        ("loader", LOADERS, frozenset[str]()),
    ):
        for name, one in extensions(group, own).items():
            yield Fact(f"extension {name}", f"{kind} of {one.package}")
        for problem in left_out(group, own):
            yield Fact(f"extension {problem.values['name']}", str(problem))


def _package(name: str, advice: str) -> Fact:
    version = _version(name)
    if not version and getattr(sys, "frozen", False):  # what lies in one folder is there as it was made
        return Fact(name, "not in this copy")
    return Fact(name, version or "missing", "" if version else advice)


def versions() -> Iterator[str]:
    """Of each package, one at a time: what is installed is read from files, and told again without."""
    return map(_version, (*PACKAGES, *itertools.chain(*EXTRAS.values())))


@cache
def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _machine() -> Iterator[Fact]:
    yield Fact("system", f"{platform.system()} {platform.release()} {platform.machine()}")
    yield Fact("processor", processor_name())
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    yield Fact("cores", str(cores))
    memory = _memory()
    yield Fact("memory", "unknown" if memory is None else f"{memory / 2**30:.1f} GiB")


def _computing() -> Iterator[Fact]:
    with contextlib.suppress(ImportError):
        import torch

        from model.network.precision import has_fast_bfloat16, present_devices

        devices = present_devices()
        fast = (
            "bfloat16 in hardware" if has_fast_bfloat16(torch.device("cpu")) else "bfloat16 not in hardware"
        )
        yield Fact("computes on", f"{', '.join(devices)}; {torch.get_num_threads()} threads; {fast}")
        from model.network.compiled.library import library
        from model.network.products.remembered import own_choices

        without = "none: no compiler of C at the installation, or the sources are newer than that"
        yield Fact("compiled kernels", "there" if library() else without)
        for key, (_, one, few) in sorted(own_choices().items()):
            yield Fact(f"multiplies {key}", f"a row: {one}, a few: {few}")


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def _qt() -> Iterator[Fact]:
    from PySide6.QtCore import QLibraryInfo, QLocale
    from PySide6.QtGui import QFontDatabase, QGuiApplication

    yield Fact("qt", QLibraryInfo.version().toString())
    yield Fact("qt platform", QGuiApplication.platformName())
    screen = QGuiApplication.primaryScreen()
    if screen is not None:
        size = screen.size()
        yield Fact("screen", f"{size.width()}×{size.height()} at {screen.devicePixelRatio():g}")
    yield Fact("language", QLocale.system().name())
    yield _font("latin font", QFontDatabase.WritingSystem.Latin, "fonts-dejavu-core")
    yield _font("chinese font", QFontDatabase.WritingSystem.SimplifiedChinese, "fonts-noto-cjk")


def _font(name: str, system: Any, package: str) -> Fact:
    from PySide6.QtGui import QFontDatabase

    families = QFontDatabase.families(system)
    advice = "" if families else f"install a font, on Debian {package}"
    return Fact(name, ", ".join(families[:3]) if families else "none", advice)
