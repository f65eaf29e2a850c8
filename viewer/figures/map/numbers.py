"""Numbers of a pane besides attention weights: names, formulas, caveats, sources, needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.abilities import Ability
from model.errors import HeadscopeError
from model.questions.answers import Stages
from model.questions.causes.contributions import ContributionsOf
from model.questions.causes.methods import method_named
from model.questions.causes.zeroing import ZeroingOf
from model.questions.questions import GradientOf, Question, Reading, StagesOf, ValueNorms
from model.trace.trace import AttentionKind, Trace
from viewer.document.alterations.alteration_text import set_rows
from viewer.document.selection import AddedNumbers, AnyNumbers, Numbers, Selection
from viewer.document.text.method_text import method_words
from viewer.figures.known import Known, Missing
from viewer.figures.map.added import why_not_added
from viewer.figures.quantities import quantity

_SAME_MODEL = 1e-2
"""So far may weights of one model lie apart that computes in float32 here and in half precision there."""

SCORES = (Numbers.SCORES, Numbers.SCALED, Numbers.MASKED)
EFFECTS = (Numbers.VALUE_WEIGHTED, Numbers.GRADIENT)
MIXING = (Numbers.ALTI, Numbers.ALTI_LAYER, Numbers.ZEROING, Numbers.ZEROING_LAYER)
"""What tokens are made of: of all heads together, residual connection and norm included."""
GROUPS: tuple[tuple[Numbers, ...], ...] = (
    (Numbers.WEIGHTS,),
    (Numbers.MAX_HEADS, Numbers.MEAN_LAYERS, Numbers.MAX_LAYERS, Numbers.ROLLOUT),
    MIXING,
    EFFECTS,
    SCORES,
)
"""As a menu offers them."""

SIGNED = (Numbers.GRADIENT, *SCORES)
ASKED = (*MIXING, *EFFECTS, *SCORES)
"""Those that a model must be asked for; the others follow from the weights."""
OVER_LAYERS = (Numbers.MEAN_LAYERS, Numbers.MAX_LAYERS, Numbers.ROLLOUT)
MULTIPLIED = (Numbers.ROLLOUT, Numbers.ALTI, Numbers.ZEROING)
"""Through the layers up to the one in view."""


@dataclass(frozen=True)
class About:
    """What must be said of some numbers, in the language in force.

    Attributes:
        name: as a menu lists them.
        quantity: what one of them is called in a sentence; empty for weights.
        formula: with α the weights, h heads, l layers.
        caveat: what they do not say.
        source: where they are defined.
    """

    name: str
    quantity: str
    formula: str
    caveat: str
    source: str

    @property
    def sentences(self) -> tuple[str, str, str]:
        """Formula, caveat and source, each a sentence."""
        translate = QCoreApplication.translate
        return (
            translate("Numbers", "Formula: {formula}.").format(formula=self.formula),
            self.caveat,
            translate("Numbers", "Source: {source}.").format(source=self.source),
        )


def about(numbers: AnyNumbers, *, one_head: bool = True) -> About:
    """What must be said of these numbers.

    Args:
        one_head: of a single head; else of all heads of a layer (for those that know the difference).
    """
    if isinstance(numbers, AddedNumbers):
        return _about_added(numbers)
    if numbers in SCORES:
        return _about_scores(numbers)
    if numbers in EFFECTS:
        return _about_effects(numbers, one_head)
    if numbers in MIXING:
        return _about_mixing(numbers)
    return _about_weights(numbers, one_head)


def _about_added(numbers: AddedNumbers) -> About:
    """As the package that measures them says; the bare name where it is not there."""
    found = quantity(str(numbers))
    if found is None:
        return About(str(numbers), str(numbers), "?", "", "?")
    return About(found.title, found.title, found.formula, found.caveat, found.source)


def _about_weights(numbers: Numbers, one_head: bool) -> About:
    translate = QCoreApplication.translate
    plain = translate("Numbers", "the plain maximum, cell by cell; no paper defines it as a measure")
    averaged = translate("Numbers", "as in Garg et al. 2019, arXiv 1909.02074 (there over one layer's heads)")
    nobody = translate("Numbers", "A mean belongs to no single head: none need attend like this.")
    if numbers is Numbers.MAX_HEADS:
        return About(
            translate("Numbers", "Maximum over heads"),
            translate("Numbers", "maximum"),
            translate("Numbers", "max over the layer's heads h of α_h"),
            translate("Numbers", "A single strong head hides what the others do; rows need not sum to 1."),
            plain,
        )
    if numbers is Numbers.MEAN_LAYERS:
        return About(
            translate("Numbers", "Mean over layers"),
            translate("Numbers", "mean"),
            translate("Numbers", "mean over all layers l and heads h of α_lh"),
            nobody,
            averaged,
        )
    if numbers is Numbers.MAX_LAYERS:
        return About(
            translate("Numbers", "Maximum over layers"),
            translate("Numbers", "maximum"),
            translate("Numbers", "max over all layers l and heads h of α_lh"),
            translate(
                "Numbers", "With many heads nearly every cell is large in some head; rows do not sum to 1."
            ),
            plain,
        )
    if numbers is Numbers.ROLLOUT:
        return About(
            translate("Numbers", "Rollout"),
            translate("Numbers", "rollout"),
            translate(
                "Numbers",
                "A′_l = ½ · mean over heads of α_l + ½ · I, rows normalised to sum to 1; product A′_l "
                "⋯ A′_2 A′_1",
            ),
            translate(
                "Numbers",
                "It weighs attention and the residual connection equally and ignores values, "
                "LayerNorm and feed-forward networks.",
            ),
            "Abnar & Zuidema 2020, arXiv 2005.00928",
        )
    formula = translate("Numbers", "softmax over the keys of q·k / √d_head")
    return About(
        translate("Numbers", "Weights"),
        "",
        formula if one_head else translate("Numbers", "mean over the layer's heads h of α_h"),
        translate("Numbers", "Where a head looks is not how much of that reaches the output.")
        if one_head
        else nobody,
        "Vaswani et al. 2017, arXiv 1706.03762" if one_head else averaged,
    )


def _about_effects(numbers: Numbers, one_head: bool) -> About:
    translate = QCoreApplication.translate
    if numbers is Numbers.VALUE_WEIGHTED:
        return About(
            translate("Numbers", "Value-weighted"),
            translate("Numbers", "value-weighted"),
            translate("Numbers", "α ‖f(x)‖ with f(x) = (x W_V + b_V) W_O of the head")
            if one_head
            else translate("Numbers", "‖Σ_h α_h f_h(x)‖ with f_h(x) = (x W_V + b_V) W_O of head h"),
            translate(
                "Numbers",
                "A length, not a share: rows do not sum to 1; the residual connection, LayerNorm and "
                "later layers are left out.",
            ),
            "Kobayashi et al. 2020, arXiv 2004.10102",
        )
    return About(
        translate("Numbers", "Gradient × attention"),
        translate("Numbers", "gradient × attention"),
        translate("Numbers", "α · ∂ log p(the step's token) / ∂α")
        if one_head
        else translate("Numbers", "mean over the layer's heads h of α_h · ∂ log p(the step's token) / ∂α_h"),
        translate(
            "Numbers",
            "A first-order estimate, for a small change of that weight alone; switching a head off "
            "may act differently.",
        ),
        "Serrano & Smith 2019, arXiv 1906.03731; Chefer et al. 2021, arXiv 2103.15679",
    )


def _about_mixing(numbers: Numbers) -> About:
    """The words of the method, and which layers."""
    translate = QCoreApplication.translate
    names = {
        Numbers.ALTI: translate("Numbers", "Contributions (ALTI+)"),
        Numbers.ALTI_LAYER: translate("Numbers", "Contributions, one layer"),
        Numbers.ZEROING: translate("Numbers", "Value zeroing"),
        Numbers.ZEROING_LAYER: translate("Numbers", "Value zeroing, one layer"),
    }
    zeroing = numbers in (Numbers.ZEROING, Numbers.ZEROING_LAYER)
    said = method_words(method_named("zeroing" if zeroing else "alti"))
    if numbers in MULTIPLIED:
        layers = translate("Numbers", "The layers up to the one in view are multiplied.")
    else:
        layers = translate("Numbers", "Of this layer alone, not multiplied.")
    quantity = translate("Numbers", "value zeroing") if zeroing else translate("Numbers", "contribution")
    return About(names[numbers], quantity, said.formula, f"{layers} {said.caveat}", said.source)


def _about_scores(numbers: Numbers) -> About:
    translate = QCoreApplication.translate
    source = "Vaswani et al. 2017, arXiv 1706.03762, 3.2.1"
    caveat = translate("Numbers", "Only differences within a row matter to the softmax.")
    if numbers is Numbers.SCORES:
        name, quantity = translate("Numbers", "Scores"), translate("Numbers", "score")
        return About(name, quantity, translate("Numbers", "q·k"), caveat, source)
    if numbers is Numbers.SCALED:
        name, quantity = translate("Numbers", "Scaled scores"), translate("Numbers", "scaled score")
        return About(name, quantity, translate("Numbers", "q·k / √d_head"), caveat, source)
    return About(
        translate("Numbers", "Masked scores"),
        translate("Numbers", "masked score"),
        translate("Numbers", "q·k / √d_head, and −∞ where attention is not allowed"),
        caveat,
        source,
    )


def why_not(trace: Trace, selection: Selection, numbers: AnyNumbers) -> str:
    """Why a selection cannot be shown as these numbers; empty if it can."""
    translate = QCoreApplication.translate
    if numbers is Numbers.WEIGHTS:
        return ""
    if trace.numbers != "pattern":
        return translate("Numbers", "this trace holds no attention weights to compute it from")
    if isinstance(numbers, AddedNumbers):
        return why_not_added(trace, selection, numbers)
    if numbers is Numbers.ROLLOUT and selection.kind is not AttentionKind.ENCODER_SELF:
        return translate(
            "Numbers",
            "rollout is defined for the encoder; in a decoder, source and prefix mix, "
            "and there is no agreed way to multiply their maps",
        )
    if numbers is Numbers.ZEROING and selection.kind is not AttentionKind.ENCODER_SELF:
        return translate(
            "Numbers",
            "value zeroing is multiplied through the layers of the encoder only; choose that of one layer",
        )
    if numbers in SCORES and selection.head is None:
        return translate("Numbers", "scores belong to one head: choose a head")
    if numbers is Numbers.GRADIENT and not 0 <= selection.step < trace.steps:
        return translate("Numbers", "there is no step yet to take the gradient of")
    return ""


def shown_numbers(trace: Trace, selection: Selection) -> AnyNumbers:
    """The numbers that a selection is shown as: those chosen, or the weights where these do not exist."""
    return Numbers.WEIGHTS if why_not(trace, selection, selection.numbers) else selection.numbers


def needs(numbers: AnyNumbers) -> Ability:
    """What a model must be able to do for these numbers, where they are asked of it."""
    of_attention = (Numbers.VALUE_WEIGHTED, Numbers.GRADIENT, *SCORES)
    return Ability.ANSWER if numbers in of_attention else Ability.WALK


def question_of(selection: Selection, numbers: AnyNumbers) -> Question | None:
    """What these numbers need to know beyond the trace, None if nothing."""
    if numbers is Numbers.VALUE_WEIGHTED:
        return ValueNorms()
    if numbers is Numbers.GRADIENT:
        return GradientOf(selection.step)
    if numbers in MIXING:
        contributions = numbers in (Numbers.ALTI, Numbers.ALTI_LAYER)
        return ContributionsOf() if contributions else ZeroingOf()
    if numbers in SCORES and selection.head is not None:
        return StagesOf(selection.kind, selection.layer, selection.head)
    return None


def answer_of(trace: Trace, selection: Selection, numbers: AnyNumbers, known: Known | None) -> Any:
    """What these numbers need to know; None if nothing.

    Raises:
        Missing: it is not known.
        HeadscopeError: the trace was altered in a way that is not known here; `run_other_model`: it does not
            say which model it is of, and the one in use computes other weights.
    """
    question = question_of(selection, numbers)
    if question is None:
        return None
    reading = Reading.of(trace)
    if not trace.model_sha256:
        stages: Stages = _answer(StagesOf(selection.kind, selection.layer, 0), reading, known)
        if not _recomputed(trace, stages):
            raise HeadscopeError("run_other_model", name=trace.model_name or "?")
    return _answer(question, reading, known)


def _answer(question: Question, reading: Reading, known: Known | None) -> Any:
    answer = None if known is None else known(question, reading)
    if answer is None:
        raise Missing(question, reading)
    return answer


def _recomputed(trace: Trace, stages: Stages) -> bool:
    """Whether a head's recorded rows, except those set by hand, are what the model in use computes."""
    kind, layer, head = stages.kind, stages.layer, stages.head
    recorded = trace.pattern(kind, layer, head)
    if recorded.shape != stages.pattern.shape:
        return False
    difference = np.abs(recorded.astype(np.float64) - stages.pattern).max(axis=1, initial=0.0)
    difference[[row for row in set_rows(trace, kind, layer, head) if row < len(difference)]] = 0.0
    return bool(difference.max(initial=0.0) <= _SAME_MODEL)


def layer_and_head(layer: int, head: int | None, numbers: AnyNumbers) -> tuple[object, object]:
    """What data say of where numbers are from, counted from 0: "mean", "max" or "all" of several."""
    if numbers is Numbers.MEAN_LAYERS:
        return "mean", "mean"
    if numbers is Numbers.MAX_LAYERS:
        return "max", "max"
    if numbers is Numbers.MAX_HEADS:
        return layer, "max"
    if numbers in MIXING or (numbers is Numbers.VALUE_WEIGHTED and head is None):
        return layer, "all"
    return layer, "mean" if head is None or numbers is Numbers.ROLLOUT else head


def in_pieces(numbers: AnyNumbers) -> bool:
    """Whether numbers are of pieces alone: nobody can say what they add up to over a word."""
    return numbers in SCORES or isinstance(numbers, AddedNumbers)


def of_one_head(selection: Selection, numbers: AnyNumbers) -> bool:
    """Whether a selection's numbers are those of a single head."""
    return selection.head is not None and numbers not in (*GROUPS[1], *MIXING)
