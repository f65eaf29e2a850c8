"""Tiny randomly initialised models of Hugging Face with real tokenizers, saved as people have them."""

from __future__ import annotations

import contextlib
import functools
import io
import logging
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

TEXTS = (
    "The little girl gave her brother a red apple.",
    "The cat sat on the mat, and the dog didn't mind.",
    "A student reads the books of her teachers.",
    "Where does the red train go? It goes to Paris in 1998!",
    "la petite fille a donné une pomme rouge à son frère",
    "Größe, naïve café, 東京へ行く, 小女孩给了弟弟一个红苹果。",
)
_STRENGTH = (
    12.0  # how much larger than usual the weights are: heads that look somewhere, choices without ties
)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without what `transformers` writes and warns."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def write_bert(folder: Path, *, head: bool = True, seed: int = 1, **changes: Any) -> Path:
    """BERT of 3 layers and 4 heads, for masked words; without `head` a plain BertModel."""
    from transformers import BertConfig, BertForMaskedLM, BertModel

    tokenizer = wordpiece()
    config = BertConfig(**_sizes(len(tokenizer), max_position_embeddings=64, type_vocab_size=2) | changes)
    return save_model(folder, BertForMaskedLM if head else BertModel, config, tokenizer, seed)


def write_gpt2(folder: Path, *, seed: int = 1, **changes: Any) -> Path:
    """GPT-2 of 3 layers and 4 heads."""
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = byte_level()
    sizes = {"n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 96, "vocab_size": len(tokenizer)}
    ends = {"bos_token_id": tokenizer.eos_token_id, "eos_token_id": tokenizer.eos_token_id}
    return save_model(
        folder, GPT2LMHeadModel, GPT2Config(**sizes | ends | _NO_DROPOUT_GPT | changes), tokenizer, seed
    )


def write_llama(folder: Path, *, seed: int = 1, **changes: Any) -> Path:
    """A Llama of 2 layers, 4 query heads and 2 heads of keys and values."""
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = llama_like()
    sizes = _sizes(len(tokenizer), max_position_embeddings=96) | {
        "num_hidden_layers": 2,
        "num_key_value_heads": 2,
    }
    ends = {
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": None,
    }
    return save_model(folder, LlamaForCausalLM, LlamaConfig(**sizes | ends | changes), tokenizer, seed)


def write_t5(folder: Path, *, seed: int = 1, **changes: Any) -> Path:
    """T5 of 2 + 2 layers with 4 heads of 12 (`transformers` cannot generate with unequal depths)."""
    from transformers import T5Config, T5ForConditionalGeneration

    tokenizer = unigram()
    sizes = {"d_model": 32, "d_kv": 12, "d_ff": 64, "num_layers": 2, "num_decoder_layers": 2, "num_heads": 4}
    rest = {"vocab_size": len(tokenizer), "decoder_start_token_id": 0, "dropout_rate": 0.0}
    return save_model(
        folder, T5ForConditionalGeneration, T5Config(**sizes | rest | changes), tokenizer, seed, 1.5
    )


def write_bart(folder: Path, *, seed: int = 1, **changes: Any) -> Path:
    """BART of 2 encoder and 3 decoder layers with 4 heads."""
    from transformers import BartConfig, BartForConditionalGeneration

    tokenizer = byte_level(bart=True)
    ids = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
    config = BartConfig(**stacks() | {"vocab_size": len(tokenizer)} | ids | changes)
    return save_model(folder, BartForConditionalGeneration, config, tokenizer, seed)


WRITERS: dict[str, Callable[[Path], Path]] = {
    "bart": write_bart,
    "bert": write_bert,
    "gpt2": write_gpt2,
    "llama": write_llama,
    "t5": write_t5,
}
"""How to make a folder of each proven family."""

_NO_DROPOUT_GPT = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}
_BART_STACK = {"attention_heads": 4, "ffn_dim": 64}


def stacks() -> dict[str, Any]:
    """Sizes of BART and its kin: 2 encoder and 3 decoder layers with 4 heads."""
    sizes = {"d_model": 32, "encoder_layers": 2, "decoder_layers": 3, "max_position_embeddings": 64}
    heads = {
        f"{stack}_{what}": count for stack in ("encoder", "decoder") for what, count in _BART_STACK.items()
    }
    return {**sizes, **heads, "dropout": 0.0, "attention_dropout": 0.0, "activation_dropout": 0.0}


def _sizes(vocab: int, **more: Any) -> dict[str, Any]:
    sizes = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 64}
    return {"vocab_size": vocab, **sizes, **more}


def save_model(
    folder: Path, network: Any, config: Any, tokenizer: Any, seed: int, strength: float = _STRENGTH
) -> Path:
    """A randomly initialised model of a class of `transformers`, and its tokenizer, in the folder."""
    torch.manual_seed(seed)
    with quiet():
        model = network(config).eval()
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.dim() > 1:
                    parameter.mul_(strength)
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    return folder


# Tokenizers.


@functools.cache
def wordpiece() -> Any:
    """BERT's kind: `##ing` goes on with a word, `[CLS]` … `[SEP]` around a text."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import BertTokenizerFast

    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.train_from_iterator(
        TEXTS, trainers.WordPieceTrainer(show_progress=False, vocab_size=160, special_tokens=specials)
    )
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    made.decoder = decoders.WordPiece()
    with quiet():
        return BertTokenizerFast(tokenizer_object=made, model_max_length=64)


@functools.cache
def byte_level(*, bart: bool = False) -> Any:
    """GPT-2's kind: pieces of bytes, U+0120 for a space; `bart` puts `<s>` … `</s>` around a text."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    specials = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"] if bart else ["<|endoftext|>"]
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        show_progress=False, vocab_size=330, special_tokens=specials, initial_alphabet=alphabet
    )
    made.train_from_iterator(TEXTS, trainer)
    names = {"bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>", "unk_token": "<|endoftext|>"}
    if bart:
        made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
        names = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
        names |= {"mask_token": "<mask>", "cls_token": "<s>", "sep_token": "</s>"}
    with quiet():
        return PreTrainedTokenizerFast(tokenizer_object=made, model_max_length=64, **names)


@functools.cache
def llama_like() -> Any:
    """Llama's kind: U+2581 for a space, characters that are unknown as bytes, `<s>` before a text."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    specials = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    made = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    trainer = trainers.BpeTrainer(show_progress=False, vocab_size=420, special_tokens=specials)
    made.train_from_iterator(TEXTS, trainer)
    made.add_special_tokens([AddedToken(token, normalized=False) for token in specials[:3]])
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 1)]
    )
    made.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    with quiet():
        return PreTrainedTokenizerFast(
            tokenizer_object=made, bos_token="<s>", eos_token="</s>", unk_token="<unk>", model_max_length=96
        )


@functools.cache
def unigram() -> Any:
    """T5's kind: U+2581 for a space, `</s>` behind a text."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    specials = ["<pad>", "</s>", "<unk>"]
    made = Tokenizer(models.Unigram())
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    made.train_from_iterator(
        TEXTS,
        trainers.UnigramTrainer(
            show_progress=False, vocab_size=180, special_tokens=specials, unk_token="<unk>"
        ),
    )
    made.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    with quiet():
        return PreTrainedTokenizerFast(
            tokenizer_object=made, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", model_max_length=64
        )
