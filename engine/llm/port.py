"""The port for models: a question goes in, and a validated answer or a `ModelError` comes out.

A question is a prompt that is filled in. A prompt's file is read by engine/files/prompts.py.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from string import Template
from typing import Any, Final, Generic, Protocol, TypeVar, runtime_checkable

import msgspec

from engine.facts.shortening import visible
from engine.kernel import Millis, ModelAnswer, StreamKey, plain
from engine.llm.tools import BROKEN, Tool, ToolCall

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


Returns = TypeVar("Returns", bound=ModelAnswer)


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with an answer that can be read."""

    answer: ModelAnswer
    what: str


class Question(msgspec.Struct, Generic[Returns], frozen=True):
    """One call. ``given`` holds what the prompt's header declares, as records or plain values."""

    prompt: Prompt
    given: Mapping[str, Any]
    returns: type[Returns]
    key: StreamKey | None = None
    """The stream that asks, for the ledger. No model is told."""
    asked_by: str = ""
    """The user for whom it is asked, whose budget pays; empty where nobody asked. No model is told."""
    charged_to: str = ""
    """The stream whose budget pays; empty: the one that asks."""
    language: str | None = None
    """The tag (BCP 47) of the one in which it is to be answered; None where only what is given tells it."""
    known: "Answer[Returns] | None" = None
    """What answers it already: then nobody is asked."""
    check: Callable[[Returns], str] | None = None
    """Says what is wrong with an answer that can be read; empty where nothing is. The asker asks again once, with what
    it says, and then takes the answer as it is: the rules hold it to what is true."""
    is_slow_to_read: bool = False
    """Whether checking and reading an answer may take long enough for others to notice: then a thread does it."""
    fault: Fault | None = None
    """Set where the question is asked again, since the last answer did not pass its check."""
    until: Millis = 0
    """When nobody waits for the answer any more, by the wall clock; 0 where the step has no end of its own."""
    beside: Mapping[str, Callable[[], Any]] = {}
    """What rules that answer instead may look up, by name. No model is told."""
    tools: Sequence[Tool[Any]] = ()
    """What a model may call before it answers. Rules that answer instead call what they need themselves."""


OFFLINE: Final = "offline"
"""Who answers where rules do, and no model."""


class Answer(msgspec.Struct, Generic[Returns], frozen=True):
    value: Returns
    model: str
    """Who answered, e.g. ``claude-haiku-5-5`` or ``offline``."""
    is_final: bool = False
    """Whether asking again is of no use: rules say the same again, and one repair was enough."""
    tool_calls: tuple[ToolCall, ...] = ()
    """What the model called before it answered, in that order."""

    @property
    def failed_tools(self) -> tuple[str, ...]:
        """The tools that failed, each once: the model had to answer without some of what they say."""
        return tuple(dict.fromkeys(each.name for each in self.tool_calls if each.fault in BROKEN))


class PauseCause(StrEnum):
    BUSY = "busy"
    """It takes so many questions a minute, and more are asked."""
    SILENT = "silent"
    """It has not answered lately, and is left alone for a while."""


class Pause(msgspec.Struct, frozen=True):
    """Why a stream does not go on."""

    cause: PauseCause
    until: Millis
    """About when all of its questions are asked: a full minute of the wall clock."""


class ModelStanding(msgspec.Struct, frozen=True):
    """How a model stands."""

    waiting: int
    """Questions that are not asked yet."""
    is_silent: bool
    """Whether it has not answered lately, and is left alone."""
    until: Millis
    """About when what waits is asked; 0 where nothing waits."""


@runtime_checkable
class Paced(Protocol):
    """A model that answers so many questions a minute."""

    def held_up(self, key: StreamKey) -> Millis:
        """Return for how long questions of a stream have waited for their turn, altogether."""

    def paused(self, key: StreamKey) -> Pause | None:
        """Return why a stream waits now; None where it does not, or not for long."""

    def standing(self) -> ModelStanding: ...

    def listen(self, tell: Callable[[StreamKey], None]) -> None:
        """Let somebody know of each stream of which `paused` says something else than before."""


def never_paused(_: StreamKey) -> None:
    """For models that answer at once."""


class Model(Protocol):
    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        """Return an answer that can be used.

        Raises:
            ModelUnavailable, ModelTimeout, InvalidAnswer, BudgetSpent: no usable answer; the asker degrades the step.
        """
