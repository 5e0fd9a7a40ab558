"""Blind votes over HTTP: what was voted is public once the round is evaluated, and an event says the same for ever."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.api.feeds import Owner, frame
from bot.api.negotiation.part import PART
from bot.api.part import NOBODY, Reader
from bot.api.tokens import Scope
from bot.views.negotiation.descriptions import DESCRIPTIONS
from engine.kernel import StreamKey
from engine.negotiation.commands import CloseRound
from engine.negotiation.voting.kinds import FeedbackType
from engine.runtime.streams import sealed
from engine.store.memory import MemoryStore
from engine.store.port import StoredEvent
from tests.examples import examples
from tests.negotiation.scenario import NOON, REQUESTER, STREAM
from tests.views.stories import Story, voting

from .api_harness import (
    AGENT,
    AYA,
    BO,
    DEMAND,
    HERE,
    PATIENT,
    TOKENS,
    YOU,
    ApiHarness,
    Told,
    standing,
    token,
)

OWNER = Owner(DESCRIPTIONS, PART)
TOLD_ALL = Reader(is_told_all=True)
BLIND = PATIENT.model_copy(update={"name": "balanced", "blind_votes": True, "fail_below": None, "max_rounds": 1})
KINDS = [each.value for each in FeedbackType]
READERS = ("program", "admin", YOU, AYA, BO)
VOTED, EVALUATED = "towow.proposal.feedback", "towow.feedback.evaluated"

kinds = st.sampled_from(KINDS)
of_twins = st.sampled_from([each.value for each in FeedbackType if each.kind.by_twin])
ROUND = st.tuples(of_twins, of_twins, of_twins, kinds)
"""What three twins vote, and somebody in person."""


# ── the projection ────────────────────────────────────────────────────────────────────────────────────────────────


def frames(story: Story, reader: Reader) -> list[bytes]:
    """The story's events as they are sent to a reader."""
    key = StreamKey(HERE, STREAM)
    written = [sealed(each, NOON) for each in story.history]
    stored = [
        StoredEvent(key, seq, seq, each.event_type, each.at, each.public, each.private)
        for seq, each in enumerate(written, 1)
    ]
    return [frame(each, OWNER, reader).data for each in stored]


def story(voted: Sequence[str], words: str) -> Story:
    """Three twins have voted, and of two seats somebody in person."""
    aya, bo, chen, in_person = voted
    told = voting("aya", "bo", "chen", linked={"aya": AYA, "bo": BO}, policy=BLIND)
    told.twin("aya", aya, words, words).twin("bo", bo, words, words).twin("chen", chen, words, words)
    return told.clicks(AYA, "aya", in_person, words).clicks(REQUESTER, "chen", aya, f"{words}!")


@pytest.mark.parametrize("reader", [NOBODY, TOLD_ALL], ids=["somebody", "whoever asked"])
@settings(max_examples=examples(10), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ROUND, ROUND, st.text(min_size=1).map(lambda text: f"x{text}"))
def test_no_event_of_an_open_round_depends_on_what_was_voted(
    reader: Reader, voted: Sequence[str], otherwise: Sequence[str], words: str
) -> None:
    one, other = story(voted, "because"), story(otherwise, words)
    before, after = frames(one, reader), frames(other, reader)
    assert before == after

    one.does(CloseRound, by=REQUESTER, round=1)

    assert frames(one, reader)[: len(before)] == before


# ── the whole interface ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Seen:
    """What programs could see while the round was open, and what the events said once it was over."""

    open: dict[str, Any]
    live: Sequence[Told]
    again: Sequence[Told]
    evaluated: dict[str, Any]
    latest_round: dict[str, Any]


async def seen(twins: dict[str, str], person: str) -> Seen:
    """Two linked people and a twin of nobody's; Aya votes in person, and then the time passes."""
    tokens = (*TOKENS, token("watcher", Scope.READ))
    async with standing(MemoryStore(), alone=["chen"], policy=BLIND, tokens=tokens) as it:
        it.script.votes |= {(name, 1): vote for name, vote in twins.items()}
        asked = await it.as_(YOU).post(
            "/api/v1/demand/submit", {"raw_input": DEMAND}, headers={"Idempotency-Key": "the-same"}
        )
        await it.runtime.activity.idle()
        path = f"/api/v1/demand/{asked.body['demand_id']}"
        async with it.as_("watcher").stream(asked.body["demand_id"]) as events:
            live = await events.take(await _version(it, asked.body["channel_id"]))
            await _votes(it, path, person)
            live += await events.take(1)
            known = {reader: await _read(it, reader, path) for reader in READERS}
            while (await it.as_(YOU).get(path)).body["rounds"][-1]["is_open"]:
                assert await it.time_passes()
            live += await events.take(await _version(it, asked.body["channel_id"]) - len(live))
        async with it.as_("program").stream(asked.body["demand_id"]) as events:
            again = await events.take(len(live))
        [evaluated] = [each.data["payload"] for each in live if each.data["event_type"] == EVALUATED]
        latest: dict[str, Any] = (await it.as_("program").get(path)).body["rounds"][-1]
    return Seen(known, live, again, evaluated, latest)


async def _version(it: ApiHarness, stream: str) -> int:
    stored = await it.store.load(StreamKey(HERE, stream))
    assert stored is not None
    return len(stored.events)


async def _votes(it: ApiHarness, path: str, vote: str) -> None:
    told = (await it.as_(YOU).get(path)).body
    said = {
        "agent_id": f"{AGENT}aya",
        "round": 1,
        "digest": told["proposal"]["digest"],
        "text": "because",
    }
    answer = await it.as_(AYA).post(f"{path}/actions/vote.{vote}", said)
    assert answer.status == HTTPStatus.OK
    assert answer.body == {"action": f"vote.{vote}", "error_code": None}


async def _read(it: ApiHarness, reader: str, path: str) -> list[Any]:
    who = it.as_(reader)
    found = [(await who.get(each)).body for each in (path, f"{path}/status", "/api/v1/events/recent?count=500")]
    counted: str = (await it.as_("admin").get("/metrics")).body
    return [*found, [each for each in counted.splitlines() if each.startswith("towow_events_total")]]


async def test_nobody_can_tell_what_was_voted_before_the_round_is_evaluated() -> None:
    one = await seen({"aya": "accept", "bo": "accept", "chen": "negotiate"}, "withdraw")
    other = await seen({"aya": "withdraw", "bo": "negotiate", "chen": "accept"}, "accept")

    assert one.open == other.open
    while_open = [each.data["event_type"] for each in one.live].index(EVALUATED)
    assert one.live[:while_open] == other.live[:while_open]
    assert one.evaluated["votes"] != other.evaluated["votes"]


@pytest.mark.parametrize("person", ["accept", "negotiate", "withdraw"])
async def test_an_event_says_the_same_live_and_afterwards_and_the_evaluation_says_what_was_voted(person: str) -> None:
    it = await seen({"aya": "accept", "bo": "accept", "chen": "negotiate"}, person)

    assert it.again == it.live
    votes = [each.data["payload"] for each in it.live if each.data["event_type"] == VOTED]
    assert [(each["agent_id"].removeprefix(AGENT), each["source"]) for each in votes] == [
        ("aya", "agent"), ("bo", "agent"), ("chen", "agent"), ("aya", "human"),
    ]  # fmt: skip
    assert {each["feedback_type"] for each in votes} == {None}
    assert it.evaluated["votes"] == {f"{AGENT}aya": person, f"{AGENT}bo": "accept", f"{AGENT}chen": "negotiate"}
    assert not it.latest_round["is_secret"]
    assert [each["feedback_type"] for each in it.latest_round["votes"]] == [person, "accept", "negotiate"]


async def test_while_it_is_open_it_is_told_who_has_voted() -> None:
    it = await seen({"aya": "accept", "bo": "accept", "chen": "negotiate"}, "withdraw")

    for reader in READERS:
        latest = it.open[reader][0]["rounds"][-1]
        assert (latest["is_open"], latest["is_secret"]) == (True, True)
        assert [each["source"] for each in latest["votes"]] == ["human", "agent", "agent"]
        assert [each["feedback_type"] for each in latest["votes"]] == [None] * 3
