"""SEARCH: greedy, beam and sampling on one tree, said and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.lessons import search as lesson
from model.lessons.lesson import Finding, Numbers, Values
from viewer.document.text.token_text import token_texts
from viewer.figures.canvas.numerals import format_number, tiny
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Handle, Line
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.text_table import TextTable
from viewer.figures.sheet.tree import Tree, TreeNode
from viewer.lessons.told import Told

translate = QCoreApplication.translate


def _control(name: str) -> str:
    return {
        "of": translate("Lessons", "Tree"),
        "method": translate("Lessons", "Method"),
        "width": translate("Lessons", "Beam width"),
        "penalty": translate("Lessons", "Length penalty"),
        "alpha": translate("Lessons", "α of the length penalty"),
        "temperature": translate("Lessons", "Temperature"),
        "samples": translate("Lessons", "Samples"),
        "seed": translate("Lessons", "Seed"),
        "step": translate("Lessons", "Instead of this token"),
        "branches": translate("Lessons", "Next tokens of each node"),
    }[name]


def _option(control: str, option: str) -> str:
    return {
        "toy": translate("Lessons", "A small tree, by hand"),
        "model": translate("Lessons", "The open model's next tokens"),
        "greedy": translate("Lessons", "Greedy"),
        "beam": translate("Lessons", "Beam search"),
        "sampling": translate("Lessons", "Sampling"),
        "power": translate("Lessons", "T^α (this program)"),
        "gnmt": translate("Lessons", "((5 + T) / 6)^α (Wu et al.)"),
    }[option]


def _text(words: Sequence[str], pieces: bool) -> str:
    """Tokens as one reads them: pieces joined to words."""
    if not pieces:
        return " ".join(words)
    shown = token_texts(words)
    return "".join(f" {one.text}" if one.spaced or one.special else one.text for one in shown).strip()


def _finding(found: Finding) -> str:
    text = {
        "greedy": translate("Lessons", "Greedy search writes {words} (probability {value})."),
        "missed": translate("Lessons", "It misses {words} (probability {value}), more probable as a whole."),
        "found": translate("Lessons", "Nothing in this tree is more probable as a whole."),
        "beam": translate(
            "Lessons",
            "A beam of {width} finds {words} (probability {value}); its score is {score}, that of greedy "
            "search {greedy}.",
        ),
        "same": translate(
            "Lessons",
            "It wins without the length penalty too: of what the beam found it is the most probable.",
        ),
        "flipped": translate(
            "Lessons",
            "Without a length penalty {plain} would win: it has {plain_tokens} tokens, the winner {tokens}, "
            "and every further token lowers the sum.",
        ),
        "distance": translate(
            "Lessons",
            "{samples} samples differ from the exact distribution by {value} (total variation); about "
            "{expected} is expected by chance.",
        ),
        "likeliest": translate("Lessons", "{words} is {share} of the samples; exactly it is {exact}."),
        "different": translate("Lessons", "{value} of {leaves} different texts were drawn."),
    }[found.name]
    about: dict[str, Any] = {}
    for name, value in found.about.items():
        if name in ("words", "plain"):
            about[name] = _text(value, bool(found.about.get("pieces")))
        else:
            about[name] = format_number(value) if isinstance(value, float) else value
    value = format_number(found.value) if isinstance(found.value, float) else found.value
    return text.format(value=value, **about)


def _formula(values: Values) -> str:
    if values["method"] == "greedy":
        return r"y_t=\mathrm{argmax}_{y}\;P(y\mid y_{<t},x)"
    if values["method"] == "sampling":
        heat = f"{float(values['temperature']):.2g}"
        return r"P_{\tau}(y)=\frac{e^{\log P(y)/\tau}}{\sum_{y'}e^{\log P(y')/\tau}},\quad \tau=" + heat
    alpha = f"{float(values['alpha']):.2g}"
    score = r"s(Y)=\frac{\sum_{t=1}^{T}\log P(y_t\mid y_{<t},x)}"
    if values["penalty"] == "power":
        return score + "{T^{" + alpha + "}}"
    return score + r"{\left(\frac{5+T}{6}\right)^{" + alpha + "}}"


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    if data["method"] == "sampling":
        return ((_tree(data),), (_histogram(data),))
    if data["method"] == "greedy":
        return ((_tree(data),), (_table(data),))
    return ((_tree(data),), (_table(data), _curves(data)))


def _tree(data: Any) -> Tree:
    """The tree; of a model what lies behind a node that was not gone on with is left out."""
    kept, lit = set(data["kept"]), set(data["lit"])
    counts = data.get("counts")
    parents = [int(parent) for parent in data["parents"]]
    inner = set(parents)
    nodes: list[TreeNode] = []
    ways: list[tuple[str, ...]] = []
    places: dict[int, int] = {}
    for node, (token, parent) in enumerate(zip(data["tokens"], parents, strict=True)):
        ways.append((token,) if parent < 0 else (*ways[parent], token))
        if data["of"] == "model" and parent >= 0 and parent not in kept:
            continue
        places[node] = len(nodes)
        p, score, tokens = data["probabilities"][node], data["scores"][node], data["lengths"][node]
        tip = translate(
            "Lessons", "{path}: probability {p} given what comes before; log P {score}, {tokens} tokens"
        )
        nodes.append(
            TreeNode(
                token_texts(ways[node])[-1].marked if data["pieces"] else token,
                -1 if parent < 0 else places[parent],
                "" if parent < 0 else f"{p:.2f}" if p >= 0.01 else tiny(float(f"{p:.1g}")),
                _note(data, node, node in inner),
                float(p),
                tip.format(
                    path=_text(ways[node], data["pieces"]),
                    p=f"{p:.3f}",
                    score=format_number(score),
                    tokens=tokens,
                ),
                "lit" if node in lit else "plain" if node in kept else "faint",
                0.0 if counts is None else float(counts[node]) / data["samples"],
            )
        )
    return Tree(translate("Lessons", "Each line has the token's probability"), tuple(nodes))


def _note(data: Any, node: int, inner: bool) -> str:
    if inner:
        return ""
    if "counts" in data:
        return f"×{data['counts'][node]}"
    return f"{data['scores'][node]:.2f}".replace("-", "−")


def _paths(data: Any) -> list[str]:
    return [_text(words, data["pieces"]) for words in data["paths"]]


def _table(data: Any) -> TextTable:
    chance = translate("Lessons", "Probability")
    if data["of"] == "model":
        chance = translate("Lessons", "Probability from here")
    columns = {
        translate("Lessons", "Hypothesis"): _paths(data),
        chance: [f"{p:.3f}" for p in data["leaf_probabilities"]],
        translate("Lessons", "log P"): [format_number(score) for score in data["leaf_scores"]],
        translate("Lessons", "Tokens"): [str(tokens) for tokens in data["leaf_lengths"]],
    }
    heading = translate("Lessons", "What greedy search writes, and the most probable of all")
    if data["method"] == "beam":
        heading = translate("Lessons", "Hypotheses, the winner first")
        columns[translate("Lessons", "log P / penalty")] = [format_number(rank) for rank in data["ranks"]]
    lines = tuple(zip(*columns.values(), strict=True))
    return TextTable(heading, tuple(columns), lines, strong=(0,), share=1.5)


def _curves(data: Any) -> Curves:
    curves, alphas = data["curves"], data["alphas"]
    low, high = span(*curves, zero=False)
    return Curves(
        translate("Lessons", "Score at every α (drag to change it)"),
        Axis(0.0, 2.0, "α"),
        Axis(low, min(0.0, high), translate("Lessons", "log P / penalty")),
        tuple(
            Line(name, alphas, curve, n)
            for n, (name, curve) in enumerate(zip(_paths(data), curves, strict=True))
        ),
        handles=(Handle("alpha", data["alpha"], float(data["ranks"][0]), f"{data['alpha']:.2f}", 7, 0),),
    )


def _histogram(data: Any) -> Bars:
    names = _paths(data)
    if data["others"]:
        names.append(translate("Lessons", "others ({count})").format(count=data["others"]))
    return Bars(
        translate("Lessons", "How often each text was drawn, and its exact probability"),
        names,
        (
            BarSeries(translate("Lessons", "drawn"), data["listed_sampled"], 0),
            BarSeries(translate("Lessons", "exact"), data["listed_exact"], 5),
        ),
    )


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    found = []
    if numbers.data["of"] == "model":
        count = values["branches"]
        found.append(translate("Lessons", "only the {count} most probable next tokens").format(count=count))
        found.append(translate("Lessons", "no more than {count} tokens deep").format(count=lesson.DEPTH))
    if values["method"] == "sampling" and float(values["temperature"]) != 1.0:
        heat = f"{float(values['temperature']):.2g}"
        found.append(translate("Lessons", "temperature {value}").format(value=heat))
    return tuple(found)


SEARCH = Told(
    lesson.SEARCH,
    title=lambda: translate("Lessons", "Greedy, beam, sampling"),
    why=lambda: translate(
        "Lessons",
        "A model gives probabilities of the next token only; the search decides which whole sentence comes "
        "out.",
    ),
    expect=lambda: translate(
        "Lessons",
        "The best first token need not begin the best sentence: greedy search misses it, a beam of 2 finds "
        "it. Every token lowers the sum of log probabilities, so short sentences win until a length penalty "
        "divides by the length. Many samples come close to the exact distribution.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Lessons",
        "Vaswani et al. (2017), section 6.1 (beam of 4, α = 0.6); Wu et al. (2016), arXiv 1609.08144, "
        "section 7; Sutskever et al. (2014), section 3.2",
    ),
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
