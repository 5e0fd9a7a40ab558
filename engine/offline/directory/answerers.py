"""What answers the directory's prompt where there is no model."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from msgspec.structs import replace

from engine.directory.asks import LimitRead, ProfileRead
from engine.facts.asked import Asked
from engine.facts.data import Days
from engine.offline.model import Answerer
from engine.offline.reading.wishes import datum_in


def read_profile(lines: Sequence[Any], today: Mapping[str, str], **_: Any) -> ProfileRead:
    """Read each line that is data as a whole; of what somebody never does days alone: "weekends" means none of them."""
    asked, read = Asked(date.fromisoformat(today["date"]), ""), []
    for each in lines:
        datum, scope = datum_in(each.words, asked)
        if each.said_as == "never" and isinstance(datum, Days):
            datum = replace(datum, allowed=False)
        elif each.said_as != "from_now_on":
            datum = None
        if datum is not None:
            read.append(LimitRead(number=each.number, data=datum, scope=scope))
    return ProfileRead(limits=tuple(read))


ANSWERERS: Final[Mapping[str, Answerer]] = {"read_profile": read_profile}
