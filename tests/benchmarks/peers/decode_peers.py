"""The other sides of the decoding benchmark: Hugging Face Transformers and CTranslate2."""

from __future__ import annotations

import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import torch

PAD_TOKEN, END_TOKEN, UNKNOWN_TOKEN = "<pad>", "</s>", "<unk>"
END = 0


def marian(words: int, layers: int = 6, d_model: int = 512, d_ff: int = 2048, heads: int = 8) -> Any:
    """A MarianMTModel with random weights, as the Helsinki-NLP models are built; the last word is padding."""
    import transformers

    package: Any = transformers
    config = package.MarianConfig(
        vocab_size=words,
        d_model=d_model,
        encoder_layers=layers,
        decoder_layers=layers,
        encoder_attention_heads=heads,
        decoder_attention_heads=heads,
        encoder_ffn_dim=d_ff,
        decoder_ffn_dim=d_ff,
        max_position_embeddings=512,
        scale_embedding=True,
        share_encoder_decoder_embeddings=True,
        activation_function="swish",
        pad_token_id=words - 1,
        eos_token_id=END,
        decoder_start_token_id=words - 1,
        forced_eos_token_id=None,
        # The other kernels give no weights.
        attn_implementation="eager",
    )
    torch.manual_seed(1)
    return package.MarianMTModel(config).eval()


class HuggingFaceSide:
    """`generate` with every attention returned, greedy, a fixed number of tokens."""

    def __init__(self, model: Any, source_tokens: int, new_tokens: int) -> None:
        self.model = model
        ids = [3 + 7 * number for number in range(source_tokens - 1)]
        self.source = torch.tensor([[*ids, END]])
        self.new_tokens = new_tokens

    @torch.inference_mode()
    def __call__(self) -> float:
        """Milliseconds a token, the encoder's share included."""
        began = time.perf_counter()
        result = self.model.generate(
            self.source,
            attention_mask=torch.ones_like(self.source),
            num_beams=1,
            do_sample=False,
            min_new_tokens=self.new_tokens,
            max_new_tokens=self.new_tokens,
            output_attentions=True,
            return_dict_in_generate=True,
        )
        seconds = time.perf_counter() - began
        assert len(result.decoder_attentions) == len(result.cross_attentions) == self.new_tokens
        return 1000 * seconds / self.new_tokens


class CTranslate2Side:
    """`translate_batch` on the same weights; it returns one layer's attention, averaged over its heads."""

    def __init__(self, model: Any, words: int, source_tokens: int, new_tokens: int, threads: int) -> None:
        import ctranslate2
        from ctranslate2.converters.transformers import MarianMTLoader

        tokens = [END_TOKEN, UNKNOWN_TOKEN, *(f"w{number}" for number in range(words - 3)), PAD_TOKEN]
        loader = MarianMTLoader()
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            spec = loader.get_model_spec(model)
            spec.config.eos_token = spec.config.decoder_start_token = END_TOKEN
            spec.config.unk_token = UNKNOWN_TOKEN
            loader.set_vocabulary(spec, tokens[:-1])
            spec.validate()
            spec.optimize()
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name) / "model"
                folder.mkdir()
                spec.save(str(folder))
                self.translator = ctranslate2.Translator(
                    str(folder), device="cpu", compute_type="float32", inter_threads=1, intra_threads=threads
                )
        self.source = [tokens[3 + 7 * number] for number in range(source_tokens - 1)]
        self.new_tokens = new_tokens

    def __call__(self) -> float:
        """Milliseconds a token, the encoder's share included."""
        began = time.perf_counter()
        (result,) = self.translator.translate_batch(
            [[*self.source, END_TOKEN]],
            beam_size=1,
            return_attention=True,
            min_decoding_length=self.new_tokens,
            max_decoding_length=self.new_tokens,
        )
        seconds = time.perf_counter() - began
        assert len(result.attention[0]) == self.new_tokens
        return 1000 * seconds / self.new_tokens
