"""The values that buttons of any protocol carry, so that a click finds its stream."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from engine.kernel import Validated

SHOW_ALL = "post.show_all"
PREVIOUS = "page.previous"
NEXT = "page.next"


class ButtonValue(Validated):
    """What a button carries, and the form remembers that it opens."""

    def value(self) -> str:
        return self.model_dump_json()

    @classmethod
    def read(cls, value: str) -> Self:
        return cls.model_validate_json(value)


class StreamButton(ButtonValue):
    """The value of a button that belongs to a stream."""

    stream: str


class ActionButton(ButtonValue):
    """The value of the button of an action: what it is about. Routing, not authority: the rules decide who may."""

    stream: str
    round: int = 0
    digest: str = ""
    """Of the version of the plan that the button was shown with."""
    agent_id: str = ""
    """Whose part it is about; empty where the button is for everybody."""
    key: str = ""
    """Of what is due, or of a time."""

    def value(self) -> str:
        return self.model_dump_json(exclude_defaults=True)

    def about(self, names: Sequence[str]) -> Mapping[str, Any]:
        """Return these of its values, by name."""
        return {each: getattr(self, each) for each in names}


class Page(ButtonValue):
    """The value of a button that shows a post in full."""

    stream: str
    post: str
    """The post's key."""
    number: int = 1
    """From 1."""
