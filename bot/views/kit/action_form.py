"""Draws the form of an action from its fields, and reads what was entered into it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.kit.fields import (
    LONGEST_INPUT,
    Values,
    entered_text,
    multi_choice_field,
    person_field,
    picked_options,
    picked_person,
    text_field,
)
from bot.views.kit.modals import form
from engine.kernel import Action, Field, FieldKind

StateT = TypeVar("StateT")

SentView = Mapping[str, Any]
"""A form as it was sent."""


@dataclass(frozen=True, slots=True)
class FieldWords:
    """What a form says of one field, and what the field starts with."""

    label: str
    hint: str = ""
    text: str = ""
    options: Sequence[tuple[str, str]] = ()
    """Values and labels of those to pick from; of a flag, the one label."""
    picked: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class FormWords:
    """What a form says."""

    heading: str
    send: str
    """The label of the button that sends it."""
    said: Sequence[Block | dict[str, Any]] = ()
    """What stands above the fields."""
    fields: Mapping[str, FieldWords] = field(default_factory=dict)
    """By name. What has no words is not asked for."""
    own: Sequence[Block | dict[str, Any]] = ()
    """Fields that the form draws by itself, which `ActionForm.read` reads."""


@dataclass(frozen=True)
class ActionForm(Generic[StateT]):
    """How one action asks for what it needs."""

    words: Callable[[StateT, Any, Texts], FormWords]
    """Called with the state, and the command with nothing entered yet."""
    read: Callable[[StateT, SentView, Texts], Mapping[str, Any]] | None = None
    """Reads what was entered where the form draws its own fields."""


def draw(action: Action[Any], name: str, words: FormWords, metadata: str, texts: Texts) -> dict[str, Any]:
    """
    Args:
        name: of the form.
        metadata: what it remembers.
    """
    fields = [_field(each, words.fields[each.name]) for each in action.fields if each.name in words.fields]
    return form(name, words.heading, words.send, [*words.said, *fields, *words.own], texts, metadata=metadata)


def entered(action: Action[Any], view: SentView) -> Mapping[str, Any]:
    """Return what was entered, by field."""
    values = view["state"]["values"]
    if unknown := values.keys() - {each.name for each in action.fields}:
        raise ValueError(f"This form has fields that {action.name} does not have: {', '.join(sorted(unknown))}.")
    return {each.name: _entered(each, values) for each in action.fields}


def _field(asked: Field, words: FieldWords) -> Block:
    match asked.kind:
        case FieldKind.TEXT:
            longest = min(asked.longest, LONGEST_INPUT)
            return text_field(
                asked.name, words.label, words.hint, optional=asked.optional, initial=words.text, longest=longest
            )
        case FieldKind.FLAG:
            options = [(asked.name, label) for _, label in words.options]
            return multi_choice_field(asked.name, words.label, options, words.picked)
        case FieldKind.PICKS:
            return multi_choice_field(asked.name, words.label, words.options, words.picked)
        case FieldKind.PERSON:
            return person_field(asked.name, words.label, words.hint, words.text)
        case FieldKind.DATUM:
            raise ValueError(f"{asked.name} is data: its form draws fields of its own")


def _entered(asked: Field, values: Values) -> Any:
    match asked.kind:
        case FieldKind.TEXT:
            return entered_text(values, asked.name)
        case FieldKind.FLAG:
            return bool(picked_options(values, asked.name))
        case FieldKind.PICKS:
            return picked_options(values, asked.name)
        case FieldKind.PERSON:
            return picked_person(values, asked.name)
        case FieldKind.DATUM:
            return asked.blank
