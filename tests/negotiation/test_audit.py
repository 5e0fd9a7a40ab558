"""Every act is in the audit trail: who, for whom, what it replaced, and what became of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Self

import pytest

from engine.errors import IllegalStep, NotAllowed, Refusal, UnknownAgent
from engine.kernel import Command, Handled, Record, decode
from engine.negotiation import commands as asked
from engine.negotiation.actions import ACTIONS
from engine.negotiation.answers import OfferDecision
from engine.negotiation.commands import (
    Cancel,
    CloseRound,
    CorrectOffer,
    EraseWords,
    OfferHelp,
    Proceed,
    Reopen,
    SubmitDemand,
)
from engine.negotiation.errors import InvalidVote, StaleVote
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Status
from engine.negotiation.terms import Source
from engine.projections.audit_records import BY_PERSON, IN_STREAM, AuditRecord, Replaced
from tests.negotiation.scenario import NOON, REQUESTER, Scenario

HOUR = Policy(human_window=3600, override_window=30)
LINKED = {"ann": "U_ANN", "bo": "U_BO"}
STREAM = "collab-00000001"
DECLINES = {"by": "U_ANN", "agent_id": "ann", "decision": OfferDecision.DECLINE, "reason": "I am away"}
OWNERS = [pytest.param(REQUESTER, False, id="who asked"), pytest.param("U_ADMIN", True, id="an admin")]


@dataclass
class Witnessed(Scenario):
    """A scenario whose every command is shown to the rulebook's projections, as the runtime does."""

    records: list[Record] = field(default_factory=list)

    def does(self, command: type[Command], **fields: Any) -> Self:
        before = self.state
        super().does(command, **fields)
        handled = Handled(
            stream=STREAM,
            turn=self._ids,
            command=command(command_id=f"c{self._ids}", at=self.now, **fields),
            before=before,
            after=self.state,
            events=self.last.events,
            refusal=self.refused,
        )
        self.records += [each for each in RULEBOOK.project(handled) if each.kind in (IN_STREAM, BY_PERSON)]
        return self

    @property
    def acts(self) -> list[AuditRecord]:
        rows = {each.key: each.value or "" for each in self.records if each.kind == IN_STREAM}
        return [decode(rows[key], AuditRecord) for key in sorted(rows)]

    @property
    def act(self) -> AuditRecord:
        """The latest."""
        return self.acts[-1]


def collecting(*agents: str, text: str = "An AI meetup for 50 people") -> Witnessed:
    """Nobody has answered yet."""
    return Witnessed(policy=HOUR, linked=LINKED).demand(text).understood().shortlisted(*(agents or ("ann", "bo")))


def voting(*agents: str, text: str = "An AI meetup for 50 people") -> Witnessed:
    """Round 1 is open, everybody was asked, and no twin has voted."""
    scenario = collecting(*agents, text=text)
    for each in agents:
        scenario.offers(each)
    return scenario.drafted(*agents).stands(Status.NEGOTIATING, number=1)


# ── who, for whom ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_trail_begins_with_who_asked() -> None:
    assert Witnessed().demand().acts == [
        AuditRecord(at=NOON, by=REQUESTER, act="demand", stream=STREAM, demand_id="d-00000001", changed=True)
    ]


def test_a_vote_says_who_for_whom_in_which_round_and_how() -> None:
    scenario = voting("ann", "bo").later(7).clicks("U_ANN", "ann", "negotiate")

    assert scenario.act == AuditRecord(
        at=NOON + 7_000,
        by="U_ANN",
        act="vote",
        stream=STREAM,
        demand_id="d-00000001",
        agent_id="ann",
        round=1,
        choice="negotiate",
        changed=True,
    )


def test_a_vote_for_someone_else_tells_the_hand_from_the_seat() -> None:
    act = voting("ann", "cy").clicks(REQUESTER, "cy", "accept").act

    assert (act.by, act.agent_id) == (REQUESTER, "cy")


@pytest.mark.parametrize(("by", "as_admin"), OWNERS)
def test_closing_a_round_says_which_and_whether_as_an_admin(by: str, as_admin: bool) -> None:
    act = voting("ann", "bo").does(CloseRound, by=by, round=1, as_admin=as_admin).act

    assert (act.act, act.by, act.round, act.as_admin, act.changed) == ("close_round", by, 1, as_admin, True)


@pytest.mark.parametrize(("by", "as_admin"), OWNERS)
def test_stopping_says_who_and_whether_as_an_admin(by: str, as_admin: bool) -> None:
    act = voting("ann", "bo").does(Cancel, by=by, as_admin=as_admin).act

    assert (act.act, act.by, act.as_admin, act.changed) == ("stop", by, as_admin, True)


def test_a_delegation_says_who_for_whom_and_to_whom() -> None:
    scenario = voting("ann", "bo").delegates("U_ANN", "ann", "U_DEL").delegates("U_EVE", "bo", "U_DEL")
    scenario.delegates("U_ANN", "ann")

    assert [(each.act, each.by, each.agent_id, each.choice, each.refused) for each in scenario.acts[1:]] == [
        ("delegate", "U_ANN", "ann", "U_DEL", ""),
        ("delegate", "U_EVE", "bo", "U_DEL", "NotAllowed"),
        ("delegate", "U_ANN", "ann", "", ""),
    ]


@pytest.mark.parametrize(("by", "as_admin"), OWNERS)
def test_that_a_plan_is_carried_out_says_who_decided_and_whether_as_an_admin(by: str, as_admin: bool) -> None:
    scenario = voting("ann", "bo").clicks("U_ANN", "ann", "accept").clicks("U_BO", "bo", "accept")
    act = scenario.does(Proceed, by=by, as_admin=as_admin).act

    assert (act.act, act.by, act.as_admin, act.changed) == ("proceed", by, as_admin, True)


@pytest.mark.parametrize(("by", "as_admin"), OWNERS)
def test_that_it_is_taken_up_again_says_who_decided_and_whether_as_an_admin(by: str, as_admin: bool) -> None:
    scenario = voting("ann", "bo").clicks("U_ANN", "ann", "withdraw").clicks("U_BO", "bo", "withdraw")
    act = scenario.does(Reopen, by=by, as_admin=as_admin, raw_input="A meetup").act

    assert (act.act, act.by, act.as_admin, act.changed) == ("reopen", by, as_admin, True)


# ── what it replaced ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_vote_over_a_twins_replaces_the_twins() -> None:
    scenario = voting("ann", "bo").twin("ann", "accept").clicks("U_ANN", "ann", "withdraw")

    assert scenario.act.replaced == Replaced(choice="accept", source=Source.AGENT)


def test_a_vote_over_ones_own_replaces_that_and_not_the_twins() -> None:
    scenario = voting("ann", "bo").twin("ann", "accept").clicks("U_ANN", "ann", "withdraw")
    scenario.clicks("U_ANN", "ann", "negotiate")

    assert scenario.act.replaced == Replaced(choice="withdraw", source=Source.HUMAN, by="U_ANN")


def test_a_vote_before_the_twins_replaces_nothing() -> None:
    assert voting("ann", "bo").clicks("U_ANN", "ann", "accept").act.replaced is None


def test_the_same_vote_once_more_is_an_act_that_changes_and_replaces_nothing() -> None:
    scenario = voting("ann", "bo").clicks("U_ANN", "ann", "accept").clicks("U_ANN", "ann", "accept")

    assert [each.changed for each in scenario.acts if each.act == "vote"] == [True, False]
    assert scenario.act.replaced is None


def test_a_correction_replaces_the_twins_offer() -> None:
    act = collecting().offers("ann").does(CorrectOffer, **DECLINES).act

    assert (act.act, act.by, act.agent_id, act.choice) == ("correct_offer", "U_ANN", "ann", "decline")
    assert act.replaced == Replaced(choice="participate", source=Source.AGENT)


def test_a_correction_of_a_correction_replaces_a_persons_offer() -> None:
    scenario = collecting().offers("ann").does(CorrectOffer, **DECLINES)
    act = scenario.does(
        CorrectOffer, **DECLINES | {"decision": OfferDecision.PARTICIPATE, "contribution": "a room"}
    ).act

    assert (act.choice, act.replaced) == ("participate", Replaced(choice="decline", source=Source.HUMAN))


def test_the_same_correction_once_more_changes_and_replaces_nothing() -> None:
    act = collecting().offers("ann").does(CorrectOffer, **DECLINES).does(CorrectOffer, **DECLINES).act

    assert (act.choice, act.changed, act.replaced) == ("decline", False, None)


def test_an_answer_before_the_twins_replaces_nothing() -> None:
    act = collecting().does(CorrectOffer, **DECLINES).act

    assert (act.changed, act.replaced) == (True, None)


# ── what was refused ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("click", "refusal"),
    [
        pytest.param({"user": "U_EVE"}, NotAllowed, id="somebody else"),
        pytest.param({"agent": "zed"}, UnknownAgent, id="for nobody who is there"),
        pytest.param({"digest": "000000000000"}, StaleVote, id="on an older version"),
        pytest.param({"text": ""}, InvalidVote, id="without a word"),
    ],
)
def test_a_refused_vote_is_in_the_trail_and_replaces_nothing(click: dict[str, str], refusal: type[Refusal]) -> None:
    scenario = voting("ann", "bo").twin("ann", "accept")
    scenario.clicks(**({"user": "U_ANN", "agent": "ann", "vote": "withdraw"} | click)).is_refused(refusal)

    act = scenario.act
    assert (act.by, act.agent_id) == (click.get("user", "U_ANN"), click.get("agent", "ann"))
    assert (act.act, act.choice, act.round, act.refused) == ("vote", "withdraw", 1, refusal.__name__)
    assert (act.changed, act.replaced) == (False, None)


def test_a_refused_correction_replaces_nothing() -> None:
    act = voting("ann", "bo").does(CorrectOffer, **DECLINES).is_refused(IllegalStep).act

    assert (act.act, act.refused, act.changed, act.replaced) == ("correct_offer", "IllegalStep", False, None)


def test_whoever_may_not_close_or_stop_is_in_the_trail() -> None:
    scenario = voting("ann", "bo").does(CloseRound, by="U_EVE", round=1).does(Cancel, by="U_EVE")

    assert [(each.act, each.by, each.refused, each.changed) for each in scenario.acts[1:]] == [
        ("close_round", "U_EVE", "NotAllowed", False),
        ("stop", "U_EVE", "NotAllowed", False),
    ]


def test_a_second_demand_in_the_same_place_is_in_the_trail_of_the_first() -> None:
    scenario = Witnessed().demand()
    again = {"demand_id": "d-other", "channel_id": STREAM, "raw_input": "Another", "policy": HOUR}
    scenario.does(SubmitDemand, requester_id="U_EVE", **again)

    assert (scenario.act.act, scenario.act.by, scenario.act.demand_id) == ("demand", "U_EVE", "d-00000001")
    assert (scenario.act.refused, scenario.act.changed) == ("IllegalStep", False)


# ── what is no act ────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_models_answer_and_alarms_ring_is_no_act() -> None:
    scenario = voting("ann", "bo").twins({"ann": "accept", "bo": "negotiate"}).twin_fails("ann")
    scenario.later(3601).rings("close/1").drafted("ann", "bo").twin_fails("bo").rings("patience/2")

    assert [each.act for each in scenario.acts] == ["demand"]


def test_no_command_of_a_person_is_forgotten() -> None:
    """Every command that names its user is audited."""
    commands = [each for each in vars(asked).values() if isinstance(each, type) and issubclass(each, Command)]

    persons = {each for each in commands if {*each.__struct_fields__} & {"by", "requester_id"}}
    by_words_of_their_own = {SubmitDemand, CorrectOffer, OfferHelp}
    assert persons - {EraseWords} == {each.command for each in ACTIONS} | by_words_of_their_own


# ── how it is kept ────────────────────────────────────────────────────────────────────────────────────────────────


def test_nothing_that_somebody_wrote_is_in_the_trail() -> None:
    offer = {"contribution": "PRIVATE room", "conditions": ("PRIVATE condition",), "reason": "PRIVATE doubt"}
    scenario = collecting("ann", "bo", text="PRIVATE plans")
    scenario.does(CorrectOffer, by="U_ANN", agent_id="ann", decision="conditional", **offer)
    scenario.offers("bo").drafted("ann", "bo").clicks("U_ANN", "ann", "negotiate", "PRIVATE wish")
    scenario.clicks("U_EVE", "ann", "withdraw", "PRIVATE excuse").does(Cancel, by=REQUESTER, reason="PRIVATE reason")

    assert [each.changed for each in scenario.acts] == [True, True, True, False, True]
    assert "PRIVATE" not in str(scenario.records)


def test_an_act_is_filed_under_its_stream_and_under_its_person() -> None:
    scenario = Witnessed().demand().later(61).does(Cancel, by="U_EVE")

    assert [(each.kind, each.key) for each in scenario.records] == [
        (IN_STREAM, "collab-00000001/00000001"),
        (BY_PERSON, "U_ASKS/2027-01-15T08:00:00.000Z/collab-00000001/00000001"),
        (IN_STREAM, "collab-00000001/00000002"),
        (BY_PERSON, "U_EVE/2027-01-15T08:01:01.000Z/collab-00000001/00000002"),
    ]
    assert [each.value for each in scenario.records[::2]] == [each.value for each in scenario.records[1::2]]


def test_a_row_says_nothing_that_goes_without_saying() -> None:
    first, _ = Witnessed().demand().records

    assert json.loads(first.value or "") == {
        "at": NOON,
        "by": "U_ASKS",
        "act": "demand",
        "stream": STREAM,
        "demand_id": "d-00000001",
        "changed": True,
    }
