"""notes_training: the notes' model trained in memory, scored on what it was trained on and on what not."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import torch

from model.config import TrainConfig
from model.data.corpus import encode_pairs
from model.data.pairs.pair_files import Pair
from model.data.tasks.notes import FIRST, all_notes, draw_notes
from model.data.tasks.registry import TASKS
from model.data.vocabularies import learn_vocabularies
from model.decoding.batch_decoding import translation_steps
from model.inspection.asked import Asked
from model.lessons.bleu import NotesRun, NotesTraining, Translated
from model.network.transformer import Transformer
from model.questions.questions import Partial
from model.tokens.bleu_tokens import bleu_tokenizer
from model.tokens.tokenizer import Tokenizer
from model.train_options import PRESETS, TrainOptions
from model.training.trainer import Trainer
from model.work import result_of

_HELD_OUT = 60
_MEASURED = 8
_SHOWN = 6


def notes_training(
    question: NotesTraining, asked: Asked
) -> Iterator[tuple[int, int] | Partial | NotesRun | None]:
    """Train the preset `notes`; progress is steps done and in all, partial answers come with every BLEU."""
    train, held_out = _parts(question)
    options = _options(question)
    source, target = result_of(learn_vocabularies(train, options))
    corpus = result_of(encode_pairs(train, source, target, options.train.max_tokens))
    architecture = options.architecture_with(source.vocab_size, target.vocab_size)
    transformer = Transformer(architecture, torch.Generator().manual_seed(question.seed))
    trainer = Trainer(transformer, corpus, options.train, source, target)
    steps = trainer.steps_per_epoch * question.epochs
    points = sorted({round(question.epochs * k / _MEASURED) for k in range(1, _MEASURED + 1)} - {0})
    nothing = np.zeros(0)
    counts = len(train), len(held_out)
    run = NotesRun(np.zeros(0, np.int64), nothing, nothing, 0.0, question.epochs, counts, (), "")
    for epoch in range(1, question.epochs + 1):
        while trainer.step < trainer.steps_per_epoch * epoch:
            trainer.run_step()
            yield trainer.step, steps
        if epoch in points:
            run = yield from _measured(run, epoch, trainer, (source, target), train, held_out)
            yield Partial(run) if epoch < question.epochs else run


def _parts(question: NotesTraining) -> tuple[list[Pair], list[Pair]]:
    """What is trained on, the four of the notes first, and what is held out: some of the other sentences."""
    drawn = list(islice(draw_notes(question.seed), len(all_notes())))
    count = min(question.sentences, len(drawn) - _HELD_OUT)
    return drawn[:count], drawn[count : count + _HELD_OUT]


def _options(question: NotesTraining) -> TrainOptions:
    preset, task = PRESETS["notes"], TASKS["notes"]
    config = TrainConfig(**{**preset.train, "seed": question.seed, "precision": "float32", "device": "cpu"})
    return TrainOptions(
        **{"name": "notes", "task": "notes", "task_size": task.size, **task.options},
        architecture=dict(preset.architecture),
        train=config,
    )


def _measured(
    run: NotesRun,
    epoch: int,
    trainer: Trainer,
    tokenizers: tuple[Tokenizer, Tokenizer],
    train: Sequence[Pair],
    held_out: Sequence[Pair],
) -> Generator[None, None, NotesRun]:
    """The run with the BLEU of these weights."""
    trainer.transformer.eval()
    pairs = [*train, *held_out]
    outputs = [""] * len(pairs)
    texts = [source for source, _ in pairs]
    most = trainer.transformer.architecture.max_positions
    for done in translation_steps(trainer.transformer, *tokenizers, texts, most=most):
        if done is None:
            yield None
        else:
            outputs[done[0]] = done[1]
    scores = []
    for part in (slice(0, len(FIRST)), slice(0, len(train)), slice(len(train), None)):
        score, signature = _bleu(outputs[part], [target for _, target in pairs[part]])
        scores.append(score)
    shown = [*range(len(FIRST)), *range(len(train), min(len(pairs), len(train) + _SHOWN))]
    return replace(
        run,
        epochs=np.append(run.epochs, epoch),
        trained=np.append(run.trained, scores[1]),
        held_out=np.append(run.held_out, scores[2]),
        notes=scores[0],
        samples=tuple(Translated(pairs[n][0], pairs[n][1], outputs[n], n < len(train)) for n in shown),
        signature=signature,
    )


def _bleu(outputs: Sequence[str], references: Sequence[str]) -> tuple[float, str]:
    """Corpus BLEU from 0 to 1, and sacreBLEU's signature."""
    from sacrebleu.metrics.bleu import BLEU

    bleu = BLEU(tokenize=bleu_tokenizer("fr"), force=True)
    score = bleu.corpus_score(list(outputs), [list(references)]).score
    return min(1.0, float(score) / 100), str(bleu.get_signature())
