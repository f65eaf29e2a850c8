"""Input of a model: a source that an encoder reads, or a prompt that the decoder goes on with."""

from __future__ import annotations

from model.trace.trace import Floats, Ids, Trace


def input_text(trace: Trace) -> str:
    """The text as it was typed."""
    return trace.src_text or trace.extra.get("prompt_text", "")


def is_of(trace: Trace, text: str) -> bool:
    """Whether a text, as it stands in a box, is what the model was given."""
    return input_text(trace).strip() == text.strip()


def input_tokens(trace: Trace) -> tuple[str, ...]:
    """Its raw pieces, specials included."""
    return trace.tgt_in_tokens[: trace.prompt_length] if trace.prompt_length else trace.src_tokens


def given_steps(trace: Trace) -> int:
    """How many steps, from the first on, predict a token that was given in the prompt."""
    return min(max(0, trace.prompt_length - 1), trace.steps)


def produced_ids(trace: Trace) -> Ids:
    """The tokens that the model produced, the end token included: nothing of a prompt."""
    produced: Ids = trace.tgt_out_ids[given_steps(trace) :]
    return produced


def produced_logprobs(trace: Trace) -> Floats:
    """Natural log probability of each of `produced_ids`."""
    produced: Floats = trace.step_logprob[given_steps(trace) :]
    return produced
