"""What became of a demand: what its plan lacked and who was found, what would still be possible, what it led to."""

from typing import Any

from engine.errors import ModelTimeout, ModelUnavailable
from engine.kernel import StreamKey
from engine.negotiation.commands import Proceed, Reopen
from engine.negotiation.drafting import Ids
from engine.negotiation.events import RecoveryAttempted
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.terms import RecoveryAction
from tests.bot.script import lacking

from .api_harness import ALONE, BO, DEMAND, EVE, HERE, PATIENT, YOU, ApiHarness
from .conftest import Begin


async def lacks(begin: Begin, policy: Policy, **found: tuple[str, ...]) -> tuple[ApiHarness, str]:
    """Aya makes the plan alone; the others may be found."""
    it = await begin(alone=("cy",), policy=policy)
    lacking(it.script, **found)
    it.script.casts[DEMAND] = ("aya",)
    it.script.fails["respond/cy"] = ModelUnavailable("down")
    return it, await it.asks()


async def told(it: ApiHarness, demand_id: str, *, by: str = YOU) -> dict[str, Any]:
    body: dict[str, Any] = (await it.as_(by).get(f"/api/v1/demand/{demand_id}")).body
    return body


async def decided(it: ApiHarness, demand_id: str, command: type[Proceed | Reopen], **fields: Any) -> None:
    key = StreamKey(HERE, f"collab-{demand_id.removeprefix('d-')}")
    order = command(command_id=command.__name__, at=it.clock.now(), by=YOU, **fields)
    await it.runtime.handle(key, RULEBOOK.protocol, order)
    await it.runtime.activity.idle()


async def test_who_is_found_for_a_gap_is_told_and_in_the_plan_and_who_was_not(begin: Begin) -> None:
    it, demand_id = await lacks(begin, ALONE, photos=("bo",), music=("cy",))

    found = await told(it, demand_id)

    photos, music = found["gaps"]
    assert (photos["gap_type"], photos["importance"], photos["reason"]) == ("photos", 90, "nobody brings photos")
    assert (photos["search"]["status"], photos["search"]["found"]) == ("found", ["user_agent_bo"])
    assert (music["search"]["status"], music["search"]["outcome"]) == ("failed", "model_unavailable")
    assert (found["status"], found["is_searching"]) == ("completed", False)
    seats = {each["agent_id"]: each["source"] for each in found["proposal"]["assignments"]}
    assert seats == {"user_agent_aya": "offer", "user_agent_bo": "subnet"}
    assert found["confirmed_participants"] == ["user_agent_aya", "user_agent_bo"]
    sub = await told(it, photos["search"]["demand_id"])
    assert (sub["gap_of"], sub["channel_id"]) == (demand_id, photos["search"]["channel_id"])


async def test_whoever_was_found_is_part_of_it(begin: Begin) -> None:
    it, demand_id = await lacks(begin, ALONE, photos=("bo",))

    answers = [await it.as_(each).get(f"/api/v1/demand/{demand_id}") for each in (BO, EVE)]

    assert [each.status for each in answers] == [200, 404]


async def test_while_somebody_is_looked_for_the_plan_stands(begin: Begin) -> None:
    it, demand_id = await lacks(begin, PATIENT, photos=("bo",))
    while not (status := (await it.as_(YOU).get(f"/api/v1/demand/{demand_id}/status")).body)["is_searching"]:
        assert await it.time_passes()

    assert (status["status"], status["channel_status"]) == ("completed", "finalized")
    found = await told(it, demand_id)
    [gap] = found["gaps"]
    assert (gap["search"]["status"], gap["search"]["found"], gap["search"]["outcome"]) == ("running", [], None)
    assert gap["search"]["deadline"] > found["created_at"]


async def test_a_gap_for_which_nobody_is_asked_says_so(begin: Begin) -> None:
    it = await begin(policy=ALONE.model_copy(update={"gap_importance": 95}))
    lacking(it.script, photos=("bo",))

    [gap] = (await told(it, await it.asks()))["gaps"]

    assert (gap["gap_type"], gap["search"]) == ("photos", None)


async def test_where_there_is_no_agreement_it_is_told_what_would_still_be_possible(begin: Begin) -> None:
    it = await begin(policy=ALONE)
    it.script.votes |= {("aya", 1): "withdraw", ("bo", 1): "withdraw"}

    found = await told(it, await it.asks())

    assert (found["status"], found["outcome"]) == ("failed", "low_acceptance")
    assert (found["compromise"]["summary"], found["compromise"]["suggestions"]) == (
        "A smaller plan is possible", ["Ask for less"],
    )  # fmt: skip
    assert found["compromise"]["type"] == "compromise"


async def test_what_a_model_could_not_do_is_told_with_its_code(begin: Begin) -> None:
    it = await begin(policy=ALONE)
    it.script.fails |= {"aggregate": ModelTimeout("after 10 s"), "respond/bo": ModelUnavailable("no route")}

    steps = (await told(it, await it.asks()))["degraded"]

    assert [(each["prompt"], each["error_code"], each["agent_id"], each["round"]) for each in steps] == [
        ("respond", "E003", "user_agent_bo", 0),
        ("aggregate", "E004", None, 0),
    ]


async def test_how_often_it_was_stuck_is_told(harness: ApiHarness) -> None:
    demand_id = await harness.begins()
    ids: Ids = {"demand_id": demand_id, "channel_id": "collab-aaaabbbb"}
    moved = RecoveryAttempted(**ids, attempt=1, status="created", action=RecoveryAction.ASK_AGAIN)
    await harness.happens("aaaabbbb", 1, moved)

    assert (await told(harness, demand_id))["recoveries"] == ["ask_again"]


async def test_that_the_plan_is_carried_out_is_told(begin: Begin) -> None:
    it = await begin(policy=ALONE)
    demand_id = await it.asks()
    assert (await told(it, demand_id))["proceeded"] is None

    await decided(it, demand_id, Proceed)

    assert (await told(it, demand_id))["proceeded"] == {"by": YOU, "at": "2027-01-15T08:00:00.000Z"}


async def test_what_failed_and_what_takes_it_up_again_name_each_other(begin: Begin) -> None:
    it = await begin(policy=ALONE)
    it.script.fails["respond"] = ModelUnavailable("down")
    demand_id = await it.asks()
    it.script.fails.clear()

    await decided(it, demand_id, Reopen, raw_input=DEMAND)

    again = (await told(it, demand_id))["reopened_as"]
    found = await told(it, again)
    assert (found["reopened_from"], found["status"]) == (demand_id, "completed")
