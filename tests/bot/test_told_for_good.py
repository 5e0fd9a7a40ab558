"""What somebody told their twin for good stands in no post and in nobody's direct message, whatever the twin writes."""

from typing import Final

from engine.directory.profile import Profiles
from engine.negotiation.answers import (
    FeedbackAnswer,
    LimitAnswer,
    LimitVerdict,
    OfferAnswer,
    OfferDecision,
    StatedCondition,
)
from engine.negotiation.voting.kinds import FeedbackType

from .conftest import Given
from .driver import AYA, BO, EVERYBODY, text_of
from .script import people
from .test_direct import direct

CANARY: Final = "No zeppelins over the canary lake"
PEOPLE: Final = Profiles(
    {each: one.model_copy(update={"from_now_on": (CANARY,)}) for each, one in people({"aya": AYA, "bo": BO}).items()}
)
KEPT: Final = (LimitAnswer(number=1, verdict=LimitVerdict.KEPT),)
OFFER: Final = OfferAnswer(
    decision=OfferDecision.CONDITIONAL,
    contribution=f"My room. {CANARY}.",
    conditions=(StatedCondition(text=CANARY), StatedCondition(text="A quiet room")),
    reasoning=CANARY,
    limits=KEPT,
)
VOTE: Final = FeedbackAnswer(
    feedback_type=FeedbackType.NEGOTIATE,
    reasoning=f"Nearly. {CANARY}.",
    adjustment_request=f"An hour later. {CANARY}!",
    concerns=(CANARY,),
    limits=KEPT,
)


async def test_no_post_and_no_direct_message_repeats_it(given: Given) -> None:
    it = await given(linked=("aya", "bo"), said_by=PEOPLE, says={"respond": OFFER, "feedback": VOTE})

    posts = "\n".join([text_of(each) for user in EVERYBODY for each in await it.everything(user)])
    letters = "\n".join([text_of(each) for user in EVERYBODY for each in await direct(it, user)])
    written = posts + letters + "\n".join([str(each) for user in EVERYBODY for each in await it.told(user)])

    assert "An hour later." in posts, "the rest of what the twins say is shown"
    assert "zeppelin" not in written.casefold()
