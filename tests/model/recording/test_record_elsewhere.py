"""What people do with models of `transformers` besides plain calls, recorded; the oracle is a plain pass."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from model.errors import HeadscopeError
from model.record import recording, save_attention
from model.trace.trace_file import open_trace
from tests.foreign_assets import quiet
from tests.model.recording.test_record_models import (  # noqa: F401
    DECODER,
    ENCODER,
    TEXT,
    Opened,
    close,
    opened,
    patterns,
    stacked,
)
from tests.model.trace.test_trace_file import code_of

SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
IDS = torch.tensor([[5, 6, 7, 8], [9, 10, 11, 1]])


def made(network: Any, config: Any) -> Any:
    torch.manual_seed(0)
    with quiet():
        return network(config).eval()


def traces(model: Any, path: Path, call: Callable[[], Any], tokenizer: Any = None) -> list[Any]:
    with torch.no_grad(), quiet(), recording(model, tokenizer, path) as recorder:
        call()
    return [open_trace(path) for path in recorder.paths]


def llama(**changes: Any) -> Any:
    from transformers import LlamaConfig, LlamaForCausalLM

    return made(LlamaForCausalLM, LlamaConfig(vocab_size=100, bos_token_id=1, **SIZES, **changes))


def test_padding_behind_an_early_end_is_nothing_produced(tmp_path: Path) -> None:
    model = llama(eos_token_id=2)
    settings = {"max_new_tokens": 6, "pad_token_id": 0, "do_sample": False}
    with torch.no_grad(), quiet():
        end = int(model.generate(IDS, eos_token_id=99, **settings)[1, 5])  # what comes second, in one of both
    returned: list[Any] = []
    found = traces(
        model,
        tmp_path / "a.trace",
        lambda: returned.append(model.generate(IDS, eos_token_id=end, **settings)),
    )
    for trace, row in zip(found, returned[0].tolist()):
        length = row.index(end) + 1 if end in row else len(row)
        assert [*trace.tgt_in_ids.tolist(), int(trace.tgt_out_ids[-1])] == row[:length]
        assert trace.finished == (end in row)
    assert returned[0][1, -1] == 0, "one ended earlier"
    assert found[1].steps == 5


def test_padding_before_a_prompt_is_known_by_the_id_that_generate_is_given(tmp_path: Path) -> None:
    model, ids = llama(eos_token_id=2), torch.tensor([[0, 6, 7, 8], [5, 6, 7, 8]])
    found = traces(model, tmp_path / "a.trace", lambda: model.generate(ids, max_new_tokens=3, pad_token_id=0))
    assert [trace.prompt_length for trace in found] == [3, 4]
    model.set_attn_implementation("eager")
    for trace in found:
        with torch.no_grad():
            plain = model(torch.tensor(trace.tgt_in_ids.copy())[None], output_attentions=True)
        close(trace, DECODER, stacked(plain.attentions))


def test_a_bare_decoder_is_one_whatever_its_padding_does(tmp_path: Path) -> None:
    from transformers import GPT2Config, GPT2Model

    model = made(GPT2Model, GPT2Config(vocab_size=100, n_embd=32, n_layer=2, n_head=4))
    mask = torch.tensor([[1, 1, 1, 1], [0, 1, 1, 1]])
    found = traces(model, tmp_path / "a.trace", lambda: model(IDS, attention_mask=mask, use_cache=False))
    assert [trace.kinds for trace in found] == [(DECODER,)] * 2
    assert [trace.tgt_in_ids.tolist() for trace in found] == [[5, 6, 7, 8], [10, 11, 1]]


def test_layers_with_a_sliding_window_beside_others(tmp_path: Path) -> None:
    from transformers import Gemma2Config, Gemma2ForCausalLM

    ends = {"bos_token_id": 1, "eos_token_id": 99, "pad_token_id": 0}
    shape = {"num_key_value_heads": 2, "sliding_window": 3, "head_dim": 8, "vocab_size": 100}
    model = made(Gemma2ForCausalLM, Gemma2Config(**SIZES, **shape, **ends))
    (trace,) = traces(model, tmp_path / "a.trace", lambda: model.generate(IDS[:1], max_new_tokens=6))
    model.set_attn_implementation("eager")
    with torch.no_grad():
        plain = model(
            torch.tensor(trace.tgt_in_ids.copy())[None], output_attentions=True, use_cache=False
        ).attentions
    close(trace, DECODER, stacked(plain))
    assert trace.steps == 9
    assert (patterns(trace, DECODER)[0, :, 8, :6] == 0).all(), "the window of layer 1"
    assert (patterns(trace, DECODER)[1, :, 8, :6] > 0).all()


def test_logits_of_classes_are_no_words(tmp_path: Path) -> None:
    from transformers import GPT2Config, GPT2ForTokenClassification

    config = GPT2Config(vocab_size=100, n_embd=32, n_layer=2, n_head=4, num_labels=20)
    model = made(GPT2ForTokenClassification, config)
    (trace,) = traces(model, tmp_path / "a.trace", lambda: model(IDS[:1]))
    assert not trace.known_steps.any()
    assert trace.tgt_out_tokens[-1] == ""


def test_sounds_have_a_mask_of_their_own(tmp_path: Path) -> None:
    from transformers import Wav2Vec2Config, Wav2Vec2ForCTC

    convolutions = {"conv_dim": (32, 32), "conv_stride": (5, 2), "conv_kernel": (10, 3)}
    rest = {"num_feat_extract_layers": 2, "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2}
    model = made(Wav2Vec2ForCTC, Wav2Vec2Config(vocab_size=100, **SIZES, **convolutions, **rest))
    sound, mask = torch.randn(1, 400), torch.ones(1, 400)
    (trace,) = traces(model, tmp_path / "a.trace", lambda: model(sound, attention_mask=mask))
    assert trace.kinds == (ENCODER,)
    assert trace.src_tokens[:3] == ("1", "2", "3")
    assert len(trace.src_tokens) == 39


def test_the_mark_that_hides_a_word_stays_in_the_text(
    opened: Callable[[str], Opened],  # noqa: F811
    tmp_path: Path,
) -> None:
    bert = opened("bert")
    inputs = bert.tokenizer("The cat [MASK] on the mat.", "It slept.", return_tensors="pt")
    (trace,) = traces(bert.model, tmp_path / "a.trace", lambda: bert.model(**inputs), bert.tokenizer)
    again = bert.tokenizer(*trace.src_text.split(" [SEP] "))["input_ids"]
    assert "[MASK]" in trace.src_text
    assert again == inputs["input_ids"][0].tolist()


def test_an_output_without_attention_says_how_to_get_it(
    opened: Callable[[str], Opened],  # noqa: F811
    tmp_path: Path,
) -> None:
    for kind in ("gpt2", "bart"):
        model = opened(kind)
        model.model.set_attn_implementation("sdpa")
        inputs = model(TEXT)
        more = {} if kind == "gpt2" else {"decoder_input_ids": inputs["input_ids"]}
        with torch.no_grad(), quiet():
            output = model.model(**inputs, **more, output_attentions=True)
        with pytest.raises(HeadscopeError, match="attn_implementation='eager'"):
            save_attention(tmp_path / "a.trace", output, inputs["input_ids"])


def test_a_prompt_of_vectors_has_no_tokens(
    opened: Callable[[str], Opened],  # noqa: F811
    tmp_path: Path,
) -> None:
    gpt = opened("gpt2")
    vectors = gpt.model.get_input_embeddings()(gpt(TEXT)["input_ids"])
    for beams in (1, 2):
        settings = {"max_new_tokens": 3, "pad_token_id": 0, "num_beams": beams}

        def call(settings: dict[str, int] = settings) -> Any:
            return gpt.model.generate(inputs_embeds=vectors, **settings)

        assert code_of(lambda call=call: traces(gpt.model, tmp_path / "a.trace", call)) == "record_embeds"
    assert not list(tmp_path.iterdir())


class Compiled(torch.nn.Module):
    """What `torch.compile` returns: arguments without names around a model."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self._orig_mod, self.config = model, model.config
        self.set_attn_implementation = model.set_attn_implementation

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self._orig_mod(*args, **kwargs)


def test_arguments_of_a_compiled_model_have_names(
    opened: Callable[[str], Opened],  # noqa: F811
    tmp_path: Path,
) -> None:
    gpt = opened("gpt2")
    ids = gpt(TEXT)["input_ids"]
    model = Compiled(gpt.model)
    (trace,) = traces(model, tmp_path / "a.trace", lambda: model(ids), gpt.tokenizer)
    assert trace.tgt_in_ids.tolist() == ids[0].tolist()


def test_files_where_they_belong_and_named_as_asked_for(
    opened: Callable[[str], Opened],  # noqa: F811
    tmp_path: Path,
) -> None:
    bert = opened("bert")

    def twice() -> None:
        for _ in range(2):
            bert.model(**bert(TEXT))

    (tmp_path / "a-2.trace").mkdir()  # in the way of the second
    assert code_of(lambda: traces(bert.model, tmp_path / "a.trace", twice)) == "file_is_folder"
    assert [path.name for path in tmp_path.iterdir()] == ["a-2.trace"], "none is written, if not all are"
    (tmp_path / "there.trace").write_bytes(b"old")
    (tmp_path / "link.trace").symlink_to("there.trace")
    traces(bert.model, tmp_path / "link.trace", lambda: bert.model(**bert(TEXT)))
    assert (tmp_path / "link.trace").is_symlink()
    assert open_trace(tmp_path / "there.trace").kinds == (ENCODER,)


def test_a_full_disk_is_said_of_the_file_that_was_asked_for(
    opened: Callable[[str], Opened],  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bert = opened("bert")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("model.files.files.os.write", full)
        with pytest.raises(HeadscopeError) as caught:
            traces(bert.model, tmp_path / "a.trace", lambda: bert.model(**bert(TEXT)))
    assert caught.value.code == "disk_full"
    assert caught.value.values["path"] == str(tmp_path / "a.trace")
    assert not list(tmp_path.iterdir())
    assert bert.model.config._attn_implementation == "sdpa"
