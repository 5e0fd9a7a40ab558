"""Whether somebody says that they can help: in the first person, plainly, and neither as a question nor with a "not".

It is conservative: whoever is not understood is told how things stand, and can say it otherwise; whoever is understood
where they meant something else would be offered to somebody.
"""

import re
from typing import Final

LONGEST_READ: Final = 2_000
"""Characters; what comes later is not looked at."""

_QUOTED: Final = re.compile(r"“[^“”]*”|\"[^\"]*\"|「[^「」]*」|『[^『』]*』|‘[^‘’]*’")
_SENTENCE: Final = re.compile(r"[^.!?;\n。！？；…]+[.!?;。！？；…]*")

_OPENERS: Final = (
    r"(?:(?:hi|hey|hello|yes|yeah|sure|ok|okay|well|so|and|but|also|great|nice|cool|oh|ah|thanks|fyi|btw|by the way|"
    r"good idea|maybe|perhaps|i think|i guess|i believe|actually|of course|there|all|everyone|everybody|team|"
    r"folks)\b[\s,:–—-]*+)*+"
)
"""None is given back: beside another of itself, every way to share a row of greetings would be tried."""
_CIRCUMSTANCE: Final = r"(?:(?:if|when|as|since|because|for|on|in|at|from|after|before|until|with)\s[^,]{1,80},\s*)?"
_ADVERB: Final = (
    r"(?:also|gladly|happily|certainly|definitely|probably|easily|surely|still|perhaps|maybe|really|totally|even)\s+"
)

_DO: Final = (
    r"(?:help|assist|support|pitch\s+in|lend|offer|bring|provide|contribute|host|join|take\s+(?:care|on|over|part|the|some|photos|pictures|notes)|"
    r"volunteer|do\s+(?:the|some|it|that)|cover\s+(?:the|for|it|that)|handle|organi[sz]e|cook|bake|drive|design|film|photograph|translate|moderate|"
    r"speak|teach|give\s+(?:a|the)|run\s+(?:the|a)|be\s+(?:a|the|your|there\s+to\s+help)|set\s+up|sponsor)\b"
)
_ENGLISH: Final = re.compile(
    rf"^{_OPENERS}{_CIRCUMSTANCE}{_OPENERS}(?:"
    rf"(?:i|we)\s+(?:{_ADVERB})?(?:can|could|will|would|might)\s+(?:{_ADVERB})?{_DO}"
    rf"|(?:i|we)(?:'ll|'d)\s+(?:{_ADVERB})?{_DO}"
    rf"|(?:i|we)(?:\s+would|'d)\s+(?:{_ADVERB})?(?:be\s+(?:very\s+|so\s+)?(?:happy|glad|willing|able|delighted)|love|like)\s+to\s+{_DO}"
    rf"|(?:(?:i\s+am|i'm|we\s+are|we're)\s+)?(?:very\s+|more\s+than\s+)?(?:happy|glad|willing|available|able|ready|free)\s+to\s+{_DO}"
    rf"|(?:i|we)\s+(?:want|wish|offer|am\s+offering)\s+to\s+{_DO}"
    r"|(?:i|we)\s+volunteer\b"
    rf"|let\s+(?:me|us)\s+{_DO}"
    r"|(?:please\s+)?(?:count|sign)\s+(?:me|us)\s+(?:in|up)\b"
    r"|i(?:'m|\s+am)\s+in\b(?!\s+\w)"
    r"|(?:i|we)\s+have\s+.{1,80}\b(?:you|we|they|everybody|the\s+team)\s+(?:can|could|may)\s+(?:use|borrow|have)\b"
    r")"
)
_NOT_ENGLISH: Final = re.compile(
    r"n't\b|\b(?:not|cannot|never|no\s+longer|hardly|nobody|unable|unfortunately|instead\s+of|unless)\b"
    r"|\bif\s+i\s+(?:were|was|had|could|lived)\b|\b(?:wish|thought|said|asked|wondered|whether|used\s+to)\b"
    r"|\bcould\s+have\b|\bwould\s+have\b|\bhelp\s+(?:me|us|myself)\b|\bhelp\s+it\b"
)

_WHEN: Final = r"(?:[^，,。]{1,24}[，,]\s*)?"
_MAY: Final = (
    r"(?:也|还|都|就|随时|很|非常|倒是|其实|应该|大概|或许|也许|周[一二三四五六日天]|星期[一二三四五六日天]|明天|今天|"
    r"下午|上午|晚上|这次|那天)*"
)
_CHINESE: Final = re.compile(
    rf"^{_WHEN}(?:你好|您好|大家好|嗨|好的?|可以|行|嗯|是的|那|另外|对了)?[，,\s]*(?:"
    rf"我们?{_MAY}(?:可以|能够?|愿意|乐意|想|来|很乐意|会|打算|要){_MAY}(?:来|去|试着)?"
    r"(?:帮(?!我)|协助|支持|提供|负责|出(?!席|去|来|发|差|不)|带|搭把手|搭把|参加|参与|加入|承担|主持|赞助|当|做|拍|设计|翻译|开车|分享|讲|借|搞定|安排|贡献|出力)"
    r"|我们?来(?:吧|负责|做|弄|拍|办|搞定|安排|写|画|讲|$)"
    r"|(?:请)?(?:算|加)上?我们?(?:一个|一份)"
    r"|我(?:也)?(?:要)?(?:报名|自荐|自告奋勇)"
    r"|让我(?:来|帮|试试)"
    r"|(?:这个|这件事|那个)?(?:就)?交给我"
    r"|我们?有.{1,40}(?:可以|能)(?:借|用|给你|给大家|提供)"
    r")"
)
_NOT_CHINESE: Final = re.compile(
    r"不(?!错|过|仅|但|只|论|管)|没|别|无法|帮我|谁|要是我|如果我|假如我|本来|原本|以为|说我|问我|希望我|吗|呢$|么$|怎么|是否|能否|可否"
)


def is_offer_of_help(text: str) -> bool:
    """Whether one of the sentences offers the writer's own help, in Chinese or English."""
    plain = _QUOTED.sub(" ", text[:LONGEST_READ]).replace("’", "'").casefold()
    return any(_offers(each.group().strip()) for each in _SENTENCE.finditer(plain))


def _offers(sentence: str) -> bool:
    if sentence.endswith(("?", "？")):
        return False
    if _ENGLISH.search(sentence):
        return not _NOT_ENGLISH.search(sentence)
    return bool(_CHINESE.search(sentence)) and not _NOT_CHINESE.search(sentence)
