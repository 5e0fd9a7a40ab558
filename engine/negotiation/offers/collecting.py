"""Collecting: how long offers are waited for, and of whom; then the first proposal is made of them.

Twins are waited for first. Linked people whose twins could not answer are asked next. Where the demand says whom to
ask first, the others are asked for what those leave open. Once all offers are in, they stay open for corrections for a
while, if the policy says so. Then comes what nobody covers (`missing_needs`).
"""

from engine.errors import IllegalStep
from engine.kernel import Millis
from engine.negotiation.commands import CorrectOffer, DecideMissing, RecordDelivery, RecordOffer, RecordSubnet
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import (
    AggregationStarted,
    NegotiationFailed,
    OffersHeld,
    PeopleAsked,
    PersonUnreachable,
)
from engine.negotiation.offers import missing_needs
from engine.negotiation.offers.offers import record_correction, record_offer
from engine.negotiation.search import subnets, substitutes
from engine.negotiation.state import Negotiation, Status, Wait
from engine.negotiation.terms import MissingChoice, Outcome, Source
from engine.negotiation.voting import between_rounds, rounds


def twin_offer(draft: NegotiationDraft, command: RecordOffer) -> None:
    """Record a twin's offer: the last one ends the wait for twins, and a substitute's may fill the last seat."""
    state = draft.state
    if command.agent_id in state.offers:
        return
    if state.status is Status.NEGOTIATING:
        between_rounds.substitute_answered(draft, command)
    elif state.status is Status.COLLECTING and command.agent_id in state.invited:
        record_offer(draft, command)
        _go_on_when_complete(draft, command.at)


def correct_offer(draft: NegotiationDraft, command: CorrectOffer) -> None:
    is_substitute = draft.state.is_asked_to_step_in(command.agent_id)
    if not record_correction(draft, command):
        return
    if is_substitute:
        substitutes.take(draft, command.agent_id, command.at)
    elif draft.state.status is Status.COLLECTING:
        _go_on_when_complete(draft, command.at)
    elif not draft.state.participants:
        _ends_without_anybody(draft)


def person_unreachable(draft: NegotiationDraft, command: RecordDelivery) -> None:
    """Stop waiting for somebody whom nobody could tell that their own offer is waited for; and make no plan with
    somebody whose account was closed.
    """
    state, agent_id = draft.state, command.agent_id
    if command.reached:
        return
    if state.is_asked_to_step_in(agent_id):
        substitutes.unreachable(draft, agent_id, command.at)
        return
    was_awaited, invited = is_awaited(state, agent_id), state.invited.get(agent_id)
    is_news = command.gone and invited is not None and invited.user_id and agent_id not in state.closed_accounts
    if not was_awaited and not (is_news and state.status in PersonUnreachable.during):
        return
    gone = command.gone
    draft.happens(PersonUnreachable(**draft.ids, agent_id=agent_id, round=0, gone=gone, closed=gone))
    if draft.state.status is Status.COLLECTING:
        _go_on_when_complete(draft, command.at)
    elif draft.state.status is Status.AGGREGATING and not draft.state.participants:
        _ends_without_anybody(draft)


def time_is_over(draft: NegotiationDraft, at: Millis) -> None:
    """Go on with what came."""
    match draft.state.wait:
        case Wait.REQUESTER:
            missing_needs.give_up_waiting(draft)
        case Wait.SUBNETS:
            subnets.give_up(draft)
    _go_on(draft, at)


def decide_missing(draft: NegotiationDraft, command: DecideMissing) -> None:
    if not draft.state.awaits_decision:
        raise IllegalStep("There is nothing to decide about what is missing, now.")
    if draft.state.status is Status.NEGOTIATING:
        between_rounds.decided(draft, command)
        return
    missing_needs.decide(draft, command)
    if command.choice is MissingChoice.GO_ON:
        _go_on(draft, command.at)


def subnet_ended(draft: NegotiationDraft, command: RecordSubnet) -> None:
    """Record how a subnet has ended. Before there is a plan, whom it found take part from now on."""
    was_running = command.channel_id in {each.triggered.sub_channel_id for each in subnets.running(draft.state)}
    subnets.ended(draft, command)
    if was_running and draft.state.final is None:
        missing_needs.joins(draft, draft.state.subnets[command.channel_id])


def after_search(draft: NegotiationDraft, at: Millis) -> None:
    """Go on once no subnet is looking any longer for what is missing."""
    state = draft.state
    if state.status is Status.COLLECTING and state.wait is Wait.SUBNETS and not state.is_searching:
        _go_on(draft, at)


def is_awaited(state: Negotiation, agent_id: str) -> bool:
    if state.is_asked_to_step_in(agent_id):
        return True
    is_waiting = state.status is Status.COLLECTING and state.wait is Wait.PEOPLE
    if not is_waiting or agent_id not in state.asked_in_person or agent_id in state.unreached:
        return False
    offer = state.offers.get(agent_id)
    return offer is None or offer.source is not Source.HUMAN


def awaited_until(state: Negotiation, agent_id: str) -> Millis:
    """Return until when somebody's own offer is waited for."""
    asked = [each.deadline for each in state.vacancies.values() if each.in_person and each.agent_id == agent_id]
    return max(asked, default=state.offers_due)


def _go_on_when_complete(draft: NegotiationDraft, at: Millis) -> None:
    state = draft.state
    match state.wait:
        case Wait.TWINS:
            is_complete = state.offers.keys() >= {*state.asked_twins}
        case Wait.PEOPLE:
            is_complete = not any(is_awaited(state, each) for each in state.asked_in_person)
        case Wait.CORRECTIONS:
            is_complete = False  # whoever has corrected an offer may do so again
        case Wait.REQUESTER:
            is_complete = not missing_needs.missing_needs(state)
        case Wait.SUBNETS:
            is_complete = False  # `after_search` sees it
    if is_complete:
        _go_on(draft, at)


def _go_on(draft: NegotiationDraft, at: Millis) -> None:
    """Wait for whoever is to be heard next, or close the offers."""
    is_asking = _ask_people(draft, at) or missing_needs.ask_the_others(draft, at)
    if not (is_asking or _hold(draft, at) or missing_needs.resolve(draft, at)):
        _close(draft, at)


def _ask_people(draft: NegotiationDraft, at: Millis) -> bool:
    """Ask linked people whose twins could not answer. Return whether they are waited for."""
    state, window = draft.state, draft.state.policy.human_window
    silent = tuple(
        each for each in state.failed_twins if state.invited[each].user_id and each not in state.asked_in_person
    )
    if not silent or not window:
        return False
    draft.happens(PeopleAsked(**draft.ids, agent_ids=silent, **draft.time_for_people(window, at)))
    return True


def _hold(draft: NegotiationDraft, at: Millis) -> bool:
    """Keep the offers of linked people open for corrections, once, unless they have had more time than that already."""
    state, window = draft.state, draft.state.policy.first_window
    is_linked = any(each.user_id for each in state.invited.values())
    if state.was_held or state.asked_in_person or not window or not is_linked:
        return False
    draft.happens(OffersHeld(**draft.ids, **draft.time_for_people(window, at)))
    return True


def _close(draft: NegotiationDraft, at: Millis) -> None:
    if draft.state.participants:
        draft.happens(AggregationStarted(**draft.ids, offers_count=len(draft.state.offers)))
        rounds.take_early_draft(draft, at)
    else:
        _ends_without_anybody(draft)


def _ends_without_anybody(draft: NegotiationDraft) -> None:
    """Fail, since nobody takes part. A machine's failure is never told as people's refusal."""
    reason = Outcome.MODEL_UNAVAILABLE if draft.state.failed_twins else Outcome.NO_PARTICIPANTS
    draft.happens(NegotiationFailed(**draft.ids, reason=reason))
