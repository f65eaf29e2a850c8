"""Building a model that the rest of the library can use from what `transformers` has loaded."""

from __future__ import annotations

from typing import Any

import torch

from model.alterations.outline import Outline
from model.errors import HeadscopeError
from model.folder.families import Family, family_of, is_verified, not_text
from model.folder.model_folder import ModelFolder
from model.foreign.classes import classes_of, unshown_head
from model.foreign.describing import describe, shape_of_reader
from model.foreign.foreign_model import ForeignModel, Read
from model.foreign.generation_rules import Generation, generation_of
from model.foreign.inside.inside import Inside, inside_of
from model.foreign.inside.quiet import quiet
from model.foreign.networks.causal_network import CausalNetwork
from model.foreign.networks.config_values import embedding_rows, number_of
from model.foreign.networks.networks import ForeignNetwork
from model.foreign.networks.positions import facts_of
from model.foreign.networks.seq2seq_network import Seq2SeqNetwork
from model.foreign.random_twin import randomised
from model.foreign.reading import reader
from model.foreign.tokens.tokens import ForeignTokenizer
from model.positions.position_facts import PositionFacts, TablePositions
from model.trace.attention_shape import AttentionShape

_SAMPLE = "The little girl reads."
_SAMPLE_LENGTH = 8
_LIMITS = (
    "max_position_embeddings",
    "n_positions",
    "n_ctx",
    "max_seq_len",
    "max_sequence_length",
    "seq_length",
)
_USUAL_LIMIT = 512
_NO_LIMIT = 1_000_000  # tokenizers say 1e30 where they know none


def build(found: ModelFolder, network: Any, tokenizer: Any, sha256: str) -> ForeignModel:
    """A model out of its parts, tried on a few tokens.

    Args:
        network: the loaded model in evaluation mode, with eager attention and no gradients.
        tokenizer: the one of `transformers`.
        sha256: of the files of weights.

    Raises:
        HeadscopeError: `foreign_senses`, `foreign_kind`: it is no model of text; those of `ForeignNetwork`
            and of a text that is read.
    """
    family = family_of(found.values)
    config = network.config
    if family is None or getattr(network, "main_input_name", "input_ids") != "input_ids":
        raise not_text(found, senses=family is not None)
    verified = is_verified(str(config.model_type), family)
    generation = generation_of(network, tokenizer, family)
    pieces = ForeignTokenizer(
        tokenizer,
        start_id=generation.start_id,
        end_id=generation.end_id,
        vocab_size=embedding_rows(network),
    )
    sample = _sample(pieces, generation)
    driven = _driven(network, family, found.name, verified, sample)
    inside = inside_of(network, family, sample)
    if driven is not None:
        inside = driven.open(inside)
    facts = facts_of(network, family, lambda: _run(network, driven, sample))
    limits = [_limit(config, tokenizer, facts, stack) for stack in ("encoder", "decoder")]
    read = None
    if driven is None:
        mask = getattr(tokenizer, "mask_token", None) or ""
        classes = classes_of(network)
        read = reader(
            network,
            pieces,
            name=found.name,
            sha256=sha256,
            mask=mask,
            limit=limits[0],
            classes=classes,
            inside=inside,
        )
    architecture = _architecture(config, tokenizer, pieces, driven, read, facts)
    if driven is None and (head := unshown_head(found, network)):
        architecture["unshown_head"] = head
    if generation.ignored:
        architecture["ignored_rules"] = list(generation.ignored)
    return ForeignModel(
        folder=found.path,
        name=found.name,
        languages=_languages(found, tokenizer),
        family=family,
        verified=verified,
        architecture=architecture,
        parameters=sum(parameter.numel() for parameter in network.parameters()),
        sha256=sha256,
        source_tokenizer=pieces,
        target_tokenizer=pieces,
        source_limit=limits[family is Family.DECODER_ONLY],
        target_limit=limits[family is not Family.ENCODER_ONLY],
        rules=generation.rules,
        positions=facts,
        network=driven,
        read=read,
        inside=inside,
        outline=_outline(inside, architecture, limits[family is not Family.ENCODER_ONLY]),
        twin=lambda seed: build(found, randomised(network, seed), tokenizer, sha256),
    )


def _outline(inside: Inside | None, architecture: dict[str, Any], limit: int) -> Outline | None:
    """What there is to be changed of a model that is open."""
    if inside is None:
        return None
    heads, layers = (
        int(architecture["n_heads"]),
        (
            int(architecture["encoder_layers"]),
            int(architecture["decoder_layers"]),
        ),
    )
    shape = AttentionShape(
        encoder_layers=layers[0],
        encoder_heads=heads if layers[0] else 0,
        decoder_layers=layers[1],
        decoder_heads=int(architecture.get("decoder_heads", heads)) if layers[1] else 0,
        cross=inside.anatomy.family is Family.ENCODER_DECODER,
    )
    return Outline(shape, limit)


def _architecture(
    config: Any,
    tokenizer: Any,
    pieces: ForeignTokenizer,
    driven: ForeignNetwork | None,
    read: Read | None,
    facts: tuple[PositionFacts, ...],
) -> dict[str, Any]:
    """What is said of the model, and how masked words and pairs are typed for one that only reads."""
    if driven is not None:
        shape, vocab = driven.attention_shape, driven.target_vocab
        return describe(config, shape, facts, source_vocab=pieces.vocab_size, target_vocab=vocab)
    assert read is not None
    trace, vocab = read(_SAMPLE, 1), pieces.vocab_size
    said = describe(config, shape_of_reader(trace), facts, source_vocab=vocab, target_vocab=vocab)
    signs = {
        "mask_token": trace.mask_token,
        "separator_token": getattr(tokenizer, "sep_token", None),
        "classes": list(trace.class_names),
        "class_rule": trace.class_rule if trace.class_names else "",
    }
    return said | {name: sign for name, sign in signs.items() if sign}


def _sample(pieces: ForeignTokenizer, generation: Generation) -> tuple[list[int], list[int]]:
    """A few ids to read and a few to write."""
    source, written = pieces.source_ids(_SAMPLE), pieces.encode(_SAMPLE)
    if not source or not written:
        raise HeadscopeError("only_unknown")
    # Several of each, even where the tokenizer makes a single piece of it all.
    return (source * 2)[:_SAMPLE_LENGTH], [generation.start_id, *written * 3][: _SAMPLE_LENGTH - 2]


def _driven(
    network: Any, family: Family, name: str, verified: bool, sample: tuple[list[int], list[int]]
) -> ForeignNetwork | None:
    if family is Family.ENCODER_DECODER:
        return Seq2SeqNetwork(network, name=name, verified=verified, sample=sample)
    if family is Family.DECODER_ONLY:
        return CausalNetwork(network, name=name, verified=verified, sample=sample)
    return None


@torch.inference_mode()
def _run(network: Any, driven: ForeignNetwork | None, sample: tuple[list[int], list[int]]) -> None:
    """Let the model read a few tokens."""
    source, target = (torch.tensor([ids], device=network.device) for ids in sample)
    if driven is None:
        with quiet():
            network(input_ids=source, attention_mask=torch.ones_like(source))
        return
    memory = driven.encode(source) if driven.crosses else None
    driven.decode_step(target, driven.start_cache(memory))


def _languages(found: ModelFolder, tokenizer: Any) -> tuple[str, str]:
    """Those that the folder says, or else those that its tokenizer is set to (`en_XX` is en, mBART's)."""
    codes = [str(getattr(tokenizer, name, None) or "").split("_")[0] for name in ("src_lang", "tgt_lang")]
    told = found.languages == ("und", "und") and all(len(code) == 2 for code in codes)
    return (codes[0], codes[1]) if told else found.languages


def _limit(config: Any, tokenizer: Any, facts: tuple[PositionFacts, ...], stack: str) -> int:
    """Most tokens that a stack can read."""
    tables = [fact for fact in facts if isinstance(fact, TablePositions) and fact.stack in (stack, "both")]
    kept = [len(table.rows) for table in tables if table.learned or table.stored]
    known = kept[0] if kept else number_of(config.get_text_config(), *_LIMITS)
    if known:
        return known
    usual = getattr(tokenizer, "model_max_length", None)
    return usual if isinstance(usual, int) and 0 < usual < _NO_LIMIT else _USUAL_LIMIT
