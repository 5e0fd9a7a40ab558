"""Reads what a goal names to choose from: "the hall or the canteen?", "图书馆还是食堂？"."""

import re
from collections.abc import Sequence
from typing import Final

from engine.facts.quoting import sentences

_ITEM: Final = r"(?:(?:the|an?|our)(?:\s+(?!(?:the|an?|our|or)\b)[^\s,?]+){1,4}|(?!not\b)[\w'-]+)"
_EN: Final = re.compile(rf"\b{_ITEM}(?:\s*,\s*{_ITEM})*\s*,?\s+or\s+{_ITEM}\s*\?", re.IGNORECASE)
_ZH: Final = re.compile(r"[^，,。！!；;还]{0,60}还是[^，,。！!；;]{0,60}[?？]")
_LEAD: Final = re.compile(r"^.*[:：]\s*|^.*(?:应该|选|去|在|租|订|买)(?=.)|(?:[更比]?较?[好合适]+|呢|吧)?\s*[?？]+\s*$")
_BETWEEN: Final = re.compile(r"\s{0,5}(?:,\s{0,5}or\s|\sor\s|[,，、]|还是|或者?)\s{0,5}", re.IGNORECASE)


def choices_in(goal: str) -> Sequence[str]:
    """Return them in the goal's own words; nothing where its grammar is not as plain as that."""
    for asked in (each.strip() for each in sentences(goal)):
        _, colon, listed = asked.rpartition(":")
        found = _ZH.search(asked) or (re.search(r".*\sor\s.*\?", listed) if colon else None) or _EN.search(asked)
        pieces = _BETWEEN.split(found[0]) if found else ()
        if len(labels := [each for piece in pieces if (each := _LEAD.sub("", piece).strip())]) > 1:
            return labels
    return ()
