"""How many words somebody reads in a message, a form or a dialog, as the client shows them.

A word is what stands between blanks and has a letter or a digit in it, so an emoji or a dash is none. Labels of buttons
and fields count; what a menu holds counts only once it is open, and so is left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from bot.local_slack import Message, View

_DATE: Final = re.compile(r"<!date\^[^|<>]*\|([^<>]*)>")
_LABELLED: Final = re.compile(r"<[^|<>]+\|([^<>]*)>")
_BARE: Final = re.compile(r"<[^<>]+>")
_EMOJI: Final = re.compile(r":[a-z0-9_+-]+:")
_CHINESE: Final = re.compile(r"[\u3400-\u9fff]")

_TEXT_KEYS: Final = ("title", "text", "label", "hint", "placeholder", "fields", "elements", "element", "accessory")
_INNER_KEYS: Final = ("child_blocks", "blocks", "tasks", "details", "output", "sources", "initial_value")
_MENUS: Final = ("static_select", "multi_static_select", "overflow", "users_select", "multi_users_select")


def words_in(text: str) -> int:
    """Mentions and dates count by what is shown in their place; two Chinese characters are as much as one word."""
    shown = _BARE.sub(" somebody ", _LABELLED.sub(r"\1", _DATE.sub(r"\1", text)))
    shown = _EMOJI.sub(" ", shown)
    chinese = len(_CHINESE.findall(shown))
    latin = _CHINESE.sub(" ", shown).split()
    return sum(any(letter.isalnum() for letter in each) for each in latin) + (chinese + 1) // 2


def words_of_messages(messages: Iterable[Message]) -> int:
    return sum(sum(map(words_in, _texts(each.blocks))) if each.blocks else words_in(each.text) for each in messages)


def words_of_view(view: View) -> int:
    """Those of a form, with its title and what its own two buttons say."""
    return sum(map(words_in, _texts([view.title or {}, *view.blocks, view.submit or {}, view.close or {}])))


def words_of_dialog(confirm: Mapping[str, Any]) -> int:
    return sum(map(words_in, _texts([*confirm.values()])))


def _texts(shown: Any) -> Iterator[str]:
    """Every text in blocks, elements or text objects."""
    if isinstance(shown, str):
        yield shown
    elif isinstance(shown, list):
        for each in shown:
            yield from _texts(each)
    elif isinstance(shown, dict):
        keys = _TEXT_KEYS + _INNER_KEYS
        for key in keys:
            if key in shown:
                yield from _texts(shown[key])
        if shown.get("type") not in _MENUS:
            yield from _texts(shown.get("options", []))
