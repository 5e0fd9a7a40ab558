"""Loads YAML that anybody may have written: nothing in it makes the result larger or deeper than what stands there."""

from typing import TYPE_CHECKING, Any, Final

import yaml
from yaml.composer import Composer
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

LONGEST_TEXT: Final = 64_000
"""Characters."""
LONGEST_VALUE: Final = 10_000
"""Characters of one key or value."""
LONGEST_NUMBER: Final = 100
"""Characters of one number: the time that reading it takes grows with the square of its digits."""
MOST_VALUES: Final = 5_000
"""Keys, values, lists and mappings."""
DEEPEST: Final = 20
"""Lists and mappings around one value."""

_NUMBERS: Final = frozenset({"tag:yaml.org,2002:int", "tag:yaml.org,2002:float"})


class NotRead(yaml.MarkedYAMLError):
    """It may be YAML, and is more than is read; ``problem`` continues the sentence that began with "this"."""


if TYPE_CHECKING:
    from yaml import SafeLoader as _AnyLoader
else:
    _AnyLoader = object


class _Bounds(_AnyLoader):
    """Checks each event of the parser before anything is made of it.

    Raises:
        NotRead: the text is too long, too deep, or has an alias, which lets a short text stand for more than any memory
            holds.
        yaml.YAMLError
    """

    def __init__(self, text: str) -> None:
        is_long = len(text) > LONGEST_TEXT
        super().__init__("" if is_long else text)
        if is_long:
            raise _refused(f"has {len(text):,} characters; {LONGEST_TEXT:,} are read", None)
        self._values = 0
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        self._values += 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise _refused("has an alias or an anchor (* or &), which is not read; write the value out", event)
        if self._values > MOST_VALUES:
            raise _refused(f"has more than {MOST_VALUES:,} values", event)
        if self._depth > DEEPEST:
            raise _refused(f"is nested too deeply; {DEEPEST} levels are read", event)
        if isinstance(event, yaml.ScalarEvent) and len(event.value) > LONGEST_VALUE:
            raise _refused(f"has a value of {len(event.value):,} characters; {LONGEST_VALUE:,} are read", event)
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        if isinstance(node, yaml.ScalarNode) and node.tag in _NUMBERS and len(node.value) > LONGEST_NUMBER:
            raise _refused(f"has a number of {len(node.value):,} characters; {LONGEST_NUMBER} are read", event)
        return node


class BoundedLoader(_Bounds, yaml.SafeLoader):
    """Reads in Python alone: slowly, and in the same words on every machine of what is wrong."""


if TYPE_CHECKING or not yaml.__with_libyaml__:
    FastLoader = BoundedLoader
else:

    class _Parsed(Composer, yaml.cyaml.CParser, SafeConstructor, Resolver):
        """Has libyaml parse, and composes in Python, where each event can be looked at."""

        def __init__(self, text: str) -> None:
            yaml.cyaml.CParser.__init__(self, text)
            Composer.__init__(self)
            SafeConstructor.__init__(self)
            Resolver.__init__(self)

    class FastLoader(_Bounds, _Parsed):
        """Reads several times as fast. What it refuses `BoundedLoader` may read, and it says why in other words."""


def _refused(why: str, event: yaml.Event | None) -> NotRead:
    mark: Any = event.start_mark if event is not None else None
    return NotRead(problem=why, problem_mark=mark)
