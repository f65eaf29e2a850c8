from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

import main
from model.bundle.bundle import Bundle, load_bundle
from tests.assets import END, PAIRS
from tests.model.decoding.test_batch_decoding import plain_greedy

# Several targets of some sources, apart from each other; one source the model does not know by heart.
ROWS = [
    ("We are going home.", "Nous rentrons chez nous."),
    ("I like green tea.", "J'aime le thé vert."),
    ("We are going home.", "Nous rentrons à la maison."),
    ("The little dog is red.", "Le petit chien est rouge."),
    ("We are going home.", "On rentre."),
    ("", "Rien."),
    ("Nothing.", " "),
    ("Do you speak French?", "Parles-tu français ?"),
]
SOURCES = ["We are going home.", "I like green tea.", "The little dog is red.", "Do you speak French?"]
TARGETS = [
    ["Nous rentrons chez nous.", "Nous rentrons à la maison.", "On rentre."],
    ["J'aime le thé vert."],
    ["Le petit chien est rouge."],
    ["Parles-tu français ?"],
]


@pytest.fixture(scope="module")
def bundle(tiny_bundle: Path) -> Bundle:
    return load_bundle(tiny_bundle)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{a}\t{b}\textra\n" for a, b in ROWS), encoding="utf-8")
    return path


def evaluate(capsys: pytest.CaptureFixture[str], bundle: Bundle, *argv: str) -> dict[str, Any]:
    status = main.main(["evaluate", "--model", str(bundle.folder), "--json", *argv])
    captured = capsys.readouterr()
    assert status == 0, captured.err
    values: dict[str, Any] = json.loads(captured.out)
    return values


def alone(bundle: Bundle, source: str) -> str:
    ids = [*bundle.source_tokenizer.encode(source), END]
    return bundle.target_tokenizer.decode(plain_greedy(bundle, ids, len(ids) * 3 // 2 + 20))


def test_scores_are_sacrebleus(bundle: Bundle, pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = [alone(bundle, source) for source in SOURCES]
    streams = [[several[i] if i < len(several) else None for several in TARGETS] for i in range(3)]
    bleu, chrf = sacrebleu.BLEU(), sacrebleu.CHRF()
    wanted = {
        "bleu": bleu.corpus_score(outputs, streams).score,  # type: ignore[arg-type]
        "bleu_first": sacrebleu.corpus_bleu(outputs, [[several[0] for several in TARGETS]]).score,
        "chrf": chrf.corpus_score(outputs, streams).score,  # type: ignore[arg-type]
    }
    found = evaluate(capsys, bundle, "--pairs", str(pairs), "--batch-size", "3")
    assert {key: found[key] for key in wanted} == pytest.approx(wanted)
    assert found["bleu"] > found["bleu_first"] + 5
    assert found["bleu_signature"] == (
        f"nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp|version:{sacrebleu.__version__}"
    )
    assert found["chrf_signature"].startswith("nrefs:var|case:mixed|eff:yes|nc:6|nw:0|")
    assert (found["sentences"], found["references"]) == (4, 6)
    assert list(found) == [
        "bleu", "bleu_first", "chrf", "bleu_signature", "chrf_signature", "sentences", "references",
    ]  # fmt: skip


def test_limit_counts_distinct_sources(
    bundle: Bundle, pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = evaluate(capsys, bundle, "--pairs", str(pairs), "--limit", "2")
    assert (found["sentences"], found["references"]) == (2, 4)
    assert found["bleu"] == pytest.approx(100.0)


def _bucket(text: str) -> int:
    return int(hashlib.sha1(text.encode()).hexdigest()[:8], 16) % 100


def test_parts_go_by_column_one_also_when_swapped(
    bundle: Bundle, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [(f"The cat {i}.", f"Le chat {i % 40}.") for i in range(300)]
    path = tmp_path / "p.tsv"
    path.write_text("".join(f"{a}\t{b}\n" for a, b in rows), encoding="utf-8")
    for part, number in (("test", 0), ("dev", 1)):
        kept = [row for row in rows if _bucket(row[0]) == number]
        assert kept
        for swap in ([], ["--swap"]):
            found = evaluate(
                capsys, bundle, "--pairs", str(path), "--split", "tatoeba-hash", "--part", part, *swap
            )
            assert found["references"] == len(kept)
            assert found["sentences"] == len({row[bool(swap)] for row in kept})
    default = evaluate(capsys, bundle, "--pairs", str(path), "--split", "tatoeba-hash")
    assert default["references"] == sum(_bucket(a) == 0 for a, _ in rows)


def test_swap_translates_column_two(
    bundle: Bundle, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.tsv"
    path.write_text("".join(f"{target}\t{source}\n" for source, target in PAIRS[:5]), encoding="utf-8")
    assert evaluate(capsys, bundle, "--pairs", str(path), "--swap")["bleu"] == pytest.approx(100.0)
    assert evaluate(capsys, bundle, "--pairs", str(path))["bleu"] < 50


def test_other_files_of_pairs(
    bundle: Bundle, tmp_path: Path, pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A CSV by the names of its columns and two parallel files in UTF-16 score as tab-separated pairs do."""
    rows = [line.split("\t")[:2] for line in pairs.read_text(encoding="utf-8").splitlines()]
    table, one, two = (tmp_path / name for name in ("p.csv", "p.en", "p.fr"))
    with table.open("w", encoding="utf-16", newline="") as file:
        csv.writer(file).writerows([("fr", "en"), *((b, a) for a, b in rows)])
    one.write_text("".join(f"{a}\n" for a, _ in rows), encoding="utf-16")
    two.write_text("".join(f"{b}\n" for _, b in rows), encoding="utf-16")
    expected = evaluate(capsys, bundle, "--pairs", str(pairs))
    assert evaluate(capsys, bundle, "--pairs", str(table), "--columns", "en", "fr") == expected
    assert evaluate(capsys, bundle, "--parallel", str(one), str(two), "--encoding", "utf-16") == expected


def test_a_sentence_too_long_counts_as_not_translated(
    bundle: Bundle, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.tsv"
    rows = [*PAIRS[:2], ("word " * 300, "mot " * 30), PAIRS[2]]
    path.write_text("".join(f"{a}\t{b}\n" for a, b in rows), encoding="utf-8")
    status = main.main(["evaluate", "--model", str(bundle.folder), "--json", "--pairs", str(path)])
    captured = capsys.readouterr()
    assert status == 0
    assert "too long" in captured.err
    outputs = [PAIRS[0][1], PAIRS[1][1], "", PAIRS[2][1]]
    wanted = sacrebleu.corpus_bleu(outputs, [[target for _, target in rows]]).score
    assert json.loads(captured.out)["bleu"] == pytest.approx(wanted)


def test_plain_output(bundle: Bundle, pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["evaluate", "--model", str(bundle.folder), "--pairs", str(pairs)]) == 0
    text = capsys.readouterr().out
    assert "4 sentences, 6 references" in text
    assert "nrefs:var" in text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "no sentence pairs"),
        (b"one column\n", "has no tab"),
        (b" \t \n", "no sentence pairs"),
        ("a\té\n".encode() * 3 + "a\té\n".encode("latin-1"), "line 4"),
    ],
)
def test_bad_files_get_a_sentence(
    bundle: Bundle, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: bytes, sentence: str
) -> None:
    path = tmp_path / "p.tsv"
    path.write_bytes(text)
    assert main.main(["evaluate", "--model", str(bundle.folder), "--pairs", str(path)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("headscope: error: ")
    assert sentence in captured.err
    assert captured.err.count("\n") == 1


def test_bad_usage(bundle: Bundle, pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = ["--model", str(bundle.folder)]
    wrong: list[list[str]] = [
        model,
        [*model, "--pairs", str(pairs), "--part", "test"],
        [*model, "--pairs", str(pairs), "--limit", "0"],
        [*model, "--pairs", str(pairs), "--batch-size", "x"],
    ]
    for argv in wrong:
        with pytest.raises(SystemExit) as end:
            main.main(["evaluate", *argv])
        assert end.value.code == 2
    assert "x" in capsys.readouterr().err
    assert main.main(["evaluate", "--model", "no-such-model", "--pairs", str(pairs)]) == 1
    assert "no-such-model" in capsys.readouterr().err
