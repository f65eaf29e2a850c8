"""What figures, captions and sentences say of models with one stack, and of models without proof."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from model.abilities import Ability
from model.errors import MESSAGES
from model.trace.trace import AttentionKind, Trace
from tests.viewer.figure_samples import SOURCE, TARGET, sample_trace, trace_of
from tests.viewer.foreign.samples import info_of, prompt_trace, reading_trace
from viewer.document.document import Run, ViewOptions
from viewer.document.selection import Selection
from viewer.document.text.absent import absent_reason, absent_sentence, absent_words
from viewer.document.text.input_text import (
    given_steps,
    input_text,
    input_tokens,
    produced_ids,
    produced_logprobs,
)
from viewer.document.text.model_text import cannot, languages_text, task_of
from viewer.export.data import write_data
from viewer.figures.all_heads.build import all_heads_figure
from viewer.figures.all_heads.spec import AllHeadsSpec
from viewer.figures.figure import FigureSpec
from viewer.figures.flow.build import flow_figure
from viewer.figures.flow.spec import FlowSpec
from viewer.figures.map.accessible_text import accessible_cell, row_table
from viewer.figures.map.build import map_figure
from viewer.figures.map.spec import MapSpec
from viewer.figures.request import ExportRequest, Source
from viewer.figures.tree.spec import grow
from viewer.figures.words.build import words_figure
from viewer.figures.words.spec import WordsSpec
from viewer.model_samples import first_sample, sample_groups
from viewer.pages.widgets.wording import step_sentence

DECODER = Selection(kind=AttentionKind.DECODER_SELF, layer=1, head=2, step=3)
ENCODER = Selection(kind=AttentionKind.ENCODER_SELF, layer=1, head=2)
UNPROVEN = {"verified": "false"}


def shown(trace: Trace, selection: Selection) -> tuple[FigureSpec, MapSpec]:
    figure = map_figure(trace, selection, ViewOptions())
    assert isinstance(figure.body, MapSpec)
    return figure, figure.body


def test_a_prompt_s_rows_say_that_the_next_token_was_given(qapp: object) -> None:
    figure, spec = shown(prompt_trace(), DECODER)

    assert [label.given for label in spec.row_labels] == [True, False, False, False]
    assert [(label.text, label.second) for label in spec.row_labels] == [
        ("red", "(app)"),
        ("app", "⋅les"),
        ("⋅les", "grow"),
        ("grow", "(end)"),
    ]
    assert "(given)" in spec.row_title
    assert "source" not in spec.row_title + spec.column_title
    assert spec.kind_name == "causal self-attention"
    assert figure.caption.startswith("Decoder layer 2 of 2, head 3 of 3, causal self-attention.")
    assert "“red app” → “les grow”" in figure.caption
    assert figure.facts["text"] == "red app"


def test_the_sentences_of_a_prompt_s_cell_predict_nothing(qapp: object) -> None:
    _, spec = shown(prompt_trace(), DECODER)

    assert (
        spec.sentence_at(0, 0)
        == "Decoder layer 2, head 3: at “red”, before the given “app”, reads “red” 1.000"
    )
    assert spec.sentence_at(0, 1).endswith("before the given “app”, cannot read “app”")
    assert spec.sentence_at(1, 0) == "Decoder layer 2, head 3: predicting “⋅les” reads “red” 0.500"
    assert accessible_cell(spec, 0, 0).endswith("at red, before the given app, reads red, 1.00")
    assert accessible_cell(spec, 0, 1).endswith("before the given app, cannot read app")
    assert accessible_cell(spec, 1, 1).endswith("predicting les, reads app, 0.50")
    assert "reads red, before the given app" in row_table(spec, 0)
    assert "reads app, predicts les" in row_table(spec, 1)


def test_words_and_flow_of_a_prompt(qapp: object) -> None:
    chosen = DECODER.but(query=0, key=0)
    words = words_figure(prompt_trace(), chosen, ViewOptions()).body
    assert isinstance(words, WordsSpec)
    assert words.heading == "Decoder layer 2, head 3: at “red”, before the given “app”, reads:"
    flow = flow_figure(prompt_trace(), DECODER, ViewOptions()).body
    assert isinstance(flow, FlowSpec)
    assert "(given)" in flow.row_title


def test_the_step_s_sentence(qapp: object) -> None:
    trace = prompt_trace()
    assert step_sentence(trace, 0, False) == "reads “red” → (given) “app”, to the model 2.0 % (rank 7)"
    assert step_sentence(trace, 1, False) == "reads “app” → predicts “⋅les”, 50 %"
    assert step_sentence(trace, 2, False) == "reads “⋅les” → predicts “grow”, 25 % (rank 2)"


def test_an_encoder_alone_has_no_source(qapp: object) -> None:
    figure, spec = shown(reading_trace(), ENCODER)
    assert spec.row_title == "tokens of the text (queries)"
    assert spec.column_title == "attends to: tokens of the text (keys) →"
    assert spec.kind_name == "self-attention"
    assert spec.title == "Encoder layer 2 of 2, head 3 of 3"
    assert "“red apples”" in figure.caption
    assert "decoding" not in figure.caption.lower()


def test_what_is_absent(qapp: object) -> None:
    assert absent_words(sample_trace()) == absent_sentence(sample_trace()) == ""
    assert absent_words(prompt_trace()) == "no encoder"
    assert absent_reason(prompt_trace()) == "This model has no encoder."
    assert "no cross-attention" in absent_sentence(prompt_trace())
    assert absent_words(reading_trace()) == "no decoder"
    weights = {AttentionKind.DECODER_SELF: np.ones((1, 1, 3, 3), np.float32) / 3}
    part = trace_of(weights, SOURCE, TARGET)
    assert absent_sentence(part) == "Not in this trace: encoder self-attention, cross-attention."


def test_what_was_given_and_what_was_produced() -> None:
    trace, other = prompt_trace(), sample_trace()
    assert (input_text(trace), input_tokens(trace), given_steps(trace)) == ("red app", ("▁red", "▁app"), 1)
    assert produced_ids(trace).tolist() == [12, 13, 14]
    np.testing.assert_allclose(np.exp(produced_logprobs(trace)), [0.5, 0.25, 0.125], rtol=1e-6)
    assert (input_text(other), input_tokens(other), given_steps(other)) == ("red apples", other.src_tokens, 0)
    assert len(produced_ids(other)) == other.steps


def test_the_tree_of_a_prompt_counts_what_was_produced_alone() -> None:
    tree = grow([Run("a", prompt_trace())])
    path = [tree.nodes[index] for index in tree.path("a")]
    assert [node.token for node in path] == [11, 12, 13, 14]
    np.testing.assert_allclose([np.exp(node.score) for node in path], [1.0, 0.5, 0.125, 1 / 64], rtol=1e-6)
    np.testing.assert_allclose(path[-1].rank_score, np.log(1 / 64) / 3, rtol=1e-6)


@pytest.mark.parametrize(
    ("make", "selection"), [(prompt_trace, DECODER), (reading_trace, ENCODER)], ids=["prompt", "reading"]
)
def test_a_trace_without_proof_says_so_everywhere(
    qapp: object, tmp_path: Path, make: object, selection: Selection
) -> None:
    plain = make()  # type: ignore[operator]
    trace = make(extra={**plain.extra, **UNPROVEN})  # type: ignore[operator]
    view = ViewOptions()
    assert "not verified" not in shown(plain, selection)[0].caption.lower()
    bodies = []
    for build in (map_figure, flow_figure, words_figure):
        figure = build(trace, selection, view)
        assert "Not verified." in figure.caption
        assert "not verified" in figure.facts["badges"]
        bodies.append(figure.body)
    every = all_heads_figure(trace, selection.step, view)
    assert isinstance(every.body, AllHeadsSpec)
    assert "Not verified." in every.caption
    bodies.append(every.body)
    assert all("not verified" in body.badges for body in bodies)
    path = tmp_path / "map.csv"
    write_data(Source(trace), ExportRequest("heatmap", selection), path, "csv")
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert {row["notes"] for row in rows} == {"not verified"}


def test_what_a_model_cannot_do_is_one_sentence(qapp: object) -> None:
    foreign, reader = info_of("decoder_only"), info_of("encoder_only")
    said = cannot(foreign, Ability.ALTER)
    assert said == cannot(foreign, Ability.ANSWER) == cannot(reader, Ability.ALTER)
    assert "transformers" in said
    assert MESSAGES["source_cannot"].format(name="tiny")[1:] in said
    assert cannot(foreign, Ability.WRITE) == "" != cannot(reader, Ability.WRITE)
    assert cannot(None, Ability.ALTER) == ""
    opened = info_of(can=frozenset((Ability.WRITE, Ability.ALTER, Ability.MEASURE, Ability.ANSWER)))
    assert {cannot(opened, one) for one in (Ability.ALTER, Ability.MEASURE, Ability.ANSWER)} == {""}
    assert "its positions" in cannot(opened, Ability.ARRANGE)
    assert "not worked out" in cannot(opened, Ability.WALK)


def test_what_to_do_with_each_family(qapp: object) -> None:
    translator, writer, reader = (
        task_of(info_of(name)) for name in ("encoder_decoder", "decoder_only", "encoder_only")
    )
    assert [task.ask for task in (translator, writer, reader)] == ["Generate", "Continue", "Read"]
    assert task_of(None).ask == task_of(info_of("encoder_decoder", model_type="marian")).ask == "Translate"
    assert task_of(info_of("encoder_decoder", languages=("en", "fr"))).ask == "Translate"
    assert writer.invitation == "Type the beginning of a text; the model continues it."
    assert "[MASK]" in reader.invitation
    assert "[SEP]" in reader.invitation
    plain = task_of(info_of("encoder_only", architecture={}))
    assert "[" not in plain.invitation + plain.placeholder


def test_samples_suit_the_model(qapp: object) -> None:
    assert "{" not in "".join(map(str, sample_groups(info_of("encoder_only")).values()))
    assert "[MASK]" in first_sample(info_of("encoder_only"))
    bare = sample_groups(info_of("encoder_only", architecture={}))
    assert bare
    assert not any("[" in sentence or "{" in sentence for group in bare.values() for sentence in group)
    chinese = first_sample(info_of("encoder_only", name="bert-base-chinese"))
    assert any("\u4e00" <= letter <= "\u9fff" for letter in chinese)
    assert first_sample(info_of("encoder_decoder", model_type="t5")).startswith("translate English to")
    # A folder that does not say its languages is taken for English, a bundle of one's own for what it is.
    assert sample_groups(info_of()) == sample_groups(info_of(languages=("en", "fr")))
    assert sample_groups(info_of(model_type="headscope")) != sample_groups(info_of())


def test_languages_that_nobody_knows_are_not_named() -> None:
    assert languages_text(("und", "und")) == ""
    assert languages_text(("en", "fr")) == "English → French"
    assert languages_text(("en", "und")) == "English → ?"
