"""What models are asked in a negotiation, how their answers are read, and what stands in for one."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any, Final

from msgspec.structs import asdict, replace

from engine.directory.profile import Profile, Profiles
from engine.errors import InvalidAnswer, ModelError, ModelUnavailable
from engine.kernel import Ask, Command, Millis, plain
from engine.llm.port import Answer, Question
from engine.llm.prompts import AnswerClasses, Prompt
from engine.negotiation.agreement.compromise import failure_facts, refusals
from engine.negotiation.answers import (
    Candidate,
    Compromise,
    EstimatedCost,
    FeedbackAnswer,
    FeedbackType,
    GapAnalysis,
    Need,
    OfferAnswer,
    OfferDecision,
    ProposalDraft,
    RecursionAnswer,
    RequestRead,
    Shortlist,
    Understanding,
    Verification,
)
from engine.negotiation.commands import (
    RecordCompromise,
    RecordFeedback,
    RecordGaps,
    RecordOffer,
    RecordOpinion,
    RecordProposal,
    RecordReading,
    RecordRecursion,
    RecordShortlist,
    RecordUnderstanding,
)
from engine.negotiation.demand.ask_windows import waited_for_until
from engine.negotiation.demand.reading import (
    asked,
    completed,
    today,
    without_wrong_dates,
)
from engine.negotiation.demand.searching import fitting, searched
from engine.negotiation.given import (
    AdjustGiven,
    AggregateGiven,
    CompromiseGiven,
    EligibleProfile,
    FeedbackGiven,
    FilterGiven,
    GapsGiven,
    Given,
    RecurseGiven,
    RespondGiven,
    UnderstandGiven,
    offers_made,
    shared_by_twins,
    substitutes,
    vote_counts,
    votes_made,
)
from engine.negotiation.offers.limit_answers import numbered
from engine.negotiation.offers.limit_asks import asked_texts, voted_texts, weighed_offer, weighed_vote
from engine.negotiation.offers.limit_rules import offered
from engine.negotiation.offers.limits import is_free, is_near, kept_offer
from engine.negotiation.offers.screening import Screen, texts_in
from engine.negotiation.plan.answer_checks import faults, unquoted_claims, unquoted_demand, unquoted_limits
from engine.negotiation.plan.cleaning import cleaned
from engine.negotiation.plan.coverage import claims_of, counted_needs, needs_of, wanted
from engine.negotiation.plan.left_out import with_needed_seats
from engine.negotiation.plan.own_words import own_words
from engine.negotiation.plan.proposals import unfilled
from engine.negotiation.remembering import remembered
from engine.negotiation.search.gaps import important_gaps
from engine.negotiation.search.substitutes import vacant_seat
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Asked, Claim, HeldFinding, Person, Proposal
from engine.negotiation.voting.carrying import unswayed
from engine.negotiation.voting.opinion_asks import doubted, opinion_given, unquoted, verify_given
from engine.negotiation.voting.requests import granted_requests, requested_changes
from engine.negotiation.voting.twins_view import Texts, own_answers
from engine.negotiation.voting.wish_asks import read_request_given, wishes_as_data
from engine.negotiation.voting.wishes_read import wish_of
from engine.shortlist.nearest import nearest
from engine.shortlist.people import candidates

log = logging.getLogger(__name__)

TOKENS: Final = 5_000
SECONDS: Final = 30
"""What a subnet is estimated to cost (seed 000, section 3.3.8)."""

RETURNS: AnswerClasses = {
    "understand": Understanding,
    "filter": Shortlist,
    "respond": OfferAnswer,
    "aggregate": ProposalDraft,
    "feedback": FeedbackAnswer,
    "adjust": ProposalDraft,
    "gaps": GapAnalysis,
    "recurse": RecursionAnswer,
    "compromise": Compromise,
    "verify": Verification,
    "read_request": RequestRead,
}
"""What each prompt of prompts/negotiation must say that it returns."""


@dataclass(frozen=True, slots=True)
class NegotiationAsks:
    """Composes questions and reads answers. `given` says what each is given of people: a twin its own person's profile,
    and every other question what everybody may read.
    """

    prompts: Mapping[str, Prompt]
    """By name, e.g. ``negotiation/understand``."""
    profiles: Profiles

    def compose(self, state: Negotiation, ask: Ask) -> Question[Any]:
        """
        Raises:
            ModelUnavailable: ``ask.about`` is nobody's profile any more, so there is no twin to ask.
        """
        prompt = self.prompts[f"negotiation/{ask.prompt}"]
        given = self._given(state, ask).values()
        return Question(
            prompt,
            given,
            RETURNS[ask.prompt],
            asked_by=state.requester_id,
            charged_to=state.parent.channel_id if state.parent else "",
            language=(state.understanding.language if state.understanding else "") or None,
            check=self._check(state, ask),
            beside=self._beside(state, ask),
            until=waited_for_until(state, ask),
        )

    def _beside(self, state: Negotiation, ask: Ask) -> Mapping[str, Callable[[], Any]]:
        """Return how to look up who might be asked, and who is not since a limit of theirs that is data is broken."""
        demand = state.understanding or Understanding(surface_demand=state.raw_input)

        def people(*, are_free: bool) -> Sequence[EligibleProfile]:
            return [eligible(each, demand) for each in self._candidates(state, are_free=are_free)]

        match ask.prompt:
            case "understand":
                return {"people": partial(people, are_free=True)}
            case "filter":
                return {"left_out": partial(people, are_free=False)}
        return {}

    def _check(self, state: Negotiation, ask: Ask) -> Callable[[Any], str] | None:
        """Return what says what is wrong with an answer, so that it is asked for once more."""
        match ask.prompt:
            case "understand":
                return partial(unquoted_demand, state)
            case "respond" if ask.about in self.profiles:
                return partial(unquoted_claims, self._sources(ask.about), asked_texts(state, ask.about))
            case "feedback":
                return partial(unquoted_limits, voted_texts(state))
            case "verify":
                return partial(unquoted, state)
            case "aggregate" | "adjust":
                return partial(faults, state)
        return None

    def _sources(self, agent_id: str) -> Mapping[str, str]:
        """Return what a twin may quote of its person, by its name."""
        profile = self.profiles.get(agent_id)
        return {"profile": "\n".join(_public_texts(profile))} if profile else {}

    def _given(self, state: Negotiation, ask: Ask) -> Given:
        demand = state.understanding or Understanding(surface_demand=state.raw_input)
        match ask.prompt:
            case "understand":
                return UnderstandGiven(state.raw_input, self._about_requester(state), today(state))
            case "filter":
                profiles = tuple(eligible(each, demand) for each in self._candidates(state))
                return FilterGiven(demand, fitting(profiles), state.policy.max_candidates)
            case "respond":
                seat = vacant_seat(state, ask.about)
                own = self._profile(ask.about)
                limits = numbered(own.worded_limits)
                return RespondGiven(own, demand, state.invited[ask.about].reason, seat, limits, today(state))
            case "aggregate":
                return AggregateGiven(demand, offers_made(state), tuple(refusals(state)), today(state))
            case "feedback":
                return self._feedback(state, ask.about, demand)
            case "adjust":
                return AdjustGiven(
                    demand=demand,
                    proposal=_last(state),
                    requester_requests=tuple(requested_changes(state)),
                    feedbacks=votes_made(state),
                    granted=tuple(granted_requests(state)),
                    counts=vote_counts(state, state.rounds[-1]),
                    withdrawn=tuple(each.display_name for each in state.withdrawn.values()),
                    substitutes=substitutes(state),
                    understood=wishes_as_data(state),
                    doubts=doubted(state),
                    round=state.round,
                    today=today(state),
                )
            case "gaps":
                return GapsGiven(demand, _agreed(state), votes_made(state), today(state))
            case "recurse":
                gaps = important_gaps(state)
                cost = EstimatedCost(tokens=TOKENS * len(gaps), time_seconds=SECONDS * len(gaps))
                return RecurseGiven(demand, gaps, _agreed(state), cost, today(state))
            case "compromise":
                return CompromiseGiven(
                    demand=demand,
                    failure=failure_facts(state),
                    available_resources=offers_made(state, besides=state.withdrawn),
                    gaps=unfilled(state),
                    feedbacks=votes_made(state) if state.rounds else (),
                    refusals=tuple(refusals(state)),
                    today=today(state),
                )
            case "verify":
                return verify_given(state, ask.about, self.profiles)
            case "read_request":
                return read_request_given(state, ask.about, _public_words(self.profiles, state.invited))
        raise KeyError(f"no prompt of a negotiation is called {ask.prompt!r}")

    def _feedback(self, state: Negotiation, agent_id: str, demand: Understanding) -> FeedbackGiven:
        shared = shared_by_twins(state, _last(state), _public_words(self.profiles, state.invited))
        own = self._profile(agent_id)
        return FeedbackGiven(
            profile=own,
            limits=numbered(own.worded_limits),
            demand=demand,
            proposal=shared.proposal,
            assignment=state.assignment(agent_id),
            conditions=state.offers[agent_id].conditions,
            answers=own_answers(_last(state), agent_id),
            granted=shared.granted.get(agent_id, ()),
            counts=shared.counts,
            round=state.round,
            max_rounds=state.policy.max_rounds,
            today=shared.today,
        )

    def read(
        self, state: Negotiation, ask: Ask, prompt: Prompt, answer: Answer[Any], *, command_id: str, at: Millis
    ) -> Command:
        """
        Raises:
            InvalidAnswer: a shortlist of nobody but strangers; that somebody fits, but not who, is no answer.
        """
        if isinstance(answer.value, Shortlist):
            self._log_strangers(state, answer.value)
            if not self._knows_any(state, answer.value):
                raise InvalidAnswer("the shortlist names only people whom nobody knows")
        fields = {"command_id": command_id, "at": at, "model": answer.model, "prompt_hash": prompt.content_hash}
        return self._recorded(state, ask, self._checked(state, cleaned(state, ask.about, answer.value)), fields)

    def fallback(self, state: Negotiation, ask: Ask, why: ModelError, *, command_id: str, at: Millis) -> Command:
        """MODELS, "Degradation, by prompt": never consent, never a worse plan, always labelled."""
        fields = {"command_id": command_id, "at": at, "degraded": why.code}
        match ask.prompt:
            case "understand":
                text = state.raw_input
                whole = Need(need_id="need_1", what=text)
                value: Any = Understanding(surface_demand=text, needs=(whole,), confidence="low")
            case "filter":
                value = self._local_shortlist(state)
            case "respond":
                value = OfferAnswer(decision=OfferDecision.DECLINE, confidence=0)
            case "gaps":
                value = GapAnalysis(gaps=())
            case "recurse":
                value = RecursionAnswer(condition_1_met=False, condition_2_met=False, condition_3_met=False)
            case _:
                value = None
        return self._recorded(state, ask, value, fields)

    def _recorded(self, state: Negotiation, ask: Ask, value: Any, fields: dict[str, Any]) -> Command:
        match ask.prompt:
            case "understand":
                return RecordUnderstanding(understanding=value, counted=counted_needs(value), **fields)
            case "filter":
                people = {each.agent_id: _person(each) for each in self._candidates(state)}
                return RecordShortlist(shortlist=value, people=people, covers=_thought_to_cover(state, value), **fields)
            case "respond":
                limits = weighed_offer(state, self.profiles.get(ask.about), ask.about, value)
                offer, broken = self._kept_offer(state, ask.about, offered(value, limits))
                claims = self._claims(state, ask.about, offer)
                return RecordOffer(
                    agent_id=ask.about, answer=offer, claims=claims, broken_limit=broken, limits=limits, **fields
                )
            case "aggregate" | "adjust":
                version = len(state.proposals) + 1
                return RecordProposal(version=version, draft=value, corrections=state.corrections, **fields)
            case "feedback":
                vote = self._kept_vote(state, ask.about, value) if value else None
                limits = weighed_vote(state, self.profiles.get(ask.about), ask.about, value)
                return RecordFeedback(agent_id=ask.about, round=_round_of(ask), answer=vote, limits=limits, **fields)
            case "verify":
                return RecordOpinion(**opinion_given(state, ask.about, self.profiles, value), **fields)
            case "read_request":
                by, text, number = wish_of(state, ask.about)
                return RecordReading(agent_id=ask.about, asked_by=by, round=number, text=text, answer=value, **fields)
            case "gaps":
                return RecordGaps(analysis=value, **fields)
            case "recurse":
                return RecordRecursion(answer=value, **fields)
            case "compromise":
                return RecordCompromise(compromise=value, **fields)
        raise KeyError(f"no prompt of a negotiation is called {ask.prompt!r}")

    def _profile(self, agent_id: str) -> Profile:
        try:
            return self.profiles[agent_id]
        except KeyError:
            raise ModelUnavailable(f"{agent_id} has no profile any more; its twin cannot be asked") from None

    def _claims(self, state: Negotiation, agent_id: str, said: OfferAnswer) -> tuple[Claim, ...]:
        """Return what a twin says that its person covers, of what there is to cover. It is believed."""
        if said.decision is OfferDecision.DECLINE:
            return ()
        seat = vacant_seat(state, agent_id)
        needs = {each.need_id: each for each in (*needs_of(state), *(seat.needs if seat else ()))}.values()
        texts = {**self._sources(agent_id), "offer": said.contribution}
        claims = claims_of(said.covers, needs, texts)
        counted = {each.need_id for each in needs if wanted(state, each) > 1}
        return tuple(replace(each, count=said.brings) if each.need_id in counted else each for each in claims)

    def _kept_offer(
        self, state: Negotiation, agent_id: str, offer: OfferAnswer
    ) -> tuple[OfferAnswer, HeldFinding | None]:
        """Hold the person's limits against their twin's offer, and leave out what is for the twin alone."""
        profile = self.profiles.get(agent_id)
        if profile is None or state.understanding is None:
            return offer, None
        seen = (state.understanding, state.raw_input, state.invited[agent_id].reason)
        return kept_offer(profile, state.understanding, Screen(profile, seen).offer(offer))

    def _kept_vote(self, state: Negotiation, agent_id: str, vote: FeedbackAnswer) -> FeedbackAnswer:
        """Let a vote stand whose part has not changed, and leave out what is for the twin alone."""
        profile = self.profiles.get(agent_id)
        if profile is None or state.understanding is None or state.proposal is None:
            return vote
        seen = (state.understanding, state.raw_input, state.proposal)
        if vote.feedback_type is FeedbackType.ACCEPT and (vote.adjustment_request or vote.change is not None):
            vote = replace(vote, adjustment_request="", change=None)  # whoever accepts asks for nothing
        return unswayed(state, agent_id, Screen(profile, seen).vote(vote))

    def _candidates(self, state: Negotiation, *, are_free: bool = True) -> list[Profile]:
        """Return everybody whose limits allow it, or do not, but the requester's own twin and, in a subnet, those who
        have answered for the parent's plan; where there are many people, those of them who may help.

        Raises:
            NotKnownYet: within `engine.llm.encoder.only_known`, where there are many people.
        """
        answered = state.parent.answered if state.parent else ()
        demand = state.understanding

        def is_eligible(profile: Profile) -> bool:
            if profile.slack_user == state.requester_id or profile.agent_id in answered:
                return False
            return demand is None or is_free(profile, demand) is are_free

        return candidates(self.profiles, *searched(state), is_eligible)

    def _about_requester(self, state: Negotiation) -> str:
        own = next((each for each in self.profiles.values() if each.slack_user == state.requester_id), None)
        return own.profile_summary if own else ""

    def _knows_any(self, state: Negotiation, listed: Shortlist) -> bool:
        """Whether somebody on the list exists. An empty list is a valid answer."""
        named = {each.agent_id for each in (*listed.definitely_related, *listed.possibly_related)}
        return not named or any(each.agent_id in named for each in self._candidates(state))

    def _log_strangers(self, state: Negotiation, listed: Shortlist) -> None:
        """Log people whom a model has invented; the rules drop them."""
        named = {each.agent_id for each in (*listed.definitely_related, *listed.possibly_related)}
        if strangers := sorted(named - {each.agent_id for each in self._candidates(state)}):
            log.warning(
                "an answer for %s names people who were not asked, and they are dropped: %s",
                state.channel_id,
                strangers,
            )

    def _local_shortlist(self, state: Negotiation) -> Shortlist:
        """Return who is nearest to each thing that is needed, the first of each before the second of any."""
        assert state.understanding is not None  # noqa: S101 - the filter is asked only after it
        whole, needs = searched(state)
        people, most = self._candidates(state), state.policy.max_candidates
        found = [[each.profile.agent_id for each in nearest(texts, people, most)] for texts in (*needs, (whole,))]
        order = dict.fromkeys(each for row in zip_longest(*found) for each in row if each)
        return Shortlist(definitely_related=tuple(Candidate(agent_id=each) for each in [*order][:most]))

    def _checked(self, state: Negotiation, value: Any) -> Any:
        """Hold what a model says of time against the day of asking, and each seat's words to its person."""
        match value:
            case Understanding():
                return completed(value, asked(state))
            case ProposalDraft():
                dated = without_wrong_dates(value, asked(state))
                seated = dated if state.proposals else with_needed_seats(state, dated)
                return own_words(state, seated, _public_words(self.profiles, state.invited), self._public_of)
        return value

    def _public_of(self, agent_id: str) -> Texts:
        return _public_texts(self.profiles[agent_id]) if agent_id in self.profiles else ()


@remembered
def _public_texts(profile: Profile) -> Texts:
    return tuple(texts_in(plain(profile.public)))


@remembered
def _public_words(profiles: Profiles, invited: Mapping[str, Asked]) -> Texts:
    """Return what the public profiles of those say who were asked."""
    known = (profiles.get(each) for each in invited)
    return tuple(text for each in known if each for text in _public_texts(each))


def _round_of(ask: Ask) -> int:
    """The effect is called ``feedback/<round>/<agent>``."""
    return int(ask.name.split("/")[1])


def _thought_to_cover(state: Negotiation, listed: Shortlist) -> dict[str, tuple[str, ...]]:
    """Return which of the needs each candidate is thought to cover."""
    known = [each.need_id for each in needs_of(state)]
    everybody = (*listed.definitely_related, *listed.possibly_related)
    return {each.agent_id: tuple(need for need in known if need in each.covers) for each in everybody}


def _person(profile: Profile) -> Person:
    return Person(agent_id=profile.agent_id, display_name=profile.user_name, user_id=profile.slack_user)


def eligible(profile: Profile, demand: Understanding) -> EligibleProfile:
    """Return what prompt 2 is given of somebody."""
    return EligibleProfile(**asdict(profile.public), on_site=is_near(profile, demand))


def _last(state: Negotiation) -> Proposal:
    last = state.proposal
    assert last is not None, "no version was made yet"  # noqa: S101 - rounds exist only behind a first version
    return last


def _agreed(state: Negotiation) -> Proposal:
    """Return the plan as it was agreed."""
    assert state.agreed is not None, "nothing was agreed"  # noqa: S101 - what it lacks is asked behind an agreement alone
    return state.agreed.final_proposal
