"""Which stacks a model has, told from its config.json alone."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from model.folder.families import Family, family_of, is_verified

BOTH, DECODER, ENCODER = Family.ENCODER_DECODER, Family.DECODER_ONLY, Family.ENCODER_ONLY


@pytest.mark.parametrize(
    ("model_type", "name", "more", "family"),
    [
        ("t5", "T5ForConditionalGeneration", {"is_encoder_decoder": True}, BOTH),
        ("t5", "T5WithLMHeadModel", {}, BOTH),
        ("t5", "T5EncoderModel", {"is_encoder_decoder": True}, ENCODER),
        ("t5", "T5Model", {}, BOTH),
        ("bart", "BartForConditionalGeneration", {}, BOTH),
        ("bart", "BartForCausalLM", {}, DECODER),
        ("bart", "BartForSequenceClassification", {"is_encoder_decoder": True}, None),
        ("m2m_100", "M2M100ForConditionalGeneration", {}, BOTH),
        ("encoder-decoder", "EncoderDecoderModel", {}, BOTH),
        ("newcomer", "NewcomerForConditionalGeneration", {"is_encoder_decoder": True}, BOTH),
        (
            "whisper",
            "WhisperForConditionalGeneration",
            {"is_encoder_decoder": True, "num_mel_bins": 80},
            None,
        ),
        ("gpt2", "GPT2LMHeadModel", {}, DECODER),
        ("gpt2", "GPT2Model", {"vocab_size": 9}, DECODER),
        ("openai-gpt", "OpenAIGPTLMHeadModel", {}, DECODER),
        ("llama", "LlamaForCausalLM", {}, DECODER),
        ("llama", "LlamaForSequenceClassification", {"vocab_size": 9}, None),
        ("gemma3", "Gemma3ForConditionalGeneration", {"text_config": {}, "vision_config": {}}, DECODER),
        ("bert", "BertForMaskedLM", {}, ENCODER),
        ("bert", "BertForPreTraining", {}, ENCODER),
        ("bert", "BertModel", {}, ENCODER),
        ("bert", "BertForSequenceClassification", {}, ENCODER),
        ("bert", "BertLMHeadModel", {"is_decoder": True}, DECODER),
        ("xlm", "XLMWithLMHeadModel", {}, ENCODER),
        ("newcomer", "NewcomerForMaskedLM", {}, ENCODER),
        ("vit", "ViTModel", {"image_size": 224}, None),
        ("wav2vec2", "Wav2Vec2ForPreTraining", {}, None),
        ("resnet", "ResNetModel", {}, None),
    ],
)
def test_by_what_config_json_says(
    model_type: str, name: str, more: dict[str, Any], family: Family | None
) -> None:
    assert family_of({"model_type": model_type, "architectures": [name], **more}) is family


@pytest.mark.parametrize(
    ("model_type", "family"), [("t5", BOTH), ("roberta", ENCODER), ("gpt_neox", DECODER)]
)
@pytest.mark.parametrize("names", [None, [], "GPT", [3], [None]])
def test_without_a_class_the_type_tells(model_type: str, names: Any, family: Family) -> None:
    assert family_of({"model_type": model_type, "architectures": names, "vocab_size": 9}) is family


@pytest.mark.parametrize("model_type", [None, 3, ["t5"], {}])
def test_a_type_that_is_no_name_is_none(model_type: Any) -> None:
    assert family_of({"model_type": model_type, "vocab_size": 9}) is None


def test_every_writer_and_reader_of_text_that_transformers_names_is_known() -> None:
    from transformers.models.auto import modeling_auto as auto

    heard = ("audio", "speech", "voxtral", "seamless", "asr", "flamingo", "transcribe")
    for model_type, name in auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES.items():
        if not any(word in model_type for word in heard):
            values = {"model_type": model_type, "architectures": [name], "is_encoder_decoder": True}
            assert family_of(values) is BOTH, model_type
    for model_type, name in auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.items():
        if name.endswith(("ForCausalLM", "LMHeadModel")) and "WithLMHead" not in name:
            assert family_of({"model_type": model_type, "architectures": [name]}) is DECODER, model_type


def test_only_proven_families_are_verified() -> None:
    assert is_verified("bert", ENCODER)
    assert is_verified("llama", DECODER)
    assert is_verified("m2m_100", BOTH)
    assert is_verified("mbart", BOTH)
    assert not is_verified("bert", DECODER)
    assert not is_verified("bart", DECODER)
    assert not is_verified("mistral", DECODER)


def test_it_needs_neither_torch_nor_transformers() -> None:
    code = (
        "import sys; from model.folder.families import family_of; family_of({'model_type': 't5'}); "
        "sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
