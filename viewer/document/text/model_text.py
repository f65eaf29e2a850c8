"""Model words: what to type, what its button is called, what its kind cannot do. QtCore only."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from model.abilities import Ability, can_compute
from model.folder.families import Family
from model.folder.languages import language_name
from model.trace.trace import AttentionKind, Trace
from viewer.document.messages.language_names import localized_language
from viewer.document.messages.messages import ModelInfo
from viewer.document.messages.notice import sentence

UNKNOWN_LANGUAGE = "und"


@dataclass(frozen=True)
class Task:
    """What a person does with a model.

    Attributes:
        ask: the button's label; `tip` says more.
        placeholder: of the empty sentence field.
        invitation: what to do first, a sentence.
        sample: the label of a button that does it with a sample sentence.
    """

    ask: str
    tip: str
    placeholder: str
    invitation: str
    sample: str


def task_of(info: ModelInfo | None) -> Task:
    """What a person does with this model; without one, translate."""
    translate = QCoreApplication.translate
    family = family_of(info)
    sample = translate("ModelText", "Try a sample")
    if family is Family.DECODER_ONLY:
        return Task(
            translate("ModelText", "Continue"),
            translate("ModelText", "Let the model continue the text (Enter)"),
            translate("ModelText", "Type the beginning of a text and press Enter"),
            translate("ModelText", "Type the beginning of a text; the model continues it."),
            sample,
        )
    if family is Family.ENCODER_ONLY:
        return _reading_task(info, sample)
    if not translates(info):
        return Task(
            translate("ModelText", "Generate"),
            translate("ModelText", "Let the model read the text and write its output (Enter)"),
            translate("ModelText", "Type a text and press Enter"),
            translate("ModelText", "Type a text; the model reads it and writes another."),
            sample,
        )
    return Task(
        translate("ModelText", "Translate"),
        translate("ModelText", "Translate the sentence (Enter)"),
        translate("ModelText", "Type a sentence and press Enter"),
        translate("ModelText", "Type a sentence to translate."),
        sample,
    )


def translates(info: ModelInfo | None) -> bool:
    """Whether a model makes translations, as far as anybody knows: BART, T5 and their kind do many things."""
    if info is None or info.model_type in ("headscope", "marian", "fsmt"):
        return True
    return family_of(info) is Family.ENCODER_DECODER and len(set(info.languages)) > 1


def _reading_task(info: ModelInfo | None, sample: str) -> Task:
    translate = QCoreApplication.translate
    mask, separator = mask_token(info), separator_token(info)
    invitation = translate("ModelText", "Type a sentence; the model reads it and writes nothing.")
    if mask:
        text = translate("ModelText", "Type a sentence; write {mask} where a word is to be guessed.")
        invitation = text.format(mask=mask)
    if separator:
        pair = translate("ModelText", "Two sentences: put {separator} between them.")
        invitation += " " + pair.format(separator=separator)
    placeholder = translate("ModelText", "Type a sentence and press Enter")
    if mask:
        text = translate("ModelText", "Type a sentence, with {mask} for a word to guess, and press Enter")
        placeholder = text.format(mask=mask)
    return Task(
        translate("ModelText", "Read"),
        translate("ModelText", "Let the model read the text (Enter)"),
        placeholder,
        invitation,
        sample,
    )


def mask_token(info: ModelInfo | None) -> str:
    """What is typed for a word to be guessed; empty where the model guesses none."""
    if info is None or Ability.FILL not in info.can:
        return ""
    return str(info.architecture.get("mask_token", ""))


def separator_token(info: ModelInfo | None) -> str:
    """What is typed between two sentences that are read as a pair; empty where there is no such."""
    if info is None or family_of(info) is not Family.ENCODER_ONLY:
        return ""
    return str(info.architecture.get("separator_token", ""))


def family_of(info: ModelInfo | None) -> Family:
    """Which stacks a model has; an encoder and a decoder where none is open."""
    return Family(info.family) if info is not None and info.family in list(Family) else Family.ENCODER_DECODER


def family_of_trace(trace: Trace) -> Family:
    """Which stacks the model of a trace has, as far as the trace shows."""
    if trace.only_reads:
        return Family.ENCODER_ONLY
    alone = trace.kinds == (AttentionKind.DECODER_SELF,) and not trace.src_tokens
    return Family.DECODER_ONLY if trace.prompt_length or alone else Family.ENCODER_DECODER


def kinds_of(info: ModelInfo | None) -> tuple[AttentionKind, ...]:
    """The families of attention that a model has."""
    family = family_of(info)
    if family is Family.DECODER_ONLY:
        return (AttentionKind.DECODER_SELF,)
    if family is Family.ENCODER_ONLY:
        return (AttentionKind.ENCODER_SELF,)
    return tuple(AttentionKind)


def cannot(info: ModelInfo | None, ability: Ability) -> str:
    """Why a model that is open cannot do something, a sentence; empty if it can, or where none is open.

    Where nothing can be computed, no model ever is.
    """
    if info is None and not can_compute():
        return sentence("cannot_compute", {})
    if info is None or ability in info.can:
        return ""
    code = "source_cannot"
    if ability is Ability.WRITE:
        code = "writes_in_rounds" if Ability.ROUNDS in info.can else "model_only_reads"
    elif Ability.ALTER in info.can:  # some of it can be looked into
        code = _PARTLY.get(ability, code)
        if ability in (Ability.MEASURE, Ability.CARRY) and family_of(info) is Family.ENCODER_ONLY:
            code = "model_only_reads"
    return sentence(code, {"name": info.name})


_PARTLY = {
    Ability.MEASURE: "others_unexplained",
    Ability.ARRANGE: "others_cannot_be",
    Ability.CARRY: "others_unexplained",
    Ability.WALK: "others_unexplained",
}
"""What is said of a model that only some abilities are lacking of."""


def cannot_write(info: ModelInfo | None) -> str:
    """Why a model that is open writes nothing, neither token by token nor in rounds; empty if it does."""
    return "" if info is not None and Ability.ROUNDS in info.can else cannot(info, Ability.WRITE)


def is_unverified(trace: Trace) -> bool:
    """Whether nobody has proven that the patterns of such a model are recorded as they are."""
    return trace.extra.get("verified") == "false"


def unverified_badge() -> str:
    """In two words, for badges."""
    return QCoreApplication.translate("ModelText", "not verified")


def unverified_sentence(model_type: str) -> str:
    """What the badge means."""
    text = QCoreApplication.translate(
        "ModelText",
        "Not verified: no test of Headscope compares the attention of models of type “{type}” with "
        "that of transformers; it is shown as transformers reports it.",
    )
    return text.format(type=model_type or "?")


def languages_text(languages: tuple[str, str]) -> str:
    """Such as "English → French"; empty where nobody knows them."""
    known = [code for code in languages if code != UNKNOWN_LANGUAGE]
    if not known:
        return ""
    if len(set(languages)) == 1:
        return localized_language(language_name(languages[0]))
    return " → ".join(
        "?" if code == UNKNOWN_LANGUAGE else localized_language(language_name(code)) for code in languages
    )
