"""Heads report: the heads table as JSON and CSV, everything counted from 0. No torch."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from model.files.files import StrPath, replace_bytes
from model.heads.general_scores import GeneralScores
from model.heads.head_metrics import FACTS, GENERAL, GENERAL_FACTS, METRICS, PLACE, MetricFacts
from model.heads.head_roles import LEAST_SENTENCES, MARGIN, RULES, CorpusScores
from model.heads.head_scores import Doubles, HeadScores
from model.heads.likeness import FORMULA, Likeness
from model.trace.exploration import Importance
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_damage import damage_note


@dataclass(frozen=True, eq=False)
class HeadsReport:
    """What is written of all heads, over one sentence (`trace`) or over a corpus.

    Attributes:
        scores: of a trace; those of a corpus are its own.
        importance: of a trace, where it was measured.
        aer: [L, H] of a trace's cross-attention, where gold links are given; `gold` and `rule` say by which.
        diagonal: AER of the plain diagonal under the same links, which a head that aligns must better.
        general: of the model, whatever the sentence, where it was asked for.
        likeness: of a trace's heads to a drawn pattern, where there is one.
    """

    scores: HeadScores
    trace: Trace | None = None
    corpus: CorpusScores | None = None
    importance: Importance | None = None
    aer: Doubles | None = None
    gold: str = ""
    rule: str = ""
    diagonal: float | None = None
    general: GeneralScores | None = None
    likeness: Likeness | None = None

    @classmethod
    def of_corpus(cls, corpus: CorpusScores) -> HeadsReport:
        """The report of a corpus."""
        return cls(
            corpus.scores,
            corpus=corpus,
            aer=corpus.aer,
            gold=corpus.gold,
            rule=corpus.rule,
            diagonal=corpus.diagonal,
        )

    def to_json(self) -> dict[str, Any]:
        """Plain values; a metric in which no row counts is None."""
        facts: dict[str, MetricFacts] = {str(name): fact for name, fact in FACTS.items()}
        if self.general is not None:
            facts |= {str(name): fact for name, fact in GENERAL_FACTS.items()}
        metrics: dict[str, Any] = {
            name: {"formula": fact.formula, "range": [fact.least, fact.most], "source": fact.source}
            for name, fact in facts.items()
        }
        for one in self.scores.added:
            metric = one.metric
            metrics[one.extension.name] = {
                "formula": metric.formula,
                "range": [metric.least, metric.most],
                "source": metric.source,
                "package": one.extension.package,
            }
        return {**self._facts(), "metrics": metrics, "heads": list(self._heads())}

    def to_csv(self) -> str:
        """One line a head (RFC 4180), `aer` with its `rule`; an empty field where no row counts."""
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        rule = {} if self.aer is None else {"rule": self.rule}
        rows = [_flat(head) | rule for head in self._heads()]
        notes = self._notes()
        names = list(dict.fromkeys(name for row in rows for name in row))
        writer.writerow([*names, "notes"] if notes else names)
        for row in rows:
            fields = [_field(row.get(name)) for name in names]
            writer.writerow([*fields, notes] if notes else fields)
        return text.getvalue()

    def _facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {}
        if self.trace is not None:
            facts = {
                "scope": "sentence",
                "model": self.trace.model_name,
                "model_sha256": self.trace.model_sha256,
                "text": self.trace.src_text,
                "translation": self.trace.tgt_text,
                "source_tokens": len(self.trace.src_tokens),
                "target_tokens": self.trace.steps,
                "numbers": self.trace.numbers,
                "alterations": list(self.trace.alterations),
            }
            damaged = damage_note(self.trace)
            if damaged:
                facts["damaged"] = damaged
        if self.corpus is not None:
            found = self.corpus
            facts = {
                "scope": "corpus",
                "model": found.model_name,
                "model_sha256": found.model_sha256,
                "pairs": found.path,
                "sentences": found.sentences,
                "left_out": found.left_out,
                "targets": "forced" if found.forced else "greedy",
                "random_seed": found.seed,
                "role_rule": {
                    "least_sentences": LEAST_SENTENCES,
                    "above_random": MARGIN,
                    "roles": {
                        name: {
                            "score": "1 - aer" if rule.metric is None else str(rule.metric),
                            "least": rule.least,
                        }
                        for name, rule in RULES.items()
                    },
                },
            }
        if self.general is not None:
            drawn = self.general
            facts["general"] = {"tokens": drawn.tokens, "sequences": drawn.sequences, "seed": drawn.seed}
        if self.likeness is not None:
            facts["like"] = {"name": self.likeness.drawing.name, "formula": FORMULA}
        if self.aer is None:
            return facts
        return {**facts, "gold": self.gold, "rule": self.rule, "diagonal_aer": self.diagonal}

    def _heads(self) -> Iterator[dict[str, Any]]:
        unsound = {} if self.trace is None else self.trace.found_unsound()
        for kind, values in self.scores.values.items():
            roles = {} if self.corpus is None else self.corpus.roles(kind)
            for layer, head in np.ndindex(values.shape[:2]):
                place = (layer, head)
                found: dict[str, Any] = {"kind": str(kind), "layer": layer, "head": head}
                found["rows"] = int(self.scores.rows[kind][place])
                if (kind, layer, head) in unsound:
                    found["damaged_rows"] = unsound[kind, layer, head].rows
                found |= _metrics(values[place])
                for one in self.scores.added:
                    found[one.extension.name] = _number(float(one.values[kind][place]))
                if self.importance is not None and kind in self.importance.change:
                    found["importance"] = _number(float(self.importance.change[kind][place]))
                if self.aer is not None:
                    found["aer"] = _number(float(self.aer[place])) if kind is AttentionKind.CROSS else None
                if self.general is not None and kind in self.general.values:
                    own = self.general.values[kind][place]
                    found |= {str(metric): _number(float(own[at])) for at, metric in enumerate(GENERAL)}
                if self.likeness is not None:
                    found["likeness"] = _number(float(self.likeness.values[kind][place]))
                if self.corpus is not None:
                    found["roles"] = [vars(role) for role in roles.get(place, ())]
                    found["random"] = self._random(kind, place)
                yield found

    def _random(self, kind: AttentionKind, place: tuple[int, int]) -> dict[str, float | None]:
        assert self.corpus is not None
        found = _metrics(self.corpus.random.values[kind][place])
        if self.corpus.random_aer is not None:
            cross = kind is AttentionKind.CROSS
            found["aer"] = _number(float(self.corpus.random_aer[place])) if cross else None
        return found

    def _notes(self) -> str:
        trace = self.trace
        if trace is None:
            return ""
        altered = [json.dumps(change, ensure_ascii=False) for change in trace.alterations]
        damaged = damage_note(trace)
        said = [*([damaged] if damaged else []), *([] if trace.numbers == "pattern" else [trace.numbers])]
        return "; ".join([*said, *altered])


def write_report(report: HeadsReport, path: StrPath, *, as_csv: bool) -> None:
    """Write one file; `HeadscopeError` if it cannot be written, an old file stays."""
    replace_bytes(path, (report.to_csv() if as_csv else json_text(report) + "\n").encode())


def json_text(report: HeadsReport) -> str:
    """The report as one line of JSON."""
    return json.dumps(report.to_json(), ensure_ascii=False, allow_nan=False)


def _metrics(values: Doubles) -> dict[str, float | None]:
    return {str(metric): _number(float(values[PLACE[metric]])) for metric in METRICS}


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _flat(head: Mapping[str, Any]) -> dict[str, Any]:
    """A head's values without lists and objects in them."""
    flat = {name: value for name, value in head.items() if name not in ("roles", "random")}
    if "roles" in head:
        flat["roles"] = ";".join(role["name"] for role in head["roles"])
        flat["role_scores"] = ";".join(f"{role['score']:.9g}" for role in head["roles"])
    return flat | {f"random_{name}": value for name, value in head.get("random", {}).items()}


def _field(value: object) -> object:
    if value is None:
        return ""
    return f"{value:.9g}" if isinstance(value, float) else value
