"""The second reader and the reader of wishes: rules doubt nothing, and read only what is data as a whole."""

from collections.abc import Sequence
from typing import Any

from engine.negotiation.answers import LimitOpinion, LimitVerdict, Opinion, RequestRead, Verification
from engine.offline.reading.circumstances import asked_on
from engine.offline.reading.wishes import datum_in


def verify(claims: Sequence[Any] = (), limits: Sequence[Any] = (), **_: Any) -> Verification:
    """Answer that nothing is known of a claim; of a limit, the twin's own answer stands, as rules made it."""
    return Verification(
        claims=tuple(Opinion(number=number) for number, _ in enumerate(claims, 1)),
        limits=tuple(LimitOpinion(number=number, verdict=LimitVerdict.KEPT) for number, _ in enumerate(limits, 1)),
    )


def read_request(today: dict[str, str], **given: Any) -> RequestRead:
    text = next((str(given[name]) for name in ("request", "text", "wish", "words") if given.get(name)), "")
    datum, scope = datum_in(text, asked_on(today))
    return RequestRead(understood=text.strip() if datum is not None else "", data=datum, scope=scope)
