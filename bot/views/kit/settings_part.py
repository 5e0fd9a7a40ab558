"""What admins may say about what holds in a workspace: one `Setting` each, from which the form is drawn and read."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.kit.days import duration
from bot.views.kit.fields import Values, choice_field, entered_decimal, number_field, picked_option

AS_STARTED: Final = "as_started"
LONGEST_WINDOW: Final = 60 * 24 * 30
"""Minutes."""

Said = Callable[[Texts], str]


@dataclass(frozen=True, slots=True)
class Setting:
    """A field of `engine.directory.messages.Settings`, as admins meet it."""

    name: str
    block: str
    """Of the form: what is wrong is told beside it."""
    draw: Callable[[Any, Any, Texts], Sequence[Block]]
    """Called with what is set (`Settings.name`) and with what holds where nothing is."""
    read: Callable[[Values, Texts], Any]
    """Returns what was filled in; it may raise `InvalidForm`."""
    wrong: Said = lambda texts: texts.say("This is too short or too long.")
    told: Callable[[Any, Texts], str] = lambda value, texts: ""
    """What admins read in their App Home where a value holds; empty where the row alone says nothing of it."""


def choice(
    name: str, block: str, label: Said, options: Sequence[tuple[str, Any, Said]], hint: Said | None = None
) -> Setting:
    """Let admins choose one of several values, or leave it as ToWow was started.

    Args:
        options: what the form calls each, its value and its words. The first goes without saying.
    """

    def draw(said: Any, _: Any, texts: Texts) -> Sequence[Block]:
        shown = [(AS_STARTED, texts.say("As ToWow was started")), *((key, words(texts)) for key, _, words in options)]
        chosen = next((key for key, value, _ in options if value == said and said is not None), AS_STARTED)
        return [choice_field(block, label(texts), shown, chosen, hint=hint(texts) if hint else "")]

    def told(value: Any, texts: Texts) -> str:
        said = next((words(texts) for _, each, words in options[1:] if each == value), "")
        return f"• {label(texts)} {said}" if said else ""

    meant = {key: value for key, value, _ in options}
    return Setting(name, block, draw, lambda values, _: meant.get(picked_option(values, block) or ""), told=told)


def minutes(name: str, block: str, label: Said) -> Setting:
    """Let admins enter minutes, which are kept as seconds."""

    def draw(said: float | None, default: Any, texts: Texts) -> Sequence[Block]:
        initial, hint = None if said is None else said / 60, texts.say("Left out: {n}", n=duration(default, texts))
        return [number_field(block, label(texts), initial, least=0, most=LONGEST_WINDOW, decimal=True, hint=hint)]

    def read(values: Values, _: Texts) -> float | None:
        entered = entered_decimal(values, block)
        return None if entered is None else round(entered * 60, 3)

    return Setting(name, block, draw, read)


class SettingsPart(Protocol):
    """What admins may say about how the streams of one protocol are decided. Every method is pure.

    ``settings`` are all that an admin has set (`engine.directory.messages.Settings`). ``default`` is the policy that
    ToWow was started with; None where that was none of this protocol's.
    """

    @property
    def rows(self) -> Sequence[Setting]:
        """Return them in the order of the form."""

    def policy(self, settings: Any, default: Any) -> Any:
        """Return what the next stream is decided by."""

    def unset(self, settings: Any, default: Any) -> Any:
        """Return the policy that holds, by the names of the settings, wherever nothing is set."""

    def lines(self, policy: Any, texts: Texts) -> Iterable[str]:
        """Return what admins read of a policy in their App Home."""


def fields(rows: Sequence[Setting], settings: Any, unset: Any, texts: Texts) -> Sequence[Block]:
    return [
        block
        for each in rows
        for block in each.draw(getattr(settings, each.name), getattr(unset, each.name, None), texts)
    ]
