"""Models that are peculiar in a way of their own; the oracle is `transformers` on the same folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from model.decoding.decode_config import DecodeConfig
from model.trace.trace import AttentionKind
from model.translator.translator import Translator
from tests.foreign_assets import byte_level, quiet, unigram

_SIZES: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "max_position_embeddings": 66,
}


def test_a_start_token_that_is_padding_is_read_by_t5gemma(tmp_path: Path) -> None:
    """Without a cache it overlooks padding, which `generate` never lets it do."""
    from transformers import AutoModelForSeq2SeqLM, T5GemmaConfig, T5GemmaForConditionalGeneration

    tokenizer = unigram()
    stack = _SIZES | {"num_key_value_heads": 2, "head_dim": 8, "sliding_window": 8}
    stack["vocab_size"] = len(tokenizer)
    torch.manual_seed(3)
    with quiet():
        config = T5GemmaConfig(encoder=stack, decoder=stack, vocab_size=len(tokenizer))
        config.decoder_start_token_id = config.pad_token_id = 0
        made = T5GemmaForConditionalGeneration(config)
        made.generation_config.update(decoder_start_token_id=0, pad_token_id=0, eos_token_id=1)
        with torch.no_grad():
            for parameter in made.parameters():
                parameter.mul_(4.0)
        made.save_pretrained(tmp_path)
        tokenizer.save_pretrained(tmp_path)
        theirs = AutoModelForSeq2SeqLM.from_pretrained(tmp_path, attn_implementation="eager").eval()
    *_, last = Translator.load(tmp_path).decode("The little girl", DecodeConfig(max_length=7))
    trace = last.trace
    source = torch.tensor([tokenizer("The little girl")["input_ids"]])
    target = torch.tensor([trace.tgt_in_ids.tolist()])
    with quiet(), torch.no_grad():
        found = theirs.generate(source, max_new_tokens=7, do_sample=False)[0, 1:].tolist()
        out = theirs(
            input_ids=source,
            decoder_input_ids=target,
            decoder_attention_mask=torch.ones_like(target),
            output_attentions=True,
        )
    assert trace.tgt_out_ids.tolist() == found
    for kind, layers in (
        (AttentionKind.ENCODER_SELF, out.encoder_attentions),
        (AttentionKind.DECODER_SELF, out.decoder_attentions),
        (AttentionKind.CROSS, out.cross_attentions),
    ):
        for layer, pattern in enumerate(layers):
            np.testing.assert_allclose(trace.patterns.layer(kind, layer), pattern[0].numpy(), atol=1e-5)


def test_a_table_of_tokens_of_a_class_of_its_own_has_rows_too(tmp_path: Path) -> None:
    """I-BERT's is no `torch.nn.Embedding`."""
    from transformers import IBertConfig, IBertForMaskedLM

    tokenizer = byte_level(bart=True)
    with quiet():
        network = IBertForMaskedLM(
            IBertConfig(**_SIZES, vocab_size=len(tokenizer), pad_token_id=1, attn_implementation="eager")
        ).eval()
        network.save_pretrained(tmp_path)
        tokenizer.save_pretrained(tmp_path)
    *_, last = Translator.load(tmp_path).decode("The cat <mask>.", DecodeConfig())
    with quiet(), torch.no_grad():
        ids = torch.tensor([tokenizer("The cat <mask>.")["input_ids"]])
        out = network(ids, output_attentions=True)
    for layer, pattern in enumerate(out.attentions):
        ours = last.trace.patterns.layer(AttentionKind.ENCODER_SELF, layer)
        np.testing.assert_allclose(ours, pattern[0].numpy(), atol=1e-5)
