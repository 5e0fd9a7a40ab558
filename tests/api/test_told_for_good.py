"""What somebody told their twin for good is theirs, whatever the twin writes: no page and nothing over HTTP has it."""

from engine.negotiation.answers import (
    FeedbackAnswer,
    LimitAnswer,
    LimitVerdict,
    OfferAnswer,
    OfferDecision,
    StatedCondition,
)
from engine.negotiation.voting.kinds import FeedbackType

from .api_harness import ALONE, AYA, BO, YOU
from .conftest import Begin
from .test_pages import address, opened

CANARY = "No zeppelins over the canary lake"


async def test_nobody_reads_it_over_http_or_on_the_page_of_the_story(begin: Begin) -> None:
    it = await begin(policy=ALONE, told_for_good=(CANARY,))
    kept = (LimitAnswer(number=1, verdict=LimitVerdict.KEPT),)
    it.script.says["respond"] = OfferAnswer(
        decision=OfferDecision.CONDITIONAL,
        contribution=f"My room. {CANARY}.",
        conditions=(StatedCondition(text=f"{CANARY.upper()}!"), StatedCondition(text="A quiet room")),
        reasoning=f"Since I hold to this: {CANARY.lower()}",
        limits=kept,
    )
    it.script.says["feedback"] = FeedbackAnswer(
        feedback_type=FeedbackType.ACCEPT, reasoning=f"Good. {CANARY}.", concerns=(CANARY,), limits=kept
    )
    demand_id = await it.asks()
    await it.ends(demand_id)
    path = f"/api/v1/demand/{demand_id}"

    said = ""
    for who in (YOU, AYA, BO, "admin"):
        answers = [await it.as_(who).get(each) for each in (path, f"{path}/status")]
        assert answers[0].status == 200
        said += "".join(str(each.body) for each in answers)
    for user in (YOU, AYA, BO):
        status, page = await opened(it, address(it, demand_id, user))
        assert status == 200
        said += page
    said += str((await it.as_("admin").get("/api/v1/events/recent?count=500")).body)

    assert "My room." in said
    assert "A quiet room" in said
    assert "zeppelin" not in said.casefold()
