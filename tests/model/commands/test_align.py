"""`align`: whole runs on a tiny model and pairs of the grammar, and on traces made by hand."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from main import main
from model.bundle.bundle import load_bundle
from model.data.tasks import TASKS
from model.inspection.forced_cross import forced_cross
from model.trace.trace import AttentionKind
from model.trace.trace_file import save_trace
from tests.model.alignment.samples import cross_trace, one_hot, sample_trace

ROOT = Path(__file__).parents[3]
LAYERS, HEADS = 3, 4
GRAMMAR = TASKS["grammar"]
COLUMNS = [
    "rule",
    "layer",
    "head",
    "aer",
    "precision",
    "recall",
    "links",
    "sure",
    "sure_found",
    "allowed_found",
]


@pytest.fixture
def corpus(tmp_path: Path) -> tuple[Path, Path]:
    """Twelve pairs of the grammar and their gold links, as `task` writes them."""
    pairs, gold = tmp_path / "g.tsv", tmp_path / "g.pharaoh"
    assert main(["task", "grammar", "--size", "12", "--out", str(pairs), "--alignments", str(gold)]) == 0
    return pairs, gold


def run(capsys: pytest.CaptureFixture[str], *argv: object) -> str:
    capsys.readouterr()
    status = main(["align", *map(str, argv)])
    captured = capsys.readouterr()
    assert status == 0, captured.err
    return captured.out


def fails(capsys: pytest.CaptureFixture[str], *argv: object) -> str:
    capsys.readouterr()
    assert main(["align", *map(str, argv)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = [line for line in captured.err.splitlines() if line.startswith("headscope: error: ")]
    return line


def plain_links(
    pair: tuple[str, str], bundle: Path, layer: int, head: int, rule: str
) -> set[tuple[int, int]]:
    """Words of the grammar begin where a piece begins with a space; loops over forced attention."""
    loaded = load_bundle(bundle)
    source, target = loaded.source_tokenizer, loaded.target_tokenizer
    src, out = [*source.encode(pair[0]), source.end_id], [*target.encode(pair[1]), target.end_id]
    seen: dict[tuple[str, int], torch.Tensor] = {}

    def tap(site: Any, pattern: torch.Tensor) -> None:
        seen[str(site.kind), site.layer] = pattern[0]

    with torch.no_grad():
        memory = loaded.transformer.encode(torch.tensor([src]))
        loaded.transformer.decode(torch.tensor([[target.start_id, *out[:-1]]]), memory, tap=tap)
    weights = seen["cross", layer][head].double()
    columns, rows = words_of(source, src), words_of(target, out)
    links = set()
    for j in range(max(rows) + 1):
        queries = [t + (rule == "reads") for t, word in enumerate(rows) if word == j]
        sums = [
            sum(weights[t, s] for t in queries for s, word in enumerate(columns) if word == i) / len(queries)
            for i in range(max(columns) + 1)
        ]
        links.add((max(range(len(sums)), key=lambda i: sums[i]), j))
    return links


def words_of(tokenizer: Any, ids: list[int]) -> list[int]:
    """The word of each piece but the last, which is the end token."""
    words, word = [], -1
    for token_id in ids[:-1]:
        word += tokenizer.piece(token_id).startswith("▁")
        words.append(word)
    return words


def test_every_head_and_mean_is_reported_best_first_under_both_rules(
    capsys: pytest.CaptureFixture[str], tiny_bundle: Path, corpus: tuple[Path, Path]
) -> None:
    pairs, gold = corpus
    said = json.loads(run(capsys, "--pairs", pairs, "--gold", gold, "--model", tiny_bundle, "--json"))
    assert (said["pairs"], said["skipped"], said["model"], said["one_based"]) == (12, 0, "tiny", False)
    places = [(row["rule"], row["layer"], row["head"]) for row in said["rows"]]
    heads = [(n, h) for n in range(LAYERS) for h in [*range(HEADS), "mean"]]
    assert sorted(places, key=str) == sorted(
        [(rule, *place) for rule in ("predicts", "reads") for place in [*heads, ("mean", "mean")]], key=str
    )
    rates = [row["aer"] for row in said["rows"]]
    assert rates == sorted(rates)
    lines = [
        [tuple(map(int, link.split("-"))) for link in line.split()] for line in gold.read_text().splitlines()
    ]
    texts = [line.split("\t") for line in pairs.read_text("utf-8").splitlines()]
    for row in said["rows"]:
        if row["head"] != 1 or row["layer"] != 2:
            continue
        found = total = sure = 0
        for (source, target), links in zip(texts, lines):
            links_here = plain_links((source, target), tiny_bundle, 2, 1, row["rule"])
            found, total, sure = (
                found + len(links_here & set(links)),
                total + len(links_here),
                sure + len(links),
            )
        assert (row["links"], row["sure"], row["sure_found"]) == (total, sure, found)
        assert row["aer"] == pytest.approx(1 - 2 * found / (total + sure))


def test_heads_are_told_beside_a_plain_diagonal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """ "the red car" and three words: the diagonal finds la-the only, 1 - 2 * 1 / (3 + 3)."""
    gold, file = tmp_path / "g.txt", tmp_path / "a.trace"
    save_trace(sample_trace(), file)
    gold.write_text("0-0 2-1 1-2\n")
    said = json.loads(run(capsys, "--trace", file, "--gold", gold, "--json"))
    assert said["diagonal"]["aer"] == pytest.approx(2 / 3)
    assert (said["diagonal"]["links"], said["diagonal"]["sure"], said["diagonal"]["sure_found"]) == (3, 3, 1)
    assert [row["beats_diagonal"] for row in said["rows"]] == [row["aer"] < 0.6 for row in said["rows"]]
    assert {row["beats_diagonal"] for row in said["rows"]} == {True, False}
    table = run(capsys, "--trace", file, "--gold", gold).splitlines()
    assert "AER of 0.667" in table[-2]
    assert table[1].split()[0] == "0.000"
    for line in table[1:-2]:
        assert line.endswith("no better than a diagonal") == (float(line.split()[0]) > 0.6)
    # Two source words and three target words: words 0, 1 and 1 are as far along.
    pairs = tmp_path / "p.trace"
    save_trace(
        cross_trace(
            [[one_hot(0, 1, 1, 2, count=3)]],
            ("▁a", "▁b", "</s>"),
            ("▁x", "▁y", "▁z", "</s>"),
            src_text="a b",
            tgt_text="x y z",
        ),
        pairs,
    )
    for links, wanted in (("0-0 1-1 1-2", 0.0), ("0-0 0-1 1-2", 1 / 3), ("1-0 0-1 0p2", 1.0)):
        gold.write_text(links + "\n")
        said = json.loads(run(capsys, "--trace", pairs, "--gold", gold, "--json"))
        assert said["diagonal"]["aer"] == pytest.approx(wanted), links
        same = [row for row in said["rows"] if row["rule"] == "predicts"]  # which looks along the diagonal
        assert [row["aer"] for row in same] == [pytest.approx(wanted)] * len(same)
        assert not any(row["beats_diagonal"] for row in same)


def test_csv_names_the_rule_in_every_line(
    capsys: pytest.CaptureFixture[str], tiny_bundle: Path, corpus: tuple[Path, Path]
) -> None:
    pairs, gold = corpus
    asked = ("--pairs", pairs, "--gold", gold, "--model", tiny_bundle, "--rule", "reads")
    rows = list(csv.reader(io.StringIO(run(capsys, *asked, "--csv"))))
    assert rows[0] == COLUMNS
    assert {row[0] for row in rows[1:]} == {"reads"}
    same = json.loads(run(capsys, *asked, "--json"))["rows"]
    assert [[row[0], row[1], row[2], float(row[3])] for row in rows[1:]] == [
        [row["rule"], str(row["layer"]), str(row["head"]), pytest.approx(row["aer"])] for row in same
    ]
    table = run(capsys, *asked).splitlines()
    assert len(table) == len(same) + 3
    assert table[-2].startswith("a plain diagonal")
    assert "reads" in table[1]


def test_links_of_one_head_are_written_and_are_its_own_gold(
    capsys: pytest.CaptureFixture[str], tiny_bundle: Path, corpus: tuple[Path, Path], tmp_path: Path
) -> None:
    pairs, _ = corpus
    out = tmp_path / "head.pharaoh"
    head = ("--layer", 3, "--head", 2, "--rule", "predicts", "--model", tiny_bundle, "--pairs", pairs)
    assert run(capsys, *head, "--out", out) == ""
    source, target = pairs.read_text("utf-8").splitlines()[0].split("\t")
    expected = plain_links((source, target), tiny_bundle, 2, 1, "predicts")
    assert out.read_text().splitlines()[0] == " ".join(f"{i}-{j}" for i, j in sorted(expected))
    assert len(out.read_text().splitlines()) == 12
    said = json.loads(run(capsys, *head, "--gold", out, "--json"))
    assert [(row["layer"], row["head"], row["rule"], row["aer"]) for row in said["rows"]] == [
        (2, 1, "predicts", 0.0)
    ]


def test_words_count_from_one_where_that_is_said(
    capsys: pytest.CaptureFixture[str], tiny_bundle: Path, corpus: tuple[Path, Path], tmp_path: Path
) -> None:
    pairs, gold = corpus
    ones = tmp_path / "ones.pharaoh"
    lines = gold.read_text().splitlines()
    ones.write_text(
        "".join(
            " ".join("-".join(str(int(n) + 1) for n in link.split("-")) for link in line.split()) + "\n"
            for line in lines
        )
    )
    asked = ("--pairs", pairs, "--model", tiny_bundle, "--json", "--gold")
    zero, one = (json.loads(run(capsys, *asked, *end)) for end in ((gold,), (ones, "--one-based")))
    assert zero["rows"] == one["rows"]
    assert "counts words from 0" in fails(capsys, *asked, gold, "--one-based")
    assert "count from 1" in fails(capsys, *asked, ones)


def test_a_line_for_every_pair(
    capsys: pytest.CaptureFixture[str], tiny_bundle: Path, corpus: tuple[Path, Path]
) -> None:
    pairs, gold = corpus
    asked = ("--pairs", pairs, "--gold", gold, "--model", tiny_bundle)
    gold.write_text("".join(gold.read_text().splitlines(keepends=True)[:11]))
    assert "11 lines of links" in fails(capsys, *asked)
    assert json.loads(run(capsys, *asked, "--limit", 11, "--json"))["pairs"] == 11
    gold.write_text(gold.read_text() + "0-0\n0-0\n")
    assert "13 lines of links and there are 12" in fails(capsys, *asked)
    gold.write_text("\n" * 3 + "0-x\n")
    assert "'0-x' in line 4" in fails(capsys, *asked)


def test_pairs_that_cannot_be_read_are_left_out(
    capsys: pytest.CaptureFixture[str], tiny_bundle: Path, tmp_path: Path
) -> None:
    pairs, gold, out = tmp_path / "p.tsv", tmp_path / "g.txt", tmp_path / "o.txt"
    pairs.write_text(f"{'a ' * 300}\tb\nI like green tea.\tJ'aime le thé vert.\n", "utf-8")
    gold.write_text("0-0\n0-0 1p0\n")
    asked = ("--pairs", pairs, "--gold", gold, "--model", tiny_bundle, "--layer", 1, "--head", "mean")
    assert main(["align", *map(str, asked), "--rule", "reads", "--out", str(out), "--json"]) == 0
    captured = capsys.readouterr()
    said = json.loads(captured.out)
    assert (said["pairs"], said["skipped"]) == (1, 1)
    assert "line 1 is left out" in captured.err
    assert (said["rows"][0]["layer"], said["rows"][0]["head"]) == (0, "mean")
    assert out.read_text().startswith("\n")
    pairs.write_text(f"{'a ' * 300}\tb\n")
    gold.write_text("0-0\n")
    assert "no sentence pair" in fails(capsys, "--pairs", pairs, "--gold", gold, "--model", tiny_bundle)


def test_words_that_others_split(
    capsys: pytest.CaptureFixture[str], tiny_bundle: Path, tmp_path: Path
) -> None:
    pairs, words, gold = tmp_path / "p.tsv", tmp_path / "w.tsv", tmp_path / "g.txt"
    pairs.write_text("I like green tea.\tJ'aime le thé vert.\n", "utf-8")
    words.write_text("I like green tea .\tJ' aime le thé vert .\n", "utf-8")
    gold.write_text("0-0 1-1 2-4 3-3 4-5\n")
    asked = ("--pairs", pairs, "--gold", gold, "--model", tiny_bundle, "--json")
    assert "joins words that do not exist" in fails(capsys, *asked)
    assert json.loads(run(capsys, *asked, "--tokenized", words))["rows"][0]["links"] == 6
    words.write_text("I like red tea .\tJ' aime le thé vert .\n", "utf-8")
    line = fails(capsys, *asked, "--tokenized", words)
    assert "line 1 of the pairs" in line
    assert "do not spell the source" in line


@pytest.fixture
def trace_file(tmp_path: Path) -> Path:
    path = tmp_path / "hand.trace"
    save_trace(sample_trace(), path)
    return path


def test_a_trace_with_one_line_of_links(
    capsys: pytest.CaptureFixture[str], trace_file: Path, tmp_path: Path
) -> None:
    gold, out = tmp_path / "g.txt", tmp_path / "o.txt"
    gold.write_text("0-0 2-1 1-2\n")
    said = json.loads(run(capsys, "--trace", trace_file, "--gold", gold, "--json"))
    rows = {(row["rule"], row["layer"], row["head"]): row["aer"] for row in said["rows"]}
    assert rows["predicts", 0, 0] == rows["reads", 0, 1] == 0
    assert rows["predicts", 0, 1] == rows["reads", 0, 0] == 1
    gold.write_text("9-9\n0-0 2-1 1-2\n")
    assert "2 lines and there is one sentence" in fails(capsys, "--trace", trace_file, "--gold", gold)
    best = json.loads(run(capsys, "--trace", trace_file, "--gold", gold, "--line", 2, "--json"))["rows"][0]
    assert best["aer"] == 0
    assert "no line 3" in fails(capsys, "--trace", trace_file, "--gold", gold, "--line", 3)
    run(
        capsys,
        "--trace",
        trace_file,
        "--layer",
        1,
        "--head",
        2,
        "--rule",
        "reads",
        "--one-based",
        "--out",
        out,
    )
    assert out.read_text() == "1-1 2-3 3-2\n"


def test_a_sentence_with_its_translation_or_the_models_own(
    capsys: pytest.CaptureFixture[str], tiny_bundle: Path, tmp_path: Path
) -> None:
    out = tmp_path / "o.txt"
    asked = (
        "I like green tea.",
        "--model",
        tiny_bundle,
        "--head",
        "mean",
        "--rule",
        "predicts",
        "--out",
        out,
    )
    run(capsys, *asked)
    own = out.read_text()  # which it knows by heart
    run(capsys, *asked, "--target", "J'aime le thé vert.")
    assert out.read_text() == own
    assert {int(link.split("-")[1]) for link in own.split()} == {0, 1, 2, 3}


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["--gold", "g"],
        ["text"],
        ["text", "--pairs", "p", "--gold", "g"],
        ["text", "--trace", "t", "--gold", "g"],
        ["--trace", "t", "--target", "x", "--gold", "g"],
        ["text", "--out", "o"],
        ["text", "--out", "o", "--head", "mean"],
        ["text", "--out", "o", "--rule", "reads"],
        ["text", "--gold", "g", "--layer", "1"],
        ["text", "--gold", "g", "--head", "1"],
        ["text", "--gold", "g", "--layer", "mean", "--head", "1"],
        ["text", "--gold", "g", "--layer", "1", "--head", "0"],
        ["text", "--gold", "g", "--layer", "x", "--head", "1"],
        ["text", "--gold", "g", "--rule", "both"],
        ["text", "--gold", "g", "--json", "--csv"],
        ["--pairs", "p", "--gold", "g", "--line", "2"],
        ["text", "--csv", "--out", "o", "--head", "mean", "--rule", "reads"],
    ],
)
def test_wrong_usage(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["align", *argv])
    assert caught.value.code == 2
    assert "headscope align: error: " in capsys.readouterr().err


def test_an_empty_text_is_no_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = tmp_path / "g.pharaoh"
    gold.write_text("0-0\n", encoding="utf-8")
    assert main(["align", "--gold", str(gold), "--line", "1", ""]) == 1
    assert "there is no text" in capsys.readouterr().err


def test_a_head_that_is_not_there(
    capsys: pytest.CaptureFixture[str], trace_file: Path, tmp_path: Path
) -> None:
    gold = tmp_path / "g.txt"
    gold.write_text("0-0\n")
    asked = ("--trace", trace_file, "--gold", gold)
    assert "no layer 2" in fails(capsys, *asked, "--layer", 2, "--head", 1)
    assert "no head 3" in fails(capsys, *asked, "--layer", 1, "--head", 3)
    assert "no file" in fails(capsys, "--trace", trace_file, "--gold", tmp_path / "none")


def test_one_pass_shows_what_the_decoding_shows(tiny_bundle: Path) -> None:
    from model.decoding.decode_config import DecodeConfig
    from model.translator.translator import Translator

    source, target = "The cat sleeps on the chair.", "Le chat dort sur la maison."
    config = DecodeConfig(mode="forced", target=target)
    *_, last = Translator.load(tiny_bundle).decode(source, config)
    found = forced_cross(load_bundle(tiny_bundle), source, target)
    assert found.tgt_in_tokens == last.trace.tgt_in_tokens
    assert found.tgt_out_tokens == last.trace.tgt_out_tokens
    assert found.src_tokens == last.trace.src_tokens
    assert found.step_logprob == pytest.approx(last.trace.step_logprob, abs=1e-5)
    for layer in range(LAYERS):
        got = found.patterns.layer(AttentionKind.CROSS, layer)
        assert got == pytest.approx(last.trace.patterns.layer(AttentionKind.CROSS, layer), abs=1e-6)


@pytest.fixture(scope="module")
def without_qt(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which Qt cannot be imported."""
    folder = tmp_path_factory.mktemp("hidden")
    (folder / "PySide6.py").write_text("raise ImportError('hidden')\n")
    return {**os.environ, "PYTHONPATH": str(folder)}


def test_a_trace_needs_neither_qt_nor_torch(
    without_qt: dict[str, str], trace_file: Path, tmp_path: Path
) -> None:
    (Path(without_qt["PYTHONPATH"]) / "torch.py").write_text("raise ImportError('hidden')\n")
    gold = tmp_path / "g.txt"
    gold.write_text("0-0 2-1 1-2\n")
    command = [sys.executable, "main.py", "align", "--trace", str(trace_file), "--gold", str(gold), "--json"]
    done = subprocess.run(command, cwd=ROOT, env=without_qt, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["rows"][0]["aer"] == 0


def test_gold_links_of_the_grammar_are_what_it_says(corpus: tuple[Path, Path]) -> None:
    """What `task` writes is what `align` reads: the oracle above relies on it."""
    _, gold = corpus
    assert gold.read_text().splitlines() == [
        " ".join(f"{i}-{j}" for i, j in links) for links in GRAMMAR.links(12, 1)
    ]
