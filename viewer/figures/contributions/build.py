"""Building a contribution graph: the flow to one step's word, and what its badges own up to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.questions.causes.contribution_flow import flow_to
from model.questions.causes.contributions import (
    Contributions,
    ContributionsOf,
    HeadContributions,
    HeadContributionsOf,
)
from model.questions.causes.methods import method_named
from model.questions.questions import Question, Reading
from model.trace.trace import Trace
from viewer.document.text.method_text import method_words
from viewer.document.text.token_text import made_of, token_texts
from viewer.figures.contributions.spec import MOST_EDGES, ContributionsSpec
from viewer.figures.contributions.text import (
    crowd_badge,
    heads_note,
    measure_badge,
    share_badge,
    threshold_badge,
)
from viewer.figures.figure import FigureSpec
from viewer.figures.known import Known, Missing
from viewer.figures.map.numbers_text import copies_badge
from viewer.figures.text import provenance_caption, trace_badges, trace_facts

QUESTIONS: tuple[Question, ...] = (ContributionsOf(), HeadContributionsOf())


def contributions_figure(
    trace: Trace,
    step: int,
    threshold: float,
    known: Known | None,
    *,
    raw: bool = False,
    provenance: Mapping[str, Any] | None = None,
) -> FigureSpec[ContributionsSpec]:
    """The graph of a step's word.

    Args:
        threshold: edges of less flow are left out, 0 to 1.
        raw: pieces as the tokenizer writes them.

    Raises:
        Missing: an answer is needed that is not known.
        IndexError: there is no such step.
    """
    contributions, heads = (_answer(question, trace, known) for question in QUESTIONS)
    assert isinstance(contributions, Contributions)
    assert isinstance(heads, HeadContributions)
    flow, style = flow_to(contributions, step), trace.token_style
    hidden, over = flow.hidden_below(threshold), int((flow.edges.flow >= threshold).sum())
    predicted = token_texts(trace.tgt_out_tokens, raw=raw, style=style)
    title = made_of(trace, step, raw=raw)
    badges = (
        measure_badge(),
        threshold_badge(threshold, hidden),
        crowd_badge(MOST_EDGES, over) if over > MOST_EDGES else "",
        share_badge(flow.source_share),
        copies_badge() if contributions.copies else "",
        *trace_badges(trace, sqrt_scale=False),
    )
    said = method_words(method_named("alti"))
    spec = ContributionsSpec(
        source=token_texts(trace.src_tokens, raw=raw, style=style),
        read=token_texts(trace.tgt_in_tokens, raw=raw, style=style, starts=True),
        predicted=predicted,
        layers=(len(contributions.encoder), len(contributions.own)),
        flow=flow,
        heads=heads,
        threshold=threshold,
        hidden=hidden,
        title=title,
        badges=tuple(badge for badge in badges if badge),
        notes=(*said.sentences, heads_note()),
        causal=trace.is_causal,
    )
    own = provenance or {}
    facts = trace_facts(trace) | {
        "view": "contributions",
        "step": step,
        "numbers": "contributions",
        "formula": said.formula,
        "caveat": said.caveat,
        "numbers_source": said.source,
        "threshold": threshold,
        "threshold_hidden_share": hidden,
        "source_share": flow.source_share,
        "badges": list(spec.badges),
        "provenance": dict(own),
    }
    return FigureSpec(spec, provenance_caption(trace, title, spec.badges, own, spec.notes), facts)


def _answer(question: Question, trace: Trace, known: Known | None) -> Any:
    reading = Reading.of(trace)
    answer = None if known is None else known(question, reading)
    if answer is None:
        raise Missing(question, reading)
    return answer
