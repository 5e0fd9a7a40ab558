"""A clash after an agreement, and another time for it, over HTTP: each is told what is theirs, and may do that."""

from typing import Any

from engine.facts.circumstances import When
from engine.kernel import StreamKey
from engine.negotiation.commands import AvailabilityFinding, RecordAvailability
from engine.negotiation.rules import RULEBOOK
from engine.times.feasible import FoundTimes, PossibleTime

from .api_harness import ALONE, AYA, BO, EVE, HERE, YOU, ApiHarness
from .conftest import Begin
from .test_afterwards import told

AGENT = "user_agent_aya"


def at(day: int) -> When:
    return When(first=f"2027-02-0{day}", last=f"2027-02-0{day}", start="10:00", end="11:00", exact="day")


async def clash(begin: Begin) -> tuple[ApiHarness, str]:
    """Aya cannot any more on the first of February; on the second she can, and Bo cannot on the third."""
    it = await begin(policy=ALONE)
    demand_id = await it.asks()
    found = FoundTimes(minutes=60, known=2, times=(PossibleTime(when=at(2), can=2),))
    finding = AvailabilityFinding(agent_id=AGENT, when=at(1), cannot=True, found=found)
    key = StreamKey(HERE, f"collab-{demand_id.removeprefix('d-')}")
    order = RecordAvailability(command_id="found", at=it.clock.now(), findings=(finding,))
    await it.runtime.handle(key, RULEBOOK.protocol, order)
    await it.runtime.activity.idle()
    return it, demand_id


async def takes(it: ApiHarness, user: str, demand_id: str, action: str, **body: Any) -> tuple[int, Any]:
    answer = await it.as_(user).post(f"/api/v1/demand/{demand_id}/actions/{action}", body)
    await it.runtime.activity.idle()
    return answer.status, answer.body


async def test_who_cannot_is_told_to_them_and_to_whoever_asked(begin: Begin) -> None:
    it, demand_id = await clash(begin)
    seen = {user: (await told(it, demand_id, by=user))["conflicts"] for user in (YOU, AYA, BO)}
    assert [[each["agent_id"] for each in found] for found in seen.values()] == [[AGENT], [AGENT], []]
    assert (await it.as_(EVE).get(f"/api/v1/demand/{demand_id}")).status == 404


async def test_another_time_is_found_and_agreed(begin: Begin) -> None:
    it, demand_id = await clash(begin)
    assert (await takes(it, BO, demand_id, "time.find", agent_id=AGENT))[0] == 403
    assert (await takes(it, AYA, demand_id, "time.find", agent_id=AGENT))[0] == 200
    [asked] = (await told(it, demand_id, by=BO))["reschedulings"]
    [key] = asked["times"]
    assert (await takes(it, EVE, demand_id, "time.agree", round=1, key=key))[0] in (403, 404)
    for user in (AYA, BO, YOU):
        assert (await takes(it, user, demand_id, "time.agree", round=asked["round"], key=key))[0] == 200

    found = await told(it, demand_id)
    assert found["proposal"]["when"]["first"] == "2027-02-02"
    assert (found["conflicts"], found["reschedulings"][0]["agreed"]["first"]) == ([], "2027-02-02")
    assert (await takes(it, AYA, demand_id, "time.refuse", round=1))[0] == 409


async def test_whoever_can_all_the_same_says_so(begin: Begin) -> None:
    it, demand_id = await clash(begin)
    assert (await takes(it, YOU, demand_id, "time.keep", agent_id=AGENT))[0] == 403
    assert (await takes(it, AYA, demand_id, "time.keep", agent_id=AGENT))[0] == 200
    assert (await told(it, demand_id))["conflicts"] == []
