"""Models of the sizes that are published open: what is counted, and what is still refused.

Tiny models hide what counting a table twice does: of T5-small, NLLB or Gemma the table of tokens is a quarter
and more. On torch's `meta` device the sizes cost nothing. The oracle of what a file holds is `transformers`
alone: every tensor of the model once.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch import nn

from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.folder import families
from model.folder.families import family_of
from model.folder.model_folder import FolderKind, ModelFolder
from model.foreign import describing
from model.foreign.meta_model import meta_model
from model.trace.trace import AttentionKind
from model.translator.translator import Translator
from tests.foreign_assets import byte_level, quiet, unigram


class Shape(NamedTuple):
    """What a file of weights says of a tensor before it is read."""

    shape: tuple[int, ...]


def bart(width: int, layers: int, inner: int, vocab: int, positions: int = 1024) -> dict[str, int]:
    heads = width // 64
    stacks = {
        f"{stack}_{name}": value
        for stack in ("encoder", "decoder")
        for name, value in (("layers", layers), ("attention_heads", heads), ("ffn_dim", inner))
    }
    return {"d_model": width, "vocab_size": vocab, "max_position_embeddings": positions, **stacks}


def bert(width: int, layers: int, inner: int, vocab: int, **more: Any) -> dict[str, Any]:
    sizes = {"hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": max(1, width // 64)}
    return {**sizes, "intermediate_size": inner, "vocab_size": vocab, **more}


def t5(width: int, layers: int, heads: int, inner: int, vocab: int, **more: Any) -> dict[str, Any]:
    sizes = {"d_model": width, "num_layers": layers, "num_decoder_layers": layers, "num_heads": heads}
    return {**sizes, "d_kv": 64, "d_ff": inner, "vocab_size": vocab, **more}


GATED = {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}
# Name, type, class, entries of its published config.json, its number of parameters.
PUBLISHED: tuple[tuple[str, str, str, dict[str, Any], int], ...] = (
    ("t5-small", "t5", "T5ForConditionalGeneration", t5(512, 6, 8, 2048, 32128), 60_506_624),
    ("flan-t5-small", "t5", "T5ForConditionalGeneration", t5(512, 8, 6, 1024, 32128, **GATED), 76_961_152),
    ("mt5-small", "mt5", "MT5ForConditionalGeneration", t5(512, 8, 6, 1024, 250112, **GATED), 300_176_768),
    ("bart-base", "bart", "BartForConditionalGeneration", bart(768, 6, 3072, 50265), 139_420_416),
    ("mbart-50", "mbart", "MBartForConditionalGeneration", bart(1024, 12, 4096, 250054), 610_879_488),
    ("m2m100_418M", "m2m_100", "M2M100ForConditionalGeneration", bart(1024, 12, 4096, 128112), 483_905_536),
    ("nllb-200-600M", "m2m_100", "M2M100ForConditionalGeneration", bart(1024, 12, 4096, 256206), 615_073_792),
    ("opus-mt-en-de", "marian", "MarianMTModel", bart(512, 6, 2048, 58101, 512), 74_410_496),
    ("gpt2", "gpt2", "GPT2LMHeadModel", {}, 124_439_808),
    (
        "gemma-3-270m",
        "gemma3_text",
        "Gemma3ForCausalLM",
        bert(640, 18, 2048, 262144, num_key_value_heads=1, head_dim=256) | {"num_attention_heads": 4},
        268_098_176,
    ),
    (
        "Llama-3.2-1B",
        "llama",
        "LlamaForCausalLM",
        bert(2048, 16, 8192, 128256, num_key_value_heads=8, tie_word_embeddings=True),
        1_235_814_400,
    ),
    (
        "Llama-2-7b",
        "llama",
        "LlamaForCausalLM",
        bert(4096, 32, 11008, 32000) | {"num_attention_heads": 32},
        6_738_415_616,
    ),
    ("bert-base-uncased", "bert", "BertForMaskedLM", bert(768, 12, 3072, 30522), 109_514_298),
    (
        "xlm-roberta-base",
        "xlm-roberta",
        "XLMRobertaForMaskedLM",
        bert(768, 12, 3072, 250002, max_position_embeddings=514, type_vocab_size=1),
        278_295_186,
    ),
    ("distilbert-base", "distilbert", "DistilBertForMaskedLM", {}, 66_985_530),
)


def blank(class_name: str, config: Any) -> nn.Module:
    """The model that plain `transformers` makes, without numbers."""
    import transformers

    with quiet(), torch.device("meta"):
        made: nn.Module = getattr(transformers, class_name)(config)
    return made


def stored(network: nn.Module, *, tied: bool) -> dict[str, Any]:
    """What `save_pretrained` writes: tied tensors once, under one of their names."""
    held = {name: Shape(tuple(tensor.shape)) for name, tensor in network.named_parameters()}
    head = getattr(network, "lm_head", None)
    if not tied and isinstance(head, nn.Linear):  # T5's is tied by its class, until a file tells otherwise
        held["lm_head.weight"] = Shape(tuple(head.weight.shape))
    return held


def numbers(held: dict[str, Any]) -> int:
    return sum(math.prod(tensor.shape) for tensor in held.values())


def fitted(class_name: str, config: Any, held: dict[str, Any]) -> nn.Module:
    """What `meta_model` makes of a folder with such files."""
    values = config.to_dict() | {"architectures": [class_name]}
    found = ModelFolder(Path("m"), FolderKind.FOREIGN, "m", ("und", "und"), None, values)
    family = family_of(values)
    assert family is not None
    with quiet():
        return meta_model(found, family, config, held)


def refused(class_name: str, config: Any, held: dict[str, Any]) -> bool:
    with pytest.raises(HeadscopeError) as caught:
        fitted(class_name, config, held)
    return caught.value.code == "foreign_sizes"


@pytest.fixture(autouse=True)
def endless_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.foreign.meta_model._physical_memory", lambda: 0)


def test_every_published_size_fits_its_weights_tied_and_untied_and_not_half_of_them() -> None:
    from transformers import AutoConfig

    for name, model_type, class_name, sizes, parameters in PUBLISHED:
        for tied in (True, False):
            config = AutoConfig.for_model(model_type, **sizes | {"tie_word_embeddings": tied})
            held = stored(blank(class_name, config), tied=tied)
            if tied == sizes.get("tie_word_embeddings", AutoConfig.for_model(model_type).tie_word_embeddings):
                assert numbers(held) == parameters, name  # or the sizes above are not the published ones
            assert type(fitted(class_name, config, held)).__name__ == class_name, name
        assert refused(class_name, config, {"half": Shape((numbers(held) // 2,))}), name


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_every_type_that_is_known_by_name_fits_its_own_weights() -> None:
    """At the sizes that its configuration has by itself, which are those of a published model for most."""
    from transformers import AutoConfig
    from transformers.models.auto import modeling_auto as auto

    tables = (
        auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
        auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
        auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    )
    known = families._ENCODER_DECODERS | families._ENCODERS | describing._POST_NORM | describing._PRE_NORM
    tried = set()
    for model_type in known - {"esm"}:  # whose configuration has no size of its own
        class_name = next(table[model_type] for table in tables if model_type in table)
        config = AutoConfig.for_model(model_type, tie_word_embeddings=True)
        held = stored(blank(class_name, config), tied=True)
        assert type(fitted(class_name, config, held)).__name__ == class_name, model_type
        tried.add(model_type)
    assert len(tried) > 70


@pytest.mark.slow
@pytest.mark.parametrize("name", ["t5-small", "bart-base"])
def test_a_whole_folder_of_true_size_opens(name: str, tmp_path: Path) -> None:
    """As `save_pretrained` writes it: in parts, tied tables once."""
    import transformers

    tokenizer = unigram() if name == "t5-small" else byte_level(bart=True)
    _, model_type, class_name, sizes, parameters = next(row for row in PUBLISHED if row[0] == name)
    with quiet():
        config = transformers.AutoConfig.for_model(model_type, **sizes)
        getattr(transformers, class_name)(config).save_pretrained(tmp_path, max_shard_size="150MB")
        tokenizer.save_pretrained(tmp_path)
    assert len(list(tmp_path.glob("model-*.safetensors"))) > 1
    translator = Translator.load(tmp_path)
    assert translator.describe()["parameters"] == parameters
    *_, last = translator.decode("The little girl", DecodeConfig(max_length=3))
    assert last.trace.patterns.shape(AttentionKind.CROSS) is not None
