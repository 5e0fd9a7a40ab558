"""What the second reader is given of a version, and how its answer is read.

Limits are asked about apart from claims: beside them stands the plan, and no words that anybody has written, which
could talk a reader round.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from engine.directory.profile import Profile, Profiles
from engine.facts.quoting import Quoted, Secrets, stands_in
from engine.kernel import Message
from engine.negotiation.answers import Assignment, LimitOpinion, LimitVerdict, Understanding, Verification
from engine.negotiation.demand.reading import Today, today
from engine.negotiation.events import ClaimOpinion, LimitDoubt
from engine.negotiation.given import Given
from engine.negotiation.offers.limit_answers import demand_texts, plan_texts
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Proposal
from engine.negotiation.voting.claims import VersionClaim, claims_of
from engine.negotiation.voting.twins_view import SharedPlan, shared_plan


class AskedLimit(Message, kw_only=True):
    """A limit of somebody whose twin votes."""

    number: int
    """Counted from 1, over everybody's."""
    agent_id: str
    words: str
    source: str


class VerifyGiven(Given, frozen=True):
    demand: Understanding | None
    """None where limits are asked about."""
    proposal: SharedPlan
    seats: tuple[Assignment, ...]
    claims: tuple[VersionClaim, ...]
    limits: tuple[AskedLimit, ...]
    today: Today


def verify_given(state: Negotiation, about: str, profiles: Profiles) -> VerifyGiven:
    """
    Args:
        about: ``claims`` or ``limits``.
    """
    version = _version(state)
    plan = shared_plan(version, Quoted(()))
    if about == "claims":
        return VerifyGiven(state.understanding, plan, _seats(version), claims_of(state, version), (), today(state))
    return VerifyGiven(None, plan, _seats(version), (), asked_limits(state, profiles), today(state))


def asked_limits(state: Negotiation, profiles: Profiles) -> tuple[AskedLimit, ...]:
    """Return the limits in words of those who have a seat and have not spoken themselves."""
    found = [
        AskedLimit(number=0, agent_id=profile.agent_id, words=each.words, source=each.source)
        for profile in _limited(state, profiles)
        for each in profile.worded_limits
    ]
    return tuple(replace(each, number=number) for number, each in enumerate(found, 1))


def _limited(state: Negotiation, profiles: Profiles) -> Iterable[Profile]:
    """Return those with limits in words who have a seat in the open round."""
    for agent_id, seat in state.rounds[-1].seats.items():
        profile = profiles.get(agent_id)
        if profile is not None and seat.human is None and profile.worded_limits:
            yield profile


def _seats(version: Proposal) -> tuple[Assignment, ...]:
    return tuple(Assignment(**Assignment.fields_of(each)) for each in version.assignments)


def _version(state: Negotiation) -> Proposal:
    return state.proposals[state.rounds[-1].version - 1]


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def sources(state: Negotiation) -> tuple[str, ...]:
    version = _version(state)
    claims = [text for each in claims_of(state, version) for text in (each.claim, each.quote)]
    return (*demand_texts(state.raw_input, state.understanding), *plan_texts(version), *claims)


def unquoted(state: Negotiation, said: Verification) -> str:
    """Say which quotes do not stand in what was given; empty where all do."""
    texts = sources(state)
    quotes = [*(each.quote for each in said.claims), *(each.quote for each in said.limits)]
    wrong = [each for each in quotes if each and not stands_in(each, *texts)]
    return "\n".join(f"this quote stands in nothing that was given: {each}" for each in dict.fromkeys(wrong))


def opinion_given(state: Negotiation, about: str, profiles: Profiles, said: Verification | None) -> dict[str, Any]:
    """Return the fields of the command that records an answer, or that there is none."""
    opened = state.rounds[-1]
    known: dict[str, Any] = {"round": opened.number, "version": opened.version}
    if about == "limits":
        return {**known, "about": "limits", "limits": doubts_by_reader(state, profiles, said)}
    return {**known, "about": "claims", "opinions": opinions_of(state, said)}


def opinions_of(state: Negotiation, said: Verification | None) -> tuple[ClaimOpinion, ...]:
    """Return what was said of each claim. One without an answer is not doubted."""
    answers = {each.number: each for each in reversed(said.claims)} if said else {}
    texts = sources(state) if answers else ()
    return tuple(
        ClaimOpinion(
            about=each.about,
            verdict=answer.verdict,
            agent_id=each.agent_id,
            need_id=each.need_id,
            number=each.place,
            claim=each.claim,
            quote=answer.quote if stands_in(answer.quote, *texts) else "",
            why=answer.why if answer.verdict == "no" else "",
        )
        for each in claims_of(state, _version(state))
        if (answer := answers.get(each.number)) is not None
    )


def doubts_by_reader(
    state: Negotiation, profiles: Profiles, said: Verification | None
) -> Mapping[str, tuple[LimitDoubt, ...]]:
    """Return, of everybody whose limits were asked about, those that the reader says are broken, or is not sure about.

    What it does not answer is not doubted.
    """
    answers = _doubts(said.limits) if said else {}
    asked = asked_limits(state, profiles)
    texts = plan_texts(_version(state))
    found: dict[str, tuple[LimitDoubt, ...]] = {each.agent_id: () for each in asked}
    for each in asked:
        answer = answers.get(each.number)
        is_lifted = each.words in state.lifted.get(each.agent_id, ())  # its owner has said yes for this demand
        if answer is not None and not (is_lifted and answer.verdict is LimitVerdict.UNSURE):
            others = Secrets((one.words for one in asked if one.agent_id != each.agent_id), (each.words, *texts))
            doubt = LimitDoubt(
                words=each.words,
                verdict=answer.verdict,
                quote=answer.quote if stands_in(answer.quote, *texts) else "",
                why="" if others.are_in(answer.why) else answer.why,
                by="reader",
            )
            found[each.agent_id] = (*found[each.agent_id], doubt)
    return found


def _doubts(said: Sequence[LimitOpinion]) -> dict[int, LimitOpinion]:
    """Return the doubts by number; that it is broken counts before that it may be."""
    unsure = {each.number: each for each in reversed(said) if each.verdict is LimitVerdict.UNSURE}
    return unsure | {each.number: each for each in reversed(said) if each.verdict is LimitVerdict.BROKEN}


def doubted(state: Negotiation) -> tuple[dict[str, Any], ...]:
    """Return the claims of the last version that the second reader doubts, as the next drafter is given them."""
    last = state.proposals[-1].version if state.proposals else 0
    given = state.opinions.get(last)
    return tuple(
        {"about": each.about, "agent_id": each.agent_id, "need_id": each.need_id, "claim": each.claim, "why": each.why}
        for each in (given.opinions if given else ())
        if each.verdict == "no"
    )
