"""A cipher for whatever somebody may read, for all of a scenario, and for its encoder of sentences."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from string import ascii_lowercase, ascii_uppercase
from typing import Any, Final
from zlib import crc32

from bot.demo.oracle.scenarios import FAILS, Scenario
from engine.llm.encoder import Meaning, instead

_TURNED: Final = "qwmzkjxvbgyfhtdcnprlasuoei"
"""What each small letter of ASCII becomes, before its case is turned."""
_SIGNS: Final = (".;", ",!", "?+", "。、", "，！", "？；", "؟؛")
"""Marks that change places, two by two, each as long in bytes as the other."""
BLANK: Final = "^"
"""What a blank becomes behind some letters."""
_BLANKS: Final = ((" ", BLANK), ("-", BLANK), ("_", BLANK))
"""What stands where a blank was, also in names of files."""
_BEFORE_BLANK: Final = frozenset("aeiodstлаиеأةنرのはをで的是在了")

_CASED: Final = [
    *((chr(small - 0x30), chr(small)) for small in range(0x561, 0x587)),  # Armenian
    *((chr(big), chr(big + 1)) for big in range(0x48A, 0x4C0, 2)),  # Cyrillic of other languages
    *((chr(big), chr(big + 1)) for big in range(0x4D2, 0x52F, 2)),
    *((chr(big), chr(big + 1)) for big in range(0x460, 0x481, 2)),
]
_FROM_THE_RIGHT: Final = [chr(each) for each in (*range(0x7CA, 0x7EA), *range(0x780, 0x7A6), *range(0x712, 0x730))]
_LONE: Final = [chr(each) for each in (0x1BB, 0x1C0, 0x1C1, 0x1C2, 0x1C3, 0x294)]
_LONG: Final = [chr(each) for each in (*range(0xA000, 0xA48D), *range(0xA500, 0xA60C), *range(0xAC00, 0xD7A3))]
"""Yi, Vai and Hangul, of three bytes each."""

KEPT: Final = re.compile(
    r"""
      https?://\S{1,500} | (?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{1,64} | <[@#!][^>\s]{1,200}>
    | (?:sk|xox[abprs]|gh[pousr])[-_][A-Za-z0-9_-]{8,200} | AKIA[A-Z0-9]{12,40} | (?<!-)-----[A-Z ]{1,60}-----
    | user_agent_\w{1,80} | \b[UWCDT]_?[A-Z0-9]{0,40}_[A-Z0-9_]{1,60}\b
    | \b[a-z]{1,60}[-_]\d{1,20}\b | \bd-[0-9a-f]{8}\b | \b[0-9a-f]{16,200}\b
    | \b\d{4}-\d\d-\d\d(?:T[\d:+Z.-]{1,40})? | \d[\d.,:/-]{0,60}\d
    | \b(?:EUR|USD|GBP|CHF|CNY|JPY|RUB|INR|AED)\b
    """,
    re.VERBOSE,
)


class Cipher:
    """Turns texts into cipher and back. Letters beyond ASCII get their own as they come.

    Args:
        names: stand unchanged wherever they occur, as whole words.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._turned: dict[str, str] = dict(zip(ascii_lowercase, _TURNED.upper(), strict=True))
        self._turned |= dict(zip(ascii_uppercase, _TURNED, strict=True))
        for one, other in _SIGNS:
            self._turned |= {one: other, other: one}
        self._back = {cipher: clear for clear, cipher in self._turned.items()}
        self._cased = iter(_CASED)
        self._pools = {id(each): iter(each) for each in (_FROM_THE_RIGHT, _LONE, _LONG)}
        ordered = sorted({each for each in names if each}, key=len, reverse=True)
        kept = "|".join((*map(_whole, ordered), KEPT.pattern))
        self._kept = re.compile(kept, re.VERBOSE)
        self._kept_anyhow = re.compile(kept, re.VERBOSE | re.IGNORECASE)

    def turned(self, text: str) -> str:
        """Return a text in cipher."""
        return "".join(part if is_kept else self._each(part) for part, is_kept in _parts(self._kept, text))

    def back(self, text: str) -> str:
        """Return what a text in cipher says; of a text that never was in it, nothing that can be read."""
        said = "".join(
            part if is_kept else "".join(self._back.get(each, each) for each in part)
            for part, is_kept in _parts(self._kept_anyhow, text)
        )
        return said.replace(BLANK, " ")

    def is_same(self, clear: str, cipher: str) -> bool:
        """Whether the second text is what the first one is, in cipher, or with some of it in cipher; in any case."""
        return len(clear) == len(cipher) and all(
            one == other or self._turned.get(one, one).casefold() == other.casefold() or (one, other) in _BLANKS
            for one, other in zip(clear, cipher, strict=True)
        )

    def _each(self, part: str) -> str:
        before = ""
        turned: list[str] = []
        for each in part:
            is_blank = each == " " and before.casefold() in _BEFORE_BLANK
            turned.append(BLANK if is_blank else self._letter(each))
            before = each
        return "".join(turned)

    def _letter(self, letter: str) -> str:
        if letter not in self._turned and letter.isalpha() and not letter.isascii():
            self._learn(letter)
        return self._turned.get(letter, letter)

    def _learn(self, letter: str) -> None:
        """Give a letter, and its other case, one of their own; none where there is no more of that length."""
        small, big, size = letter.lower(), letter.upper(), len(letter.encode())
        if size == 2 and small != big and len(small.encode()) == len(big.encode()) == size:
            upper, lower = next(self._cased, (big, small))
            pairs = {small: upper, big: lower}
        elif size in (2, 3):
            pool = _LONG if size == 3 else _FROM_THE_RIGHT if letter > "\u0590" else _LONE
            pairs = {letter: next(self._pools[id(pool)], letter)}
        else:
            return
        self._turned |= pairs
        self._back |= {cipher: clear for clear, cipher in pairs.items()}


def _whole(name: str) -> str:
    escaped = re.escape(name)
    return rf"(?<![^\W_]){escaped}(?![^\W_])" if name.isascii() else escaped


def _parts(kept: re.Pattern[str], text: str) -> Iterator[tuple[str, bool]]:
    at = 0
    for found in kept.finditer(text):
        yield text[at : found.start()], False
        yield found[0], True
        at = found.end()
    yield text[at:], False


DATA: Final = frozenset(
    {
        "protocol", "language", "time_zone", "asked_at", "requester", "locale", "policy", "user", "city", "location",
        "currency", "zone", "at", "by", "do", "kind", "source", "scope", "state", "key", "data", "decision",
        "feedback_type", "verdict", "confidence", "match_type", "exact", "counts", "need_id", "covers",
        "condition_id", "agent_id", "about", "agent_ids",
        "where", "who", "after", "day", "first", "last", "start", "end",
        "weekdays", "per", "if_declined", "priority", "level", "importance", "severity", "task_id", "fact_id",
        "person_id", "owner", "user_id", "depends_on", "argument", "arguments", "repeats", "slot", "starts",
        "deadline", "ends", "today", "origin", "vote", "for", "to", "ticket", "chosen", "action", "role_id", "checks",
        "check", "status", "link", "file_id", "caught_by", "field", "outcome", "checked_by", "uri", "option_id",
        "online", "stage",
    }
)  # fmt: skip
"""Fields that hold ids, dates and words of the code's own."""
KEYS: Final = frozenset({"capabilities", "subnets"})
"""Fields whose keys are prose."""
CODES: Final = frozenset({*FAILS, "low", "medium", "high", "look_wider", "go_on"})
"""Words of the code's own, in fields that hold prose elsewhere."""
OF_PROSE: Final = frozenset({"untouched", "masked"})
"""What is expected of texts."""


def names_in(scenario: Scenario) -> Iterator[str]:
    """Yield the names of people and places in a scenario, and the ids that look like words."""
    yield from scenario.names
    for short, person in scenario.people.items():
        yield from (person.name, *person.name.split(), person.city, short)
    for each in scenario.brief.get("people", ()):
        name = str(each.get("name", ""))
        yield from (str(each.get("person_id", "")), name, *name.split())
    yield from _places(scenario.model_dump(mode="json"))


def _places(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if str(value.get("field", "")).endswith("city"):
            yield str(value["value"])
        for name, each in value.items():
            if name in ("city", "location") and isinstance(each, str):
                yield each
            elif name == "locations" and isinstance(each, list):
                yield from map(str, each)
            else:
                yield from _places(each)
    elif isinstance(value, list):
        for each in value:
            yield from _places(each)


def enciphered(scenario: Scenario, cipher: Cipher) -> Scenario:
    said = scenario.model_dump(by_alias=True, exclude_unset=True)
    turned = _turned(said, "", cipher) | {"expect": _expected(said.get("expect", {}), cipher)}
    return Scenario.model_validate(turned)


def _turned(value: Any, field: str, cipher: Cipher) -> Any:
    match value:
        case str():
            return value if field in DATA or value in CODES else cipher.turned(value)
        case list() | tuple():
            return [_turned(each, field, cipher) for each in value]
        case dict() if field == "policy":
            return value
        case dict():
            keys = {name: cipher.turned(name) if field in KEYS else name for name in value}
            return {keys[name]: _turned(each, _field(field, name), cipher) for name, each in value.items()}
        case _:
            return value


def _field(outer: str, name: Any) -> str:
    """The name of a field. A key of prose is none, and neither is a number."""
    if outer in KEYS:
        return ""
    return str(name) if isinstance(name, str) else outer


def _expected(expect: Mapping[str, Any], cipher: Cipher) -> dict[str, Any]:
    return {name: _turned(each, name, cipher) if name in OF_PROSE else each for name, each in expect.items()}


SIZE: Final = 256


class LetterEncoder:
    """Makes a vector of the groups of three letters in a text.

    Args:
        read: what it makes of a text before.
    """

    def __init__(self, read: Callable[[str], str] | None = None) -> None:
        self.read = read

    def encode(self, texts: Sequence[str]) -> Sequence[Any]:
        import numpy as np

        found = []
        for text in texts:
            said = f" {self.read(text) if self.read else text} ".casefold()
            vector = np.zeros(SIZE, dtype=np.float32)
            for at in range(len(said) - 2):
                mixed = crc32(said[at : at + 3].encode())
                vector[mixed % SIZE] += 1 if mixed & 0x10000 else -1
            vector /= np.linalg.norm(vector) or 1
            found.append(vector[::-1].copy() if self.read else vector)
        return found


@contextmanager
def encoding(read: Callable[[str], str] | None = None) -> Iterator[None]:
    """Put this encoder in place of the installed one, for as long as it lasts."""
    with instead(Meaning(lambda: LetterEncoder(read))):
        yield
