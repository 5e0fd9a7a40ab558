"""A row of buttons that keeps the rest behind *⋯*: the one next step stands out, and nothing is out of reach.

A choice in the menu carries what its button would, so whatever listens to the button hears of the choice
(`chosen_button`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from bot.views.kit.blocks import Block, actions, button

MORE: Final = "more"
MOST_CHOICES: Final = 5
"""Slack takes no more in one menu."""
LONGEST_VALUE: Final = 150
"""Characters of a choice's value."""
_PLAIN: Final = frozenset({"type", "text", "action_id", "value"})


def row(shown: Sequence[Block], others: Sequence[Block]) -> Block:
    """Buttons that people see, and a menu of the others.

    What asks first whether somebody is sure stays a button, as a menu could ask but one question for all it has; so
    does what would be alone in the menu.
    """
    fits = [each for each in others if each.keys() <= _PLAIN and len(_value(each)) <= LONGEST_VALUE][:MOST_CHOICES]
    if len(fits) < 2:
        return actions(*shown, *others)
    return actions(*shown, *(each for each in others if each not in fits), _menu(fits))


def has_action(elements: Iterable[Mapping[str, Any]], action_id: str) -> bool:
    """Whether one of them is the button of an action, or has it in its menu."""
    return any(
        each.get("action_id") == action_id
        or any(option["value"].partition(" ")[0] == action_id for option in each.get("options", ()))
        for each in elements
    )


def buttons_in(elements: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield elements, and the buttons that the choices of menus stand for in place of those."""
    for each in elements:
        if each.get("type") == "overflow" and each.get("action_id") == MORE:
            yield from (_button(option) for option in each["options"])
        else:
            yield each


def without(element: Block, action_id: str) -> Sequence[Block]:
    """Return what is left of an element of a row without an action: nothing, the same, or a smaller menu."""
    left = [dict(each) for each in buttons_in((element,)) if each.get("action_id") != action_id]
    if element["type"] != "overflow":
        return left
    return left if len(left) < 2 else [_menu(left)]


def chosen_button(action: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the button that somebody has chosen in a menu; None for what is no choice in one of ours."""
    option = action.get("selected_option")
    if action.get("type") != "overflow" or action.get("action_id") != MORE or not isinstance(option, Mapping):
        return None
    return _button(option)


def choice_of(elements: Iterable[Mapping[str, Any]], action_id: str) -> str | None:
    """Return the value of the choice that stands for an action in a menu; None where no menu has it."""
    options = (option for each in elements if each.get("action_id") == MORE for option in each["options"])
    return next((option["value"] for option in options if _button(option)["action_id"] == action_id), None)


def _menu(buttons: Sequence[Block]) -> Block:
    options = [{"text": each["text"], "value": _value(each)} for each in buttons]
    return {"type": "overflow", "action_id": MORE, "options": options}


def _value(button: Mapping[str, Any]) -> str:
    return f"{button['action_id']} {button.get('value', '')}"


def _button(option: Mapping[str, Any]) -> Block:
    action_id, _, value = str(option.get("value") or "").partition(" ")
    text = option.get("text")
    return button(str(text.get("text", "")) if isinstance(text, Mapping) else "", action_id, value)
