"""What people ask for is read as data beside its way, told back to them, and can be corrected; it delays nothing."""

from typing import Any

from engine.directory.profile import Profiles
from engine.errors import IllegalStep, ModelUnavailable, NotAllowed
from engine.facts.circumstances import When
from engine.facts.data import Datum, Days
from engine.kernel import Ask
from engine.llm.port import Answer
from engine.negotiation.answers import AdjustmentSummary, RequestDeclined, RequestRead
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import CorrectRequest, HandBack, RecordReading
from engine.negotiation.events import ChangeRequested, ProposalFeedback, RequestCorrected, RequestUnderstood
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import REQUESTER, Scenario, draft, voting
from tests.profiles.people import person

AYA, BO = "user_agent_aya", "user_agent_bo"
LINKED = {AYA: "U_AYA", BO: "U_BO"}
PATIENT = Policy(human_window=3600, override_window=0, second_opinion=False)
ASKS = NegotiationAsks(PROMPTS, Profiles({AYA: person("aya"), BO: person("bo")}))
TUESDAY = Days(first="2027-05-04", last="2027-05-04")


def opened() -> Scenario:
    return voting(AYA, BO, policy=PATIENT, linked=LINKED)


def owed(scenario: Scenario) -> list[tuple[str, str]]:
    return [
        (each.name, each.about)
        for each in scenario.last.effects
        if isinstance(each, Ask) and each.prompt == "read_request"
    ]


def understands(
    scenario: Scenario, agent_id: str, data: Datum | None = TUESDAY, understood: str = "On Tuesday"
) -> Scenario:
    ask = Ask(name=f"request/{scenario.state.round}/{agent_id}", scope="any", prompt="read_request", about=agent_id)
    prompt = PROMPTS["negotiation/read_request"]
    answer = Answer(RequestRead(understood=understood, data=data), "a-reader")
    return records(scenario, ASKS.read(scenario.state, ask, prompt, answer, command_id="", at=0))


def records(scenario: Scenario, command: Any) -> Scenario:
    fields = {name: getattr(command, name) for name in command.__struct_fields__ if name not in ("command_id", "at")}
    return scenario.does(RecordReading, **fields)


def corrects(scenario: Scenario, by: str, agent_id: str, text: str = "") -> Scenario:
    return scenario.does(CorrectRequest, by=by, agent_id=agent_id, text=text)


def test_a_persons_wish_is_read_and_a_twins_is_not() -> None:
    assert owed(opened().clicks("U_AYA", AYA, "negotiate", "on Tuesday")) == [(f"request/1/{AYA}", AYA)]
    assert owed(opened().requests_change("on Tuesday")) == [(f"request/1/{REQUESTER}", "")]
    assert owed(opened().twin(AYA, "negotiate")) == []
    assert owed(opened().clicks("U_AYA", AYA, "accept")) == []


def test_the_person_is_told_what_was_understood() -> None:
    scenario = understands(opened().clicks("U_AYA", AYA, "negotiate", "on Tuesday"), AYA)
    said = scenario.event(RequestUnderstood)
    assert (said.agent_id, said.by, said.text, said.understood, said.data) == (
        AYA, "U_AYA", "on Tuesday", "On Tuesday", TUESDAY
    )  # fmt: skip


def test_what_they_ask_for_no_more_is_not_to_be_read() -> None:
    asks = opened().clicks("U_AYA", AYA, "negotiate", "on Tuesday")
    assert f"request/{AYA}" in asks.clicks("U_AYA", AYA, "accept").last.void
    asks = opened().clicks("U_AYA", AYA, "negotiate", "on Tuesday")
    assert f"request/{AYA}" in asks.does(HandBack, by="U_AYA", agent_id=AYA).last.void


def test_the_reading_of_what_they_ask_for_no_more_is_dropped() -> None:
    scenario = opened().clicks("U_AYA", AYA, "negotiate", "on Tuesday")
    ask = Ask(name=f"request/1/{AYA}", scope="any", prompt="read_request", about=AYA)
    prompt, answer = PROMPTS["negotiation/read_request"], Answer(RequestRead(understood="On Tuesday"), "any")
    late = ASKS.read(scenario.state, ask, prompt, answer, command_id="", at=0)
    before = scenario.clicks("U_AYA", AYA, "negotiate", "on Friday").state
    assert records(scenario, late).state is before


def test_where_nobody_can_read_it_it_stays_as_it_was_said() -> None:
    scenario = opened().clicks("U_AYA", AYA, "negotiate", "on Tuesday")
    before = scenario.state
    ask = Ask(name=f"request/1/{AYA}", scope="any", prompt="read_request", about=AYA)
    records(scenario, ASKS.fallback(before, ask, ModelUnavailable("none"), command_id="", at=0)).then()
    assert scenario.state is before


def test_it_delays_nothing() -> None:
    scenario = opened().clicks("U_AYA", AYA, "negotiate", "on Tuesday").clicks("U_BO", BO, "accept")
    scenario.stands(Status.PROPOSAL_SENT)
    understands(scenario, AYA).then(RequestUnderstood).stands(Status.PROPOSAL_SENT)


def test_nothing_is_read_any_more_once_it_has_ended() -> None:
    scenario = opened().requests_change("on Tuesday").stopped()
    assert f"request/{REQUESTER}" in scenario.last.void
    before = scenario.state
    assert understands(scenario, "").state is before


def test_the_next_drafter_is_told_what_it_comes_to() -> None:
    scenario = understands(opened().clicks("U_AYA", AYA, "negotiate", "on Tuesday"), AYA).clicks("U_BO", BO, "accept")
    given = ASKS.compose(scenario.state, Ask(name="adjust/2", scope="any", prompt="adjust")).given
    assert [(each.agent_id, each.data) for each in given["understood"]] == [(AYA, TUESDAY)]


def test_a_wish_is_taken_up_where_the_data_of_the_version_say_so_whatever_the_drafter_says() -> None:
    scenario = understands(opened().clicks("U_AYA", AYA, "negotiate", "on Tuesday"), AYA).clicks("U_BO", BO, "accept")
    declined = AdjustmentSummary(requests_declined=(RequestDeclined(agent_id=AYA, request="Tue", reason="no"),))
    tuesday = When(first="2027-05-04", last="2027-05-04", exact="day")
    scenario.proposed(draft(AYA, BO, when=tuesday, adjustment_summary=declined))
    summary = scenario.state.proposals[-1].adjustment_summary
    assert summary is not None
    assert [each.request for each in summary.requests_addressed] == ["on Tuesday"]


# ── not what was meant ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_correction_in_an_open_round_is_the_wish() -> None:
    scenario = understands(opened().clicks("U_AYA", AYA, "negotiate", "on the 4th"), AYA)
    corrects(scenario, "U_AYA", AYA, "on the 5th").then(RequestCorrected, ProposalFeedback)
    assert scenario.event(ProposalFeedback).adjustment_request == "on the 5th"
    assert AYA not in scenario.state.understood
    assert owed(scenario) == [(f"request/1/{AYA}", AYA)]


def test_the_requesters_as_well() -> None:
    scenario = understands(opened().requests_change("on the 4th"), "")
    corrects(scenario, REQUESTER, "", "on the 5th").then(RequestCorrected, ChangeRequested)
    assert scenario.state.requested is not None
    assert scenario.state.requested.text == "on the 5th"


def test_a_correction_that_comes_while_a_version_is_made_is_a_wish_for_the_one_after_it() -> None:
    scenario = opened().clicks("U_AYA", AYA, "negotiate", "on the 4th").clicks("U_BO", BO, "accept")
    understands(scenario, AYA)
    corrects(scenario, "U_AYA", AYA, "on the 5th").then(RequestCorrected)
    scenario.drafted(AYA, BO, summary="On the 4th")
    vote = scenario.state.rounds[-1].seats[AYA].human
    assert vote is not None
    assert (vote.adjustment_request, vote.round) == ("on the 5th", 2)
    assert scenario.state.later_wishes == ()


def test_that_it_was_not_meant_drops_the_data_and_keeps_the_words() -> None:
    scenario = understands(opened().clicks("U_AYA", AYA, "negotiate", "on the 4th"), AYA)
    corrects(scenario, "U_AYA", AYA).then(RequestCorrected)
    assert scenario.state.understood == {}
    assert scenario.state.rounds[-1].seats[AYA].human is not None
    corrects(scenario, "U_AYA", AYA).then()


def test_only_whoever_asked_for_it_corrects_it() -> None:
    scenario = understands(opened().clicks("U_AYA", AYA, "negotiate", "on the 4th"), AYA)
    for by, agent_id in (("U_BO", AYA), (REQUESTER, AYA), ("U_AYA", ""), ("U_BO", BO), ("", AYA)):
        corrects(scenario, by, agent_id, "never").is_refused(NotAllowed)
    corrects(scenario.stopped(), "U_AYA", AYA, "later").is_refused(IllegalStep)
