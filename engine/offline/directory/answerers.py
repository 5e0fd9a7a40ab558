"""What answers the directory's prompt where there is no model."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from engine.directory.answers import LimitRead, ProfileRead
from engine.offline.model import Answerer
from engine.offline.reading.circumstances import asked_on
from engine.offline.reading.wishes import datum_in

BARS: Final = "never"
"""What stands there is what somebody does not do, so words that only name a time are no data: "Mondays" is none."""


def read_profile(lines: Sequence[Any], today: dict[str, str], **_: Any) -> ProfileRead:
    """Read what a line of the grammar is as a whole; the others stay in words. The person sees it before it holds."""
    read = []
    for each in lines:
        datum, scope = datum_in(each.words, asked_on(today)) if each.said_as == "from_now_on" else (None, "own")
        if datum is not None:
            read.append(LimitRead(number=each.number, data=datum, scope=scope))
    return ProfileRead(limits=tuple(read))


ANSWERERS: Final[Mapping[str, Answerer]] = MappingProxyType({"read_profile": read_profile})
"""By the prompt's name in its folder."""
