"""The content check: what a model has written is looked through before anybody is shown it (seed 001, section 10).

Passages with keys, links, addresses or numbers that nobody in the brief gave, calls to everybody, and copies of our own
prompts' marks are replaced by a short mark. What is cut off, and what nobody can see, goes without one. Keys are found
by their shape, and by being ours: no word says that something is one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final, TypeVar

from engine.facts.language import Language
from engine.facts.own_secrets import own_secrets
from engine.facts.shortening import visible
from engine.kernel import Message
from engine.kernel.encoding import with_texts

Said = TypeVar("Said", bound=Message)

WITHHELD: Final[Mapping[Language, str]] = {"en": "(left out)", "zh": "（已略去）"}
"""Stands where a passage was."""
MOST_PASSES: Final = 4
"""What is left when a passage is gone may be one in its turn; a text in which this goes on is left out whole."""

_SECRET: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-(?=[A-Za-z_-]{0,200}\d)[A-Za-z0-9_-]{16,200}"
    r"|(?:xox[a-z]|xapp)-(?=[A-Za-z-]{0,200}\d)[A-Za-z0-9-]{8,200}"
    r"|gh[pousr]_[A-Za-z0-9]{16,200}|github_pat_[A-Za-z0-9_]{16,200}|glpat-[A-Za-z0-9_-]{16,200}"
    r"|AKIA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{30,60}"
    r"|eyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,2000}"
    r")"
    r"|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----"
    r"(?:(?:\s|\\[rn]){0,4}(?:Proc-Type|DEK-Info): [\w,-]{1,100}){0,2}"
    r"(?:(?:\s|\\[rn]){0,4}[A-Za-z0-9+/=]{16,9000}){0,400}"
    r"(?:(?:(?:\s|\\[rn]){0,4}[A-Za-z0-9+/=]{1,16})?(?:\s|\\[rn]){0,4}-----END [A-Z ]{0,30}PRIVATE KEY-----)?"
)
_DIGITS: Final = re.compile(r"(?<![A-Za-z0-9])(?=[0-9a-f]{0,6000}\d)[0-9a-f]{32,6000}(?![A-Za-z0-9])")
"""Of a key, or of a digest: which of them, nobody sees."""
_LINK: Final = re.compile(
    r"(?i:\b[a-z][a-z0-9+.-]{1,20}://[^\s<>|，。；、）】」》]{1,2000}"
    r"|\b(?:mailto:(?=\S)|javascript:(?=\S{0,200}[(=])|data:[a-z]{1,20}/|tel:[+\d])[^\s<>|]{0,2000}"
    r"|(?<![@A-Za-z0-9._-])(?:www\.(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}(?![A-Za-z0-9-])"
    r"|(?:[a-z0-9-]{1,63}\.){1,5}"
    r"(?:com|org|net|io|cn|de|uk|eu|app|dev|info|biz|example|xyz|top|link|site|me|ly|gg|ru)(?=/))"
    r"(?:/[^\s<>|，。；、）】」》]{0,2000})?)"
)
_ADDRESS: Final = re.compile(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}[@＠](?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}(?![A-Za-z0-9-])"
)
_NUMBER: Final = re.compile(
    r"(?<![\w+])(?!\+\d{1,2} \d{4}-\d\d-\d\d)(?:"
    r"\+\d{1,3}[ .()-]{0,2}(?:\d[ .()-]{0,2}){6,13}\d"
    r"|1[3-9]\d[ -]?\d{4}[ -]?\d{4}"
    r"|0\d{2,4}[ /-]{1,3}\d{3,4}[ -]?\d{3,5}"
    r"|\(\d{3}\) ?\d{3}[ -]\d{4}|\d{3}-\d{3}-\d{4}"
    r")(?!\d|-\d\d-\d\d)"
)
_CALL: Final = re.compile(
    r"<!(?:channel|here|everyone|subteam\^[A-Z0-9]{1,40})(?:\|[^<>]{0,100})?>|<[@#][A-Z0-9_]{1,40}(?:\|[^<>]{0,100})?>"
    r"|[@＠](?i:channel|here|everyone)\b"
)
_FENCE: Final = re.compile(r"<\s{0,5}/?\s{0,5}[A-Za-z_]{1,40}\s{1,5}[0-9a-f]{8,64}\s{0,5}>")

PASSAGES: Final[Mapping[str, re.Pattern[str]]] = {
    "secret": _SECRET,
    "digits": _DIGITS,
    "address": _ADDRESS,
    "link": _LINK,
    "phone": _NUMBER,
    "mention": _CALL,
    "fence": _FENCE,
}
"""By kind, in the order in which they are looked for."""
GIVEN: Final = frozenset({"digits", "link", "address", "phone"})
"""Kinds that may be repeated where somebody has given them to everybody."""
LENGTH: Final = "length"
INVISIBLE: Final = "invisible"


class Check:
    """Looks through one answer.

    Args:
        given: texts that everybody who takes part has seen: what stands in them may be said again.
        language: of the brief.
        longest: characters of one text; what is longer is cut.
    """

    def __init__(self, given: Iterable[str], language: Language, longest: int) -> None:
        self._given = given
        self._longest = longest
        self._mark = WITHHELD[language]

    @cached_property
    def _allowed(self) -> frozenset[str]:
        """Looked for only once an answer has such a passage: most have none, and there may be much to look through."""
        return frozenset(_passages_in(self._given))

    def __call__(self, said: Said) -> tuple[Said, tuple[str, ...]]:
        """Return the answer as it may be shown, and the kinds of what was withheld, each once."""
        kinds: dict[str, None] = {}
        return with_texts(said, lambda text: self.text(text, kinds)), tuple(kinds)

    def text(self, text: str, kinds: dict[str, None]) -> str:
        """Return a text as it may be shown; ``kinds`` gains what was withheld."""
        seen = visible(text)
        if seen != text:
            kinds[INVISIBLE] = None
        for _ in range(MOST_PASSES):
            before = seen
            seen = self._without_ours(seen, kinds)
            for kind, pattern in PASSAGES.items():
                seen = self._without(seen, kind, pattern, kinds)
            # Only then, since half of a key would not be found any more.
            if len(seen) > self._longest:
                kinds[LENGTH] = None
                seen = seen[: self._longest - 1].rstrip() + "…"
            if seen == before:
                return seen
        return self._mark

    def _without_ours(self, text: str, kinds: dict[str, None]) -> str:
        for each in own_secrets():
            if each in text:
                kinds["secret"] = None
                text = text.replace(each, self._mark)
        return text

    def _without(self, text: str, kind: str, pattern: re.Pattern[str], kinds: dict[str, None]) -> str:
        def replaced(found: re.Match[str]) -> str:
            if kind in GIVEN and _spelled(found[0]) in self._allowed:
                return found[0]
            kinds[kind] = None
            return self._mark

        return pattern.sub(replaced, text)


def secrets_in(text: str) -> tuple[str, ...]:
    """Return the keys and tokens in a text, each as it stands there, longer ones first."""
    shaped = (each[0] for each in _SECRET.finditer(text))
    found = dict.fromkeys((*(each for each in own_secrets() if each in text), *shaped))
    return tuple(sorted(found, key=len, reverse=True))


def _passages_in(texts: Iterable[str]) -> Iterator[str]:
    for text in map(visible, texts):
        for kind in GIVEN:
            yield from (_spelled(each[0]) for each in PASSAGES[kind].finditer(text))


def _spelled(passage: str) -> str:
    return passage.casefold().rstrip(".,!?:;'\")]*_`/")
