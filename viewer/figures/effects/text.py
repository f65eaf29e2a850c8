"""Effects text: titles, names of places, formula and caveat, in the language in force."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.questions.causes.patching import PATH_SOURCE, SOURCE, HeadPlace, Patched, PatchGrid
from model.trace.trace import AttentionKind
from viewer.document.text.token_text import piece_text
from viewer.figures.effects.spec import decimals

translate = QCoreApplication.translate


def what_text(what: str) -> str:
    """What is carried, as a menu lists it."""
    return {
        "heads": translate("Effects", "Head outputs"),
        "patterns": translate("Effects", "Attention weights alone"),
        "residual": translate("Effects", "Residual stream"),
        "cross": translate("Effects", "Cross keys and values"),
        "path": translate("Effects", "One head, direct paths"),
    }[what]


def carried_text(found: Patched) -> str:
    """One phrase: what is A's in the patched computation."""
    if found.sender is not None:
        text = translate("Effects", "the output of {head} is A's on its direct way to each receiver only")
        return text.format(head=head_name(found.sender))
    return {
        "heads": translate("Effects", "each head's output before W_O is A's"),
        "patterns": translate("Effects", "each head's attention weights are A's, its values stay"),
        "residual": translate("Effects", "what leaves a layer is A's"),
        "cross": translate("Effects", "keys and values that cross-attention reads are A's"),
    }[found.what]


def title_text(found: Patched) -> str:
    """The picture's title."""
    return translate("Effects", "Carried from A into B: {what}").format(what=what_text(found.what))


def measure_text(found: Patched) -> str:
    """What m is, and what it is in A and in B."""
    word, rival = (piece_text(token).marked for token in (found.word_token, found.rival_token))
    if found.rival is None:
        text = translate("Effects", "measured: log p({word}) at step {step}, A {first}, B {second}")
    else:
        text = translate(
            "Effects", "measured: log p({word}) − log p({rival}) at step {step}, A {first}, B {second}"
        )
    return text.format(
        word=word, rival=rival, step=found.step + 1, first=decimals(found.m_a), second=decimals(found.m_b)
    )


def formula_text() -> str:
    """How an effect is worked out."""
    return translate("Effects", "effect = (carried − B) / (A − B): 0 as in B, 1 as in A")


def missing_text(found: Patched) -> str:
    """What hatching means."""
    if found.what == "path":
        return translate("Effects", "hatched: not reached without another head in between")
    return translate("Effects", "hatched: A has no such token")


def notes_text(found: Patched) -> tuple[str, ...]:
    """Caveat and source, sentences."""
    if found.what == "path":
        caveat = translate(
            "Effects",
            "Only direct ways count: every other head and feed-forward holds what it computes in B, norms "
            "are computed anew. Effects do not add up.",
        )
        source = PATH_SOURCE
    else:
        caveat = translate(
            "Effects",
            "A cell says what this one place does when it alone is carried over, with these two sentences. "
            "Effects do not add up, and a place whose work others take over shows little.",
        )
        source = SOURCE
    return caveat, translate("Effects", "Source: {source}.").format(source=source)


def grid_name(grid: PatchGrid, what: str) -> str:
    """The heading of a grid."""
    if grid.part == "final":
        return translate("Effects", "Last residual sum")
    if what == "residual":
        if grid.kind is AttentionKind.ENCODER_SELF:
            return translate("Effects", "Encoder")
        return translate("Effects", "Decoder")
    name = {
        AttentionKind.ENCODER_SELF: translate("Effects", "Encoder self"),
        AttentionKind.DECODER_SELF: translate("Effects", "Decoder self"),
        AttentionKind.CROSS: translate("Effects", "Cross"),
    }[grid.kind]
    return f"{name}: {grid.part}" if grid.part else name


def layer_name(layer: int) -> str:
    """A row's name."""
    return translate("Effects", "layer {number}").format(number=layer + 1)


def head_name(place: HeadPlace) -> str:
    """Such as "cross 2.3"."""
    name = {
        AttentionKind.ENCODER_SELF: translate("Effects", "encoder self"),
        AttentionKind.DECODER_SELF: translate("Effects", "decoder self"),
        AttentionKind.CROSS: translate("Effects", "cross"),
    }[place.kind]
    return f"{name} {place.layer + 1}.{place.head + 1}"
