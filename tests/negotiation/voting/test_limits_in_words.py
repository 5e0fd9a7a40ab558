"""Limits in words are asked about one by one, and no machine's consent stands where one of them is in doubt."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine.directory.profile import Profile, Profiles
from engine.errors import ModelUnavailable, NotAllowed
from engine.facts.circumstances import When
from engine.facts.data import Days
from engine.kernel import Ask
from engine.llm.port import Answer
from engine.negotiation.answers import (
    FeedbackAnswer,
    LimitAnswer,
    LimitOpinion,
    LimitVerdict,
    OfferAnswer,
    OfferDecision,
    Verification,
)
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import RecordFeedback, RecordOffer, RecordOpinion
from engine.negotiation.events import FeedbackEvaluated, LimitsWeighed, OfferSubmitted, ProposalFeedback
from engine.negotiation.offers.limit_answers import LimitDoubt, doubts_of
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.state import Seat, Status
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import REQUESTER, Scenario, draft
from tests.profiles.people import person

BO, CY = "user_agent_bo", "user_agent_cy"
U_BO, U_CY = "U_BO", "U_CY"
LINKED = {BO: U_BO, CY: U_CY}
PATIENT = Policy(human_window=3600, override_window=30)
NEVER = "karaoke"
TOLD = "Ask my sister before any Friday"


def limited(**fields: Any) -> Profile:
    return person("bo", **{"limits": {"never": [NEVER]}, "from_now_on": [TOLD], **fields})


def kept(*but: tuple[int, str]) -> tuple[LimitAnswer, ...]:
    """Both are kept, but for these."""
    said = {1: "kept", 2: "kept"} | dict(but)
    return tuple(LimitAnswer(number=number, verdict=LimitVerdict(verdict)) for number, verdict in said.items())


class Twins:
    """A negotiation with Bo, who has two limits in words, and Cy, who has none; twins answer through the asks."""

    def __init__(
        self,
        *,
        demand: str = "A party for the team",
        linked: bool = True,
        policy: Policy = PATIENT,
        profile: Profile | None = None,
        verifies: bool = True,
    ) -> None:
        self.asks = NegotiationAsks(PROMPTS, Profiles({BO: profile or limited(), CY: person("cy")}))
        self.scenario = Scenario(policy=policy, linked=LINKED if linked else {}, verifies=verifies)
        self.scenario.demand(demand).understood(surface_demand=demand).shortlisted(BO, CY)

    def offers(self, limits: Sequence[LimitAnswer] = kept(), who: str = BO, **fields: Any) -> "Twins":
        said = OfferAnswer(
            **{"decision": OfferDecision.PARTICIPATE, "contribution": "helps", "limits": tuple(limits), **fields}
        )
        return self._answers(Ask(name=f"offer/{who}", scope="any", prompt="respond", about=who), said)

    def planned(self, **fields: Any) -> "Twins":
        self.offers()
        self.offers((), CY)
        self.scenario.drafted(BO, CY, **fields)
        return self

    def votes(
        self, vote: str = "accept", limits: Sequence[LimitAnswer] = kept(), who: str = BO, **fields: Any
    ) -> "Twins":
        said = FeedbackAnswer(feedback_type=FeedbackType(vote), limits=tuple(limits), **fields)
        return self._answers(self._feedback(who), said)

    def twin_fails(self, who: str = BO) -> "Twins":
        command = self.asks.fallback(
            self.scenario.state, self._feedback(who), ModelUnavailable("none"), command_id="", at=0
        )
        return self._does(command)

    def reads(self, *broken: int, why: str = "it does") -> "Twins":
        """The second reader says that these limits are broken, and of the others that they are kept."""
        limits = tuple(
            LimitOpinion(number=number, verdict=LimitVerdict.BROKEN if number in broken else LimitVerdict.KEPT, why=why)
            for number in (1, 2)
        )
        return self.does_read(*limits)

    def does_read(self, *limits: LimitOpinion) -> "Twins":
        """The second reader says just this."""
        return self._answers(self._verify(), Verification(limits=limits))

    def reader_fails(self) -> "Twins":
        command = self.asks.fallback(self.scenario.state, self._verify(), ModelUnavailable("none"), command_id="", at=0)
        return self._does(command)

    def tells(self) -> "Twins":
        """Everybody is known to have been told of the round."""
        self.scenario.reached(BO).reached(CY)
        return self

    def time_is_over(self) -> "Twins":
        opened = self.scenario.state.rounds[-1]
        self.scenario.now = opened.window.deadline
        self.scenario.rings(f"close/{opened.number}")
        return self

    @property
    def seat(self) -> Seat:
        return self.scenario.state.rounds[-1].seats[BO]

    @property
    def doubts(self) -> list[tuple[str, str, str]]:
        found = doubts_of(self.scenario.state, BO)
        return [(each.words, each.verdict.value, each.by) for each in found]

    @property
    def sources(self) -> list[Source]:
        return [
            each.source for each in self.scenario.history if isinstance(each, ProposalFeedback) and each.agent_id == BO
        ]

    def _verify(self) -> Ask:
        version = self.scenario.state.rounds[-1].version
        return Ask(name=f"verify/{version}/limits", scope="any", prompt="verify", about="limits")

    def _feedback(self, who: str) -> Ask:
        return Ask(name=f"feedback/{self.scenario.state.round}/{who}", scope="any", prompt="feedback", about=who)

    def _answers(self, ask: Ask, said: Any) -> "Twins":
        prompt = PROMPTS[f"negotiation/{ask.prompt}"]
        return self._does(self.asks.read(self.scenario.state, ask, prompt, Answer(said, "any"), command_id="", at=0))

    def _does(self, command: Any) -> "Twins":
        assert isinstance(command, RecordOffer | RecordFeedback | RecordOpinion)
        fields = {
            name: getattr(command, name) for name in command.__struct_fields__ if name not in ("command_id", "at")
        }
        self.scenario.does(type(command), **fields)
        return self


# ── the offer ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_demand_that_breaks_a_limit_is_declined_and_only_its_owner_is_told_why() -> None:
    twins = Twins().offers(kept((2, "broken")), reasoning="Fridays are my sister's", covers=())
    said = twins.scenario.event(OfferSubmitted)
    assert (said.decision, said.contribution, said.reasoning, said.decline_reason) == (
        OfferDecision.DECLINE,
        "",
        "",
        "",
    )
    assert twins.doubts == [(TOLD, "broken", "twin")]


@pytest.mark.parametrize(
    "answers", [kept((1, "unsure")), (), kept()[1:]], ids=["unsure", "no answer", "one is missing"]
)
def test_who_is_unsure_takes_part_and_is_asked_again(answers: tuple[LimitAnswer, ...]) -> None:
    twins = Twins().offers(answers)
    assert twins.scenario.event(OfferSubmitted).decision is OfferDecision.PARTICIPATE
    assert (NEVER, "unsure", "twin") in twins.doubts


def test_the_worst_of_two_answers_counts() -> None:
    twins = Twins().offers((*kept(), LimitAnswer(number=1, verdict=LimitVerdict.BROKEN)))
    assert twins.scenario.event(OfferSubmitted).decision is OfferDecision.DECLINE


def test_the_owners_own_words_in_the_demand_leave_it_unsure_whatever_the_twin_says() -> None:
    twins = Twins(demand="A party, no ＫＡＲＡＯＫＥ").offers()
    assert twins.scenario.event(OfferSubmitted).decision is OfferDecision.PARTICIPATE
    assert twins.doubts == [(NEVER, "unsure", "words")]


def test_what_they_told_for_good_is_not_looked_for_in_words() -> None:
    assert Twins(demand=f"A party. {TOLD}").offers().doubts == []


def test_nobody_asks_about_what_is_confirmed_as_data_or_is_off() -> None:
    said = [
        {"words": NEVER, "source": "never", "state": "off"},
        {
            "words": TOLD,
            "source": "from_now_on",
            "state": "on",
            "data": {"kind": "days", "weekdays": ["fri"], "allowed": False},
        },
    ]
    twins = Twins(profile=limited(limit_data=said)).offers(())
    assert twins.doubts == []
    assert not [each for each in twins.scenario.history if isinstance(each, LimitsWeighed)]


def test_whoever_asked_promises_nothing_for_somebody_who_is_linked_to_nobody() -> None:
    twins = Twins(linked=False).offers(kept((1, "broken")))
    twins.scenario.corrects(REQUESTER, BO).is_refused(NotAllowed, "limit")
    twins.scenario.corrects(REQUESTER, BO, "decline")
    assert twins.scenario.refused is None


# ── the vote ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_limits_are_read_beside_the_votes_and_the_accept_counts_once_they_are() -> None:
    twins = Twins().planned()
    assert "verify/1/limits" in {each.name for each in twins.scenario.last.effects if isinstance(each, Ask)}
    assert twins.votes().seat.vote is None
    vote = twins.reads().seat.vote
    assert vote is not None
    assert vote.feedback_type is FeedbackType.ACCEPT
    assert twins.doubts == []


def test_the_accept_counts_too_where_no_reader_could_answer() -> None:
    twins = Twins().planned().votes().reader_fails()
    assert twins.seat.vote is not None


def test_the_reader_may_answer_before_the_twin() -> None:
    twins = Twins().planned().reads(1).votes()
    assert twins.seat.vote is None
    assert twins.seat.twin is not None
    assert twins.seat.twin.waits
    assert Twins().planned().reads().votes().seat.vote is not None


def test_a_plan_that_breaks_a_limit_is_left_without_a_word() -> None:
    twins = Twins().planned().votes(limits=kept((1, "broken")), reasoning="They sing", concerns=("karaoke",))
    vote = twins.seat.vote
    assert vote is not None
    assert (vote.feedback_type, vote.reasoning, vote.concerns) == (FeedbackType.WITHDRAW, "", ())
    assert twins.doubts == [(NEVER, "broken", "twin")]


@pytest.mark.parametrize("said", ["accept", "negotiate", "reject"])
def test_who_is_unsure_casts_no_vote_and_the_person_is_asked(said: str) -> None:
    twins = (
        Twins().planned().votes(said, kept((2, "unsure")), adjustment_request="later" if said == "negotiate" else "")
    )
    assert twins.seat.vote is None
    assert not twins.seat.twin_asked
    assert twins.seat.decides_alone
    assert twins.seat.is_awaited


def test_who_leaves_leaves() -> None:
    twins = Twins().planned().votes("withdraw", ())
    assert twins.seat.vote is not None


def test_two_readings_that_differ_make_the_accept_wait_for_its_person() -> None:
    twins = Twins().planned().votes().reads(2, why="Friday")
    assert twins.seat.vote is None
    assert twins.seat.waits
    assert twins.doubts == [(TOLD, "broken", "reader")]
    twins.scenario.clicks(U_BO, BO, "accept")
    assert twins.seat.vote is not None
    assert twins.seat.vote.source is Source.HUMAN
    assert twins.doubts == []


def test_a_reader_who_is_not_sure_reads_otherwise_than_a_twin_that_says_it_is_kept() -> None:
    twins = Twins().planned().votes().does_read(LimitOpinion(number=2, verdict=LimitVerdict.UNSURE, why="Which day?"))
    assert twins.seat.vote is None
    assert twins.seat.waits
    assert twins.doubts == [(TOLD, "unsure", "reader")]
    twins.scenario.clicks(U_BO, BO, "accept")
    assert twins.seat.vote is not None


@pytest.mark.parametrize(
    "said",
    [
        (),
        (LimitOpinion(number=1, verdict=LimitVerdict.KEPT),),
        (LimitOpinion.checked({"number": 2}), LimitOpinion.checked({"number": 1, "verdict": "hard to say"})),
    ],
    ids=["nothing", "one is left out", "no verdict"],
)
def test_what_the_reader_does_not_say_in_so_many_words_doubts_nothing(said: tuple[LimitOpinion, ...]) -> None:
    twins = Twins().planned().votes().does_read(*said)
    assert twins.seat.vote is not None
    assert twins.doubts == []


def test_that_one_is_broken_counts_before_that_it_may_be() -> None:
    unsure, broken = (LimitOpinion(number=1, verdict=LimitVerdict(each)) for each in ("unsure", "broken"))
    assert Twins().planned().votes().does_read(unsure, broken).doubts == [(NEVER, "broken", "reader")]


def test_a_profile_that_got_limits_later_is_read_as_well() -> None:
    twins = Twins(profile=person("bo")).planned()
    twins.asks = NegotiationAsks(PROMPTS, Profiles({BO: limited(), CY: person("cy")}))
    twins.votes()
    assert [each.name for each in twins.scenario.last.effects if isinstance(each, Ask)] == ["verify/1/limits"]
    assert twins.seat.vote is None
    assert twins.reads().seat.vote is not None


def test_limits_are_read_also_where_nobody_wants_a_second_opinion_of_claims() -> None:
    twins = Twins(verifies=False).planned()
    assert "verify" in {each.prompt for each in twins.scenario.last.effects if isinstance(each, Ask)}
    assert twins.votes().seat.vote is None


def test_the_owners_own_words_in_the_plan_cost_one_question_once() -> None:
    twins = Twins().planned(summary=f"An evening without {NEVER}").votes().reads()
    assert twins.doubts == [(NEVER, "unsure", "words")]
    assert twins.seat.vote is None
    twins.scenario.clicks(U_BO, BO, "accept").clicks(U_CY, CY, "negotiate")
    assert twins.scenario.state.lifted == {BO: (NEVER,)}
    twins.scenario.does(RecordFeedback, agent_id=CY, round=1, answer=None)
    twins.scenario.proposed(draft(BO, CY, summary=f"Later, without {NEVER}"))
    # Their part is the same, so their own word stands; handed back to the twin, the words are no question any more.
    assert twins.seat.vote is not None


def test_what_is_answered_for_this_demand_is_asked_no_more() -> None:
    twins = Twins(demand=f"A party without {NEVER}").offers()
    twins.scenario.corrects(U_BO, BO)
    twins.offers((), CY)
    twins.scenario.drafted(BO, CY)
    assert twins.votes().doubts == []
    assert twins.reads().seat.vote is not None


# ── silence ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("how", ["unsure", "words", "reader", "twin fails"])
def test_no_silence_agrees_where_a_limit_is_in_doubt(preset: str, how: str) -> None:
    policy = PRESETS[preset].model_copy(update={"human_window": 60.0, "core_gate": False})
    summary = f"An evening of {NEVER}" if how == "words" else "An evening"
    twins = Twins(policy=policy).planned(summary=summary).tells().votes(who=CY, limits=())
    match how:
        case "unsure":
            twins.votes(limits=()).reads()
        case "words":
            twins.votes().reads()
        case "reader":
            twins.votes().reads(1)
        case _:
            twins.twin_fails().reads()
    twins.time_is_over()
    assert Source.ASSUMED not in twins.sources
    assert twins.scenario.event(FeedbackEvaluated).silent == 1


def test_silence_agrees_where_nothing_was_in_doubt() -> None:
    twins = Twins(policy=PATIENT, profile=person("bo")).planned().tells().twin_fails().votes(who=CY, limits=())
    twins.time_is_over()
    assert twins.sources == [Source.ASSUMED]


def test_who_was_asked_once_is_not_assumed_in_a_later_round_either() -> None:
    twins = Twins().planned(summary=f"An evening of {NEVER}").tells().votes().reads().votes(who=CY, limits=())
    twins.scenario.clicks(U_BO, BO, "accept").clicks(U_CY, CY, "negotiate")
    seats = draft(BO, CY).assignments
    twins.scenario.proposed(
        draft(BO, CY, when=When(first="2027-05-01", last="2027-05-01", exact="day"), assignments=seats)
    )
    assert twins.seat.spoken
    twins.tells().scenario.clicks(U_CY, CY, "accept")
    twins.time_is_over()
    assert twins.sources == [Source.HUMAN]


# ── whose word lifts a doubt ──────────────────────────────────────────────────────────────────────────────────────────


def test_of_an_unlinked_twin_an_admin_lifts_it_and_never_whoever_asked() -> None:
    twins = Twins(linked=False).planned().votes().reads(1)
    twins.scenario.clicks(REQUESTER, BO, "accept").is_refused(NotAllowed, "limit")
    twins.scenario.clicks(REQUESTER, BO, "accept", as_admin=True).is_refused(NotAllowed, "limit")
    twins.scenario.clicks("U_ADMIN", BO, "accept").is_refused(NotAllowed)
    assert twins.scenario.state.seats_of(REQUESTER) == (twins.scenario.state.rounds[-1].seats[CY],)
    twins.scenario.clicks("U_ADMIN", BO, "accept", as_admin=True)
    assert twins.seat.vote is not None
    assert twins.seat.vote.by == "U_ADMIN"


def test_an_admin_votes_for_nobody_without_a_doubt_or_with_a_person() -> None:
    Twins(linked=False).planned().votes().reads().scenario.clicks("U_ADMIN", BO, "accept", as_admin=True).is_refused(
        NotAllowed
    )
    Twins().planned().votes().reads(1).scenario.clicks("U_ADMIN", BO, "accept", as_admin=True).is_refused(NotAllowed)


def test_whoever_asked_votes_for_an_unlinked_twin_only_once_its_limits_were_read() -> None:
    twins = Twins(linked=False).planned()
    twins.scenario.clicks(REQUESTER, BO, "accept").is_refused(NotAllowed, "limit")
    twins.votes().scenario.clicks(REQUESTER, BO, "accept").is_refused(NotAllowed, "limit")
    twins.reads().scenario.clicks(REQUESTER, BO, "accept")
    assert twins.scenario.refused is None


def test_not_lifted_the_seat_of_an_unlinked_twin_is_silent() -> None:
    twins = Twins(linked=False).planned().votes(who=CY, limits=()).votes().reads(1).time_is_over()
    assert twins.scenario.event(FeedbackEvaluated).silent == 1


def test_what_whoever_asked_said_of_one_version_is_not_carried_into_the_next() -> None:
    twins = Twins(linked=False).planned().votes(who=CY, limits=()).votes().reads()
    twins.scenario.clicks(REQUESTER, BO, "accept").clicks(REQUESTER, CY, "negotiate").proposed(
        draft(BO, CY, summary=NEVER)
    )
    assert twins.seat.vote is None
    assert twins.seat.twin_asked


# ── data ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

MONDAY = When(first="2027-05-03", last="2027-05-03", exact="day")
NO_MONDAY = Days(weekdays=("mon",), allowed=False)


def with_data() -> Profile:
    said = {"words": TOLD, "source": "from_now_on", "state": "on", "scope": "whole"}
    data = {"kind": "days", "weekdays": ["mon"], "allowed": False}
    return person("bo", from_now_on=[TOLD], limit_data=[{**said, "data": data}])


def test_data_that_breaks_a_confirmed_limit_asks_for_that_datum() -> None:
    twins = Twins(profile=with_data()).planned(when=MONDAY).votes(limits=())
    vote = twins.seat.vote
    assert vote is not None
    assert (vote.feedback_type, vote.adjustment_request, vote.change) == (FeedbackType.NEGOTIATE, "", NO_MONDAY)
    [doubt] = doubts_of(twins.scenario.state, BO)
    assert (doubt.by, doubt.wanted) == ("data", NO_MONDAY)


def test_in_the_last_round_its_person_decides() -> None:
    policy = PATIENT.model_copy(update={"max_rounds": 1})
    twins = Twins(profile=with_data(), policy=policy).planned(when=MONDAY).votes(limits=())
    assert twins.seat.vote is None
    assert twins.seat.is_awaited


def test_in_the_last_round_who_is_linked_to_nobody_leaves() -> None:
    policy = PATIENT.model_copy(update={"max_rounds": 1})
    twins = Twins(profile=with_data(), policy=policy, linked=False).planned(when=MONDAY).votes(limits=())
    assert twins.seat.vote is not None
    assert twins.seat.vote.feedback_type is FeedbackType.WITHDRAW


def test_data_that_keeps_it_changes_nothing() -> None:
    tuesday = When(first="2027-05-04", last="2027-05-04", exact="day")
    twins = Twins(profile=with_data()).planned(when=tuesday).votes(limits=())
    assert twins.seat.vote is not None
    assert twins.seat.vote.feedback_type is FeedbackType.ACCEPT


# ── when a round ends ─────────────────────────────────────────────────────────────────────────────────────────────────

ALONE = Policy(human_window=0, override_window=0)


def test_a_round_waits_for_the_reading_of_limits_as_long_as_for_twins() -> None:
    twins = Twins(policy=ALONE).planned().votes(who=CY, limits=()).votes()
    opened = twins.scenario.state.rounds[-1]
    assert (opened.window.deadline, opened.window.for_reader) == (opened.window.twins_until, True)
    twins.reads().scenario.stands(Status.FINALIZED)


def test_a_reader_who_does_not_answer_in_time_has_no_doubt() -> None:
    twins = Twins(policy=ALONE).planned().votes(who=CY, limits=()).votes().time_is_over()
    twins.scenario.stands(Status.FINALIZED)


def test_a_round_that_is_closed_early_does_not_count_what_nobody_has_read() -> None:
    from engine.negotiation.commands import CloseRound

    twins = Twins().planned().votes(who=CY, limits=()).votes()
    twins.scenario.does(CloseRound, by=REQUESTER, round=1)
    assert twins.scenario.event(FeedbackEvaluated).silent == 1


def test_an_answer_that_comes_too_late_changes_nothing() -> None:
    twins = Twins(policy=ALONE).planned().votes(who=CY, limits=()).votes().time_is_over()
    before = twins.scenario.state
    twins.scenario.does(RecordOpinion, about="limits", round=1, version=1, limits={BO: (LimitDoubt(words=NEVER),)})
    assert twins.scenario.state is before
