"""`RunFolder`: the bundle that a run keeps up to date on disk, and what puts it back should it vanish."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from torch import Tensor

from model.bundle.bundle import BundleConfig, replace_config, replace_weights, write_bundle
from model.errors import HeadscopeError
from model.files.files import io_error, replace_bytes, shown
from model.folder.bundle_config import CONFIG, SOURCE_SPM, TARGET_SPM, WEIGHTS, Showcase
from model.folder.card import CARD
from model.folder.training_log import LOG, TrainingLog, begun, serialized
from model.trace.trace import Trace
from model.trace.trace_file import save_trace
from model.trace.trace_sequence import PROBE, SUFFIX
from model.training.card import cards, write_card
from model.training.progress.history import frame_steps
from model.training.progress.progress import TRAINING_STATE
from model.training.state import save_training_state
from model.translator.showcase import EXAMPLE, write_example

SNAPSHOTS = "snapshots"

# What a person can mend while the run waits: space, permissions, a disk that went away.
MENDABLE = {
    "disk_full", "file_denied", "file_read_only", "file_missing", "file_unwritable", "file_failed",
    "file_is_folder", "file_not_ordinary", "folder_missing", "folder_exists", "bundle_missing",
    "training_folder_gone",
}  # fmt: skip


class RunFolder:
    """Writes a run's files; every method raises `HeadscopeError` when the disk refuses, and may be repeated.

    A folder that was removed or exchanged is not written into: `mend` puts back what the run holds in memory.
    What nobody holds there is lost with the folder: kept probe traces and snapshots.

    Args:
        best: the weights in the bundle, kept so that they can be written again; belongs to this object.
        spm: the bytes of both vocabularies.
        half: weights are stored as float16.

    Attributes:
        path: the folder, as it was named.
    """

    def __init__(
        self,
        path: Path,
        config: BundleConfig,
        best: Mapping[str, Tensor],
        spm: tuple[bytes, bytes],
        log: TrainingLog,
        *,
        half: bool,
    ) -> None:
        self.path = path
        self.config = config
        self.log = log
        self._best = best
        self._spm = spm
        self._half = half
        self._identity = _identity(path)

    def create(self, fill: Callable[[Path], None]) -> None:
        """Write the whole bundle, which appears complete or not at all.

        Args:
            fill: writes the training state into the folder it is given.
        """
        extra = {LOG: serialized(self.log.entries)}
        where = Path(os.path.realpath(self.path))
        write_bundle(
            where, self.config, self._best, *self._spm, half=self._half, extra_files=extra, fill=fill
        )
        self._identity = _identity(self.path)

    def mend(self, fill: Callable[[Path], None], *, anew: bool) -> None:
        """Put back what is missing; everything if the folder is not the one it was.

        Args:
            fill: writes the training state into the folder it is given.
            anew: make the folder where there is none. Who moved it may bring it back, with the traces and
                snapshots that would be missing from a new one: only a run that cannot wait makes it.
        """
        if not (anew or self.path.exists()):
            raise HeadscopeError("training_folder_gone", path=shown(self.path))
        if not _is_filled(self.path):
            self.create(fill)
            return
        exchanged = _identity(self.path) != self._identity
        writers: dict[str, Callable[[], None]] = {
            SOURCE_SPM: lambda: replace_bytes(self.path / SOURCE_SPM, self._spm[0]),
            TARGET_SPM: lambda: replace_bytes(self.path / TARGET_SPM, self._spm[1]),
            CONFIG: lambda: replace_config(self.path, self.config),
            WEIGHTS: lambda: replace_weights(self.path, self._best, half=self._half),
            LOG: self.log.write,
            TRAINING_STATE: lambda: fill(self.path),
        }
        for name, write in writers.items():
            if exchanged or not (self.path / name).exists():
                write()
        self._identity = _identity(self.path)

    def keep_best(self, weights: Mapping[str, Tensor]) -> None:
        """Replace the bundle's weights.

        Args:
            weights: a copy that nobody changes.
        """
        self._check()
        self._let_go_of_example()
        replace_weights(self.path, weights, half=self._half)
        self._best = weights

    def _let_go_of_example(self) -> None:
        """Take away what was recorded with other weights: a run that goes on records it anew at its end."""
        try:
            (self.path / EXAMPLE).unlink(missing_ok=True)
        except OSError as error:
            raise io_error(self.path / EXAMPLE, error) from None
        if self.config.showcase is not None:
            self.config = dataclasses.replace(self.config, showcase=None)
            replace_config(self.path, self.config)

    def save_state(self, tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> None:
        """Replace the training state."""
        self._check()
        save_training_state(self.path, tensors, metadata)

    def write_log(self) -> None:
        """Bring the log on disk up to date, and the card that is made from it, if there is one."""
        self._check()
        self.log.write()
        if (self.path / CARD).exists():  # of a run that was complete and went on
            write_card(self.path)

    def write_snapshot(self, step: int, weights: Mapping[str, Tensor]) -> Path:
        """Write `weights` as a bundle of their own, without state; returns its folder."""
        self._check()
        name = f"{self.config.name}, step {step}"
        config = dataclasses.replace(self.config, name=name, showcase=None)
        folder = _made(self.path / SNAPSHOTS) / f"step-{step}"
        if (folder / CONFIG).exists():
            replace_weights(folder, weights, half=self._half)
        else:
            card = cards(config, begun(self.log.entries))
            write_bundle(folder, config, weights, *self._spm, half=self._half, extra_files=card)
        return folder

    def write_frame(self, trace: Trace, step: int) -> Path:
        """Keep a probe's trace of a step; returns its file."""
        self._check()
        path = _made(self.path / PROBE) / f"{step:08d}{SUFFIX}"
        save_trace(trace, path, float16=True, frame=step, frame_kind="training_step")
        return path

    def keep_frames(self, wanted: Callable[[int], bool]) -> None:
        """Remove the kept traces of all steps that are not `wanted`."""
        for step in frame_steps(self.path / PROBE):
            if not wanted(step):
                with contextlib.suppress(OSError):
                    os.unlink(self.path / PROBE / f"{step:08d}{SUFFIX}")

    def set_frames_aside(self, step: int) -> None:
        """Rename the folder of kept traces, so that those of another probe are not mixed with them."""
        old = self.path / PROBE
        if frame_steps(old):
            try:
                os.rename(old, self.path / f"{PROBE}-until-{step}")
            except OSError as error:
                raise io_error(old, error) from None

    def write_example(self, trace: Trace, showcase: Showcase) -> None:
        """Replace the recorded example, and point at the head to show first."""
        self._check()
        write_example(self.path, trace, showcase)
        self.config = dataclasses.replace(self.config, showcase=showcase)

    def _check(self) -> None:
        """Raise `HeadscopeError` unless the folder is there and the one it was."""
        if _identity(self.path) != self._identity:
            raise HeadscopeError("training_folder_gone", path=shown(self.path))


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a folder from another of the same name; None when there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _is_filled(path: Path) -> bool:
    try:
        return bool(os.listdir(path))
    except FileNotFoundError:
        return False
    except OSError as error:
        raise io_error(path, error) from None


def _made(folder: Path) -> Path:
    """The folder, made unless it is there; its parent must be."""
    try:
        folder.mkdir()
    except FileExistsError:
        pass
    except OSError as error:
        raise io_error(folder, error) from None
    return folder
