"""What the user asks of the engine, said by any view and heard by the application. QtCore only."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Wishes(QObject):
    """One object for the whole window, `Session.wishes`: views emit, `viewer.exploring.explorer` answers.

    Signals:
        branch_asked: run, step (from 0), token id: take this token at that step and go on.
        continuation_asked: run, step, text: the text instead of what stands from that step on, then go on. An
            empty text with the number of steps there are: go on where a run was stopped.
        reading_asked: run, text, source token: let the model that read the run's text read this one, and look
            at that token of it.
        forced_asked: a target for the session's sentence, to be read token by token.
        samples_asked: decoding settings (dict, mode sample), how many.
        alter_asked: run, tuple of `model.alterations.Alteration`: translate anew with these changes beside
            that untouched run; none takes the altered run away.
        keep_asked: run: keep an altered run as it is; the next change makes another.
        importance_asked: run: measure what each head is worth.
        hypothesis_asked: run of a beam search, id of a hypothesis: show its trace as a run.
        order_pieces_asked: a text being typed for the order experiment: its pieces, into `Session.orders`.
        orders_asked: text, tuple (as in `model.alterations.Reorder`) or None: the order experiment.
        pause_asked, resume_asked: the decoding that goes on. At an infinite pace (see `DecodingButton.pace`)
            it is paused after every token by itself, and `resume_asked` makes one more.
        cancel_asked: stop what goes on; what it has come to stays.
    """

    branch_asked = Signal(str, int, int)
    continuation_asked = Signal(str, int, str)
    reading_asked = Signal(str, str, int)
    forced_asked = Signal(str)
    samples_asked = Signal(object, int)
    alter_asked = Signal(str, object)
    keep_asked = Signal(str)
    importance_asked = Signal(str)
    hypothesis_asked = Signal(str, int)
    order_pieces_asked = Signal(str)
    orders_asked = Signal(str, object)
    pause_asked = Signal()
    resume_asked = Signal()
    cancel_asked = Signal()
