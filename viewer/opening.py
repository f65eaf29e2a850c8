"""Opening paths: what a file or folder is, and a recorded decoding as a run. No torch."""

from __future__ import annotations

from pathlib import Path

from model.bundle_config import CONFIG, BundleConfig, read_config
from model.errors import HeadscopeError
from model.trace_file import open_trace
from model.trace_sequence import PROBE, is_sequence
from viewer.resources import example_trace
from viewer.state.document import Run
from viewer.state.selection import Selection
from viewer.state.session_file import is_session


def kind_of(path: Path) -> str:
    """`bundle`, `session`, `sequence` or `trace`; a file that is nothing else is taken for a trace.

    Raises:
        HeadscopeError: there is nothing at `path`.
    """
    if path.is_file() and path.name == CONFIG:
        return "bundle"
    if path.is_dir():
        if is_session(path):
            return "session"
        return "sequence" if not (path / CONFIG).exists() and is_sequence(path) else "bundle"
    if not path.exists():
        raise HeadscopeError("file_missing", path=str(path))
    return "trace"


def bundle_folder(path: Path) -> Path:
    """The folder of a bundle named by its folder or by its config.json."""
    return path.parent if path.is_file() else path


def sequence_of(bundle: Path) -> Path | None:
    """The time-lapse of a bundle's own training; None when none was kept."""
    folder = bundle / PROBE
    return folder if is_sequence(folder) else None


def recorded_run(path: Path, source: str) -> Run:
    """A trace file as a run; `source` is `recorded` for a bundle's example, else `file`.

    Raises:
        HeadscopeError: it cannot be read, or is no trace.
    """
    trace, facts = open_trace(path), {"source": source, "path": str(path)}
    return Run(f"{source}-{path}", trace, provenance=facts, alterations=trace.alterations)


def example_of(bundle: Path) -> tuple[Run, Selection] | None:
    """A bundle's recorded example, mid-sentence on its showcase head; None when it has none.

    Raises:
        HeadscopeError: the bundle's config.json or the example is damaged.
    """
    path = example_trace(bundle)
    if path is None:
        return None
    run = recorded_run(path, "recorded")
    return run, Selection.opening(showcase_of(read_config(bundle)), run.trace)


def showcase_of(config: BundleConfig) -> dict[str, object] | None:
    """A bundle's telling head as `Selection.opening` takes it."""
    head = config.showcase
    return None if head is None else {"kind": str(head.kind), "layer": head.layer, "head": head.head}
