"""What a negotiation wants of the world and waits for, as a function of its state, by phases.

| phase | asks | alarms |
| --- | --- | --- |
| demand | what is meant, who fits | until when the answer to a question is waited for |
| offers | each twin's offer, the first version | when the offers are closed |
| voting | the second opinion, what wishes mean, each twin's vote | when a round stops waiting, when it reminds |
| plan | the next version | |
| search | a substitute's offer, what the plan lacks, whether it is looked for, each subnet's beginning | until when |
| agreement | what would still be possible | |
| afterwards | the beginning of the negotiation that takes this one up again | until when it is taken back, check-ins |

Names are those of every database there is. Where the same question is asked anew under the same name, its basis has
changed. Two things are no function of the state, and are said by the rule that lets them happen: what another
negotiation is told once (a subnet that is taken back, a subnet's result, a clash), and the search for clashes.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engine.kernel import Ask, Millis, Outstanding, SendCommand, Wanted
from engine.negotiation.afterwards.check_ins import CHECK_IN, upcoming
from engine.negotiation.afterwards.reopening import REOPEN
from engine.negotiation.afterwards.undoing import UNDO
from engine.negotiation.agreement.compromise import COMPROMISE, is_wanted
from engine.negotiation.demand.clarification import QUESTION
from engine.negotiation.demand.gathering import FILTER, UNDERSTAND
from engine.negotiation.drafting import DURATION
from engine.negotiation.ids import PROTOCOL
from engine.negotiation.offers.offers import AGGREGATE, OFFERS
from engine.negotiation.search.gaps import GAPS, RECURSE, important_gaps
from engine.negotiation.search.subnets import BEGIN, SUBNETS, running
from engine.negotiation.search.substitutes import awaited, waiting
from engine.negotiation.state import Negotiation, Round, Status, Wait
from engine.negotiation.voting import reminders, rounds, second_opinion

Alarm = tuple[str, Millis]

KEPT: Final = 1_024
"""Questions that are made once: while a round is open, the same ones are compared after every command."""


def outstanding(state: Negotiation, at: Millis) -> Outstanding:
    """
    Args:
        at: before which nobody is asked how something stands that is due.
    """
    if not state.exists:
        return Outstanding({}, {})
    return Outstanding({each.effect.name: each for each in _effects(state)}, dict(_alarms(state, at)))


def _effects(state: Negotiation) -> Iterator[Wanted]:
    opened = state.current
    if opened is not None and opened.opinions_due:
        yield from _opinions(opened)
    if state.unread:
        yield from _readings(state)
    match state.status:
        case Status.NEGOTIATING if opened is not None:
            yield from _votes(opened)
        case Status.NEGOTIATING:
            yield from _substitutes(state)
        case Status.COLLECTING if state.wait is Wait.TWINS:
            yield from _offers(state)
        case Status.CREATED if not state.awaits_answer:
            yield _about_the_demand(state)
        case Status.AGGREGATING:
            yield Wanted(_ask(AGGREGATE), (state.corrections, _tried(state)))
        case Status.PROPOSAL_SENT:
            yield Wanted(Ask(name=rounds.adjusting(state.round), scope=rounds.ADJUST, prompt="adjust"), _tried(state))
        case Status.FINALIZED | Status.FORCE_FINALIZED:
            yield from _gaps(state)
        case Status.FAILED if is_wanted(state):
            yield Wanted(_ask(COMPROMISE))
    if state.subnets or state.reopened is not None:
        yield from _others(state)


def _alarms(state: Negotiation, at: Millis) -> Iterator[Alarm]:
    if state.is_open:
        yield DURATION, state.until
    match state.status:
        case Status.NEGOTIATING if (opened := state.current) is not None:
            yield from _of_round(state, opened)
        case Status.NEGOTIATING:
            for each in awaited(state):
                yield waiting(each.agent_id), each.deadline
        case Status.COLLECTING if state.wait is not Wait.SUBNETS:
            yield OFFERS, state.offers_due
        case Status.CREATED if state.unclear is not None:
            yield QUESTION, state.unclear.deadline
    if state.subnets and state.is_searching:
        yield SUBNETS, max(each.triggered.deadline for each in state.subnets.values())
    if state.reversals.until:
        yield UNDO, state.reversals.until
    for key, moment in upcoming(state, at):
        yield f"{CHECK_IN}/{key}", moment


@lru_cache(KEPT)
def _ask(name: str) -> Ask:
    return Ask(name=name, scope=name, prompt=name)


def _tried(state: Negotiation) -> int:
    """How often what was lost was asked again."""
    return len(state.recoveries)


# ── demand and offers ─────────────────────────────────────────────────────────────────────────────────────────────


def _about_the_demand(state: Negotiation) -> Wanted:
    name = UNDERSTAND if state.understanding is None else FILTER
    return Wanted(_ask(name), (state.raw_input, _tried(state)))


def _offers(state: Negotiation) -> Iterator[Wanted]:
    """One for each twin that was asked and has not answered, in whose place nobody has."""
    for agent_id in state.asked_twins or state.invited:
        if agent_id not in state.offers:
            yield _offer(agent_id, OFFERS, _tried(state))


@lru_cache(KEPT)
def _offer(agent_id: str, scope: str, tried: int = 0) -> Wanted:
    return Wanted(Ask(name=f"offer/{agent_id}", scope=scope, prompt="respond", about=agent_id), tried)


# ── voting ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _opinions(opened: Round) -> Iterator[Wanted]:
    for about in opened.opinions_due:
        name = second_opinion.name(opened.version, about)
        yield Wanted(Ask(name=name, scope=rounds.scope(opened.number), prompt="verify", about=about))


def _readings(state: Negotiation) -> Iterator[Wanted]:
    for who, said in state.unread.items():
        name, scope = f"request/{said.round}/{who}", f"request/{who}"
        yield Wanted(Ask(name=name, scope=scope, prompt="read_request", about=said.agent_id), said.text)


def _votes(opened: Round) -> Iterator[Wanted]:
    for agent_id, seat in opened.seats.items():
        if seat.twin_asked:
            yield _vote(opened.number, agent_id)


@lru_cache(KEPT)
def _vote(number: int, agent_id: str) -> Wanted:
    name = f"feedback/{number}/{agent_id}"
    return Wanted(Ask(name=name, scope=rounds.scope(number), prompt="feedback", about=agent_id))


def _of_round(state: Negotiation, opened: Round) -> Iterator[Alarm]:
    yield rounds.closing(opened.number), opened.deadline
    if any(seat.twin_asked for seat in opened.seats.values()):
        yield rounds.patience(opened.number), opened.twins_until
    if reminders.is_due(state, opened):
        yield reminders.half_time(opened.number), reminders.half_time_of(state, opened)


# ── search ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _gaps(state: Negotiation) -> Iterator[Wanted]:
    """What an agreed plan lacks. Subnets do not ask, so that there is one level of them."""
    if state.parent is not None:
        return
    if state.gaps is None and state.policy.max_depth:
        yield Wanted(_ask(GAPS))
    if state.recursion is None and important_gaps(state):
        yield Wanted(_ask(RECURSE))


def _substitutes(state: Negotiation) -> Iterator[Wanted]:
    for each in awaited(state):
        yield _offer(each.agent_id, waiting(each.agent_id))


def _others(state: Negotiation) -> Iterator[Wanted]:
    """The other negotiations that this one begins: its subnets, and the one that takes it up again."""
    for subnet in running(state):
        sub = subnet.triggered.sub_channel_id
        yield Wanted(SendCommand(name=f"{BEGIN}/{sub}", scope=sub, to=sub, protocol=PROTOCOL))
    if state.reopened is not None:
        to = state.reopened.next_channel_id
        yield Wanted(SendCommand(name=REOPEN, scope=REOPEN, to=to, protocol=PROTOCOL))
