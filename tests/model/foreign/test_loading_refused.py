"""What cannot be loaded: without the package, without memory, or because it is no text."""

from __future__ import annotations

import builtins
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from model.errors import HeadscopeError
from model.foreign import loader, meta_model
from model.translator.load_model import load_model
from tests.foreign_assets import write_bert, write_gpt2
from tests.marian_assets import write_marian
from tests.model.hostile.crafting import changed


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("foreign")
    return {"bert": write_bert(root / "bert"), "gpt2": write_gpt2(root / "gpt2")}


def test_without_the_package_one_sentence_names_it(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def hidden(name: str, *given: Any, **named: Any) -> Any:
        if name.partition(".")[0] == "transformers":
            raise ModuleNotFoundError(name)
        return real(name, *given, **named)

    monkeypatch.setattr(builtins, "__import__", hidden)
    with pytest.raises(HeadscopeError) as caught:
        load_model(folders["gpt2"])
    assert caught.value.code == "hf_missing"
    assert "headscope[hf]" in str(caught.value)


@pytest.mark.parametrize("version", ["4.57.1", "", "x.y"])
def test_an_old_package_is_named(
    version: str, folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    import transformers

    monkeypatch.setattr(transformers, "__version__", version)
    with pytest.raises(HeadscopeError) as caught:
        load_model(folders["gpt2"])
    assert caught.value.code == "hf_old"


@pytest.mark.parametrize(
    "error",
    [MemoryError(), RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: 4 bytes")],
)
def test_no_memory_is_said_as_such(
    error: BaseException, folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> None:
        raise error

    monkeypatch.setattr(loader.Loader, "read", fail)
    with pytest.raises(HeadscopeError) as caught:
        load_model(folders["gpt2"])
    assert caught.value.code == "out_of_memory"


def test_a_model_larger_than_the_machine_is_said_beforehand(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meta_model, "_physical_memory", lambda: 100_000)
    with pytest.raises(HeadscopeError) as caught:
        load_model(folders["gpt2"])
    assert caught.value.code == "foreign_memory"
    assert "207 kB" in str(caught.value)  # 51,808 numbers of 4 bytes
    assert "100 kB" in str(caught.value)


def test_pictures_and_sounds_are_no_text(folders: dict[str, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(folders["bert"], tmp_path / "m")
    changed(folder / "config.json", model_type="vit", architectures=["ViTModel"], image_size=224)
    with pytest.raises(HeadscopeError) as caught:
        load_model(folder)
    assert caught.value.code == "foreign_senses"


def test_our_models_and_marian_ones_need_no_package(tiny_bundle: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from model.translator.load_model import load_model; "
        "[load_model(folder) for folder in sys.argv[1:]]; "
        "assert 'torch' in sys.modules; assert 'transformers' not in sys.modules"
    )
    root = Path(loader.__file__).parent.parent.parent
    folders = (str(tiny_bundle), str(write_marian(tmp_path / "marian")))
    assert subprocess.run([sys.executable, "-c", code, *folders], cwd=root, check=False).returncode == 0
