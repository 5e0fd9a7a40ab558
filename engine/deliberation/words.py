"""The words of a text that say what it is about, in Chinese and English, so that facts, tasks and options can be held
against each other."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from engine.lexicon.stems import without_ending

LONGEST: Final = 2_000
"""Characters of a text that are read."""

_RUN: Final = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[\u3400-\u9fff]+")
_COMMON_EN: Final = frozenset(
    """
    a about above after all also an and any are as at be been before being but by can cannot could did do does done down
    each either else every few for from get gets give given go goes going got had has have having he her here him his
    how
    i if in into is it its just last let made make makes many may me might more most much must my need needs neither
    next
    no nor not now of off on once one only onto or other our out over own per please same shall she should since so some
    something such take takes than that the their them then there these they thing things this those through till to too
    two under until up upon us use used using very was we well were what when where whether which while who whom whose
    why will with within without would yes yet you your team plan task tasks work works working new first day days week
    weeks month months year years hour hours time times date dates know known say says said want wants like lot people
    person somebody someone anybody everybody still already able available around during because however both between
    """.split()  # noqa: SIM905 - as one reads them
)
_COMMON_ZH: Final = frozenset(
    """
    我们 他们 你们 大家 需要 一个 一场 可以 这个 那个 以及 或者 如果 因为 所以 但是 没有 已经 就是 还是 不是 不能
    不会 时候 什么 怎么 哪个 哪家 哪里 必须 应该 能够 进行 完成 安排 负责 计划 任务 时间 日期 开始 结束 之前 之后
    以前 以后 今天 明天 的人 个人 一位 一名 一次 一下 有人 希望 想要 而且 并且 只有 只能 才能 也不 都是 都有 这些
    那些 其中 各自 还有
    """.split()  # noqa: SIM905 - as one reads them
)


def stem(word: str) -> str:
    """Cut an English word, in lower case, to what its forms have in common."""
    word = word.removesuffix("'s")
    if len(word) <= 3 or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return without_ending(word)


@lru_cache(maxsize=4096)
def words_of(text: str) -> frozenset[str]:
    """Stems of English words and pairs of Chinese characters, without those that say nothing."""
    return frozenset(_words(text[:LONGEST].lower()))


def _words(low: str) -> Iterable[str]:
    for run in _RUN.findall(low):
        if run.isascii():
            if run not in _COMMON_EN and (len(run) > 1 or run.isdigit()):
                yield stem(run)
        elif len(run) == 1:
            yield run
        else:
            for at in range(len(run) - 1):
                pair = run[at : at + 2]
                if pair not in _COMMON_ZH:
                    yield pair


def share(wanted: str, *others: str) -> float:
    """Return which part of a text's words others say, from 0 to 1; 0 where it has none."""
    own = words_of(wanted)
    said = frozenset[str]().union(*map(words_of, others))
    return len(own & said) / len(own) if own else 0.0


def names(text: str, name: str) -> bool:
    """Whether a text names somebody or something: an English name as whole words, a Chinese one anywhere."""
    name = name.strip()
    if not name:
        return False
    if not name.isascii():
        return name in text
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", text, re.IGNORECASE) is not None
