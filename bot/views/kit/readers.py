"""Chooses the language of a person's direct message, and leads its reader to the thread."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.texts import Texts, texts_in

KnownLanguage = Callable[[str, str], str | None]
"""A user and the key of a post -> the locale in which the user reads it, if it is known: ``de_DE``."""


AddressOf = Callable[[str], str]
"""The key of a post, or nothing for the thread -> its address on the web; empty where it has none yet."""


def no_address(key: str) -> str:
    """For where nothing is posted."""
    return ""


def no_known_language(user: str, key: str) -> None:
    """For where no languages are known."""


@dataclass(frozen=True, slots=True)
class Readers:
    known: KnownLanguage
    otherwise: str
    """The tag of the demand's language, which everybody who takes part can read."""
    address: AddressOf = no_address

    def language(self, user: str, key: str) -> str:
        return self.known(user, key) or self.otherwise

    def texts(self, user: str, key: str) -> Texts:
        return texts_in(self.language(user, key))
