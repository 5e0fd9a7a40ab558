"""The texts of the interface. English is in the code, Chinese in ``locales/``; gettext translates."""

import gettext
import re
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from engine.facts.language import Language

LOCALES = Path(__file__).parent / "locales"


class Texts:
    """The interface in one language. The extraction of messages looks for calls of ``say`` and ``count``."""

    def __init__(self, language: Language, translations: gettext.NullTranslations) -> None:
        self.language = language
        self._translations = translations

    def say(self, message: str, /, **values: object) -> str:
        return self._translations.gettext(message).format(**values)

    def own(self, message: str, /) -> str:
        """Return the translation of a sentence from elsewhere, such as a refusal's; without one, the sentence."""
        return self._translations.gettext(message) if message else ""

    def count(self, one: str, many: str, n: int, /, **values: object) -> str:
        """Say it in the right number; ``{n}`` in the text is the number."""
        return self._translations.ngettext(one, many, n).format(n=n, **values)


def spoken_in(locale: str) -> Language:
    """Return the language of a locale as Slack tells it (``zh-CN``); English for any that is not ours."""
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
