"""The fields that our forms are made of, and what was entered into them."""

from collections.abc import Mapping, Sequence
from typing import Any

from slack_sdk.models.blocks import (
    Block,
    CheckboxesElement,
    ConversationFilter,
    ConversationSelectElement,
    InputBlock,
    MarkdownTextObject,
    Option,
    PlainTextInputElement,
    PlainTextObject,
    RadioButtonsElement,
    SectionBlock,
    StaticMultiSelectElement,
    StaticSelectElement,
    UserSelectElement,
)

from bot.views.mrkdwn import plain, typed

LONGEST_ANSWER = 2_000
"""Characters a person may write into one field."""
LONGEST_INPUT = 3_000
"""Characters, which is what Slack takes in one field."""
MOST_RADIO_BUTTONS = 10
MOST_OPTIONS = 100
LONGEST_OPTION = 75

Values = Mapping[str, Mapping[str, Any]]
"""A form's state: block id -> action id -> what was entered. Our blocks and actions share their names."""


def answer(
    name: str, label: str, placeholder: str, *, optional: bool = False, said: str = "", longest: int = LONGEST_ANSWER
) -> Block:
    """``said``: what stands in the field already."""
    return InputBlock(
        block_id=name,
        label=title(label),
        optional=optional,
        element=PlainTextInputElement(
            action_id=name,
            multiline=True,
            min_length=None if optional else 1,
            max_length=longest,
            initial_value=typed(said, longest) or None,
            placeholder=title(placeholder),
        ),
    )


def choice(name: str, label: str, options: Sequence[tuple[str, str]], chosen: str = "") -> Block:
    """One of several. ``options``: values and how they are called."""
    shown = _options(options)
    few = len(shown) <= MOST_RADIO_BUTTONS
    initial = next((each for each in shown if each.value == chosen), None)
    return InputBlock(
        block_id=name,
        label=title(label),
        element=(RadioButtonsElement if few else StaticSelectElement)(
            action_id=name, options=shown, initial_option=initial
        ),
    )


def channel_choice(name: str, label: str) -> Block:
    """A channel of those the person sees; the one they look at, to begin with."""
    return InputBlock(
        block_id=name,
        label=title(label),
        element=ConversationSelectElement(
            action_id=name,
            default_to_current_conversation=True,
            filter=ConversationFilter(include=["public", "private"], exclude_bot_users=True),
        ),
    )


def person_choice(name: str, label: str, hint: str, chosen: str = "") -> Block:
    """Somebody of the workspace, or nobody: Slack lists bots and guests as well."""
    return InputBlock(
        block_id=name,
        label=title(label),
        hint=title(hint),
        optional=True,
        element=UserSelectElement(action_id=name, initial_user=chosen or None),
    )


def choices(name: str, label: str, options: Sequence[tuple[str, str]], chosen: Sequence[str] = ()) -> Block:
    """Any number of several, also none."""
    shown = _options(options)
    few = len(shown) <= MOST_RADIO_BUTTONS
    initial = [each for each in shown if each.value in chosen]
    return InputBlock(
        block_id=name,
        label=title(label),
        optional=True,
        element=(CheckboxesElement if few else StaticMultiSelectElement)(
            action_id=name, options=shown, initial_options=initial or None
        ),
    )


def note(text: str) -> Block:
    return SectionBlock(text=MarkdownTextObject(text=text, verbatim=True))


def title(text: str) -> PlainTextObject:
    return PlainTextObject(text=text, emoji=True)


def entered(values: Values, name: str) -> str:
    """What was written; empty for nothing and for blanks."""
    return str(values.get(name, {}).get(name, {}).get("value") or "").strip()


def picked_all(values: Values, name: str) -> tuple[str, ...]:
    options: Sequence[Mapping[str, str]] = values.get(name, {}).get(name, {}).get("selected_options") or ()
    return tuple(each["value"] for each in options)


def picked(values: Values, name: str) -> str | None:
    option: Mapping[str, str] | None = values.get(name, {}).get(name, {}).get("selected_option")
    return option["value"] if option else None


def picked_channel(values: Values, name: str) -> str:
    return str(values.get(name, {}).get(name, {}).get("selected_conversation") or "")


def picked_person(values: Values, name: str) -> str:
    """Empty where nobody was chosen."""
    return str(values.get(name, {}).get(name, {}).get("selected_user") or "")


def _options(options: Sequence[tuple[str, str]]) -> list[Option]:
    return [
        Option(value=value, text=title(plain(text, LONGEST_OPTION) or "?")) for value, text in options[:MOST_OPTIONS]
    ]
