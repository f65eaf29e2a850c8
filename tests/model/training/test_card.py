from __future__ import annotations

import re
from pathlib import Path

from model.bundle.bundle import read_config
from model.data.tasks import TASKS
from model.training.card import MARK, USE, card_text, cards, write_card
from tests.assets import write_tiny_bundle
from tests.model.folder.test_training_log import START, measured
from tests.model.tiny_training import events, options, write_pairs


def test_a_trained_bundle_has_a_card(tmp_path: Path) -> None:
    import hashlib

    pairs, out = write_pairs(tmp_path / "pairs.tsv"), tmp_path / "out"
    events(options(pairs, steps=4, eval_every=2), out)
    text = (out / "README.md").read_text(encoding="utf-8")
    assert text.startswith("# tiny\n")
    for wanted in (
        "from English to French",
        "1 encoder and 1 decoder layers of 2 heads, d_model 32, d_ff 64, post-norm",
        "    headscope train …\n",
        f"- `pairs.tsv`: {hashlib.sha256(pairs.read_bytes()).hexdigest()}",
        "60 pairs to train on" if "held out" not in text else "held out",
        "4 steps",
        "nats per target token and BLEU",
        "## How to use it",
        "## What it is bad at",
    ):
        assert wanted in text
    for empty in ("None", "nan", "{", "TODO"):
        assert empty not in text


def test_every_figure_comes_from_the_log(tmp_path: Path) -> None:
    folder = write_tiny_bundle(tmp_path / "m", train_steps=0)
    text = card_text(read_config(folder), [START, measured(1200, True), measured(1400, False)])
    assert "at step 1,200, the running average of the weights reached a loss of 1.500 nats" in text
    assert "BLEU 2.5" in text
    assert "9 pairs to train on, 1 held out, 1,400 steps (700.0 passes over the data), 1400.0 minutes" in text
    untold = card_text(read_config(folder), [])
    assert "## Training" not in untold
    assert "## What it is bad at" in untold
    assert "Not measured." in card_text(read_config(folder), [START])


def test_the_chinese_card_says_the_same_figures(tmp_path: Path) -> None:
    folder = write_tiny_bundle(tmp_path / "m", train_steps=0)
    config, entries = read_config(folder), [START, measured(1200, True), measured(1400, False)]
    english, chinese = (text.decode() for text in cards(config, entries).values())
    numbers = [re.findall(r"\d[\d,.]*\d|\d", text.replace(USE, "")) for text in (english, chinese)]
    assert sorted(numbers[0]) == sorted(numbers[1])
    assert chinese.count("## ") == english.count("## ")
    prose = re.sub(r"`[^`]*`|<!--.*-->|^    .*$", "", chinese, flags=re.M)
    assert not re.search(r"[a-z] [a-z]+ [a-z]", prose), "a phrase is in English"


def test_a_task_has_its_card_in_chinese_too(tmp_path: Path) -> None:
    for task in TASKS.values():
        for text in (task.about_zh, task.limits_zh):
            assert re.search("[\u4e00-\u9fff]", text)
            assert text.endswith("。")


def test_a_card_of_ones_own_stays(tmp_path: Path) -> None:
    folder = write_tiny_bundle(tmp_path / "m", train_steps=0)
    (folder / "README.md").write_text("mine")
    write_card(folder)
    assert (folder / "README.md").read_text() == "mine"
    (folder / "README.md").write_text(f"{MARK}\nold")
    write_card(folder)
    assert (folder / "README.md").read_text().startswith("# tiny")
    (folder / "README.md").unlink()
    write_card(folder)
    assert MARK in (folder / "README.md").read_text()
    (folder / "README.zh.md").write_text("我的")
    write_card(folder)
    assert (folder / "README.zh.md").read_text() == "我的"
