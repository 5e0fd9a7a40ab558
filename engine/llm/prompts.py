"""A prompt, and how it is filled in. Its file is read by engine/files/prompts.py."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Template
from typing import Any, Final

from engine.facts.visible import visible
from engine.kernel import ModelAnswer, plain

AnswerClasses = Mapping[str, type[ModelAnswer]]
"""What each prompt of a protocol returns, by the prompt's name in the protocol's folder."""

SHARED = "shared"
CACHE_BOUNDARY = "\n===\n"
"""Ends what many calls share, which a provider may cache. At most `MOST_BOUNDARIES` stand in a prompt."""

LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "zh": "Chinese"}
"""What `$language` stands for; any other tag stands for itself."""
_LANGUAGE_TAG: Final = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}")
ALWAYS: Final = ("nonce", "language")
"""Names that a prompt may use without being given them."""

MOST_BOUNDARIES = 3
"""A provider caches at four places at most; one is left for what tools return."""


@dataclass(frozen=True, slots=True)
class Prompt:
    name: str
    """Its path without the ending: ``negotiation/understand``."""
    number: int
    purpose: str
    given: tuple[str, ...]
    returns: type[ModelAnswer]
    model: str
    effort: str
    max_tokens: int
    timeout: float | None
    """Seconds, where this prompt may take longer than the default."""
    fallback: str
    """Tells people what happens when no usable answer comes; the protocol's asks do it."""
    body: str
    """With its shared passages, before any value is filled in."""
    content_hash: str
    """Of ``body``: 16 hexadecimal digits of its SHA-256."""

    def render(self, given: Mapping[str, Any], nonce: str, language: str | None = None) -> str:
        """The text for the model.

        Args:
            given: exactly the names the header declares.
            nonce: at least 8 characters that nobody can guess; they fence off what people wrote.
            language: the tag (BCP 47) of the one in which the answer is wanted; None where only what is given tells it.
        """
        return "\n".join(self.render_parts(given, nonce, language))

    def render_parts(self, given: Mapping[str, Any], nonce: str, language: str | None = None) -> tuple[str, ...]:
        """Return its parts, the one that most calls share first: each is what calls share that differ in what follows.

        The last is this call's own. What is given is the same as for `render`.
        """
        if set(given) != set(self.given):
            raise ValueError(f"{self.name} is given {sorted(self.given)}, not {sorted(given)}.")
        if len(nonce) < 8:
            raise ValueError(f"The nonce {nonce!r} can be guessed; at least 8 characters are needed.")
        values = {name: fenced(name, value, nonce) for name, value in given.items()}
        parts = self.body.split(CACHE_BOUNDARY)
        always = {"nonce": nonce, "language": language_said(language)}
        return tuple(Template(part).substitute(values | always).strip() + "\n" for part in parts)


def language_said(tag: str | None) -> str:
    """Name a language to a model. A tag that is none, which a model has made up, names none."""
    if not tag or not _LANGUAGE_TAG.fullmatch(tag):
        return "the language of what was asked"
    return LANGUAGES.get(tag.lower(), f"the language whose BCP 47 tag is {tag}")


_TAG: Final = re.compile(
    # An opening bracket, or what passes for one, with a name or a slash behind it.
    "[<\uff1c\ufe64\u2039\u2329\u27e8\u3008\u276e\u276c\u1438\u02c2\u227a]"
    r"(?=\s*[/\uff0f\u2044\u2215\u29f8\\]?\s*[A-Za-z_\uff21-\uff5a\u0370-\u052f])"
)


def fenced(name: str, value: Any, nonce: str) -> str:
    """Return a number as it is; everything else between two lines that nobody can forge, not even who knows the nonce:
    inside, it does not occur, nothing looks like a tag, and nothing is invisible.
    """
    if isinstance(value, int | float):
        return str(value)
    said = value if isinstance(value, str) else _json(_visible(plain(value)))
    inside = _TAG.sub("(", without(nonce, visible(said)))
    return f"<{name} {nonce}>\n{inside or '(nothing)'}\n</{name} {nonce}>"


def without(nonce: str, text: str) -> str:
    """Return the text without the nonce, however often that stands in it."""
    while nonce in text:  # what stood around it may spell it again
        text = text.replace(nonce, "")
    return text


def _json(value: Any) -> str:
    """Write plain values as short as they can be read: a line for each of a list, and no other space."""
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(_line(each) for each in value) + "\n]"
    return _line(value)


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _visible(value: Any) -> Any:
    """Clean every text in plain values before they are written as JSON, which would spell controls out."""
    match value:
        case str():
            return visible(value)
        case dict():
            return {name: _visible(each) for name, each in value.items()}
        case list():
            return [_visible(each) for each in value]
        case _:
            return value
