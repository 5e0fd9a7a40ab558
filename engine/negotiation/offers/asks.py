"""What twins are asked for an offer, and how their answers are held to their people's words and limits."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.facts.quoting import stands_in
from engine.kernel import Millis
from engine.negotiation.answers import LimitAnswer, OfferAnswer, OfferDecision
from engine.negotiation.ask_rows import Asking, AskRow, AskRows, Recorded, Texts
from engine.negotiation.commands import RecordOffer
from engine.negotiation.demand.reading import today
from engine.negotiation.events import Weighed
from engine.negotiation.given import RespondGiven
from engine.negotiation.offers.limit_answers import demand_texts, numbered, weighed
from engine.negotiation.offers.limit_rules import offered
from engine.negotiation.offers.limits import kept_offer
from engine.negotiation.offers.screening import Screen
from engine.negotiation.plan.coverage import claims_of, needs_of, unfounded, wanted
from engine.negotiation.search.substitutes import vacant_seat
from engine.negotiation.terms import Claim, HeldFinding


def _given(asking: Asking) -> RespondGiven:
    state, own = asking.state, asking.own_profile
    invited = state.invited[asking.about]
    return RespondGiven(
        own,
        asking.demand,
        invited.reason,
        round(100 * invited.confidence),
        vacant_seat(state, asking.about),
        numbered(own.worded_limits),
        today(state),
    )


def _asked_texts(asking: Asking) -> Texts:
    """Return what somebody's twin is asked to take part in: the demand, and the seat where it is a certain one."""
    seat = vacant_seat(asking.state, asking.about)
    of_seat = (seat.role, *(each.what for each in seat.needs)) if seat else ()
    return (*demand_texts(asking.state.raw_input, asking.state.understanding), *of_seat)


def _sources(asking: Asking) -> Mapping[str, str]:
    """Return what a twin may quote of its person, by its name."""
    return {"profile": "\n".join(asking.public_of(asking.about))} if asking.profile else {}


def _check(asking: Asking) -> Callable[[OfferAnswer], str] | None:
    if asking.profile is None:
        return None
    return partial(unquoted, _sources(asking), _asked_texts(asking))


def unquoted(sources: Mapping[str, str], demand: Sequence[str], said: OfferAnswer) -> str:
    """Say which quotes of an offer do not stand where they are said to; empty where all do."""
    claims = unfounded(said.covers, {**sources, "offer": said.contribution})
    wrong = [f"covers: this quote does not stand in its source: {each}" for each in dict.fromkeys(claims)]
    return "\n".join(filter(None, (*wrong, faults_of_quotes(said.limits, demand))))


def faults_of_quotes(answers: Sequence[LimitAnswer], texts: Sequence[str]) -> str:
    """Say which quotes of what is said of limits do not stand where they are said to; empty where all do."""
    wrong = [str(each.number) for each in answers if each.quote and not stands_in(each.quote, *texts)]
    if not wrong:
        return ""
    return (
        f"limits: the quotes of number {', '.join(wrong)} stand neither in the demand nor in the plan. Quote exactly "
        "what stands there, or leave the quote empty."
    )


def _record(asking: Asking, answer: OfferAnswer, recorded: Recorded) -> RecordOffer:
    limits = _weighed(asking, answer)
    offer, broken = _kept(asking, offered(answer, limits))
    claims = _claims(asking, offer)
    return RecordOffer(
        agent_id=asking.about, answer=offer, claims=claims, broken_limit=broken, limits=limits, **recorded
    )


def _weighed(asking: Asking, said: OfferAnswer) -> Weighed:
    if asking.profile is None:
        return Weighed()
    lifted = asking.state.lifted.get(asking.about, ())
    return weighed(asking.profile, said.limits, _asked_texts(asking), lifted=lifted)


def _kept(asking: Asking, offer: OfferAnswer) -> tuple[OfferAnswer, HeldFinding | None]:
    """Hold the person's limits against their twin's offer, and leave out what is for the twin alone."""
    state, profile = asking.state, asking.profile
    if profile is None or state.understanding is None:
        return offer, None
    seen = (state.understanding, state.raw_input, state.invited[asking.about].reason)
    return kept_offer(profile, state.understanding, Screen(profile, seen).offer(offer))


def _claims(asking: Asking, said: OfferAnswer) -> tuple[Claim, ...]:
    """Return what a twin says that its person covers, of what there is to cover. It is believed."""
    if said.decision is OfferDecision.DECLINE:
        return ()
    state = asking.state
    seat = vacant_seat(state, asking.about)
    needs = {each.need_id: each for each in (*needs_of(state), *(seat.needs if seat else ()))}.values()
    claims = claims_of(said.covers, needs, {**_sources(asking), "offer": said.contribution})
    counted = {each.need_id for each in needs if wanted(state, each) > 1}
    return tuple(replace(each, count=said.brings) if each.need_id in counted else each for each in claims)


def _until(asking: Asking) -> Millis:
    vacancy = next((each for each in asking.state.vacancies.values() if each.agent_id == asking.about), None)
    return vacancy.deadline if vacancy else asking.state.offers_due


ASKS: Final[AskRows] = {
    "respond": AskRow(
        returns=OfferAnswer,
        given=_given,
        check=_check,
        stand_in=lambda _: OfferAnswer(decision=OfferDecision.DECLINE, confidence=0),
        record=_record,
        until=_until,
    ),
}
