"""The decision record over HTTP, and the needs that a demand's plan is held against."""

from engine.errors import ModelUnavailable

from .api_harness import ALONE, BO, EVE, YOU
from .conftest import Begin


async def test_whoever_is_part_of_it_reads_why_the_plan_is_as_it_is(begin: Begin) -> None:
    it = await begin(policy=ALONE)
    demand_id = await it.asks()

    answers = [await it.as_(each).get(f"/api/v1/demand/{demand_id}/why") for each in (YOU, BO)]

    assert [each.status for each in answers] == [200, 200]
    told = answers[0].body
    assert (told["demand_id"], told["outcome"], told["requester_id"]) == (demand_id, "consensus", YOU)
    assert {(each["feedback_type"], each["hand"]) for each in told["rounds"][0]["votes"]} == {("accept", "twin")}
    assert answers[1].body == told


async def test_nobody_else_reads_it(begin: Begin) -> None:
    it = await begin(policy=ALONE)
    demand_id = await it.asks()

    assert (await it.as_(EVE).get(f"/api/v1/demand/{demand_id}/why")).status == 404


async def test_a_twin_that_could_not_answer_is_told_apart_from_one_that_declined(begin: Begin) -> None:
    it = await begin(policy=ALONE)
    it.script.fails["respond/bo"] = ModelUnavailable("down")
    demand_id = await it.asks()

    told = (await it.as_(YOU).get(f"/api/v1/demand/{demand_id}/why")).body

    assert ("respond", "user_agent_bo") in [(each["prompt"], each["agent_id"]) for each in told["degraded"]]
    assert "user_agent_bo" not in [each["agent_id"] for each in told["offers"]]
