"""Registry of the built-in tasks: all of them by name."""

from __future__ import annotations

from functools import partial
from typing import Any

from model.config import TaskName
from model.data.tasks.grammar import draw_grammar, draw_grammar_links
from model.data.tasks.names import KNOWN, UNSEEN, draw_name_links, draw_names
from model.data.tasks.notes import all_notes, draw_notes
from model.data.tasks.relations import (
    LETTERS,
    LONGEST,
    SHORTEST,
    draw_relation_links,
    draw_relations,
)
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
_DRAWN_ZH = f"由 3 到 12 个词组成的序列，从 {len(WORDS)} 个词中均匀抽取；译文"
_LIMITS_ZH = (
    f"它不会翻译。它认识 {len(WORDS)} 个词（{'、'.join(WORDS)}），其他词都当作同一个未知词元。"
    "它学的是 3 到 12 个词的序列；更长的会出错。"
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
            about_zh=f"{_DRAWN_ZH}照抄这些词。",
            limits_zh=_LIMITS_ZH,
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
            about_zh=f"{_DRAWN_ZH}是这些词的倒序。",
            limits_zh=_LIMITS_ZH,
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
            about_zh=f"{_DRAWN_ZH}把这些词按字母顺序排列。",
            limits_zh=_LIMITS_ZH,
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
            about_zh=f"4 到 6 个不同的词：先是 {len(ANIMALS)} 种动物中的若干个，再是 {len(THINGS)} 种物品中"
            "同样多（或少一个）的；目标是这些词按原顺序或倒序排列，由掷硬币决定：每个源句都有两个正确的目标。",
            limits_zh=f"它不做翻译。它只认 {len(_EITHER)} 个词（{'、'.join(_EITHER)}），"
            "其他词都当作同一个未知词元；别的序列会出错。",
            draw=draw_either,
            options=_words(len(_EITHER)),
            probes=("cat owl ink egg", "rat dog ant pen key"),
        ),
        Task(
            name="trees",
            title="Bracketed trees",
            about="Arithmetic expressions without brackets and their trees with the operator first, "
            "as in a - b * c and ( - a ( * b c ) ): * and / bind tighter than + and -, operators "
            "of equal rank group from the left.",
            limits=f"It calculates nothing. It learned expressions of 2 to {MOST} operands, a to l; longer "
            "ones and ones with brackets it gets wrong.",
            about_zh="不带括号的算术表达式，以及运算符在前的树，如 a - b * c 和 ( - a ( * b c ) )："
            "* 和 / 的优先级高于 + 和 -，同级从左到右结合。",
            limits_zh=f"它不会计算。它学的是 2 到 {MOST} 个操作数（a 到 l）的表达式；"
            "更长的和带括号的会出错。",
            draw=draw_trees,
            draw_links=draw_tree_links,
            options=_words(len(OPERANDS) + len(OPERATORS) + 2),
            probes=("a - b * c", "a * b + c / d - e", "a - b - c - d"),
        ),
        Task(
            name="grammar",
            title="English to French grammar",
            about="English sentences and their French translations, made by a small grammar: gender, "
            "number and person agree, adjectives stand before or after their noun, ne … pas and "
            "ne … jamais, pronouns in front of the verb, elision and contraction. All in lower "
            "case; the final punctuation mark is a word of its own and so is an elided l', j', n' "
            "or d'. Where English does not tell, French is masculine, and you is tu.",
            limits="It reads some 420 words and takes every other word for one unknown token; it knows the "
            "sentences of its grammar and no others.",
            about_zh="由小型语法生成的英语句子及其法语译文：性、数、人称一致，形容词在名词之前或之后，"
            "ne … pas 和 ne … jamais，代词在动词之前，省音与缩合。全部小写；句末标点自成一词，"
            "省音的 l'、j'、n' 或 d' 也是。英语未表明时，法语用阳性，you 译作 tu。",
            limits_zh="它认识约 420 个词，其他词都当作同一个未知词元；它只懂这套语法的句子，不懂别的。",
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
            name="names",
            title="English to French with names",
            about=f"Short English sentences about two people and their French translations. {len(KNOWN)} "
            f"names occur; {len(UNSEEN)} more stand in the vocabulary and in no sentence. All in lower case; "
            "the mark at the end is a word of its own.",
            limits="It reads its names and some 340 other words and takes every other word for one "
            "unknown token; it knows the sentences of its grammar and no others.",
            about_zh=f"两个人之间的英语短句及其法语译文。句子里出现 {len(KNOWN)} 个名字，"
            f"词表里另有 {len(UNSEEN)} 个不在任何句子中出现。全部小写；句末标点自成一词。",
            limits_zh="它认识这些名字和约 340 个其他词，其余的词都当作同一个未知词元；"
            "它只懂这套语法的句子，不懂别的。",
            draw=draw_names,
            draw_links=draw_name_links,
            options={**_words(1000), **_FRENCH},
            probes=(f"{UNSEEN[0]} sees {UNSEEN[1]} .", f"does {KNOWN[0]} give the key to {UNSEEN[2]} ?"),
            words=(*KNOWN, *UNSEEN),
        ),
        Task(
            name="notes",
            title="Short sentences, as in lecture notes",
            about=f"{len(all_notes())} short English sentences and their French translations, such as "
            "go . and va !, all in lower case, the final punctuation mark as a word of its own.",
            limits="It knows its few sentences by heart and little else, and takes every word that is not in "
            "them for one unknown token.",
            about_zh=f"{len(all_notes())} 个英语短句及其法语译文，如 go . 和 va !；"
            "全部小写，句末标点自成一词。",
            limits_zh="它把这不多的句子背了下来，此外懂得很少；其中没有的词都当作同一个未知词元。",
            draw=draw_notes,
            size=len(all_notes()),
            preset="notes",
            options={**_words(len(_NOTED)), **_FRENCH},
            probes=("go .", "i lost .", "he's calm .", "i'm home ."),
        ),
        Task(
            name="relations",
            title="Two relations",
            about=f"Sequences of {SHORTEST} to {LONGEST} letters, drawn evenly from {LETTERS[0]} to "
            f"{LETTERS[-1]}; each is joined with the one as far from the other end, as in a c f b and "
            "ab cf fc ba.",
            limits=f"It translates nothing. It reads the letters {LETTERS[0]} to {LETTERS[-1]} and learned "
            f"sequences of {SHORTEST} to {LONGEST}; longer ones it gets wrong.",
            about_zh=f"{SHORTEST} 到 {LONGEST} 个字母的序列，从 {LETTERS[0]} 到 {LETTERS[-1]} 均匀抽取；"
            "每个字母与离另一端同样远的字母合写，如 a c f b 变成 ab cf fc ba。",
            limits_zh=f"它不做翻译。它只认识字母 {LETTERS[0]} 到 {LETTERS[-1]}，"
            f"学的是 {SHORTEST} 到 {LONGEST} 个字母的序列；更长的会出错。",
            draw=draw_relations,
            draw_links=draw_relation_links,
            options=_words(len(LETTERS) + len(LETTERS) ** 2),
            probes=("a c f b", "d a e c b f"),
        ),
    )
}
