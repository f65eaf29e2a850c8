"""Walk text: names of stages, formulas, what each stage is for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.questions.answers import RowArithmetic, Walk
from model.trace.trace import Side
from viewer.document.text.token_text import token_texts
from viewer.figures.walk.details import number, produced_text
from viewer.figures.walk.spec import ResidualDetail
from viewer.figures.walk.stages import Stage, entering, length

translate = QCoreApplication.translate
_SUBSCRIPTS = str.maketrans("0123456789h", "₀₁₂₃₄₅₆₇₈₉ₕ")


def side_name(side: Side) -> str:
    """Encoder or decoder."""
    return translate("Walk", "Encoder") if side == "source" else translate("Walk", "Decoder")


def sublayer_name(name: str, *, decoder: bool) -> str:
    """Name of a sub-layer."""
    if name == "feed_forward":
        return translate("Walk", "Feed-forward")
    if name == "cross":
        return translate("Walk", "Cross-attention")
    return translate("Walk", "Masked self-attention") if decoder else translate("Walk", "Self-attention")


def block_name(stage: Stage) -> str:
    """The name that stands on a block."""
    names = {
        "embedding": translate("Walk", "Embedding"),
        "position": translate("Walk", "Position P"),
        "sum": translate("Walk", "X + P"),
        "residual": translate("Walk", "Add"),
        "norm": translate("Walk", "LayerNorm"),
        "final_norm": translate("Walk", "Closing LayerNorm"),
    }
    # The decoder's is masked too, which the stage's heading says: a block has little room.
    return names.get(stage.stage) or sublayer_name(stage.sublayer, decoder=False)


def position_text(walk: Walk) -> str:
    """The token that is walked with."""
    read = _read(walk)
    if walk.side == "source":
        return translate("Walk", "“{token}”").format(token=read)
    made = produced_text(walk)
    return translate("Walk", "reads “{read}” → “{made}”").format(read=read, made=made)


def _read(walk: Walk) -> str:
    return token_texts(walk.tokens, starts=walk.side == "target")[walk.position].marked


def title(walk: Walk) -> str:
    """Which position is walked with."""
    read = _read(walk)
    values = {"place": walk.position + 1, "count": len(walk.tokens), "read": read}
    if walk.side == "source":
        return translate("Walk", "Layer walk: source token {place} of {count}, “{read}”").format(**values)
    text = translate("Walk", "Layer walk: step {place} of {count}, reads “{read}” → predicts “{made}”")
    return text.format(**values, made=produced_text(walk))


def heading(side: Side, stage: Stage | None, layers: int) -> str:
    """Name of the stage in view; None is the decoder's last word."""
    if stage is None:
        return translate("Walk", "Next word, and what earlier layers would have said")
    decoder = side == "target"
    name = block_name(stage)
    if stage.stage == stage.sublayer == "self_attention":
        name = sublayer_name(stage.sublayer, decoder=decoder)
    if stage.layer is None:
        text = translate("Walk", "{side}: {stage}")
        return text.format(side=side_name(side), stage=name)
    values = {"side": side_name(side), "layer": stage.layer + 1, "layers": layers, "stage": name}
    if stage.stage == "residual":
        values["sublayer"] = sublayer_name(stage.sublayer, decoder=decoder)
        text = translate("Walk", "{side} layer {layer} of {layers}: residual connection around {sublayer}")
    elif stage.stage == "norm":
        values["sublayer"] = sublayer_name(stage.sublayer, decoder=decoder)
        text = translate("Walk", "{side} layer {layer} of {layers}: {stage} of {sublayer}")
    else:
        text = translate("Walk", "{side} layer {layer} of {layers}: {stage}")
    return text.format(**values)


def formula(stage: Stage | None, architecture: Mapping[str, Any], *, pre_norm: bool, scale: float) -> str:
    """What is computed, as the paper writes it; formulas have no language."""
    if stage is None:
        return "P(y) = softmax(h Wᵀ + b)" if architecture.get("output_bias") else "P(y) = softmax(h Wᵀ)"
    if stage.stage in ("embedding", "position", "sum"):
        factor = "" if scale == 1 else f" · √d_model = E[token] · {scale:.4g}"
        return f"X = E[token]{factor},   X + P"
    if stage.stage == "residual":
        return "x + Sublayer(LayerNorm(x))" if pre_norm else "x + Sublayer(x)"
    if stage.stage in ("norm", "final_norm"):
        return "LayerNorm(x) = γ ⊙ (x − μ) / √(σ² + ε) + β"
    if stage.stage == "feed_forward":
        act = {"relu": "max(0, {})", "gelu": "GELU({})", "silu": "SiLU({})"}
        inner = act.get(str(architecture.get("activation")), "act({})").format("x W₁ + b₁")
        return f"FFN(x) = {inner} W₂ + b₂"
    heads = str(architecture.get("n_heads", "h")).translate(_SUBSCRIPTS)
    return f"MultiHead(Q, K, V) = Concat(head₁, …, head{heads}) W_O"


def source(stage: Stage | None) -> str:
    """Where it is described."""
    if stage is None:
        return translate("Walk", "Paper, section 3.4; logit lens: nostalgebraist 2020.")
    if stage.stage == "embedding":
        return translate("Walk", "Paper, section 3.4.")
    if stage.stage in ("position", "sum"):
        return translate("Walk", "Paper, section 3.5.")
    if stage.stage == "residual":
        return translate("Walk", "Paper, section 3.1; residual connections: He et al. 2016.")
    if stage.stage in ("norm", "final_norm"):
        return translate("Walk", "Paper, section 3.1; layer normalisation: Ba et al. 2016.")
    if stage.stage == "feed_forward":
        return translate("Walk", "Paper, section 3.3.")
    return translate("Walk", "Paper, sections 3.2.2 and 3.2.3.")


def purpose(stage: Stage | None, side: Side) -> str:
    """One sentence: what the stage is for."""
    if stage is None:
        return translate(
            "Walk",
            "The output matrix turns the last vector into a probability for each word. Applied to the "
            "vectors of earlier layers too (the logit lens), it shows where the word is decided.",
        )
    return {
        "embedding": translate(
            "Walk", "Each token is looked up in a table: it gets the same row of numbers in every sentence."
        ),
        "position": translate(
            "Walk", "A vector for its position is added, since attention alone sees no order."
        ),
        "sum": translate("Walk", "What enters the first layer: which token, and where it stands."),
        "self_attention": translate(
            "Walk", "The token collects what it needs from its own sentence, each head in its own way."
        )
        if side == "source"
        else translate(
            "Walk", "The step collects what it needs from the words so far; later ones are masked."
        ),
        "cross": translate("Walk", "The step collects what it needs from the source sentence."),
        "feed_forward": translate(
            "Walk", "Each token goes through the same small network on its own; its neurons detect features."
        ),
        "residual": translate(
            "Walk", "The sub-layer's output is added to its input, so nothing need be lost."
        ),
        "norm": translate(
            "Walk",
            "This token's vector is normalised to mean 0 and standard deviation 1, then scaled by γ "
            "and shifted by β. Only this token counts: neither other tokens nor the length of the "
            "sentence matter.",
        ),
        "final_norm": translate(
            "Walk", "In pre-norm the output of the stack is normalised once more, token by token."
        ),
    }[stage.stage]


def lens_caveat() -> str:
    """What the logit lens does not show."""
    return translate(
        "Walk", "Earlier layers were not trained to be read this way: a hint, not what they mean."
    )


def numbers_sentence(walk: Walk, index: int, row: RowArithmetic | None) -> str:
    """One sentence with the stage's own numbers; empty where the picture says it all."""
    step = walk.steps[index]
    if step.stage in ("self_attention", "cross"):
        text = translate("Walk", "What it adds is {length} long.").format(length=number(step.norm))
        if row is None or not len(row.share_norms):
            return text
        most = max(range(len(row.share_norms)), key=lambda head: float(row.share_norms[head]))
        more = translate("Walk", "Head {head} adds most.").format(head=most + 1)
        return f"{text} {more}"
    if step.stage == "feed_forward":
        (neurons,) = (found for found in walk.neurons if found.layer == step.layer)
        share = 100 * neurons.active / neurons.total if neurons.total else 0.0
        text = translate(
            "Walk", "{active} of {total} neurons are above 0 ({share} %). What they add is {length} long."
        )
        return text.format(
            active=neurons.active, total=neurons.total, share=f"{share:.0f}", length=number(step.norm)
        )
    if step.stage in ("norm", "final_norm"):
        plain = math.sqrt(len(step.vector))
        before = entering(walk.steps, index)
        assert before is not None
        text = translate(
            "Walk",
            "From {before} to {after} long; without γ and β it would be √{size} = {plain}.",
        )
        values = {"before": number(length(before)), "after": number(step.norm), "plain": number(plain)}
        return text.format(**values, size=len(step.vector))
    return ""


def residual_sentence(detail: ResidualDetail) -> str:
    """What the cosine before and after means."""
    text = translate(
        "Walk", "The cosine between before and after is {kept}: 1 would be the same direction as before."
    )
    return text.format(kept=number(detail.kept))
