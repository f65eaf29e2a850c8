"""Training as a generator: every yield is progress and a moment at which the run may be left.

On disk the bundle is complete from the first moment on; `model.safetensors` always holds the best weights so
far (chosen on held-out pairs only) and `training_state.safetensors` all that `--resume` needs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator
from pathlib import Path

import torch

from model.errors import HeadscopeError, is_out_of_memory
from model.files.files import folder_lock
from model.train_options import TrainOptions
from model.training.card import write_card
from model.training.control import Control
from model.training.distributed import Ranks
from model.training.follow import invite
from model.training.prepare import begin, resumed
from model.training.progress.events import StartEvent, StopReason, TrainEvent, WorkEvent
from model.training.progress.history import stored_header
from model.training.run import TrainingRun
from model.translator.showcase import choose_example
from model.translator.translator import Translator


def train(
    options: TrainOptions,
    out: Path,
    *,
    resume: bool = False,
    command: str = "",
    control: Control | None = None,
    ranks: Ranks | None = None,
) -> Iterator[TrainEvent]:
    """Train into the bundle folder `out`.

    Leaving the generator at any event (closing it) saves the state, if there is anything to save and the
    disk lets it. While the disk refuses a write the generator yields `PausedEvent`s, and tries again each
    time that it is advanced.

    Args:
        options: for a resumed run, those stored with it and what may change (`stored_options`).
        command: the command line, for the log.
        control: what is asked of the run while it goes on.
        ranks: the processes that share its steps, of which this is the first; None: this one alone.

    Raises:
        HeadscopeError: `out` exists (new run) or holds no state (resumed), bad corpus, another run holds the
            folder, the loss is no longer a number, there is too little memory; the disk refuses and the run
            is told to stop; `cancelled` when told to stop before there was anything to save.
    """
    control, ranks = control or Control(), ranks or Ranks()
    threads = torch.get_num_threads()
    with folder_lock(out):
        if not resume and out.exists():
            raise HeadscopeError("training_exists", path=out)
        header = stored_header(out)[1] if resume else None
        try:
            if options.train.threads:
                torch.set_num_threads(options.train.threads)
            if header is None:
                preparing = begin(options, out, command, control, ranks)
            else:
                preparing = resumed(options, out, header, command, control, ranks)
            run, start = yield from preparing
            control.trainer = run.trainer
            invite(run.trainer)
            yield from _timed(run, start)
        except (MemoryError, RuntimeError) as error:
            if is_out_of_memory(error):
                raise HeadscopeError("training_memory") from None
            raise
        finally:
            control.trainer = None
            torch.set_num_threads(threads)


def stored_options(out: Path) -> TrainOptions:
    """The options a run in `out` was started with; `HeadscopeError` when there is no such run."""
    return stored_header(out)[1].options


def _timed(run: TrainingRun, start: StartEvent) -> Generator[TrainEvent, None, None]:
    """The events of the run, with its clock standing still while others work, saved when it is left."""
    run.clock.start()
    with contextlib.closing(_events(run, start)) as events, _saved_alone(run):
        for event in events:
            run.clock.stop()
            try:
                yield event
            except GeneratorExit:
                events.close()  # an evaluation under way puts the run's own weights back
                run.save_on_leaving()
                raise
            run.clock.start()


@contextlib.contextmanager
def _saved_alone(run: TrainingRun) -> Iterator[None]:
    """While inside, losing the other ranks loses no step: this one's state is as before they left."""
    try:
        yield
    except HeadscopeError as error:
        if error.code == "ranks_lost":
            run.save_on_leaving()
        raise


def _events(run: TrainingRun, start: StartEvent) -> Generator[TrainEvent, None, None]:
    if start.resumed:
        yield from run.written(run.folder.write_log)
    yield start
    reason = yield from run.events()
    if reason is not None:
        yield from _completed(run, reason)


def _completed(run: TrainingRun, reason: StopReason) -> Generator[TrainEvent, None, None]:
    """Complete the bundle: its recorded example, its card, and the log's last line."""
    yield WorkEvent(**run.where(), stage="finishing")
    if not run.is_saved:
        yield from run.save()
    examples = [text for text, _ in run.heldout.examples]
    if examples:
        yield from _recorded(run, examples)
    if run.control.stop.is_set():
        return
    done = run.done(reason)
    yield from run.written(run.folder.write_log)
    yield from run.written(lambda: write_card(run.folder.path))
    yield done


def _recorded(run: TrainingRun, texts: list[str]) -> Generator[TrainEvent, None, None]:
    """Record the first of `texts` as the bundle's example; all help to choose the head to show first."""
    folder = run.folder
    loaded: list[Translator] = []
    yield from run.written(lambda: loaded.append(Translator.load(folder.path.resolve())))
    choosing = choose_example(loaded[-1], texts[0], sentences=texts[1:])
    while True:
        try:
            next(choosing)
        except StopIteration as end:
            trace, showcase = end.value
            break
        yield WorkEvent(**run.where(), stage="finishing")
        if run.control.stop.is_set():
            return
    yield from run.written(lambda: folder.write_example(trace, showcase))
