"""Which function answers which prompt of a negotiation; the second reader doubts nothing, wishes are read as data."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.negotiation.answers import LimitOpinion, LimitVerdict, Opinion, RequestRead, Verification
from engine.offline.model import Answerer
from engine.offline.negotiation.adjustments import find_gaps, judge_recursion, propose_compromise, revise_proposal
from engine.offline.negotiation.feedback import give_feedback
from engine.offline.negotiation.offers import make_offer
from engine.offline.negotiation.proposals import draft_proposal
from engine.offline.negotiation.shortlist import choose_people
from engine.offline.negotiation.understanding import understand
from engine.offline.reading.circumstances import asked_on
from engine.offline.reading.wishes import datum_in


def verify(claims: Sequence[Any] = (), limits: Sequence[Any] = (), **_: Any) -> Verification:
    """Answer that nothing is known of a claim; of a limit, the twin's own answer stands, as rules made it."""
    return Verification(
        claims=tuple(Opinion(number=each.number) for each in claims),
        limits=tuple(LimitOpinion(number=each.number, verdict=LimitVerdict.KEPT) for each in limits),
    )


def read_request(today: dict[str, str], **given: Any) -> RequestRead:
    text = next((str(given[name]) for name in ("request", "text", "wish", "words") if given.get(name)), "")
    datum, scope = datum_in(text, asked_on(today))
    return RequestRead(understood=text.strip() if datum is not None else "", data=datum, scope=scope)


ANSWERERS: Final[Mapping[str, Answerer]] = {
    "understand": understand,
    "filter": choose_people,
    "respond": make_offer,
    "aggregate": draft_proposal,
    "feedback": give_feedback,
    "adjust": revise_proposal,
    "gaps": find_gaps,
    "recurse": judge_recursion,
    "compromise": propose_compromise,
    "verify": verify,
    "read_request": read_request,
}
