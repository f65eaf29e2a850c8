"""Names and meanings of the columns of the heads table, in the language in force."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.heads.added_scores import OWN, Added, added_metrics
from model.heads.head_metrics import FACTS, GENERAL_FACTS, General, Metric
from model.heads.head_roles import LEAST_SENTENCES, MARGIN, Role
from model.heads.likeness import PRESETS, Drawing
from model.trace.trace import AttentionKind

translate = QCoreApplication.translate


def kind_short(kind: AttentionKind) -> str:
    """The kind in a table."""
    return {
        AttentionKind.ENCODER_SELF: translate("HeadsTable", "Encoder self"),
        AttentionKind.DECODER_SELF: translate("HeadsTable", "Decoder self"),
        AttentionKind.CROSS: translate("HeadsTable", "Cross"),
    }[kind]


def metric_name(name: str) -> str:
    """A column's name by its key: a metric's, `importance` or `aer`."""
    return {
        str(Metric.ENTROPY): translate("HeadsTable", "Entropy"),
        str(Metric.NORMALISED_ENTROPY): translate("HeadsTable", "Entropy, normalised"),
        str(Metric.MAXIMUM): translate("HeadsTable", "Maximum"),
        str(Metric.DISTANCE): translate("HeadsTable", "Distance"),
        str(Metric.DIAGONALITY): translate("HeadsTable", "Diagonality"),
        str(Metric.PREVIOUS): translate("HeadsTable", "Previous token"),
        str(Metric.NEXT): translate("HeadsTable", "Next token"),
        str(Metric.SAME): translate("HeadsTable", "Same token"),
        str(Metric.END): translate("HeadsTable", "End token"),
        str(Metric.START): translate("HeadsTable", "Start token"),
        str(Metric.PUNCTUATION): translate("HeadsTable", "Punctuation"),
        "importance": translate("HeadsTable", "Importance"),
        "aer": translate("HeadsTable", "AER"),
        "likeness": translate("HeadsTable", "Likeness to the drawn pattern"),
        str(General.COPYING): translate("HeadsTable", "Copying score"),
        str(General.REPEATED_PREVIOUS): translate("HeadsTable", "Previous token, random tokens"),
        str(General.DUPLICATE): translate("HeadsTable", "Duplicate token, random tokens"),
        str(General.INDUCTION): translate("HeadsTable", "Induction, random tokens"),
    }.get(name) or _title(name)


def _title(name: str) -> str:
    """What a metric that names itself is called: another package's."""
    added = _added(name)
    return name.replace("_", " ") if added is None else added.metric.title


def _added(name: str) -> Added | None:
    if name in OWN:  # and nobody looks for others at the start of a window
        return None
    return next((Added(one) for one in added_metrics() if one.name == name), None)


def column_name(name: str) -> str:
    """The same, short enough for a table's head."""
    return {
        str(Metric.NORMALISED_ENTROPY): translate("HeadsTable", "norm."),
        str(Metric.MAXIMUM): translate("HeadsTable", "Max."),
        str(Metric.DISTANCE): translate("HeadsTable", "Dist."),
        str(Metric.DIAGONALITY): translate("HeadsTable", "Diag."),
        str(Metric.PREVIOUS): translate("HeadsTable", "Prev."),
        str(Metric.NEXT): translate("HeadsTable", "Next"),
        str(Metric.SAME): translate("HeadsTable", "Same"),
        str(Metric.END): translate("HeadsTable", "End"),
        str(Metric.START): translate("HeadsTable", "Start"),
        str(Metric.PUNCTUATION): translate("HeadsTable", "Punct."),
        "importance": translate("HeadsTable", "Import."),
        "likeness": translate("HeadsTable", "Likeness"),
        str(General.COPYING): translate("HeadsTable", "Copying"),
        str(General.REPEATED_PREVIOUS): translate("HeadsTable", "Prev. rnd."),
        str(General.DUPLICATE): translate("HeadsTable", "Dupl."),
        str(General.INDUCTION): translate("HeadsTable", "Induct."),
    }.get(name) or metric_name(name)


def meaning(name: str) -> str:
    """What a column says: its formula, its range, and who defined it."""
    sentences = {
        str(Metric.ENTROPY): translate(
            "HeadsTable",
            "How spread a row's weights are, in nats: −Σⱼ αᵢⱼ ln αᵢⱼ, mean over rows. 0: one key; at most ln "
            "of the number of keys.",
        ),
        str(Metric.NORMALISED_ENTROPY): translate(
            "HeadsTable",
            "Entropy of a row divided by ln of the number of keys that it may see, mean over rows "
            "that may see more than one. 0: one key, 1: all equal.",
        ),
        str(Metric.MAXIMUM): translate(
            "HeadsTable", "Largest weight of a row, maxⱼ αᵢⱼ, mean over rows. From 0 to 1."
        ),
        str(Metric.DISTANCE): translate(
            "HeadsTable",
            "How far a row looks, in tokens: Σⱼ αᵢⱼ |i − j|, mean over rows. Self-attention: in "
            "cross-attention i and j count different sentences.",
        ),
        str(Metric.DIAGONALITY): translate(
            "HeadsTable",
            "How near the diagonal the weight is: 1 − Σⱼ αᵢⱼ d(i, j) / max d(i, j), mean over rows, with "
            "d(i, j) = |i / (Q − 1) − j / (K − 1)| and the maximum over the keys that row i may see. From 0 "
            "to 1, all on the diagonal.",
        ),
        str(Metric.PREVIOUS): translate(
            "HeadsTable",
            "Weight on the token before, α(i, i − 1), mean over rows that have one. Self-attention.",
        ),
        str(Metric.NEXT): translate(
            "HeadsTable",
            "Weight on the token after, α(i, i + 1), mean over rows that have one. Encoder self-attention: a "
            "decoder cannot look ahead.",
        ),
        str(Metric.SAME): translate(
            "HeadsTable",
            "Weight on the row's own token, α(i, i), mean over rows; in the decoder the token just read. "
            "Self-attention.",
        ),
        str(Metric.END): translate("HeadsTable", "Share of the weight on the end token, mean over rows."),
        str(Metric.START): translate("HeadsTable", "Share of the weight on the start token, mean over rows."),
        str(Metric.PUNCTUATION): translate(
            "HeadsTable", "Share of the weight on punctuation, mean over rows of sentences that have some."
        ),
        "importance": translate(
            "HeadsTable",
            "What switching off this head alone adds to the natural log probability of the "
            "translation; below 0 the translation becomes less probable. Measured in the list of "
            "heads, tab Importance.",
        ),
        "aer": translate(
            "HeadsTable",
            "Alignment error rate of the head's links against gold links: 1 − (|A ∩ S| + |A ∩ P|) / (|A| + "
            "|S|). 0: all right, 1: all wrong. Cross-attention.",
        ),
    }
    added = _added(name)
    if added is not None:
        by = translate("HeadsTable", "Measured by the package {package}.")
        by = by.format(package=added.extension.package)
        return "\n".join((added.metric.formula, added.metric.source, by))
    sentences |= _general_meanings()
    sentence = sentences.get(name) or FACTS[Metric(name)].formula
    return "\n".join(part for part in (sentence, source(name)) if part)


def _general_meanings() -> dict[str, str]:
    """Of the columns that are not of the sentence alone."""
    repeated = translate(
        "HeadsTable",
        "{what}, mean over the second copy of random tokens that are written twice (a decoder is forced to, "
        "an encoder reads them). Self-attention.",
    )
    return {
        "likeness": likeness_formula(),
        str(General.COPYING): translate(
            "HeadsTable",
            "Σ Re λ / Σ |λ| over the eigenvalues λ of what the head writes of words for the same words, from "
            "−1 to 1; above 0 where words rather promote themselves. Direct path alone, deviations of norms "
            "left out. An encoder's head is told by the source's own words; cross-attention needs one "
            "vocabulary on both sides.",
        ),
        str(General.REPEATED_PREVIOUS): repeated.format(
            what=translate("HeadsTable", "Weight on the token before, α(i, i − 1)")
        ),
        str(General.DUPLICATE): repeated.format(
            what=translate("HeadsTable", "Weight on the same token's first copy, α(i, i − n)")
        ),
        str(General.INDUCTION): repeated.format(
            what=translate("HeadsTable", "Weight on what stood behind the first copy, α(i, i − n + 1)")
        ),
    }


def likeness_formula() -> str:
    """How a head is compared with a drawing."""
    return translate(
        "HeadsTable",
        "cos(D, α) = Σ d α / √(Σ d² · Σ α²) over the cells that a query may see, in the rows on which "
        "something is drawn, each row of D divided by its sum. From 0 to 1.",
    )


def drawing_name(drawing: Drawing) -> str:
    """What heads are compared with."""
    names = dict(
        zip(
            PRESETS,
            (
                translate("HeadsTable", "diagonal"),
                translate("HeadsTable", "previous token"),
                translate("HeadsTable", "next token"),
                translate("HeadsTable", "first token"),
                translate("HeadsTable", "last token"),
                translate("HeadsTable", "uniform"),
            ),
            strict=True,
        )
    )
    return names.get(drawing.name) or translate("HeadsTable", "drawn pattern")


def source(name: str) -> str:
    """Who defined a metric, or judged heads by it; empty for a measure of ours."""
    if name == "likeness":
        return ""
    if name in GENERAL_FACTS:
        return GENERAL_FACTS[General(name)].source
    if name == "importance":
        return "Michel, Levy and Neubig 2019 (arXiv 1905.10650)"
    return "Och and Ney 2003" if name == "aer" else FACTS[Metric(name)].source


def role_meaning() -> str:
    """When a head gets a name."""
    text = translate(
        "HeadsTable",
        "What the head does in most rows of the corpus: its largest weight is on that token (after Voita et "
        "al. 2019, arXiv 1905.09418, who ask for 90 %), at least half of its weight is there (sinks), or 1 − "
        "AER is at least 0.5 (alignment); and that is {margin} more than any head of random weights reaches. "
        "Named only from {least} sentences on.",
    )
    return text.format(margin=MARGIN, least=LEAST_SENTENCES)


def role_text(role: Role) -> str:
    """A role with its score."""
    name = {
        "previous_token": translate("HeadsTable", "previous token"),
        "next_token": translate("HeadsTable", "next token"),
        "same_token": translate("HeadsTable", "same token"),
        "sink_end": translate("HeadsTable", "sink: end"),
        "sink_start": translate("HeadsTable", "sink: start"),
        "sink_punctuation": translate("HeadsTable", "sink: punctuation"),
        "alignment": translate("HeadsTable", "alignment"),
    }[role.name]
    text = translate("HeadsTable", "{role} {score} (random {random})")
    return text.format(role=name, score=f"{role.score:.2f}", random=f"{role.random:.2f}")


def number(value: float | None, decimals: int = 3) -> str:
    """A value with a true minus sign; a dash where no row counts."""
    return "–" if value is None else f"{value:.{decimals}f}".replace("-", "−")
