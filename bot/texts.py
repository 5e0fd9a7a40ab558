"""The texts of the interface. English is in the code, Chinese in ``locales/``; gettext translates."""

import gettext
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.core import Locale, UnknownLocaleError
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from engine.facts.language import Language, catalogue_of

FIRST_STRONG_ISOLATE: Final = "\u2068"
END_OF_ISOLATE: Final = "\u2069"

_FROM_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Letters of Hebrew, Arabic, Syriac, Thaana, N'Ko and the like, by their blocks."""


def runs_from_right(text: str) -> bool:
    """Whether a text has letters that are written from right to left."""
    return not text.isascii() and _FROM_RIGHT_TO_LEFT.search(text) is not None


def isolated(text: str) -> str:
    """Isolate a text that has letters from right to left, so that the order of what stands around it stays; any other
    text stays as it is.
    """
    if not runs_from_right(text):
        return text
    return "\n".join(map(_isolated_line, text.split("\n")))  # no isolate reaches beyond its line


def _isolated_line(line: str) -> str:
    is_done = line.startswith(FIRST_STRONG_ISOLATE) and line.endswith(END_OF_ISOLATE)
    return line if is_done or not runs_from_right(line) else f"{FIRST_STRONG_ISOLATE}{line}{END_OF_ISOLATE}"


SENTENCE_ENDS: Final = frozenset(".!?…。！？")
FULL_STOPS: Final = (".", "。")


def _filled(template: str, values: Mapping[str, object]) -> str:
    """Fill the places of a text. What is a sentence of its own ends once: the text's own full stop behind it goes."""
    for name, value in values.items():
        if isinstance(value, str) and value.rstrip()[-1:] in SENTENCE_ENDS:
            for stop in FULL_STOPS:
                template = template.replace(f"{{{name}}}{stop}", f"{{{name}}}")
    return template.format(**_isolated(values))


LOCALES = Path(__file__).parent / "locales"


class Texts:
    """The interface in one language. The extraction of messages looks for calls of ``say`` and ``count``."""

    def __init__(self, language: Language, locale: str, translations: gettext.NullTranslations) -> None:
        self.language = language
        self.locale = locale
        """In which dates and numbers are written, as Babel names it: ``de_DE`` also where the words are English."""
        self._translations = translations

    def say(self, message: str, /, **values: object) -> str:
        return _filled(self._translations.gettext(message), values)

    def own(self, message: str, /) -> str:
        """Return the translation of a sentence from elsewhere, such as a refusal's; without one, the sentence."""
        return self._translations.gettext(message) if message else ""

    def count(self, one: str, many: str, n: int, /, **values: object) -> str:
        """Say it in the right number; ``{n}`` in the text is the number."""
        return _filled(self._translations.ngettext(one, many, n), {"n": n, **values})

    def listed(self, items: Sequence[str]) -> str:
        """Join them to a list, with the words of the catalogue between them."""
        return format_list(items, locale=self.language) if items else ""


def _isolated(values: Mapping[str, object]) -> Mapping[str, object]:
    """Keep what is written from right to left from turning the sentence around in which it stands."""
    return {name: isolated(each) if isinstance(each, str) else each for name, each in values.items()}


@lru_cache(maxsize=256)
def texts_in(locale: str) -> Texts:
    """Return the interface for a locale as Slack tells it (``zh-CN``), or for a language tag; its words are English
    where there is no catalogue.
    """
    language = catalogue_of(locale)
    return Texts(language, _written_in(locale, language), _translations(language))


def _written_in(locale: str, language: Language) -> str:
    try:
        return str(Locale.parse(locale.replace("-", "_")))
    except (UnknownLocaleError, ValueError, TypeError):
        return language


@cache
def _translations(language: Language) -> gettext.NullTranslations:
    if language == "en":
        return gettext.NullTranslations()
    with catalogue(language).open("rb") as file:
        messages = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def catalogue(language: Language) -> Path:
    return LOCALES / language / "LC_MESSAGES" / "towow.po"
