"""A run in words: how it was made, how it ended, why a hypothesis lost. Steps are counted from 1."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QCoreApplication

from viewer.document.alterations.alteration_text import change_texts
from viewer.document.beam_verdict import Verdict
from viewer.document.document import Run
from viewer.document.run_source import RunSource
from viewer.document.text.lists import clauses, names, phrases
from viewer.figures.tree.spec import End, TokenNode, changes_of
from viewer.pages.widgets.wording import percent

translate = QCoreApplication.translate


def mode_text(run: Run) -> str:
    """How it was made: "beam 4", "sample T=0.8 seed 3", "branch at step 4, greedy"."""
    parts = []
    source = run.provenance.get("source")
    if source == RunSource.RECORDED:
        parts.append(translate("Branches", "recorded"))
    if source == RunSource.HYPOTHESIS:
        parts.append(translate("Branches", "hypothesis"))
    elif run.branch_step is not None:
        parts.append(translate("Branches", "branch at step {step}").format(step=run.branch_step + 1))
    if source != RunSource.HYPOTHESIS:
        parts.append(_decoding_text(run))
    changes = changes_of(run)
    if changes:
        parts.append(
            translate("Branches", "altered: {changes}").format(
                changes=clauses(change_texts(changes, run.trace))
            )
        )
    return phrases(parts)


def _decoding_text(run: Run) -> str:
    decoding = run.trace.decoding
    mode = decoding.get("mode")
    if mode == "beam":
        return translate("Branches", "beam {size}").format(size=decoding.get("beam_size", "?"))
    if mode == "sample":
        return _sampling_text(run)
    if mode == "forced":
        return translate("Branches", "forced")
    if mode == "greedy":
        return translate("Branches", "greedy")
    if mode == "rounds":
        return translate("Branches", "rounds: {number}").format(number=decoding.get("rounds", "?"))
    if mode == "read":
        return translate("Branches", "read in one pass")
    return str(mode or "")


def _sampling_text(run: Run) -> str:
    decoding: Any = run.trace.decoding
    parts = [translate("Branches", "sample")]
    parts.append(f"T={decoding.get('temperature', 1.0):g}")
    if decoding.get("top_k"):
        parts.append(f"k={decoding['top_k']}")
    if decoding.get("top_p", 1.0) < 1:
        parts.append(f"p={decoding['top_p']:g}")
    seed = decoding.get("seed") if run.trace.seed is None else run.trace.seed
    if seed is not None:
        parts.append(translate("Branches", "seed {seed}").format(seed=seed))
    return " ".join(parts)


def end_text(end: End) -> str:
    """How something ends."""
    texts: dict[End, str] = {
        "finished": translate("Branches", "finished"),
        "cut": translate("Branches", "cut by the length limit"),
        "cancelled": translate("Branches", "stopped by you"),
        "live": translate("Branches", "decoding"),
        "dropped": translate("Branches", "dropped by the search"),
        "open": translate("Branches", "not continued by the search"),
    }
    return texts[end]


def standing_text(node: TokenNode) -> str:
    """What became of a node: runs that pass or end, or the fate of the hypothesis."""
    if node.runs:
        return _runs_text(node)
    texts = {
        "kept": translate("Branches", "kept in the beam"),
        "finished": translate("Branches", "finished"),
        "cut": translate("Branches", "cut by the length limit"),
        "dropped": translate("Branches", "dropped by the search"),
    }
    return texts[node.standing]


def _runs_text(node: TokenNode) -> str:
    passing = len(node.runs) - len(node.ends)
    ends = names(dict.fromkeys(end_text(end) for _, end in node.ends))
    if not ends:
        return translate("Branches", "runs through here: {number}").format(number=passing)
    if not passing:
        return ends
    text = translate("Branches", "runs through here: {number}; one ends here: {how}")
    return text.format(number=passing, how=ends)


def number(value: float) -> str:
    """A log probability with a true minus sign; a dash where nobody recorded it."""
    if math.isnan(value):
        return "–"
    return f"{value:.3f}".replace("-", "−")


def share_of(logprob: float) -> str:
    """The probability of a log probability, as text."""
    return percent(math.exp(min(logprob, 0.0)))


def verdict_text(verdict: Verdict) -> str:
    """Why a hypothesis stands where it stands, in one or two sentences."""
    own = verdict.decided is verdict.hypothesis
    if verdict.outcome == "won":
        return _won(verdict) if own else translate("Branches", "Kept here; it leads to the output.")
    if verdict.outcome == "live":
        return _live(verdict)
    if verdict.outcome == "pruned":
        head = (
            translate("Branches", "Dropped.")
            if own
            else translate("Branches", "Kept here; the last of its continuations was dropped.")
        )
        return f"{head} {_pruned(verdict)}"
    if verdict.outcome == "unfinished" and verdict.apart:
        return translate(
            "Branches",
            "Still in the beam when the search ended: {beam} had finished, and the best left in the "
            "beam ranked no higher than the last of them, {rank}.",
        ).format(beam=verdict.beam, rank=number(verdict.last_ended))
    if verdict.outcome == "unfinished":
        return translate(
            "Branches", "Still in the beam when the search ended: its total {score} could no longer win."
        ).format(score=number(verdict.decided.score))
    head = (
        translate("Branches", "Finished.")
        if own
        else translate("Branches", "Kept here; the best of its continuations finished.")
    )
    return f"{head} {_ended(verdict)}"


def _ended(verdict: Verdict) -> str:
    if verdict.outcome == "cut":
        return _cut(verdict)
    if verdict.outcome == "crowded":
        text = translate(
            "Branches",
            "Its rank score {rank} is not among the {beam} best finished ones, which are kept beside "
            "the beam; the last of them has {kept}.",
        )
        values = {"rank": number(verdict.decided.rank_score), "kept": number(verdict.last_ended)}
        return text.format(beam=verdict.beam, **values)
    if verdict.outcome == "late":
        text = translate(
            "Branches",
            "With a total of {score} it ranked {place} of {considered}; of those that end, only the "
            "first {beam} of a step count.",
        )
        values = {"score": number(verdict.decided.score), "place": str(verdict.place)}
        return text.format(considered=verdict.considered, beam=verdict.beam, **values)
    return _outranked(verdict)


def _won(verdict: Verdict) -> str:
    return translate("Branches", "This is the output: no rank score is above its {rank}.").format(
        rank=number(verdict.decided.rank_score)
    )


def _live(verdict: Verdict) -> str:
    if verdict.decided.fate == "kept":
        if verdict.stopped:
            return translate("Branches", "In the beam when you stopped the search.")
        return translate("Branches", "In the beam; the search goes on.")
    if verdict.stopped:
        text = translate("Branches", "Finished with rank score {rank}; you stopped the search.")
    else:
        text = translate("Branches", "Finished with rank score {rank}; the search goes on.")
    return text.format(rank=number(verdict.decided.rank_score))


def _pruned(verdict: Verdict) -> str:
    text = translate(
        "Branches",
        "At step {step} its total {score} was below the last one kept, {kept} (rank {place} of "
        "{considered} considered, {places} kept, beam {beam}).",
    )
    return text.format(
        step=verdict.step + 1,
        score=number(verdict.decided.score),
        kept=number(verdict.last_kept),
        place=verdict.place,
        considered=verdict.considered,
        places=verdict.places,
        beam=verdict.beam,
    )


def _cut(verdict: Verdict) -> str:
    text = translate(
        "Branches",
        "The length limit cut it after {tokens} tokens; a finished one (rank score {winner}) takes "
        "precedence.",
    )
    return text.format(tokens=verdict.decided.step + 1, winner=_winner_rank(verdict))


def _outranked(verdict: Verdict) -> str:
    winner = verdict.winner
    assert winner is not None
    text = translate("Branches", "Its rank score {rank} lost to the winner's {winner}.").format(
        rank=number(verdict.decided.rank_score), winner=number(winner.rank_score)
    )
    if not verdict.penalty:
        return text
    if verdict.by_penalty:
        more = translate("Branches", "The length penalty decided: without it, {score} would beat {winner}.")
    else:
        more = translate("Branches", "Without the length penalty too: {score} against {winner}.")
    totals = {"score": number(verdict.decided.score), "winner": number(winner.score)}
    return f"{text} {more.format(**totals)}"


def _winner_rank(verdict: Verdict) -> str:
    return "–" if verdict.winner is None else number(verdict.winner.rank_score)
