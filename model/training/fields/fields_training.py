"""Training fields: how a model is trained, and what is watched meanwhile."""

from __future__ import annotations

from model.config import MOST_THREADS
from model.training.fields.field import Field

TRAINING = (
    Field(
        "epochs", "training", "Epochs",
        "The run ends after this many passes over all pairs.",
        kind="number", place="train", most=1000000.0, decimals=1, zero="no limit",
    ),
    Field(
        "steps", "training", "Steps",
        "The run ends after this many updates of the weights.",
        place="train", step=100, zero="no limit",
    ),
    Field(
        "minutes", "training", "Minutes",
        "The run ends after this much time spent in training.",
        kind="number", place="train", most=1000000.0, decimals=1, zero="no limit",
    ),
    Field(
        "schedule", "training", "Schedule",
        "How the learning rate rises and falls: Noam is the paper's, cosine ends at 0, constant does "
        "not change.",
        choices=(
            ("noam", "Noam (the paper's)"),
            ("inverse_sqrt", "Inverse square root"),
            ("cosine", "Cosine"),
            ("constant", "Constant"),
        ),
        kind="choice", place="train",
    ),
    Field(
        "learning_rate", "training", "Learning rate",
        "How far each step moves the weights: the highest rate, or with Noam the factor of its formula.",
        kind="number", place="train", least=1e-08, most=1000, step=0.001, decimals=8,
    ),
    Field(
        "warmup", "training", "Warm-up",
        "Over this many steps the rate rises from zero, since the first gradients are unreliable.",
        place="train", least=1, step=100, unit="steps",
    ),
    Field(
        "cosine_steps", "training", "Cosine ends at",
        "The step at which the cosine schedule reaches 0.",
        place="train", step=100, zero="the run's limit", advanced=True,
    ),
    Field(
        "batch_tokens", "training", "Batch",
        "How many tokens, padding included, are processed before the weights are updated; larger "
        "batches are steadier and need more memory.",
        place="train", least=1, step=256, unit="tokens",
    ),
    Field(
        "batch_sentences", "training", "Pairs in a batch",
        "Forms batches of this many pairs, whatever their length, instead of by tokens.",
        place="train", step=16, zero="by tokens", advanced=True,
    ),
    Field(
        "accumulate", "training", "Accumulate",
        "Adds up the gradients of this many batches before each step: a large batch in little memory.",
        place="train", least=1, advanced=True,
    ),
    Field(
        "label_smoothing", "training", "Label smoothing",
        "The share of probability spread over all pieces, so that the model never becomes too sure.",
        kind="number", place="train", most=0.95, step=0.05, decimals=2, advanced=True,
    ),
    Field(
        "guide", "training", "Guide attention",
        "Penalises cross-attention that leaves the diagonal or goes backwards: a help where word order is "
        "kept.",
        choices=(("none", "No"), ("diagonal", "Along the diagonal"), ("monotonic", "Never backwards")),
        kind="choice", place="train", advanced=True,
    ),
    Field(
        "guide_weight", "training", "Weight of the guide",
        "How much the penalty counts beside the loss.",
        kind="number", place="train", most=1000, step=0.5, decimals=2, advanced=True,
    ),
    Field(
        "guide_width", "training", "Width of the guide",
        "How far from the diagonal a head may look without being penalised much, as a share of the sentence.",
        kind="number", place="train", least=0.01, most=10, step=0.05, decimals=2, advanced=True,
    ),
    Field(
        "guide_heads", "training", "Guided heads",
        "How many heads of each decoder layer are guided, the first ones; the others look where they like.",
        place="train", zero="all", advanced=True,
    ),
    Field(
        "sampling_rate", "training", "Own prefix",
        "Scheduled sampling: the share of the prefix that the model wrote itself, so that it learns from "
        "its mistakes.",
        kind="number", place="train", most=1, step=0.05, decimals=2, zero="teacher forcing", advanced=True,
    ),
    Field(
        "sampling_steps", "training", "Own prefix rises over",
        "The steps in which the share of the model's own prefix rises from nothing.",
        place="train", step=100, unit="steps", zero="at once", advanced=True,
    ),
    Field(
        "output_start", "training", "First predictions",
        "Whether all words are about equally likely before the first step, or embeddings start with "
        "length 1.",
        choices=(("even", "Even"), ("unit", "Of embeddings of length 1")),
        kind="choice", place="train", advanced=True,
    ),
    Field(
        "weight_decay", "training", "Weight decay",
        "Pulls weights towards 0 a little at each step (AdamW), which reduces memorising.",
        kind="number", place="train", most=10, step=0.01, decimals=4, advanced=True,
    ),
    Field(
        "clip", "training", "Gradient clipping",
        "A gradient longer than this is shortened to it, so that one odd batch cannot ruin the weights.",
        kind="number", place="train", least=1e-06, most=1000000.0, step=0.5, decimals=6,
        advanced=True,
    ),
    Field(
        "eval_every", "training", "Evaluate every",
        "After this many steps the held-out pairs are measured and translated, and the run is saved.",
        place="train", step=100, unit="steps", zero="once an epoch",
    ),
    Field(
        "patience", "training", "Early stopping",
        "The run ends after this many evaluations in a row without improvement.",
        place="train", zero="off", advanced=True,
    ),
    Field(
        "stop_on", "training", "Improvement of",
        "What early stopping looks at; the best weights are those with the best BLEU, or the best "
        "loss where BLEU is not measured.",
        choices=(("loss", "Held-out loss"), ("bleu", "Held-out BLEU")),
        kind="choice", place="train", advanced=True,
    ),
    Field(
        "bleu_sentences", "training", "Sentences for BLEU",
        "How many held-out sentences are translated at each evaluation to measure BLEU.",
        place="train", step=50, zero="no BLEU", advanced=True,
    ),
    Field(
        "save_every", "training", "Save every",
        "Also saves the run this often between evaluations, so that a power cut costs less.",
        place="train", step=100, unit="steps", zero="at evaluations", advanced=True,
    ),
    Field(
        "average_steps", "training", "Average over",
        "A running average of the weights over about this many steps is measured too, and kept where it is "
        "better.",
        place="train", step=100, unit="steps", advanced=True,
    ),
    Field(
        "precision", "training", "Precision",
        "Half as many bits (bfloat16) is faster where the hardware supports it; automatic decides.",
        choices=(("auto", "Automatic"), ("float32", "float32"), ("bfloat16", "bfloat16")),
        kind="choice", place="train", advanced=True,
    ),
    Field(
        "device", "training", "Compute on",
        "A graphics card (CUDA, or MPS on a Mac) where there is one, or the processor.",
        choices=(("auto", "Automatic"), ("cpu", "Processor"), ("cuda", "CUDA"), ("mps", "MPS")),
        kind="choice", place="train", advanced=True,
    ),
    Field(
        "threads", "training", "Threads",
        "How many processor cores are used at once.",
        place="train", most=MOST_THREADS, zero="automatic", advanced=True,
    ),
    Field(
        "seed", "training", "Seed",
        "The number that all randomness starts from: the same seed gives the same run.",
        place="train", most=4294967295, advanced=True,
    ),
    Field(
        "log_every", "training", "Log every",
        "How many steps lie between two points of the curves.",
        place="train", least=1, unit="steps", advanced=True,
    ),
)  # fmt: skip

WATCH = (
    Field(
        "probe", "watch", "Sentence",
        "The sentence whose attention is followed while the model learns; if empty, a held-out one is "
        "used.",
        kind="text",
    ),
    Field(
        "probe_target", "watch", "Its translation",
        "Held fixed, so that the heads can be compared from step to step; if empty, the model writes "
        "its own.",
        kind="text",
    ),
    Field(
        "probe_every", "watch", "Keep every",
        "The attention of the sentence is kept this often, for a time-lapse of the heads forming.",
        place="train", step=10, unit="steps", zero="not kept",
    ),
    Field(
        "probe_megabytes", "watch", "At most",
        "The most disk space that the kept frames may take; when full, every second frame is deleted.",
        place="train", least=1, step=64, unit="MB", advanced=True,
    ),
)  # fmt: skip
