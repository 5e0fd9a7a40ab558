"""Says what is wrong with a model's answer that can be read, so that it is asked for once more."""

from collections.abc import Mapping, Sequence

from engine.facts.circumstances import When
from engine.facts.quotes import stands_in
from engine.negotiation.answers import FeedbackAnswer, OfferAnswer, ProposalDraft, Understanding
from engine.negotiation.demand.reading import asked, faults_of_dates
from engine.negotiation.offers.limit_asks import faults_of_quotes
from engine.negotiation.plan.coverage import unfounded
from engine.negotiation.plan.order import faults_of_order
from engine.negotiation.plan.proposals import faults_of_draft
from engine.negotiation.state import Negotiation


def unquoted_demand(state: Negotiation, said: Understanding) -> str:
    quotes = [each.quote for each in said.needs if each.quote and not stands_in(each.quote, state.raw_input)]
    time = said.context.when.said
    times = [time] if time and not stands_in(time, state.raw_input) else []
    source = "what they wrote"
    found = (_unquoted("needs", source, quotes), _unquoted("context.when.said", source, times))
    return "\n".join(filter(None, found))


def unquoted_claims(texts: Mapping[str, str], demand: Sequence[str], said: OfferAnswer) -> str:
    claims = _unquoted("covers", "its source", unfounded(said.covers, {**texts, "offer": said.contribution}))
    return "\n".join(filter(None, (claims, faults_of_quotes(said.limits, demand))))


def unquoted_limits(texts: Sequence[str], said: FeedbackAnswer) -> str:
    return faults_of_quotes(said.limits, texts)


def _unquoted(where: str, source: str, quotes: Sequence[str]) -> str:
    return "\n".join(f"{where}: this quote does not stand in {source}: {each}" for each in dict.fromkeys(quotes))


def faults(state: Negotiation, draft: ProposalDraft) -> str:
    """Say what is wrong with a model's draft; empty where nothing is."""
    dates = faults_of_dates(draft, _demanded(state), asked(state), is_first=not state.proposals)
    order = faults_of_order(draft.assignments)
    return "\n".join(filter(None, (faults_of_draft(state, draft), dates, order)))


def _demanded(state: Negotiation) -> When:
    return state.understanding.context.when if state.understanding else When()
