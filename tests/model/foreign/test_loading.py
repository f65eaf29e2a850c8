"""Loading through `transformers`: the right model, offline, told of as it goes, left without a trace."""

from __future__ import annotations

import hashlib
import logging
import math
import os
import shutil
import socket
import tempfile
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from model.errors import HeadscopeError
from model.folder.model_folder import inspect_folder
from model.foreign import loader
from model.foreign.foreign_model import ForeignModel
from model.foreign.loading import load_foreign
from model.translator.load_model import load_model, loading_steps
from model.work import result_of, retold
from tests.foreign_assets import WRITERS, quiet, unigram, write_bert, write_gpt2, write_llama
from tests.model.hostile.crafting import changed

AUTO = {
    "bart": "AutoModelForSeq2SeqLM",
    "bert": "AutoModelForMaskedLM",
    "gpt2": "AutoModelForCausalLM",
    "llama": "AutoModelForCausalLM",
    "t5": "AutoModelForSeq2SeqLM",
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("foreign")
    return {kind: writer(root / kind) for kind, writer in WRITERS.items()}


def loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[ForeignModel, Any, Any]:
    """A model of ours, with what `transformers` made for it: its network and tokenizer."""
    import model.foreign.building as building

    kept: list[Any] = []
    real = building.build

    def spy(found: Any, network: Any, tokenizer: Any, sha256: str) -> ForeignModel:
        kept.extend((network, tokenizer))
        return real(found, network, tokenizer, sha256)

    monkeypatch.setattr(building, "build", spy)
    made = load_model(folder)
    monkeypatch.setattr(building, "build", real)
    assert isinstance(made, ForeignModel)
    return made, kept[0], kept[1]


def oracle(folder: Path, auto: str) -> Any:
    import transformers

    with quiet():
        return getattr(transformers, auto).from_pretrained(folder, attn_implementation="eager")


def same_weights(network: Any, other: Any) -> None:
    wanted, found = other.state_dict(), network.state_dict()
    assert wanted.keys() == found.keys()
    for name, tensor in wanted.items():
        assert torch.equal(tensor.float(), found[name].float()), name


@pytest.mark.parametrize("kind", AUTO)
def test_every_weight_is_the_files(
    kind: str, folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, network, tokenizer = loaded(folders[kind], monkeypatch)
    other = oracle(folders[kind], AUTO[kind])
    assert type(network) is type(other)
    same_weights(network, other)
    assert not network.training
    assert all(p.dtype is torch.float32 and not p.requires_grad for p in network.parameters())
    assert network.config._attn_implementation == "eager"
    if network.can_generate():
        ours, theirs = network.generation_config.to_dict(), other.generation_config.to_dict()
        asked = {"use_cache", "output_attentions", "output_hidden_states"}  # which we ask for ourselves
        wanted = {key: value for key, value in theirs.items() if key[0] != "_" and key not in asked}
        assert {key: ours[key] for key in wanted} == wanted
    data = (folders[kind] / "model.safetensors").read_bytes()
    assert made.sha256 == hashlib.sha256(data).hexdigest()
    assert made.parameters == sum(p.numel() for p in other.parameters())
    assert made.name == kind
    assert tokenizer("The cat sat.")["input_ids"] == _tokenizer(folders[kind])("The cat sat.")["input_ids"]


def _tokenizer(folder: Path) -> Any:
    import transformers

    with quiet():
        return transformers.AutoTokenizer.from_pretrained(folder)


@pytest.mark.parametrize("kind", ["bert", "gpt2", "t5"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64])
def test_pytorch_files_and_half_weights_are_the_same_model(
    kind: str, dtype: torch.dtype, folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(folders[kind], tmp_path / kind)
    whole = oracle(folder, AUTO[kind]).to(dtype)
    (folder / "model.safetensors").unlink()
    torch.save(whole.state_dict(), folder / "pytorch_model.bin")
    _, network, _ = loaded(folder, monkeypatch)
    same_weights(network, whole)


def test_the_network_keeps_nothing_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_gpt2(tmp_path / "m")
    _, network, _ = loaded(folder, monkeypatch)
    before = network.transformer.wte.weight.clone()
    with open(folder / "model.safetensors", "r+b") as file:
        file.seek(-1000, os.SEEK_END)
        file.write(b"\0" * 1000)
    assert torch.equal(network.transformer.wte.weight, before)
    network.transformer.wte.weight.zero_()  # memory of its own, not the file's


def test_weights_that_files_leave_out_rightly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain BERT without its pooler, and one with masked words whose head is not in the file."""
    folder = write_bert(tmp_path / "plain", head=False)
    tensors = load_file(folder / "model.safetensors")
    rest = {name: tensor for name, tensor in tensors.items() if "pooler" not in name}
    assert len(rest) < len(tensors)
    save_file(rest, folder / "model.safetensors")
    assert load_model(folder).parameters
    folder = write_bert(tmp_path / "masked")
    tensors = load_file(folder / "model.safetensors")
    save_file({k: v for k, v in tensors.items() if k.startswith("bert.")}, folder / "model.safetensors")
    made, network, _ = loaded(folder, monkeypatch)
    assert type(network).__name__ == "BertModel"
    trace = made.read("The cat sat.", 3)  # type: ignore[misc]
    assert trace.src_candidate_ids is None


def test_positions_by_a_formula_need_not_be_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pegasus computes its positions, and many of its files leave them out."""
    from transformers import PegasusConfig, PegasusForConditionalGeneration

    tokenizer = unigram()
    sizes = {"d_model": 32, "encoder_layers": 1, "decoder_layers": 1, "max_position_embeddings": 64}
    sizes |= {
        f"{stack}_{what}": 4 for stack in ("encoder", "decoder") for what in ("attention_heads", "ffn_dim")
    }
    with quiet():
        made = PegasusForConditionalGeneration(PegasusConfig(vocab_size=len(tokenizer), **sizes)).eval()
        made.save_pretrained(tmp_path / "m")
        tokenizer.save_pretrained(tmp_path / "m")
    path = tmp_path / "m" / "model.safetensors"
    tensors = load_file(path)
    save_file({k: v for k, v in tensors.items() if "embed_positions" not in k}, path)
    _, network, _ = loaded(tmp_path / "m", monkeypatch)
    table = network.model.encoder.embed_positions.weight
    place, pair = 7, 3
    angle = place / 10_000 ** (2 * pair / 32)
    assert table[place, pair].item() == pytest.approx(math.sin(angle), abs=1e-6)
    assert table[place, 16 + pair].item() == pytest.approx(
        math.cos(place / 10_000 ** (2 * pair / 32)), abs=1e-6
    )
    same_weights(network, made)


def test_a_head_of_its_own_is_needed(tmp_path: Path) -> None:
    name = "lm_head.weight"
    folder = write_llama(tmp_path / "m", tie_word_embeddings=False)
    tensors = load_file(folder / "model.safetensors")
    assert name in tensors
    save_file({k: v for k, v in tensors.items() if k != name}, folder / "model.safetensors")
    with pytest.raises(HeadscopeError) as caught:
        load_model(folder)
    assert caught.value.code == "foreign_missing"
    assert name in str(caught.value)


def test_weights_too_many_are_left_alone(tmp_path: Path) -> None:
    folder = write_gpt2(tmp_path / "m")
    tensors = load_file(folder / "model.safetensors")
    extra = {"score.weight": torch.ones(2, 3), "transformer.h.0.attn.masked_bias": torch.tensor(-1e4)}
    save_file(tensors | extra, folder / "model.safetensors")
    assert load_model(folder).parameters == load_model(write_gpt2(tmp_path / "other")).parameters


# Offline, quiet, and nothing changed for others.


class Reached(BaseException):
    """The network was asked for."""


@pytest.mark.parametrize("kind", AUTO)
def test_nothing_is_fetched(kind: str, folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def reach(*given: object, **named: object) -> None:
        asked.append(given)
        raise Reached

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, reach, raising=False)
    for name in ("create_connection", "getaddrinfo", "gethostbyname"):
        monkeypatch.setattr(socket, name, reach)
    load_model(folders[kind])
    assert asked == []


def test_the_process_is_left_as_it_was(
    folders: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    from huggingface_hub import constants
    from transformers.utils import logging as hf_logging

    def state() -> tuple[Any, ...]:
        return (
            dict(os.environ),
            constants.HF_HUB_OFFLINE,
            hf_logging.get_verbosity(),
            hf_logging.is_progress_bar_enabled(),
            list(warnings.filters),
            logging.root.manager.disable,
            torch.get_default_dtype(),
            torch.is_grad_enabled(),
            threading.enumerate(),
            os.listdir(tmp_path),
        )

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    before = state()
    load_model(folders["bert"])
    assert state() == before
    broken = shutil.copytree(folders["gpt2"], tmp_path.parent / "broken")
    changed(broken / "config.json", n_layer="x")
    with pytest.raises(HeadscopeError):
        load_model(broken)
    steps = loading_steps(folders["t5"])
    for _ in range(3):
        next(steps)
    steps.close()
    assert state() == before
    assert capfd.readouterr() == ("", "")


def test_two_at_once_do_not_mix_up_the_process(folders: dict[str, Path]) -> None:
    before = dict(os.environ)
    names: list[str] = []
    threads = [
        threading.Thread(target=lambda kind=kind: names.append(load_model(folders[kind]).name))  # type: ignore[misc]
        for kind in ("gpt2", "bert", "t5")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(names) == ["bert", "gpt2", "t5"]
    assert dict(os.environ) == before


# Progress, and leaving.


def test_progress_goes_up_to_the_size_of_the_files(folders: dict[str, Path]) -> None:
    steps = load_foreign(inspect_folder(folders["llama"]))
    seen: list[tuple[int, int]] = []
    model = result_of(retold(steps, seen.append))
    assert model.name == "llama"
    size = (folders["llama"] / "model.safetensors").stat().st_size
    assert seen[0] == (0, 0)
    done = [part for part, whole in seen[1:]]
    assert {whole for _, whole in seen[1:]} == {size}
    assert done == sorted(done)
    assert 0.9 * size < done[-1] <= size  # a file has a header besides its tensors


def test_leaving_ends_the_thread_with_its_next_tensor(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, read = threading.Event(), []
    real = loader.Loader.read

    def slowly(self: Any, tensor: Any) -> Any:
        read.append(tensor.name)
        slow.set()
        time.sleep(0.02)
        return real(self, tensor)

    monkeypatch.setattr(loader.Loader, "read", slowly)
    steps = load_foreign(inspect_folder(folders["gpt2"]))
    while not slow.is_set():
        next(steps)
    steps.close()
    count = len(read)
    assert count < 20  # of 40
    assert all(thread.name != "headscope-loading" for thread in threading.enumerate())
    time.sleep(0.05)
    assert len(read) == count


def test_a_problem_is_told_while_the_files_are_still_read(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from model.foreign import weight_files

    folder = shutil.copytree(folders["gpt2"], tmp_path / "m")
    changed(folder / "tokenizer_config.json", tokenizer_class="NoSuchTokenizer")
    monkeypatch.setattr(weight_files, "SLICE", 1000)  # some two hundred slices
    steps = load_foreign(inspect_folder(folder))
    seen: list[tuple[int, int]] = []

    def tell(part: tuple[int, int]) -> None:
        seen.append(part)
        time.sleep(0.01)

    work = retold(steps, tell)
    with pytest.raises(HeadscopeError, match="NoSuchTokenizer"):
        result_of(work)
    assert len(seen) < 150
