"""Told of a block: its name, two sentences, the formula with this model's numbers, the paper."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from model.config import same_depths
from model.trace.trace import AttentionKind
from viewer.figures.architecture.anatomy import Anatomy
from viewer.figures.architecture.spec import Block, Role
from viewer.figures.architecture.text import stack_name

translate = QCoreApplication.translate
Words = Callable[[Anatomy, Block], str]


def heading(anatomy: Anatomy, block: Block) -> str:
    """Such as "Cross-attention, decoder layer 2"."""
    name = block.name.removeprefix("+ ")
    if block.layer is None:
        if not anatomy.crosses or block.role in ("linear", "softmax", "copy"):
            return name
        text = translate("ArchitectureView", "{block} ({stack})")
        return text.format(block=name, stack=stack_name(block.stack).lower())
    if block.stack == "encoder":
        text = translate("ArchitectureView", "{block}, encoder layer {layer}")
    else:
        text = translate("ArchitectureView", "{block}, decoder layer {layer}")
    return text.format(block=name, layer=block.layer + 1)


def sentences(anatomy: Anatomy, block: Block) -> str:
    """What it is for, in two sentences."""
    return _SENTENCES[block.role](anatomy, block)


def paper(anatomy: Anatomy, block: Block) -> str:
    """Where it is described."""
    if block.role in ("norm", "add", "add_norm"):
        if anatomy.norm_name == "BatchNorm" and block.role != "add":
            return translate(
                "ArchitectureView", "BatchNorm: Ioffe & Szegedy 2015; in a Transformer: Shen et al. 2020."
            )
        if anatomy.norm_name == "RMSNorm" and block.role == "norm":
            return translate("ArchitectureView", "RMSNorm: Zhang & Sennrich 2019.")
        if anatomy.norm == "pre_norm":
            if block.role == "add":
                return translate(
                    "ArchitectureView", "Paper, section 3.1; residual connections: He et al. 2016."
                )
            return translate(
                "ArchitectureView",
                "Paper, section 3.1; norm before each sub-layer (pre-norm): Xiong et al. 2020.",
            )
        return translate("ArchitectureView", "Paper, section 3.1; layer normalisation: Ba et al. 2016.")
    found = _attention_paper(anatomy, block)
    if found:
        return found
    if block.role == "length":
        return translate("ArchitectureView", "Ghazvininejad et al. 2019, section 3.3.")
    if block.role == "segments":
        return translate("ArchitectureView", "Devlin et al. 2019, section 3.")
    if block.role == "copy":
        return translate("ArchitectureView", "Pointer-generator: See et al. 2017, section 2.2.")
    return {
        "positions": translate("ArchitectureView", "Paper, section 3.5."),
        "attention": translate("ArchitectureView", "Paper, sections 3.2.1 to 3.2.3."),
        "feed_forward": translate("ArchitectureView", "Paper, section 3.3."),
    }.get(block.role, translate("ArchitectureView", "Paper, section 3.4."))


def _attention_paper(anatomy: Anatomy, block: Block) -> str:
    """Where what is particular to an attention is described; empty where there is nothing."""
    if block.role == "attention" and anatomy.positions == "rotary":
        if block.sublayer != "cross" or not anatomy.own:
            return translate("ArchitectureView", "Paper, section 3.2; rotary positions: Su et al. 2021.")
    elif block.role == "attention" and block.sublayer != "cross":
        if anatomy.positions == "relative" and anatomy.own:
            return translate("ArchitectureView", "Paper, section 3.2; relative vectors: Shaw et al. 2018.")
        if anatomy.positions == "relative":
            return translate("ArchitectureView", "Paper, section 3.2; relative bias: Raffel et al. 2020.")
        if anatomy.positions == "alibi":
            return translate("ArchitectureView", "Paper, section 3.2; ALiBi: Press et al. 2022.")
    if block.sublayer == "cross" and anatomy.wiring == "mix":
        return translate("ArchitectureView", "Paper, section 3.2.3; mix of layers: Bapna et al. 2018.")
    return ""


def formula(anatomy: Anatomy, block: Block) -> str:
    """LaTeX with this model's numbers; empty where they are not known."""
    d, role = anatomy.d_model, block.role
    if role == "attention":
        return _attention(anatomy, block)
    if role == "feed_forward":
        return _network(anatomy)
    if role in ("norm", "add", "add_norm"):
        return _norm(anatomy, block)
    if role == "softmax":
        vocab = block.shape[-1] if block.shape else anatomy.vocab(block.stack)
        last = f"{vocab}" if vocab else "V"
        return rf"p_i = \frac{{e^{{z_i}}}}{{\sum_{{j=1}}^{{{last}}} e^{{z_j}}}}"
    if role == "copy":
        return (
            r"p(w) = p_{\mathrm{gen}}\, p_{\mathrm{vocab}}(w) + (1 - p_{\mathrm{gen}})"
            r" \sum_{i:\, w_i = w} \alpha_i"
        )
    if not d:
        return ""
    vocab = anatomy.vocab(block.stack)
    if role == "length":
        return r"\mathrm{softmax}\left(W\, \frac{1}{S} \sum_s m_s + b\right)"
    if role == "embedding":
        return (
            rf"x_t = E_{{\mathrm{{id}}(t)}}, \quad E \in \mathbb{{R}}^{{{vocab} \times {d}}}" if vocab else ""
        )
    if role == "scale":
        return rf"x \leftarrow \sqrt{{{d}}}\, x"
    if role == "positions":
        return _positions(anatomy)
    if role == "linear" and anatomy.top == "words" and vocab:
        return rf"z = x W^\top, \quad W \in \mathbb{{R}}^{{{vocab} \times {d}}}"
    return ""


def _attention(anatomy: Anatomy, block: Block) -> str:
    if anatomy.score_scale is None:
        return ""
    scores = r"QK^\top"
    if anatomy.score_scale:
        scores = rf"\frac{{QK^\top}}{{\sqrt{{{anatomy.head_width or 'd_k'}}}}}"
    if anatomy.positions in ("relative", "alibi") and block.sublayer != "cross":
        if anatomy.own and anatomy.positions == "relative":
            return _with_vectors(anatomy, block)
        scores += " + B"
    if block.masked:
        scores += " + M"
    return rf"\mathrm{{softmax}}\left({scores}\right)V"


def _with_vectors(anatomy: Anatomy, block: Block) -> str:
    """Of query i: a vector by distance, a, for the key, and another for the value (Shaw et al. 2018)."""
    keys = r"j \le i" if block.masked else "j"
    return (
        r"\sum_{" + keys + r"} \mathrm{softmax}_j\left(\frac{q_i \cdot (k_j + a_{j-i})}{\sqrt{"
        rf"{anatomy.head_width or 'd_k'}" + r"}}\right)(v_j + a'_{j-i})"
    )


def _network(anatomy: Anatomy) -> str:
    if not anatomy.plain_network:
        return ""
    if anatomy.activation == "relu":
        return r"\max(0,\; x W_1 + b_1)\, W_2 + b_2"
    name = {"gelu": "GELU", "gelu_new": "GELU", "silu": "SiLU"}.get(anatomy.activation, "")
    return rf"\mathrm{{{name}}}(x W_1 + b_1)\, W_2 + b_2" if name else ""


def _norm(anatomy: Anatomy, block: Block) -> str:
    if block.role == "add":
        return rf"x + {_sublayer(block)}(\mathrm{{{anatomy.norm_name or 'Norm'}}}(x))"
    if block.role == "add_norm":
        return rf"\mathrm{{{anatomy.norm_name or 'Norm'}}}(x + {_sublayer(block)}(x))"
    if anatomy.norm_name == "RMSNorm":
        return r"\frac{x}{\sqrt{\mathrm{mean}(x^2) + \epsilon}} \odot \gamma"
    return r"\frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \odot \gamma + \beta" if anatomy.norm_name else ""


def _sublayer(block: Block) -> str:
    return r"\mathrm{FFN}" if block.sublayer == "feed_forward" else r"\mathrm{Attention}"


def _positions(anatomy: Anatomy) -> str:
    if anatomy.positions == "learned":
        return r"x_t \leftarrow x_t + P_t"
    base = anatomy.architecture.get("position_base", 10000.0)
    return rf"x_{{t,2i}} \leftarrow x_{{t,2i}} + \sin\left(t / {base:.6g}^{{\,2i/{anatomy.d_model}}}\right)"


def _embedding(anatomy: Anatomy, block: Block) -> str:
    text = translate(
        "ArchitectureView",
        "Each token is looked up in a table: it gets the same row of numbers in every sentence.",
    )
    if block.shares:
        more = translate("ArchitectureView", "The table is shared with the encoder.")
    elif anatomy.vocab(block.stack):
        more = translate("ArchitectureView", "The table has a row for each of {count} tokens.")
        more = more.format(count=f"{anatomy.vocab(block.stack):,}")
    else:
        more = ""
    return f"{text} {more}".strip()


def _scale(anatomy: Anatomy, block: Block) -> str:
    return translate(
        "ArchitectureView",
        "Embeddings are multiplied by √{d}. The paper does not say why; the usual explanation is that "
        "the positions, whose values reach 1, would otherwise outweigh them.",
    ).format(d=anatomy.d_model)


def _positions_told(anatomy: Anatomy, block: Block) -> str:
    text = translate(
        "ArchitectureView",
        "Attention alone sees no order, so a vector for its position is added to each token.",
    )
    if anatomy.positions == "learned":
        more = translate(
            "ArchitectureView", "There is one for each position, learned like all other weights."
        )
    else:
        more = translate("ArchitectureView", "Sines and cosines of many wavelengths: computed, not learned.")
    return f"{text} {more}"


def _segments(anatomy: Anatomy, block: Block) -> str:
    return translate(
        "ArchitectureView",
        "A learned vector, one of two, says which sentence of a pair a token belongs to.",
    )


def _attention_told(anatomy: Anatomy, block: Block) -> str:
    if block.sublayer == "cross":
        text = translate(
            "ArchitectureView",
            "Each output position asks (Q) and the source answers (K, V): where in the sentence is "
            "what the next word needs? Keys and values of the source are computed once.",
        )
        return f"{text} {_read(anatomy, block)}".strip()
    if block.kind is AttentionKind.DECODER_SELF and anatomy.in_rounds:
        return translate(
            "ArchitectureView",
            "Each place asks all others, before and after it: words that are written already, and places "
            "that are still hidden. Nothing is masked, and every round computes all of it anew.",
        )
    if block.kind is AttentionKind.DECODER_SELF:
        return translate(
            "ArchitectureView",
            "Each position looks at the positions up to its own; later ones are masked, since they "
            "are not written yet. Keys and values of earlier positions are kept (the cache), so a "
            "step computes one new row.",
        )
    return translate(
        "ArchitectureView",
        "Each token looks at all tokens of its sentence, each head in its own way. In a batch, "
        "padding is masked; a single sentence has none.",
    )


def _read(anatomy: Anatomy, block: Block) -> str:
    """Which encoder layers a cross-attention reads, where it is not the last alone."""
    if anatomy.wiring == "same_depth" and block.layer is not None:
        text = translate("ArchitectureView", "This layer reads encoder layer {layer} of {layers}.")
        layers = anatomy.encoder_layers
        return text.format(layer=same_depths(layers, anatomy.decoder_layers)[block.layer], layers=layers)
    if anatomy.wiring == "mix":
        return translate(
            "ArchitectureView",
            "It reads a mean of the embedding and all encoder layers, weighted as learned.",
        )
    return ""


def _network_told(anatomy: Anatomy, block: Block) -> str:
    return translate(
        "ArchitectureView",
        "Each token goes through the same small network on its own; its neurons detect features. No "
        "information passes between tokens here.",
    )


def _add(anatomy: Anatomy, block: Block) -> str:
    return translate(
        "ArchitectureView",
        "The sub-layer's output is added to its input, so nothing need be lost. Gradients reach the "
        "lowest layer the same way.",
    )


def _add_norm(anatomy: Anatomy, block: Block) -> str:
    if anatomy.norm_name == "BatchNorm":
        return translate(
            "ArchitectureView",
            "The sub-layer's output is added to its input, so nothing need be lost. Then each feature is "
            "normalised to mean 0 and standard deviation 1 over the tokens of a batch (once trained, by the "
            "running statistics), scaled by γ and shifted by β.",
        )
    return translate(
        "ArchitectureView",
        "The sub-layer's output is added to its input, so nothing need be lost. Then each token's "
        "vector is normalised to mean 0 and standard deviation 1, scaled by γ and shifted by β.",
    )


def _norm_told(anatomy: Anatomy, block: Block) -> str:
    if anatomy.norm_name == "BatchNorm":
        text = translate(
            "ArchitectureView",
            "Each feature is normalised to mean 0 and standard deviation 1 over the tokens of a batch (once "
            "trained, by the running statistics), then scaled by γ and shifted by β.",
        )
    elif anatomy.norm_name == "RMSNorm":
        text = translate(
            "ArchitectureView",
            "Each token's vector is divided by its root mean square, then scaled by γ.",
        )
    elif anatomy.norm_name:
        text = translate(
            "ArchitectureView",
            "Each token's vector is normalised to mean 0 and standard deviation 1, then scaled by γ "
            "and shifted by β.",
        )
    else:
        text = translate("ArchitectureView", "Each token's vector is normalised.")
    if block.key.endswith("final_norm"):
        more = translate("ArchitectureView", "In pre-norm this is the last step of the stack.")
    elif block.layer is None:
        more = translate("ArchitectureView", "This model does so before the first layer too.")
    else:
        more = translate(
            "ArchitectureView",
            "Here this comes before the sub-layer (pre-norm); the residual sum itself is not normalised.",
        )
    return f"{text} {more}"


def _linear(anatomy: Anatomy, block: Block) -> str:
    if anatomy.top == "classes":
        return translate("ArchitectureView", "The scores of the classes are computed from what was read.")
    if anatomy.top == "masked_words":
        return translate(
            "ArchitectureView",
            "At each position it scores every token of the vocabulary: which could stand there?",
        )
    text = translate(
        "ArchitectureView",
        "A score (logit) for each token of the vocabulary: how well the last vector matches its row.",
    )
    more = (
        translate("ArchitectureView", "The weights are those of the embedding (tied).")
        if block.shares
        else ""
    )
    return f"{text} {more}".strip()


def _length(anatomy: Anatomy, block: Block) -> str:
    return translate(
        "ArchitectureView",
        "How many words the translation has, told from the mean of what the encoder made of the sentence. So "
        "many hidden places are read in the first round.",
    )


def _softmax(anatomy: Anatomy, block: Block) -> str:
    if anatomy.in_rounds:
        return translate(
            "ArchitectureView",
            "Scores become probabilities that sum to 1. Every hidden place takes its most probable word; the "
            "least certain of all are hidden again in the next round.",
        )
    if anatomy.top != "words":
        return translate("ArchitectureView", "Scores become probabilities that sum to 1.")
    return translate(
        "ArchitectureView",
        "Scores become probabilities that sum to 1. Decoding picks the next token from those of the "
        "last position and reads it in the next step.",
    )


def _copy(anatomy: Anatomy, block: Block) -> str:
    return translate(
        "ArchitectureView",
        "A gate decides how much of the next token is generated and how much is copied: from where the last "
        "cross-attention looks, mean of its heads. Special tokens are never copied.",
    )


_SENTENCES: dict[Role, Words] = {
    "length": _length,
    "embedding": _embedding,
    "scale": _scale,
    "positions": _positions_told,
    "segments": _segments,
    "attention": _attention_told,
    "feed_forward": _network_told,
    "add": _add,
    "norm": _norm_told,
    "add_norm": _add_norm,
    "linear": _linear,
    "softmax": _softmax,
    "copy": _copy,
}
