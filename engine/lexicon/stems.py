"""English words without their endings, and the characters of Chinese, in which texts are compared word by word."""

import re
from functools import lru_cache
from typing import Final

_TOKEN: Final = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]|[,.;!?:，。；！？：、\n()（）]")
_DECIMAL: Final = re.compile(r"(?<=\d)[.,](?=\d)")
_NOT: Final = re.compile(r"n['’]t\b")
_FORMS: Final = """
    held=hold bought=buy built=build chose=choose chosen=choose kept=keep paid=pay sent=send went=go gone=go
    ran=run running=run took=take taken=take gave=give given=give spent=spend left=leave made=make began=begin
    begun=begin taught=teach met=meet wrote=write written=write grew=grow grown=grow did=do done=do was=be were=be
    been=be brought=bring sold=sell shown=show drawn=draw led=lead lost=lose won=win hid=hide rose=rise risen=rise
    fell=fall fallen=fall better=good best=good worse=bad worst=bad people=people men=man women=woman
    children=child smaller=small larger=large bigger=big cheaper=cheap faster=fast slower=slow shorter=short
    longer=long safer=safe wo=will ca=can sha=shall
    using=use used=use agreed=agree agreeing=agree freed=free guaranteed=guarantee guaranteeing=guarantee
    cancelled=cancel cancelling=cancel cancellation=cancel travelled=travel travelling=travel controlled=control
    controlling=control labelled=label labelling=label modelled=model modelling=model levelled=level died=die dying=die
    lied=lie lying=lie tied=tie tying=tie owed=owe owing=owe going=go gone=go doing=do said=say told=tell thought=think
    felt=feel found=find sought=seek caught=catch fought=fight heard=hear dealt=deal meant=mean lent=lend stood=stand
    understood=understand forgot=forget forgotten=forget forbade=forbid forbidden=forbid froze=freeze frozen=freeze
    broke=break broken=break drove=drive driven=drive spoke=speak spoken=speak knew=know threw=throw thrown=throw
    wore=wear worn=wear saw=see seen=see came=come became=become flew=fly got=get gotten=get sat=sit fed=feed ate=eat
    eaten=eat hung=hang stole=steal stolen=steal stuck=stick lain=lie
    easier=easy easiest=easy harder=hard stronger=strong weaker=weak riskier=risky simpler=simple busier=busy
    tougher=tough stricter=strict cleaner=clean quieter=quiet wiser=wise
    """
_IRREGULAR: Final = dict(pair.split("=") for pair in _FORMS.split())
_AS_THEY_ARE: Final = frozenset(("willing", "wine", "parking", "marketing", "fixed", "stages", "phases"))
"""What is left without the ending is another word."""
_IN_LY: Final = """
    anomaly assembly barely costly directly fairly family hardly highly italy lately monopoly openly reply
    shortly supply
    """
_NO_ADVERBS: Final = frozenset(_IN_LY.split())
_JOINING: Final = """
    a about also an and are as at be because both but by can could d did do does each for from had has have he her
    here his how i if in into is it its just let ll make may me might my no not of off on one or ought our out per
    re s shall she should since so such t than that the their then there these they this those to too up us ve
    very was we were what when where which who whom whose will with would you your
    """
STOP_WORDS: Final = frozenset(_JOINING.split())
_NUMBERS: Final = """
    cent dozen eight eighty eleven fifteen fifth fifty first fiv five forty four fourteen fourth half hundr
    hundred million nin ninety once one pair per percent second seven seventy six sixteen sixty ten third thirteen
    thirty thousand thre three twelv twenty twice two
    """
NUMBER_WORDS: Final = frozenset(_NUMBERS.split())
"""Stems."""


def is_chinese(word: str) -> bool:
    return bool(word) and "\u3400" <= word[0] <= "\u9fff"


@lru_cache(maxsize=128)
def words_of(text: str) -> tuple[str, ...]:
    """Return the stems of English words, each character of Chinese, and the signs that end a clause."""
    low = _NOT.sub(" not", _DECIMAL.sub("", text.lower().replace("cannot", "can not")))
    return tuple(stemmed(each) for each in _TOKEN.findall(low))


_SIGNS: Final = frozenset(",.;!?:，。；！？：、\n()（）")


def content_words(text: str) -> list[str]:
    """Words without those that only join others, and without signs."""
    return [each for each in words_of(text) if each not in STOP_WORDS and each not in _SIGNS]


@lru_cache(maxsize=8192)
def stemmed(word: str) -> str:
    """Cut an English word, in lower case, to what its forms have in common."""
    if word in _AS_THEY_ARE:
        return word
    word = _IRREGULAR.get(word, word)
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return (
            word[:-1]
            if len(word) == 3 and word.endswith("s") and word not in ("was", "has", "yes", "its", "bus")
            else word
        )
    if len(word) > 5 and word.endswith("ly") and word not in _NO_ADVERBS:
        word = word[:-2]
    if word.endswith(("ies", "ied")) and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return without_ending(word)


def without_ending(word: str) -> str:
    """Cut -ing, -ed, the letter that was doubled before them, and a silent e."""
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("eed"):
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word.removesuffix("e") if len(word) > 3 else word
