"""CTranslate2's side of the benchmark of many sentences, on the weights of a bundle."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.tools.worker import serve

BATCHES = (1024, 2048, 4096, 8192)
"""Tokens of a batch that are tried; the quickest is measured."""


def converted(folder: Path) -> tuple[Any, Any]:
    """The bundle as a `ctranslate2` specification, and its tokenizer; post-norm, additive positions, tied."""
    from ctranslate2.specs import TransformerSpec, common_spec

    from model.bundle.bundle import load_bundle

    bundle = load_bundle(folder)
    a, tokenizer = bundle.config.architecture, bundle.source_tokenizer
    weights = {name: tensor.detach().numpy() for name, tensor in bundle.transformer.state_dict().items()}
    spec = TransformerSpec.from_config(
        (a.encoder_layers, a.decoder_layers),
        a.n_heads,
        pre_norm=False,
        activation=common_spec.Activation.RELU,
    )

    def linear(to: Any, name: str, rows: slice = slice(None)) -> None:
        to.weight, to.bias = weights[f"{name}weight"][rows], weights[f"{name}bias"][rows]

    def norm(to: Any, name: str) -> None:
        to.gamma, to.beta = weights[f"{name}.weight"], weights[f"{name}.bias"]

    def feed_forward(to: Any, name: str, last: str) -> None:
        linear(to.linear_0, f"{name}.linear1.")
        linear(to.linear_1, f"{name}.linear2.")
        norm(to.layer_norm, f"{name}.{last}")

    for stack, side in ((spec.encoder, "encoder"), (spec.decoder, "decoder")):
        for number, layer in enumerate(stack.layer):
            name = f"{side}.layers.{number}"
            linear(layer.self_attention.linear[0], f"{name}.self_attn.in_proj_")
            linear(layer.self_attention.linear[1], f"{name}.self_attn.out_proj.")
            norm(layer.self_attention.layer_norm, f"{name}.norm1")
            if side == "decoder":
                cross = f"{name}.multihead_attn"
                linear(layer.attention.linear[0], f"{cross}.in_proj_", slice(a.d_model))
                linear(layer.attention.linear[1], f"{cross}.in_proj_", slice(a.d_model, None))
                linear(layer.attention.linear[2], f"{cross}.out_proj.")
                norm(layer.attention.layer_norm, f"{name}.norm2")
            feed_forward(layer.ffn, name, "norm3" if side == "decoder" else "norm2")
        embedding = weights["source_embedding.weight"]
        places = stack.embeddings if side == "decoder" else stack.embeddings[0]
        places.weight = embedding
        rows = bundle.transformer.positions.rows()
        assert rows is not None
        stack.position_encodings.encodings = rows.detach().numpy()
        stack.scale_embeddings = True
    spec.decoder.projection.weight = weights["source_embedding.weight"]
    pieces = [tokenizer.piece(number) for number in range(tokenizer.vocab_size)]
    spec.register_source_vocabulary(pieces)
    spec.register_target_vocabulary(pieces)
    spec.config.decoder_start_token = tokenizer.piece(tokenizer.start_id)
    spec.config.eos_token = tokenizer.piece(tokenizer.end_id)
    spec.config.unk_token = tokenizer.piece(tokenizer.unk_id)
    spec.config.add_source_bos = spec.config.add_source_eos = False
    spec.validate()
    spec.optimize()
    return spec, tokenizer


class Side:
    """`translate_batch` of sentences cut into pieces before, greedy, float32, nothing but tokens returned."""

    def __init__(self, folder: Path, texts: list[str], max_length: int, threads: int) -> None:
        import ctranslate2

        spec, tokenizer = converted(folder)
        with tempfile.TemporaryDirectory() as name:
            spec.save(name)
            self._translator = ctranslate2.Translator(
                name, device="cpu", compute_type="float32", inter_threads=1, intra_threads=threads
            )
        self._tokenizer = tokenizer
        self._sources = [[tokenizer.piece(i) for i in tokenizer.source_ids(text)] for text in texts]
        self._max_length = max_length
        self.found: list[list[str]] = []
        self.batch = min(BATCHES, key=self)

    def __call__(self, tokens: int) -> float:
        """Seconds with batches of so many tokens."""
        began = time.perf_counter()
        results = self._translator.translate_batch(
            self._sources,
            beam_size=1,
            max_batch_size=tokens,
            batch_type="tokens",
            max_decoding_length=self._max_length,
        )
        seconds = time.perf_counter() - began
        self.found = [result.hypotheses[0] for result in results]
        return seconds


def main() -> None:
    """Translate all once for each order."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--sentences", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="pieces, a sentence a line")
    for name in ("max-length", "threads"):
        parser.add_argument(f"--{name}", type=int, required=True)
    options = parser.parse_args()
    texts = options.sentences.read_text(encoding="utf-8").splitlines()
    side = Side(options.model, texts, options.max_length, options.threads)
    options.out.write_text("".join(" ".join(pieces) + "\n" for pieces in side.found), encoding="utf-8")
    serve({"batch": side.batch}, lambda _: {"s": side(side.batch)})


if __name__ == "__main__":
    main()
