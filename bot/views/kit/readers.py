"""In which language somebody reads a direct message."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.texts import Texts, texts_in
from engine.lexicon.language import Language

KnownLanguage = Callable[[str, str], Language | None]
"""A user and the key of a post -> the language it is read in; None where nobody knows."""


def no_known_language(user: str, key: str) -> None:
    """Nothing is known of anybody."""


@dataclass(frozen=True, slots=True)
class Readers:
    known: KnownLanguage
    otherwise: Language
    """The demand's, which whoever takes part in it reads as well."""

    def language(self, user: str, key: str) -> Language:
        return self.known(user, key) or self.otherwise

    def texts(self, user: str, key: str) -> Texts:
        return texts_in(self.language(user, key))
