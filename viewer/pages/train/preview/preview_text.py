"""Preview sentences: what a survey of a corpus says."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.data.pairs.survey import CorpusSurvey, Problem


def problem_word(problem: Problem) -> str:
    """Why a pair is left out, in a word or two."""
    translate = QCoreApplication.translate
    return {
        "empty": translate("PreviewText", "empty side"),
        "long": translate("PreviewText", "too long"),
        "ratio": translate("PreviewText", "too uneven"),
        "duplicate": translate("PreviewText", "duplicate"),
    }[problem]


def separator() -> str:
    """What stands between the items of a list."""
    return QCoreApplication.translate("PreviewText", ", ")


def counts_sentence(survey: CorpusSurvey) -> str:
    """How many pairs there are and what becomes of them; while reading, how many were found so far."""
    translate = QCoreApplication.translate
    if not survey.complete:
        return translate("PreviewText", "{pairs} pairs so far").format(pairs=f"{survey.pairs:,}")
    parts = [translate("PreviewText", "{count} to train on").format(count=f"{survey.train:,}")]
    for count, text in (
        (survey.dev, translate("PreviewText", "{count} held out to measure progress")),
        (survey.test, translate("PreviewText", "{count} kept for the test")),
    ):
        if count:
            parts.append(text.format(count=f"{count:,}"))
    whole = translate("PreviewText", "{pairs} pairs: {parts}")
    return whole.format(pairs=f"{survey.pairs:,}", parts=separator().join(parts))


def left_out_sentence(survey: CorpusSurvey) -> str:
    """How many pairs are left out and why, and which faults are of no account; "" when there is none."""
    translate = QCoreApplication.translate
    texts: dict[Problem, str] = {
        "duplicate": translate("PreviewText", "{count} duplicates"),
        "empty": translate("PreviewText", "{count} with an empty side"),
        "long": translate("PreviewText", "{count} too long"),
        "ratio": translate("PreviewText", "{count} too uneven"),
    }
    counts = {name: survey.counts.get(name, 0) for name in texts}
    sentences = []
    if survey.complete and counts["duplicate"] and duplicates_are_used(survey):
        text = translate("PreviewText", "{count} duplicates are used like the others")
        sentences.append(text.format(count=f"{counts.pop('duplicate'):,}"))
    parts = [texts[name].format(count=f"{count:,}") for name, count in counts.items() if count]
    if parts:
        sentences.insert(
            0, translate("PreviewText", "Left out: {parts}").format(parts=separator().join(parts))
        )
    return translate("PreviewText", "; ").join(sentences)


def duplicates_are_used(survey: CorpusSurvey) -> bool:
    """Whether pairs that occur again are trained on: they are counted in any case."""
    others = sum(count for name, count in survey.counts.items() if name != "duplicate")
    return survey.pairs - survey.train - survey.dev - survey.test <= others


def encoding_sentence(survey: CorpusSurvey) -> str:
    """What the files are written in, and what kind of file they are; "" for a task."""
    translate = QCoreApplication.translate
    kind = {
        "tsv": translate("PreviewText", "tab-separated"),
        "csv": translate("PreviewText", "comma-separated (CSV)"),
        "parallel": translate("PreviewText", "two parallel files"),
        "task": "",
    }[survey.layout]
    known = dict.fromkeys(survey.encodings.values())
    if not kind or not known:
        return kind
    return translate("PreviewText", "{kind}, written in {encodings}").format(
        kind=kind, encodings=separator().join(known)
    )


def warning_sentence(survey: CorpusSurvey) -> str:
    """What a person should know before training on this; "" when all is well."""
    translate = QCoreApplication.translate
    if not survey.complete:
        return ""
    if not survey.train:
        return translate("PreviewText", "No pair is left to train on: check the file and the filters.")
    if not survey.dev:
        return translate(
            "PreviewText",
            "Too few pairs to hold any out: progress is measured on pairs that were trained on.",
        )
    return ""
