"""People come first over HTTP too: they hand back to their twins, and whoever asked asks for a change."""

from dataclasses import dataclass
from typing import Any

import pytest

from .api_harness import AGENT, AYA, BO, EVE, YOU, Answer, ApiHarness

SEAT = AGENT + "aya"


@dataclass
class Demand:
    """In its first round; Aya's and Bo's twins accept."""

    it: ApiHarness
    path: str

    async def told(self) -> dict[str, Any]:
        told: dict[str, Any] = (await self.it.as_(YOU).get(self.path)).body
        return told

    async def seat(self) -> tuple[str | None, str | None]:
        """Whose vote counts for Aya, and which."""
        [seat] = [each for each in (await self.told())["rounds"][-1]["votes"] if each["agent_id"] == SEAT]
        return seat["source"], seat["feedback_type"]

    async def votes(self, user: str = AYA, kind: str = "negotiate", seat: str = SEAT) -> Answer:
        told = await self.told()
        vote = {"agent_id": seat, "round": told["round"], "digest": told["proposal"]["digest"]}
        said = {} if kind == "accept" else {"text": "Later"}
        return await self.it.as_(user).post(f"{self.path}/actions/vote.{kind}", vote | said)

    async def hands_back(self, user: str = AYA, seat: str = SEAT, **more: Any) -> Answer:
        return await self.it.as_(user).post(f"{self.path}/actions/seat.hand_back", {"agent_id": seat}, **more)

    async def asks_for(self, said: str, user: str = YOU, **fields: Any) -> Answer:
        told = await self.told()
        change = {"round": told["round"], "digest": told["proposal"]["digest"], "text": said}
        return await self.it.as_(user).post(f"{self.path}/actions/plan.change", change | fields)

    async def events(self) -> int:
        return (await self.it.counts())["events"]


@pytest.fixture
async def demand(harness: ApiHarness) -> Demand:
    return Demand(harness, f"/api/v1/demand/{await harness.asks()}")


# ── hand back ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_twin_s_vote_counts_again(demand: Demand) -> None:
    await demand.votes()
    assert await demand.seat() == ("human", "negotiate")

    answer = await demand.hands_back()

    assert (answer.status, answer.code, answer.body["action"]) == (200, None, "seat.hand_back")
    assert await demand.seat() == ("agent", "accept")


async def test_the_twin_is_asked_where_it_has_not_spoken_in_this_round(demand: Demand) -> None:
    """It was silent, since its person had voted in the round before and their part has changed."""
    await demand.votes()
    await demand.votes(BO, "accept", AGENT + "bo")
    await demand.it.runtime.activity.idle()
    assert (await demand.told())["round"] == 2
    assert await demand.seat() == (None, None)

    await demand.hands_back()
    await demand.it.runtime.activity.idle()

    assert demand.it.script.asked.count("feedback/aya") == 2
    assert await demand.seat() == ("agent", "accept")


async def test_who_has_not_voted_hands_back_nothing(demand: Demand) -> None:
    before = await demand.events()
    answer = await demand.hands_back()
    assert (answer.status, answer.code) == (200, "E011")
    assert await demand.events() == before


async def test_sent_twice_it_happens_once(demand: Demand) -> None:
    await demand.votes()
    again = [await demand.hands_back(headers={"Idempotency-Key": key}) for key in ("1", "1", "2")]
    assert [each.code for each in again] == [None, "E011", "E011"]


@pytest.mark.parametrize("user", [YOU, BO, EVE])
async def test_nobody_hands_back_the_seat_of_somebody_else(demand: Demand, user: str) -> None:
    await demand.votes()
    before = await demand.events()

    answer = await demand.hands_back(user)

    assert (answer.status, answer.code) == (403, "E012")
    assert await demand.events() == before
    assert await demand.seat() == ("human", "negotiate")


async def test_a_seat_that_there_is_not_is_not_found(demand: Demand) -> None:
    answer = await demand.hands_back(YOU, AGENT + "nobody")
    assert (answer.status, answer.code) == (404, "E008")


async def test_after_the_end_nothing_is_handed_back(demand: Demand) -> None:
    await demand.votes(AYA, "accept")
    await demand.votes(BO, "accept", AGENT + "bo")
    await demand.it.runtime.activity.idle()
    answer = await demand.hands_back()
    assert (answer.status, answer.code) == (409, "E010")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({}, id="no seat"),
        pytest.param({"agent_id": 7}, id="a number"),
        pytest.param({"agent_id": "x" * 201}, id="too long"),
        pytest.param({"agent_id": SEAT, "by": BO}, id="a field that there is not"),
        pytest.param([SEAT], id="a list"),
    ],
)
async def test_what_names_no_seat_is_told_so(demand: Demand, body: Any) -> None:
    answer = await demand.it.as_(AYA).post(f"{demand.path}/actions/seat.hand_back", body)
    assert answer.status == 400


# ── changes ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_change_is_told_and_holds_the_plan_for_a_version(demand: Demand) -> None:
    answer = await demand.asks_for("In the garden")
    assert (answer.status, answer.code, answer.body["action"]) == (200, None, "plan.change")
    assert (await demand.told())["rounds"][-1]["request"] == "In the garden"

    await demand.votes(AYA, "accept")
    await demand.votes(BO, "accept", AGENT + "bo")
    await demand.it.runtime.activity.idle()

    told = await demand.told()
    assert (told["round"], told["proposal"]["version"]) == (2, 2)
    [asked] = demand.it.script.given["adjust"]["requester_requests"]
    assert (asked.agent_id, asked.request) == (YOU, "In the garden")


async def test_the_same_change_once_more_changes_nothing_and_another_one_counts(demand: Demand) -> None:
    await demand.asks_for("In the garden")
    assert (await demand.asks_for("In the garden")).code == "E011"
    assert (await demand.asks_for("On the roof")).code is None
    assert (await demand.told())["rounds"][-1]["request"] == "On the roof"


@pytest.mark.parametrize("user", [AYA, BO, EVE])
async def test_only_whoever_asked_asks_for_a_change(demand: Demand, user: str) -> None:
    before = await demand.events()
    answer = await demand.asks_for("In the garden", user)
    assert (answer.status, answer.code) == (403, "E012")
    assert await demand.events() == before


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        pytest.param({"round": 2}, 409, id="another round"),
        pytest.param({"digest": "old"}, 409, id="another version"),
        pytest.param({"text": ""}, 400, id="nothing"),
        pytest.param({"text": " \n"}, 400, id="blanks"),
        pytest.param({"text": "x" * 4_001}, 400, id="too long"),
        pytest.param({"round": "one"}, 400, id="no number"),
        pytest.param({"round": 0}, 400, id="no round"),
        pytest.param({"by": AYA}, 400, id="a field that there is not"),
    ],
)
async def test_what_is_no_change_of_this_version_changes_nothing(
    demand: Demand, fields: dict[str, Any], status: int
) -> None:
    before = await demand.events()
    assert (await demand.asks_for("In the garden", **fields)).status == status
    assert await demand.events() == before


@pytest.mark.parametrize("what", ["seat.hand_back", "plan.change", "negotiation.stop"])
async def test_of_a_demand_that_there_is_not_nothing_is_asked(demand: Demand, what: str) -> None:
    bodies: dict[str, dict[str, Any]] = {
        "seat.hand_back": {"agent_id": SEAT},
        "plan.change": {"round": 1, "digest": "x", "text": "In the garden"},
        "negotiation.stop": {},
    }
    answer = await demand.it.as_(YOU).post(f"/api/v1/demand/d-zzzzzzzz/actions/{what}", bodies[what])
    assert (answer.status, answer.code) == (404, "E002")


@pytest.mark.parametrize("what", ["seat.hand_back", "plan.change"])
async def test_a_token_that_is_bound_to_nobody_speaks_for_nobody(demand: Demand, what: str) -> None:
    body = {"agent_id": SEAT} if what == "seat.hand_back" else {"round": 1, "digest": "x", "text": "In the garden"}
    for name in ("program", "admin"):
        answer = await demand.it.as_(name).post(f"{demand.path}/actions/{what}", body)
        assert (answer.status, answer.code) == (403, "E012")
