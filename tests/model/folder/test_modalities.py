"""Models that take in images or sound: one sentence instead of a picture, and what it says to do works."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import main
from model.folder.modalities import is_known_to_take_images_or_audio, takes_images_or_audio
from model.record import recording, save_attention
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace
from tests.foreign_assets import quiet, wordpiece

SIZES: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
}
SEEN = SIZES | {"image_size": 32, "patch_size": 8}
HEARD: dict[str, Any] = {
    "vocab_size": 60,
    "d_model": 32,
    "num_mel_bins": 8,
    "max_source_positions": 20,
    "max_target_positions": 16,
    "decoder_start_token_id": 1,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "suppress_tokens": None,
    "begin_suppress_tokens": None,
} | {
    f"{stack}_{name}": number
    for stack in ("encoder", "decoder")
    for name, number in (("layers", 2), ("attention_heads", 4), ("ffn_dim", 64))
}


def vit() -> Any:
    from transformers import ViTConfig, ViTForImageClassification

    return ViTForImageClassification(ViTConfig(**SEEN))


def beit() -> Any:
    from transformers import BeitConfig, BeitModel

    return BeitModel(BeitConfig(**SEEN))


def clip() -> Any:
    from transformers import CLIPConfig, CLIPModel

    return CLIPModel(CLIPConfig(text_config=SIZES | {"vocab_size": 60}, vision_config=SEEN))


def whisper() -> Any:
    from transformers import WhisperConfig, WhisperForConditionalGeneration

    return WhisperForConditionalGeneration(WhisperConfig(**HEARD))


def wav2vec2() -> Any:
    from transformers import Wav2Vec2Config, Wav2Vec2ForCTC

    layers = {"conv_dim": (8, 8), "conv_stride": (4, 4), "conv_kernel": (8, 8)}
    positions = {"num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 4}
    return Wav2Vec2ForCTC(Wav2Vec2Config(**SIZES, **layers, **positions, vocab_size=32))


def captioner() -> Any:
    from transformers import BertConfig, VisionEncoderDecoderConfig, VisionEncoderDecoderModel, ViTConfig

    writer = BertConfig(**SIZES, vocab_size=60, is_decoder=True, add_cross_attention=True)
    config = VisionEncoderDecoderConfig.from_encoder_decoder_configs(ViTConfig(**SEEN), writer)
    return VisionEncoderDecoderModel(config)


def blip() -> Any:
    """Nothing in its configuration tells it from a model that goes on with text."""
    from transformers import BlipConfig, BlipForConditionalGeneration

    text = SIZES | {"vocab_size": 60, "encoder_hidden_size": 32}
    return BlipForConditionalGeneration(BlipConfig(text_config=text, vision_config=SEEN, projection_dim=32))


@pytest.mark.parametrize("make", [vit, beit, clip, whisper, wav2vec2, captioner, blip])
def test_one_sentence_says_what_to_do_instead(
    make: Callable[[], Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "m"
    with quiet():
        network = make()
        network.save_pretrained(folder)
        wordpiece().save_pretrained(folder)
    for line in (["info", str(folder)], ["translate", "--model", str(folder), "The cat"]):
        assert main.main(line) == 1
        said = capsys.readouterr()
        assert said.out.strip() == ""
        (sentence,) = said.err.splitlines()
        assert network.config.model_type in sentence
        assert "images or sound" in sentence
        assert "save_attention" in sentence


def test_a_picture_and_a_voice_are_recorded_as_the_sentence_says(tmp_path: Path) -> None:
    torch.manual_seed(4)
    seeing, hearing = vit().eval(), whisper().eval()
    picture, voice = torch.rand(1, 3, 32, 32), torch.rand(1, 8, 40)
    with quiet(), torch.no_grad():
        with recording(seeing, None, tmp_path / "seen.trace"):
            seeing(pixel_values=picture)
        with recording(hearing, None, tmp_path / "heard.trace"):
            written = hearing.generate(voice, max_new_tokens=5)
        for network in (seeing, hearing):
            network.set_attn_implementation("eager")
        seen = seeing(pixel_values=picture, output_attentions=True)
        heard = hearing(input_features=voice, decoder_input_ids=written[:, :-1], output_attentions=True)
    names = ["class", *(f"patch {place}" for place in range(1, 17))]
    save_attention(tmp_path / "named.trace", seen, tokens=names)
    save_attention(tmp_path / "given.trace", heard, tgt_in_tokens=written[:, :-1])
    for name in ("seen", "named"):
        same(open_trace(tmp_path / f"{name}.trace"), AttentionKind.ENCODER_SELF, seen.attentions)
    assert open_trace(tmp_path / "named.trace").src_tokens == tuple(names)
    for name in ("heard", "given"):
        trace = open_trace(tmp_path / f"{name}.trace")
        same(trace, AttentionKind.ENCODER_SELF, heard.encoder_attentions)
        same(trace, AttentionKind.DECODER_SELF, heard.decoder_attentions)
        same(trace, AttentionKind.CROSS, heard.cross_attentions)
        assert trace.tgt_in_tokens == tuple(map(str, written[0, :-1].tolist()))


def same(trace: Trace, kind: AttentionKind, wanted: Any) -> None:
    assert trace.layers(kind) == len(wanted)
    for layer, pattern in enumerate(wanted):
        np.testing.assert_allclose(trace.patterns.layer(kind, layer), pattern[0].detach().numpy(), atol=1e-5)


def test_models_that_see_and_write_may_read_text_alone() -> None:
    both = {"model_type": "gemma3", "text_config": {}, "vision_config": {"image_size": 224}}
    assert not takes_images_or_audio(both, "Gemma3ForConditionalGeneration")
    assert takes_images_or_audio(both, "Gemma3ForImageClassification")
    assert is_known_to_take_images_or_audio("moonshine")
    assert not is_known_to_take_images_or_audio("bert")
