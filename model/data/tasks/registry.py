"""Registry of the built-in tasks: all of them by name."""

from __future__ import annotations

from functools import partial
from typing import Any

from model.config import TaskName
from model.data.tasks.grammar import draw_grammar, draw_grammar_links
from model.data.tasks.notes import all_notes, draw_notes
from model.data.tasks.sequences import (
    ANIMALS,
    THINGS,
    WORDS,
    copy_order,
    draw_either,
    draw_order_links,
    draw_ordered,
    reverse_order,
    sort_order,
)
from model.data.tasks.task import Task
from model.data.tasks.trees import MOST, OPERANDS, OPERATORS, draw_tree_links, draw_trees

_DRAWN = f"Sequences of 3 to 12 words, drawn evenly from {len(WORDS)}, and the same words"
_LIMITS = (
    f"It translates nothing. It reads {len(WORDS)} words ({', '.join(WORDS)}) and takes every other word "
    "for one unknown token. It learned sequences of 3 to 12 words; longer ones it gets wrong."
)
_SPECIAL = 4  # pieces beside the words


def _words(amount: int) -> dict[str, Any]:
    """A vocabulary of all words, and hardly larger, so that what a model takes can be told beforehand."""
    return {"vocab_type": "word", "byte_fallback": False, "vocab_size": amount + _SPECIAL}


_ORDERED = _words(len(WORDS))
_EITHER = (*ANIMALS, *THINGS)
_FRENCH = {"coverage": 1.0, "languages": ("en", "fr")}
_NOTED = {word for pair in all_notes() for text in pair for word in text.split()}

TASKS: dict[TaskName, Task] = {
    task.name: task
    for task in (
        Task(
            name="copy",
            title="Copy",
            about=f"{_DRAWN} again.",
            limits=_LIMITS,
            draw=partial(draw_ordered, "copy", copy_order),
            draw_links=partial(draw_order_links, "copy", copy_order),
            options=_ORDERED,
            probes=("cat dog egg fox owl", "bee bee ant bee zoo ant"),
        ),
        Task(
            name="reverse",
            title="Reverse",
            about=f"{_DRAWN} in reverse order.",
            limits=_LIMITS,
            draw=partial(draw_ordered, "reverse", reverse_order),
            draw_links=partial(draw_order_links, "reverse", reverse_order),
            options=_ORDERED,
            probes=("cat dog egg fox owl", "bee bee ant bee zoo ant"),
        ),
        Task(
            name="sort",
            title="Sort",
            about=f"{_DRAWN} in alphabetical order.",
            limits=_LIMITS,
            draw=partial(draw_ordered, "sort", sort_order),
            draw_links=partial(draw_order_links, "sort", sort_order),
            options=_ORDERED,
            probes=("owl cat zoo ant fox", "bee zoo bee ant zoo ant"),
        ),
        Task(
            name="either",
            title="Forward or backward",
            about=f"Sequences of 4 to 6 different words, first some of {len(ANIMALS)} animals and then as "
            f"many of {len(THINGS)} things, or one less, and the same words in the same order or in reverse, "
            "which a coin decides: each source has two right targets.",
            limits=f"It translates nothing. It reads {len(_EITHER)} words ({', '.join(_EITHER)}) and takes "
            "every other word for one unknown token; other sequences it gets wrong.",
            draw=draw_either,
            options=_words(len(_EITHER)),
            probes=("cat owl ink egg", "rat dog ant pen key"),
        ),
        Task(
            name="trees",
            title="Bracketed trees",
            about="Arithmetic expressions without brackets and their trees with the operator first, as in "
            "a - b * c and ( - a ( * b c ) ): * and / bind tighter than + and -, equals group from the left.",
            limits=f"It calculates nothing. It learned expressions of 2 to {MOST} operands, a to l; longer "
            "ones and ones with brackets it gets wrong.",
            draw=draw_trees,
            draw_links=draw_tree_links,
            options=_words(len(OPERANDS) + len(OPERATORS) + 2),
            probes=("a - b * c", "a * b + c / d - e", "a - b - c - d"),
        ),
        Task(
            name="grammar",
            title="English to French grammar",
            about="English sentences and their French translations, made by a small grammar: gender, "
            "number and person agree, adjectives stand before or after their noun, ne … pas and ne … jamais, "
            "pronouns in front of the verb, elision and contraction. All in lower case; the mark at the end "
            "is a word of its own and so is an elided l', j', n' or d'. Where English does not tell, French "
            "is masculine, and you is tu.",
            limits="It reads some 420 words and takes every other word for one unknown token; it knows the "
            "sentences of its grammar and no others.",
            draw=draw_grammar,
            draw_links=draw_grammar_links,
            options={**_words(1200), **_FRENCH},
            probes=(
                "the old actress does not eat the red apple .",
                "the boy takes the key and forgets it .",
                "they did not see her .",
            ),
        ),
        Task(
            name="notes",
            title="Short sentences, as in the notes",
            about=f"{len(all_notes())} short English sentences and their French translations, such as "
            "go . and va !, all in lower case, the mark at the end as a word of its own.",
            limits="It knows its few sentences by heart and little else, and takes every word that is not in "
            "them for one unknown token.",
            draw=draw_notes,
            size=len(all_notes()),
            preset="notes",
            options={**_words(len(_NOTED)), **_FRENCH},
            probes=("go .", "i lost .", "he's calm .", "i'm home ."),
        ),
    )
}
