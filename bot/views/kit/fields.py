"""Builds the fields of forms, and reads what was entered into them."""

from collections.abc import Mapping, Sequence
from typing import Any

from slack_sdk.models.blocks import (
    Block,
    CheckboxesElement,
    ConversationFilter,
    ConversationMultiSelectElement,
    ConversationSelectElement,
    DatePickerElement,
    InputBlock,
    MarkdownTextObject,
    NumberInputElement,
    Option,
    OptionGroup,
    PlainTextInputElement,
    PlainTextObject,
    RadioButtonsElement,
    SectionBlock,
    StaticMultiSelectElement,
    StaticSelectElement,
    TimePickerElement,
    UserMultiSelectElement,
    UserSelectElement,
)
from slack_sdk.models.blocks.block_elements import FileInputElement

from bot.views.kit.mrkdwn import editable, plain_line

LONGEST_ANSWER = 2_000
"""Characters a person may write into one field."""
LONGEST_INPUT = 3_000
"""Characters that Slack accepts in one field."""
MOST_RADIO_BUTTONS = 10
MOST_OPTIONS = 100
LONGEST_OPTION = 75

Values = Mapping[str, Mapping[str, Any]]
"""A form's state: block id -> action id -> what was entered. Our blocks and actions share their names."""


class InvalidForm(Exception):
    """What was filled in cannot be used. ``errors``: by field, what would work."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(", ".join(errors))
        self.errors = dict(errors)


def text_field(
    name: str,
    label: str,
    placeholder: str,
    *,
    optional: bool = False,
    initial: str = "",
    shortest: int = 1,
    longest: int = LONGEST_ANSWER,
    multiline: bool = True,
) -> Block:
    """``initial``: the text that the field starts with."""
    return InputBlock(
        block_id=name,
        label=plain_text_object(label),
        optional=optional,
        element=PlainTextInputElement(
            action_id=name,
            multiline=multiline,
            min_length=None if optional else shortest,
            max_length=longest,
            initial_value=editable(initial, longest) or None,
            placeholder=plain_text_object(placeholder) if placeholder else None,
        ),
    )


def line_field(
    name: str, label: str, placeholder: str, *, longest: int, optional: bool = False, initial: str = ""
) -> Block:
    initial = " ".join(initial.split())
    return text_field(name, label, placeholder, optional=optional, initial=initial, longest=longest, multiline=False)


def number_field(
    name: str, label: str, initial: float | None, *, least: float, most: float, decimal: bool = False, hint: str = ""
) -> Block:
    """An optional number between the bounds. ``initial``: the number that the field starts with."""
    return InputBlock(
        block_id=name,
        label=plain_text_object(label),
        hint=plain_text_object(hint) if hint else None,
        optional=True,
        element=NumberInputElement(
            action_id=name,
            is_decimal_allowed=decimal,
            initial_value=f"{initial:.10g}" if initial is not None else None,
            min_value=f"{least:g}",
            max_value=f"{most:.10g}",
        ),
    )


def grouped_choice_field(name: str, label: str, options: Sequence[tuple[str, str]]) -> Block:
    """One of up to ten thousand options, grouped by their first letters."""
    groups = [options[start : start + MOST_OPTIONS] for start in range(0, len(options), MOST_OPTIONS)][:MOST_OPTIONS]
    called = [plain_line(f"{group[0][1][:12]} – {group[-1][1][:12]}", LONGEST_OPTION) or "?" for group in groups]
    return InputBlock(
        block_id=name,
        label=plain_text_object(label),
        element=StaticSelectElement(
            action_id=name,
            option_groups=[
                OptionGroup(label=plain_text_object(each), options=_options(group))
                for each, group in zip(called, groups, strict=True)
            ],
        ),
    )


def choice_field(
    name: str,
    label: str,
    options: Sequence[tuple[str, str]],
    chosen: str = "",
    *,
    hint: str = "",
    optional: bool = False,
    tells: bool = False,
) -> Block:
    """One of several options.

    Args:
        options: values and labels.
        tells: whether the choice is told as a click at once.
    """
    shown = _options(options)
    few = len(shown) <= MOST_RADIO_BUTTONS
    initial = next((each for each in shown if each.value == chosen), None)
    return InputBlock(
        block_id=name,
        label=plain_text_object(label),
        hint=plain_text_object(hint) if hint else None,
        optional=optional,
        dispatch_action=tells or None,
        element=(RadioButtonsElement if few else StaticSelectElement)(
            action_id=name, options=shown, initial_option=initial
        ),
    )


def day_field(name: str, label: str, chosen: str = "", *, optional: bool = True) -> Block:
    """A day. ``chosen``: an ISO date that the field starts with."""
    return InputBlock(
        block_id=name,
        label=plain_text_object(label),
        optional=optional,
        element=DatePickerElement(action_id=name, initial_date=chosen or None),
    )


def time_field(name: str, label: str, chosen: str = "") -> Block:
    """An optional time of the day. ``chosen``: ``HH:MM``, with which the field starts."""
    return InputBlock(
        block_id=name,
        label=plain_text_object(label),
        optional=True,
        element=TimePickerElement(action_id=name, initial_time=chosen or None),
    )


def channel_field(name: str, label: str) -> Block:
    """One of the channels that the person sees; it starts with the one they are in."""
    return InputBlock(
        block_id=name,
        label=plain_text_object(label),
        element=ConversationSelectElement(
            action_id=name,
            default_to_current_conversation=True,
            filter=ConversationFilter(include=["public", "private"], exclude_bot_users=True),
        ),
    )


def person_field(name: str, label: str, hint: str, chosen: str = "") -> Block:
    """An optional person. Slack also lists bots and guests."""
    return InputBlock(
        block_id=name,
        label=plain_text_object(label),
        hint=plain_text_object(hint),
        optional=True,
        element=UserSelectElement(action_id=name, initial_user=chosen or None),
    )


def people_field(name: str, label: str, hint: str, chosen: Sequence[str] = ()) -> Block:
    return InputBlock(
        block_id=name,
        label=plain_text_object(label),
        hint=plain_text_object(hint),
        optional=True,
        element=UserMultiSelectElement(action_id=name, initial_users=[*chosen] or None),
    )


def channels_field(name: str, label: str, hint: str, chosen: Sequence[str] = ()) -> Block:
    return InputBlock(
        block_id=name,
        label=plain_text_object(label),
        hint=plain_text_object(hint),
        optional=True,
        element=ConversationMultiSelectElement(
            action_id=name,
            initial_conversations=[*chosen] or None,
            filter=ConversationFilter(include=["public", "private"], exclude_bot_users=True),
        ),
    )


def multi_choice_field(name: str, label: str, options: Sequence[tuple[str, str]], chosen: Sequence[str] = ()) -> Block:
    shown = _options(options)
    few = len(shown) <= MOST_RADIO_BUTTONS
    initial = [each for each in shown if each.value in chosen]
    return InputBlock(
        block_id=name,
        label=plain_text_object(label),
        optional=True,
        element=(CheckboxesElement if few else StaticMultiSelectElement)(
            action_id=name, options=shown, initial_options=initial or None
        ),
    )


def file_field(name: str, label: str) -> Block:
    return InputBlock(
        block_id=name,
        label=plain_text_object(label),
        optional=True,
        element=FileInputElement(action_id=name, max_files=1),
    )


def text_block(text: str) -> Block:
    return SectionBlock(text=MarkdownTextObject(text=text, verbatim=True))


def plain_text_object(text: str) -> PlainTextObject:
    return PlainTextObject(text=text, emoji=True)


def entered_text(values: Values, name: str) -> str:
    """The text that was entered; empty for blanks."""
    return str(values.get(name, {}).get(name, {}).get("value") or "").strip()


def picked_options(values: Values, name: str) -> tuple[str, ...]:
    options: Sequence[Mapping[str, str]] = values.get(name, {}).get(name, {}).get("selected_options") or ()
    return tuple(each["value"] for each in options)


def picked_option(values: Values, name: str) -> str | None:
    option: Mapping[str, str] | None = values.get(name, {}).get(name, {}).get("selected_option")
    return option["value"] if option else None


def picked_day(values: Values, name: str) -> str:
    """An ISO date; empty where no day was chosen."""
    return str(values.get(name, {}).get(name, {}).get("selected_date") or "")


def picked_time(values: Values, name: str) -> str:
    """``HH:MM``; empty where no time was chosen."""
    return str(values.get(name, {}).get(name, {}).get("selected_time") or "")


def picked_channel(values: Values, name: str) -> str:
    return str(values.get(name, {}).get(name, {}).get("selected_conversation") or "")


def picked_people(values: Values, name: str) -> tuple[str, ...]:
    return tuple(values.get(name, {}).get(name, {}).get("selected_users") or ())


def picked_channels(values: Values, name: str) -> tuple[str, ...]:
    return tuple(values.get(name, {}).get(name, {}).get("selected_conversations") or ())


def entered_decimal(values: Values, name: str) -> float | None:
    """None where nothing was entered."""
    said = entered_text(values, name)
    return float(said) if said else None


def entered_number(values: Values, name: str) -> int | None:
    """Read a number from a form; None where the field is empty."""
    said = entered_text(values, name)
    return int(said) if said else None


def picked_person(values: Values, name: str) -> str:
    """Empty where nobody was chosen."""
    return str(values.get(name, {}).get(name, {}).get("selected_user") or "")


def picked_files(values: Values, name: str) -> tuple[tuple[str, str], ...]:
    """The id and the name of each file that was given."""
    files: Sequence[Mapping[str, Any]] = values.get(name, {}).get(name, {}).get("files") or ()
    return tuple((str(each["id"]), str(each.get("name") or "")) for each in files)


def _options(options: Sequence[tuple[str, str]]) -> list[Option]:
    return [
        Option(value=value, text=plain_text_object(plain_line(text, LONGEST_OPTION) or "?"))
        for value, text in options[:MOST_OPTIONS]
    ]
