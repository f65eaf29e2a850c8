"""Recording models of `transformers` at work; the oracle is one plain forward pass over all that was read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.errors import HeadscopeError
from model.record import recording, save_attention
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace
from tests.foreign_assets import WRITERS, quiet
from tests.marian_assets import write_marian
from tests.model.trace.test_trace_file import code_of

TEXT = "The little girl gave her brother a red apple."
ENCODER, DECODER, CROSS = AttentionKind


class Opened:
    """A model and its tokenizer."""

    def __init__(self, folder: Path, kind: str) -> None:
        import transformers

        classes = {
            "bert": transformers.AutoModelForMaskedLM,
            "gpt2": transformers.AutoModelForCausalLM,
            "llama": transformers.AutoModelForCausalLM,
            "t5": transformers.AutoModelForSeq2SeqLM,
            "bart": transformers.AutoModelForSeq2SeqLM,
            "marian": transformers.AutoModelForSeq2SeqLM,
        }
        with quiet():
            (WRITERS | {"marian": write_marian})[kind](folder)
            self.model = classes[kind].from_pretrained(folder).eval()
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)

    def __call__(self, *texts: str, **options: Any) -> Any:
        return self.tokenizer(list(texts), return_tensors="pt", **options)

    def plain(self, **inputs: Any) -> Any:
        """A forward pass with eager attention, by itself."""
        before = self.model.config._attn_implementation
        self.model.set_attn_implementation("eager")
        try:
            with torch.no_grad():
                return self.model(**inputs, output_attentions=True, use_cache=False)
        finally:
            self.model.set_attn_implementation(before)


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Opened]:
    known: dict[str, Opened] = {}

    def get(kind: str) -> Opened:
        if kind not in known:
            known[kind] = Opened(tmp_path_factory.mktemp("recorded") / kind, kind)
        return known[kind]

    return get


def stacked(layers: Any, item: int = 0) -> np.ndarray[Any, Any]:
    return np.stack([layer[item].float().numpy() for layer in layers])


def patterns(trace: Trace, kind: AttentionKind) -> np.ndarray[Any, Any]:
    return np.stack([trace.patterns.layer(kind, layer) for layer in range(trace.layers(kind))])


def close(trace: Trace, kind: AttentionKind, wanted: Any) -> None:
    found = patterns(trace, kind)
    assert found.shape == wanted.shape
    assert np.abs(found - wanted).max() < 1e-5


def thought(trace: Trace, logits: Any, ids: Any) -> None:
    """The recorded probabilities are those of the logits [T, V]."""
    wanted = torch.log_softmax(logits.double(), -1)
    own = wanted[torch.arange(len(ids)), torch.as_tensor(np.array(ids))].numpy()
    assert np.abs(trace.step_logprob - own).max() < 1e-4
    best = wanted.topk(trace.candidate_ids.shape[1]).values.numpy()
    assert np.abs(trace.candidate_logprobs - best).max() < 1e-4
    assert trace.step_rank is not None
    for row, chosen, rank in zip(wanted, ids, trace.step_rank):
        assert rank == 1 + int((row > row[int(chosen)]).sum())


def recorded(opened: Opened, path: Path, call: Callable[[], Any], **options: Any) -> list[Trace]:
    with torch.no_grad(), quiet(), recording(opened.model, opened.tokenizer, path, **options) as recorder:
        call()
    return [open_trace(path) for path in recorder.paths]


# Whole passes.


def test_a_reading_of_bert(opened: Callable[[str], Opened], tmp_path: Path) -> None:
    bert = opened("bert")
    inputs = bert.tokenizer("The cat [MASK] on the mat.", "It slept.", return_tensors="pt")
    (trace,) = recorded(bert, tmp_path / "a.trace", lambda: bert.model(**inputs))
    plain = bert.plain(**inputs)
    ids = inputs["input_ids"][0]
    close(trace, ENCODER, stacked(plain.attentions))
    assert trace.kinds == (ENCODER,)
    assert trace.only_reads
    assert trace.src_tokens == tuple(bert.tokenizer.convert_ids_to_tokens(ids))
    assert trace.src_ids.tolist() == ids.tolist()
    assert trace.src_segments is not None
    assert trace.src_segments.tolist() == inputs["token_type_ids"][0].tolist()
    assert trace.token_style == "wordpiece"
    assert trace.mask_token == "[MASK]"
    assert trace.compute_dtype == "float32"
    assert trace.model_name == "bert"
    wanted = torch.log_softmax(plain.logits[0].double(), -1)
    assert trace.src_candidate_logprobs is not None
    assert np.abs(trace.src_candidate_logprobs - wanted.topk(10).values.numpy()).max() < 1e-4
    assert trace.src_logprob is not None
    assert np.abs(trace.src_logprob - wanted[torch.arange(len(ids)), ids].numpy()).max() < 1e-4


def test_padding_of_a_batch_is_left_out(opened: Callable[[str], Opened], tmp_path: Path) -> None:
    bert = opened("bert")
    texts = (TEXT, "The dog.")
    inputs = bert(*texts, padding=True)
    assert inputs["attention_mask"].min() == 0
    found = recorded(bert, tmp_path / "a.trace", lambda: bert.model(**inputs))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-1.trace", "a-2.trace"]
    for text, trace in zip(texts, found):
        plain = bert.plain(**bert(text))
        close(trace, ENCODER, stacked(plain.attentions))
        assert "[PAD]" not in trace.src_tokens
    (second,) = recorded(bert, tmp_path / "b.trace", lambda: bert.model(**inputs), item=1)
    assert second.src_tokens == found[1].src_tokens


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_a_pass_of_a_decoder_alone(opened: Callable[[str], Opened], tmp_path: Path, kind: str) -> None:
    model = opened(kind)
    inputs = model(TEXT)
    (trace,) = recorded(model, tmp_path / "a.trace", lambda: model.model(**inputs))
    plain, ids = model.plain(**inputs), inputs["input_ids"][0].tolist()
    close(trace, DECODER, stacked(plain.attentions))
    assert trace.kinds == (DECODER,)
    assert trace.tgt_in_ids.tolist() == ids
    assert trace.tgt_out_ids.tolist() == [*ids[1:], int(plain.logits[0, -1].argmax())]
    assert trace.prompt_length == len(ids)
    assert trace.extra["prompt_text"] == TEXT
    assert trace.src_tokens == ()
    thought(trace, plain.logits[0], trace.tgt_out_ids)
    assert trace.token_style == {"gpt2": "byte_level", "llama": "sentencepiece"}[kind]


@pytest.mark.parametrize("kind", ["t5", "bart"])
def test_a_forced_pass_of_both_stacks(opened: Callable[[str], Opened], tmp_path: Path, kind: str) -> None:
    model = opened(kind)
    inputs = model(TEXT, "The dog.", padding=True)
    labels = model("la petite fille", "Paris", padding=True)["input_ids"]
    pad = model.tokenizer.pad_token_id
    labels = torch.where(labels == pad, -100, labels)
    found = recorded(model, tmp_path / "a.trace", lambda: model.model(**inputs, labels=labels))
    plain = model.plain(**inputs, labels=labels)
    for item, trace in enumerate(found):
        s = int(inputs["attention_mask"][item].sum())
        t = int((labels[item] >= 0).sum())
        close(trace, ENCODER, stacked(plain.encoder_attentions, item)[:, :, :s, :s])
        close(trace, DECODER, stacked(plain.decoder_attentions, item)[:, :, :t, :t])
        close(trace, CROSS, stacked(plain.cross_attentions, item)[:, :, :t, :s])
        assert trace.src_ids.tolist() == inputs["input_ids"][item, :s].tolist()
        assert trace.tgt_out_ids.tolist() == labels[item, :t].tolist()
        assert trace.tgt_in_ids.tolist() == [
            model.model.config.decoder_start_token_id,
            *labels[item, : t - 1],
        ]
        assert trace.decoding == {"mode": "forced"}
        thought(trace, plain.logits[item, :t], trace.tgt_out_ids)


# Generations.


def of_both(model: Opened, trace: Trace, source: Any) -> None:
    """A generated trace of both stacks against one pass over it."""
    plain = model.plain(input_ids=source, decoder_input_ids=torch.tensor(trace.tgt_in_ids.copy())[None])
    close(trace, ENCODER, stacked(plain.encoder_attentions))
    close(trace, DECODER, stacked(plain.decoder_attentions))
    close(trace, CROSS, stacked(plain.cross_attentions))
    thought(trace, plain.logits[0], trace.tgt_out_ids)
    assert trace.src_ids.tolist() == source[0].tolist()
    assert trace.tgt_in_ids[1:].tolist() == trace.tgt_out_ids[:-1].tolist()


def of_decoder(model: Opened, trace: Trace, prompt: Any) -> None:
    ids = torch.tensor(trace.tgt_in_ids.copy())[None]
    plain = model.plain(input_ids=ids)
    close(trace, DECODER, stacked(plain.attentions))
    thought(trace, plain.logits[0], trace.tgt_out_ids)
    assert trace.prompt_length == len(prompt)
    assert trace.tgt_in_ids[: len(prompt)].tolist() == prompt.tolist()


@pytest.mark.parametrize("beams", [1, 4])
@pytest.mark.parametrize("kind", ["t5", "bart", "marian"])
def test_a_generation_of_both_stacks(
    opened: Callable[[str], Opened], tmp_path: Path, kind: str, beams: int
) -> None:
    model = opened(kind)
    texts = (TEXT, "The dog.")
    inputs = model(*texts, padding=True)
    made: list[Any] = []
    settings = {"max_new_tokens": 9, "num_beams": beams, "do_sample": False}
    found = recorded(
        model, tmp_path / "a.trace", lambda: made.append(model.model.generate(**inputs, **settings))
    )
    assert isinstance(made[0], torch.Tensor)  # what generate returns without being asked for more
    for item, trace in enumerate(found):
        of_both(model, trace, model(texts[item])["input_ids"])
        sequence = made[0][item].tolist()
        assert [int(trace.tgt_in_ids[0]), *trace.tgt_out_ids.tolist()] == sequence[: trace.steps + 1]
        assert set(sequence[trace.steps + 1 :]) <= {model.tokenizer.pad_token_id}
        assert trace.decoding["mode"] == ("beam" if beams > 1 else "greedy")


@pytest.mark.parametrize("beams", [1, 3])
@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_a_generation_of_a_decoder_alone(
    opened: Callable[[str], Opened], tmp_path: Path, kind: str, beams: int
) -> None:
    model = opened(kind)
    inputs = model(TEXT)
    settings = {"max_new_tokens": 7, "num_beams": beams, "do_sample": False, "pad_token_id": 0}
    (trace,) = recorded(model, tmp_path / "a.trace", lambda: model.model.generate(**inputs, **settings))
    of_decoder(model, trace, inputs["input_ids"][0])
    written = model.tokenizer.decode(trace.tgt_out_ids[trace.prompt_length - 1 :], skip_special_tokens=True)
    assert trace.tgt_text == written.strip()
    assert trace.extra["prompt_text"] == TEXT


def test_a_padded_batch_of_prompts(opened: Callable[[str], Opened], tmp_path: Path) -> None:
    gpt = opened("gpt2")
    texts = (TEXT, "The dog.")
    ids = [gpt(text)["input_ids"][0] for text in texts]
    longest = max(map(len, ids))
    padded = torch.stack([torch.cat([torch.zeros(longest - len(row), dtype=torch.long), row]) for row in ids])
    mask = torch.stack([torch.arange(longest) >= longest - len(row) for row in ids]).long()
    settings = {"max_new_tokens": 5, "do_sample": True, "num_return_sequences": 2, "pad_token_id": 0}
    found = recorded(
        gpt,
        tmp_path / "a.trace",
        lambda: gpt.model.generate(input_ids=padded, attention_mask=mask, **settings),
    )
    assert len(found) == 4
    for number, trace in enumerate(found):
        of_decoder(gpt, trace, ids[number // 2])
        assert trace.decoding["mode"] == "sample"


def test_what_generate_returns_can_be_saved_by_itself(
    opened: Callable[[str], Opened], tmp_path: Path
) -> None:
    asked = {"output_attentions": True, "return_dict_in_generate": True, "output_logits": True}
    bart, gpt = opened("bart"), opened("gpt2")
    for model in (bart, gpt):
        model.model.set_attn_implementation("eager")
    with torch.no_grad(), quiet():
        inputs = bart(TEXT)
        outputs = bart.model.generate(
            **inputs, max_new_tokens=6, num_beams=3, num_return_sequences=3, **asked
        )
        for item in range(3):
            save_attention(
                tmp_path / "a.trace", outputs, inputs["input_ids"], tokenizer=bart.tokenizer, item=item
            )
            of_both(bart, open_trace(tmp_path / "a.trace"), inputs["input_ids"])
        prompt = gpt(TEXT)
        outputs = gpt.model.generate(**prompt, max_new_tokens=6, do_sample=False, pad_token_id=0, **asked)
    save_attention(tmp_path / "a.trace", outputs, tokenizer=gpt.tokenizer)
    trace = open_trace(tmp_path / "a.trace")
    plain = gpt.plain(input_ids=torch.tensor(trace.tgt_in_ids.copy())[None])
    close(trace, DECODER, stacked(plain.attentions))
    # of the prompt, generate returns no logits
    count = prompt["input_ids"].shape[1]
    assert trace.known_steps.tolist() == [row >= count - 1 for row in range(trace.steps)]
    wanted = torch.log_softmax(plain.logits[0].double(), -1)
    for row in range(count - 1, trace.steps):
        assert abs(trace.step_logprob[row] - float(wanted[row, trace.tgt_out_ids[row]])) < 1e-4
    assert trace.candidate_tokens[0] == ("",) * 10


def test_beams_without_their_indices_are_refused(opened: Callable[[str], Opened], tmp_path: Path) -> None:
    bart = opened("bart")
    bart.model.set_attn_implementation("eager")
    with torch.no_grad(), quiet():
        outputs = bart.model.generate(
            **bart(TEXT), max_new_tokens=4, num_beams=3, output_attentions=True, return_dict_in_generate=True
        )
    outputs.beam_indices = None
    assert code_of(lambda: save_attention(tmp_path / "a.trace", outputs)) == "record_beams"
    assert not list(tmp_path.iterdir())


def test_half_precision(opened: Callable[[str], Opened], tmp_path: Path) -> None:
    gpt = opened("gpt2")
    inputs = gpt(TEXT)
    gpt.model.to(torch.bfloat16)
    try:
        (trace,) = recorded(gpt, tmp_path / "a.trace", lambda: gpt.model(**inputs), float16=True)
        plain = gpt.plain(**inputs)
    finally:
        gpt.model.to(torch.float32)
    assert trace.compute_dtype == "bfloat16"
    assert np.abs(patterns(trace, DECODER) - stacked(plain.attentions)).max() < 1e-3
    weights = [layer.float() for layer in plain.attentions]
    assert (
        code_of(lambda: save_attention(tmp_path / "b.trace", weights, kind="decoder_self")) == "record_rows"
    )
    save_attention(tmp_path / "b.trace", weights, kind="decoder_self", compute_dtype="bfloat16")


# What the recorder does to a model, and takes back.


def state(model: Any) -> tuple[Any, ...]:
    configs = [part.config._attn_implementation for part in model.modules() if hasattr(part, "config")]
    hooks = [len(part._forward_hooks) + len(part._forward_pre_hooks) for part in model.modules()]
    return configs, hooks, "generate" in vars(model), model.generation_config.to_dict()


def test_everything_is_put_back_and_a_failure_leaves_no_file(
    opened: Callable[[str], Opened], tmp_path: Path
) -> None:
    bart = opened("bart")
    bart.model.set_attn_implementation("sdpa")
    before, inputs = state(bart.model), bart(TEXT)
    (tmp_path / "a.trace").write_bytes(b"old")

    def fail() -> None:
        assert bart.model.config._attn_implementation == "eager"
        bart.model.generate(**inputs, max_new_tokens=3)
        raise KeyError

    with pytest.raises(KeyError):
        recorded(bart, tmp_path / "a.trace", fail)
    assert state(bart.model) == before
    assert (tmp_path / "a.trace").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.trace"]
    recorded(bart, tmp_path / "a.trace", lambda: bart.model.generate(**inputs, max_new_tokens=3))
    assert state(bart.model) == before
    assert open_trace(tmp_path / "a.trace").steps <= 3


def test_calls_return_what_they_would_without(opened: Callable[[str], Opened], tmp_path: Path) -> None:
    gpt = opened("gpt2")
    inputs = gpt(TEXT)
    settings = {"max_new_tokens": 3, "do_sample": False, "pad_token_id": 0}
    returned: dict[str, Any] = {}

    def call() -> None:
        returned["tuple"] = gpt.model(**inputs, return_dict=False, use_cache=False)
        returned["ids"] = gpt.model.generate(inputs["input_ids"], **settings)
        config = type(gpt.model.generation_config)(**settings)
        returned["config"] = gpt.model.generate(**inputs, generation_config=config)
        returned["untouched"] = config.output_attentions
        returned["dict"] = gpt.model.generate(**inputs, **settings, return_dict_in_generate=True)

    found = recorded(gpt, tmp_path / "a.trace", call)
    assert [trace.steps > 0 for trace in found] == [True] * 4
    with torch.no_grad(), quiet():
        plain = gpt.model(**inputs, return_dict=False, use_cache=False)
        ids = gpt.model.generate(**inputs, **settings)
    assert len(plain) == len(returned["tuple"])
    assert torch.allclose(plain[0], returned["tuple"][0], atol=1e-4)
    assert returned["ids"].tolist() == returned["config"].tolist() == ids.tolist()
    assert returned["dict"].sequences.tolist() == ids.tolist()
    assert not returned["untouched"]


def test_what_cannot_be_recorded(opened: Callable[[str], Opened], tmp_path: Path) -> None:
    gpt, path = opened("gpt2"), tmp_path / "a.trace"
    assert code_of(lambda: recorded(gpt, path, lambda: None)) == "record_nothing"

    def cached() -> None:
        first = gpt.model(**gpt(TEXT))
        gpt.model(torch.tensor([[5]]), past_key_values=first.past_key_values)

    assert code_of(lambda: recorded(gpt, path, cached)) == "record_lengths"
    assert code_of(lambda: recorded(gpt, path, lambda: gpt.model(**gpt(TEXT)), item=1)) == "record_item"
    with pytest.raises(HeadscopeError) as caught, recording(torch.nn.Linear(2, 2), None, path):
        pass
    assert caught.value.code == "record_model"
    with pytest.raises(HeadscopeError) as caught, recording(gpt.model, None, tmp_path / "no" / "a.trace"):
        pass
    assert caught.value.code == "folder_missing"
    assert not list(tmp_path.iterdir())


def test_a_long_prompt_costs_no_logits(
    opened: Callable[[str], Opened], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from model.recording import recorder

    monkeypatch.setattr(recorder, "_MOST_PROMPT_LOGITS", 10)
    llama = opened("llama")
    inputs = llama(TEXT)
    (trace,) = recorded(
        llama, tmp_path / "a.trace", lambda: llama.model.generate(**inputs, max_new_tokens=4, pad_token_id=0)
    )
    count = inputs["input_ids"].shape[1]
    assert trace.known_steps.tolist() == [row >= count - 1 for row in range(trace.steps)]
