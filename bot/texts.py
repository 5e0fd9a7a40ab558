"""The words of the interface. English is in the code, Chinese in ``locales/``; gettext is the one way between them."""

import gettext
import re
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from engine.lexicon.language import Language

LOCALES = Path(__file__).parent / "locales"


class Texts:
    """One language. ``say`` and ``count`` are what the extraction of messages looks for."""

    def __init__(self, language: Language, translations: gettext.NullTranslations) -> None:
        self.language = language
        self._translations = translations

    def say(self, message: str, /, **values: object) -> str:
        return self._translations.gettext(message).format(**values)

    def own(self, message: str, /) -> str:
        """Return the translation of a sentence from elsewhere, such as a refusal's; without one, the sentence."""
        return self._translations.gettext(message) if message else ""

    def count(self, one: str, many: str, n: int, /, **values: object) -> str:
        """``{n}`` is the number."""
        return self._translations.ngettext(one, many, n).format(n=n, **values)


def spoken_in(locale: str) -> Language:
    """By a person's locale as Slack tells it (``zh-CN``); English where it is neither of ours."""
    return "zh" if re.split("[-_]", locale)[0].lower() == "zh" else "en"


@cache
def texts_in(language: Language) -> Texts:
    if language == "en":
        return Texts("en", gettext.NullTranslations())
    with catalogue(language).open("rb") as file:
        messages = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return Texts(language, gettext.GNUTranslations(compiled))


def catalogue(language: Language) -> Path:
    return LOCALES / language / "LC_MESSAGES" / "towow.po"
