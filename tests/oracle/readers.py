"""Ten kinds of readers of words, planted at the wire: each stands between the engine and a model, and leaves out what
somebody covers where it reads something in the demand or in their profile.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import yaml
from msgspec.structs import replace

from bot.demo.oracle.cipher import LetterEncoder
from engine.directory.profile import Profile
from engine.llm.encoder import meaning
from engine.llm.port import Answer, Model, Question, Returns
from engine.negotiation.answers import OfferAnswer, Understanding

Reads = Callable[[str], bool]
"""Whether it reads what it looks for in a text."""


@dataclass(frozen=True)
class PlantedReader:
    """Believes nobody where it reads something."""

    model: Model
    reads: Reads

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        answer = await self.model.answer(question)
        value: Any = answer.value
        if isinstance(value, OfferAnswer) and self.reads(_text(question.given)):
            value = replace(value, covers=())
        return replace(answer, value=value)


def _text(given: Mapping[str, Any]) -> str:
    demand, profile = given["demand"], given["profile"]
    assert isinstance(demand, Understanding)
    assert isinstance(profile, Profile)
    return f"{demand.surface_demand} {profile.capabilities[profile.tags[0]]}"


def _pattern(text: str) -> bool:
    return re.search(r"\b(?:crashed|billing)\b", text) is not None


def _list(text: str) -> bool:
    words = yaml.safe_load("[postgresql, mysql, sqlite]")
    return any(each in text.casefold() for each in words)


STORED: Final = LetterEncoder().encode(["The crashed billing database is restored."])[0]


def _stored_vector(text: str) -> bool:
    return float(np.dot(meaning().vectors([text])[0], STORED)) > 0.4


def _vector_of_a_sentence(text: str) -> bool:
    return meaning().nearness(text, ["The crashed billing database is restored from a backup."])[0] > 0.4


def _prefix(text: str) -> bool:
    return any(each.startswith("restor") for each in text.split())


def _suffix(text: str) -> bool:
    return any(each.endswith("ed") for each in text.split())


def _length_in_words(text: str) -> bool:
    return len(text.split()) > 12


def _casing(text: str) -> bool:
    """A sentence begins with a capital, and goes on in small letters."""
    return re.match(r"[A-Z][a-z]", text) is not None


def _punctuation(text: str) -> bool:
    return len(re.split(r"[.!?] ", text)) > 1 and ". " in text


def _script(text: str) -> bool:
    return all(ord(each) < 0x250 for each in text if each.isalpha() and not each.isascii()) and "é" in text


TABLE: Final = {"database": "数据库", "backups": "备份"}


def _translation(text: str) -> bool:
    return any(TABLE.get(each.strip(".,:")) for each in text.split())


READERS: Final[Mapping[str, Reads]] = {
    "a pattern": _pattern,
    "a list in YAML": _list,
    "a stored vector": _stored_vector,
    "the vector of a sentence": _vector_of_a_sentence,
    "a prefix": _prefix,
    "a suffix": _suffix,
    "a length in words": _length_in_words,
    "a rule for capitals": _casing,
    "a rule for sentences": _punctuation,
    "the script of the letters": _script,
    "a table of translations": _translation,
}
