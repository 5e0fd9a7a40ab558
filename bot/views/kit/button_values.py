"""The values that buttons of any protocol carry, so that a click finds its stream."""

from engine.kernel import Validated

SHOW_ALL = "post.show_all"
PREVIOUS = "page.previous"
NEXT = "page.next"


class StreamButton(Validated):
    """The value of a button that belongs to a stream."""

    stream: str

    def value(self) -> str:
        return self.model_dump_json()


def read_stream_button(value: str) -> StreamButton:
    """
    Raises:
        ValueError: not a button of ours.
    """
    return StreamButton.model_validate_json(value)


class Page(Validated):
    """The value of a button that shows a post in full."""

    stream: str
    post: str
    """The post's key."""
    number: int = 1
    """From 1."""

    def value(self) -> str:
        return self.model_dump_json()


def read_page(value: str) -> Page:
    """
    Raises:
        ValueError: not a button of ours.
    """
    return Page.model_validate_json(value)
