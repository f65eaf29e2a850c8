"""Opening paths: what a file or folder is, and a recorded decoding as a run. No torch."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.errors import HeadscopeError
from model.files.files import io_error
from model.folder.bundle_config import CONFIG, BundleConfig
from model.folder.model_folder import ModelFolder, inspect_folder
from model.trace.trace_file import open_trace
from model.trace.trace_sequence import PROBE, TraceSequence, is_sequence
from viewer.document.document import Run
from viewer.document.files.session_file import SESSION, is_session, open_session
from viewer.document.run_source import RunSource
from viewer.document.selection import Selection
from viewer.document.text.token_text import read_ahead
from viewer.document.time_lapse import last_whole
from viewer.resources import example_trace

_OF_MODELS = (".safetensors", ".bin", ".spm", ".model")
_OF_OTHERS = (".gguf", ".ggml", ".h5", ".msgpack", ".onnx", ".ckpt", ".pt", ".pth")
"""Weights that are refused with a sentence of their own, by whoever looks at the folder."""
_OF_TEXTS = (".txt", ".tsv", ".csv", ".tab", ".gz", ".xz", ".bz2", ".zip")
_NAMED_BY_MODELS = (
    "generation_config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json",
    "added_tokens.json", "vocab.json", "vocab.txt", "merges.txt", "model.safetensors.index.json",
    "pytorch_model.bin.index.json",
)  # fmt: skip


Stamp = tuple[tuple[str, int, int], ...]
"""Time of writing and bytes of a file, or of each file right in a folder, by its name there."""

Example = tuple[Run, Selection]


@dataclass(frozen=True, eq=False)
class Found:
    """What was read of a path, to be shown.

    Attributes:
        kind: one of `kind_of`.
        stamp: see `stamp_at`; of the place before it was read, of a model's folder before its weights are.
        content: a `ModelFolder`, `SavedSession`, `TraceSequence` or `Run`, by the kind.
        example: of a model, what it brings to be shown, or why that cannot be read; None for nothing.
        sequence: of a model, its time-lapse; None for none.
    """

    place: Path
    kind: str
    stamp: Stamp
    content: Any
    example: Example | HeadscopeError | None = None
    sequence: Path | None = None


def meant(path: Path) -> Path:
    """What a path means: the session, where it is the file in it that names its traces."""
    return path.parent if path.name == SESSION and is_session(path.parent) else path


def kind_of(path: Path) -> str:
    """`model`, `session`, `sequence` or `trace`; a file that is nothing else is taken for a trace.

    A model is meant by its folder, whoever's it is, and by any of the files of which it is made.

    Raises:
        HeadscopeError: there is nothing at `path`, or the system lets nobody look.
    """
    try:
        if path.is_dir():
            if is_session(path):
                return "session"
            return "sequence" if not (path / CONFIG).exists() and is_sequence(path) else "model"
        if path.exists():
            return "model" if _is_of_model(path) else "trace"
    except OSError as error:  # not to be looked into, or a name longer than any
        raise io_error(path, error) from None
    raise HeadscopeError("file_missing", path=str(path))


def _is_of_model(path: Path) -> bool:
    """Whether a file is one of those that make a model."""
    if path.name == CONFIG:
        return True
    suffix = path.suffix.lower()
    known = suffix in _OF_MODELS or path.name in _NAMED_BY_MODELS
    return suffix in _OF_OTHERS or (known and (path.parent / CONFIG).is_file())


def read_place(place: Path) -> Found:
    """All that is to be read of a path before it can be shown; of a model, what is told of it. In any thread.

    Raises:
        HeadscopeError: there is nothing, or it cannot be read.
    """
    kind = kind_of(place)
    if kind == "model":
        return model_at(place)
    stamp = stamp_at(place)
    if kind == "session":
        return Found(place, kind, stamp, open_session(place))
    if kind == "sequence":
        sequence = TraceSequence.open(place)
        last_whole(sequence)  # which it keeps for whoever shows it
        return Found(place, kind, stamp, sequence)
    run = recorded_run(place, RunSource.FILE)
    read_ahead(run.trace)
    return Found(place, kind, stamp, run)


def model_at(place: Path) -> Found:
    """What a model says of itself and brings along; the model is loaded by the engine. In any thread.

    Raises:
        HeadscopeError: as `model_folder`.
    """
    folder = model_folder(place)
    bundle = Path(folder.path)
    stamp = stamp_at(bundle)
    return Found(place, "model", stamp, folder, recorded_example(bundle), sequence_of(bundle))


def stamp_at(place: Path) -> Stamp:
    """What tells a file, or those right in a folder, from what may be written there; empty for none."""
    with contextlib.suppress(OSError):
        if place.is_dir():
            with os.scandir(place) as entries:
                states = [(entry.name, entry.stat()) for entry in entries if entry.is_file()]
        else:
            states = [("", place.stat())]
        return tuple(sorted((name, state.st_mtime_ns, state.st_size) for name, state in states))
    return ()


def may_be_text(path: Path) -> bool:
    """Whether a path is called as files of sentences or pairs are; the disk is not asked."""
    return path.suffix.lower() in _OF_TEXTS


def is_text(path: Path) -> bool:
    """Whether a file holds sentences or pairs, and is none of a model's."""
    return may_be_text(path) and path.is_file() and not _is_of_model(path)


def is_of_pairs(path: Path) -> bool:
    """Whether a file may hold sentence pairs, whatever it is called: it is no trace and none of a model's."""
    return path.suffix.lower() not in (".trace", ".npz") and not _is_of_model(path)


def model_folder(path: Path) -> ModelFolder:
    """The model named by its folder or by one of its files.

    Raises:
        HeadscopeError: there is none, or its config.json cannot be read or makes no sense.
    """
    return inspect_folder(path)


def sequence_of(bundle: Path) -> Path | None:
    """The time-lapse of a bundle's own training; None when none was kept."""
    folder = bundle / PROBE
    return folder if is_sequence(folder) else None


def recorded_run(path: Path, source: RunSource) -> Run:
    """A trace file as a run; `source` is `RECORDED` for a bundle's example, else `FILE`.

    Raises:
        HeadscopeError: it cannot be read, or is no trace.
    """
    trace, facts = open_trace(path), {"source": source, "path": str(path)}
    return Run(f"{source}-{path}", trace, provenance=facts, alterations=trace.alterations)


def example_of(bundle: Path) -> Example | None:
    """A bundle's recorded example, mid-sentence on its showcase head; None when it has none.

    Raises:
        HeadscopeError: the bundle's config.json or the example is damaged.
    """
    path = example_trace(bundle)
    if path is None:
        return None
    run = recorded_run(path, RunSource.RECORDED)
    return run, Selection.opening(showcase_of(inspect_folder(bundle)), run.trace)


def recorded_example(bundle: str | Path) -> Example | HeadscopeError | None:
    """As `example_of`, or why there is none."""
    try:
        return example_of(Path(bundle))
    except HeadscopeError as error:
        return error


def showcase_of(config: BundleConfig | ModelFolder) -> dict[str, object] | None:
    """A model's telling head as `Selection.opening` takes it."""
    head = config.showcase
    return None if head is None else {"kind": str(head.kind), "layer": head.layer, "head": head.head}
