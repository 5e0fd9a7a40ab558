"""What is printed for people: without characters that a terminal would act upon, whoever wrote them.

Anybody's text can end in a terminal: a demand in `towow replay`, a name in the log, a path in an error. An escape
sequence in it could clear the screen, change the window's title, or show what is not there.
"""

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

_ACTED_UPON: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but the tab and the newline, what turns the direction of a line, and half characters."""
_PICTURES: Final = 0x2400
"""Where Unicode has a picture of each control character of ASCII."""
_DELETE: Final = 0x7F


def cleaned(text: str) -> str:
    """Return the text with a picture in place of every character that a terminal would act upon."""
    return _ACTED_UPON.sub(_picture, text)


def one_line(text: str) -> str:
    """Return the cleaned text without its newlines, so that nobody can write a line of their own."""
    return cleaned(text).replace("\n", "␤").replace("\u2028", "␤").replace("\u2029", "␤")


def plain_json(text: str) -> str:
    """Return JSON in which those characters are escaped, so that it says the same and can be printed."""
    return _ACTED_UPON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < ord(" "):
        return chr(_PICTURES + code)
    return "␡" if code == _DELETE else "\ufffd"


class CleanStream(io.TextIOBase):
    """A text stream that cleans what is written to it."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.stream.encoding

    def write(self, text: str) -> int:
        self.stream.write(cleaned(text))
        return len(text)

    def flush(self) -> None:
        self.stream.flush()

    def fileno(self) -> int:
        return self.stream.fileno()

    def isatty(self) -> bool:
        return self.stream.isatty()

    def writable(self) -> bool:
        return True


@contextmanager
def clean_streams() -> Iterator[None]:
    """Clean all that is printed inside of the block."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (_clean(each) for each in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _clean(stream: TextIO | None) -> Any:
    """Python has no stream where the process was started with a closed one."""
    return stream if stream is None or isinstance(stream, CleanStream) else CleanStream(stream)


class Terminal(Console):
    """A console that cleans texts, and adds its own colours afterwards.

    Its reader may stop reading at any time, as ``head`` does.
    """

    def __init__(self, **settings: Any) -> None:
        stream = sys.stdout
        super().__init__(**{"file": stream.stream if isinstance(stream, CleanStream) else stream, **settings})

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=cleaned(segment.text))

    def on_broken_pipe(self) -> None:
        stop_printing()


def stop_printing() -> None:
    """Drop whatever is still printed, because its reader has left.

    The exit code is the same as if everything had been printed.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
