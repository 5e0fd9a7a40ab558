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
from engine.negotiation.remembering import latest
from engine.negotiation.search.gaps import GAPS, RECURSE, important_gaps
from engine.negotiation.search.subnets import BEGIN, SUBNETS, running
from engine.negotiation.search.substitutes import awaited, waiting
from engine.negotiation.state import Negotiation, Round, Status, Wait
from engine.negotiation.voting import reminders, rounds, second_opinion

KEPT: Final = 1_024
"""Questions that are made once: while a round is open, the same ones are compared after every command."""


def outstanding(state: Negotiation, at: Millis) -> Outstanding:
    """
    Args:
        at: before which nobody is asked how something stands that is due.
    """
    wanted = _outstanding(state)
    if state.final is None or not (check_ins := dict(upcoming(state, at))):
        return wanted
    return Outstanding(
        wanted.effects, {**wanted.alarms, **{f"{CHECK_IN}/{key}": due for key, due in check_ins.items()}}
    )


@latest
def _outstanding(state: Negotiation) -> Outstanding:
    if not state.exists:
        return Outstanding({}, {})
    return Outstanding({each.effect.name: each for each in _effects(state)}, _alarms(state))


def _effects(state: Negotiation) -> list[Wanted]:
    opened = state.current
    wanted: list[Wanted] = []
    if opened is not None and opened.opinions_due:
        wanted += _opinions(opened)
    if state.unread:
        wanted += _readings(state)
    match state.status:
        case Status.NEGOTIATING if opened is not None:
            wanted += [_vote(opened.number, agent_id) for agent_id, seat in opened.seats.items() if seat.twin_asked]
        case Status.NEGOTIATING:
            wanted += [_offer(each.agent_id, waiting(each.agent_id)) for each in awaited(state)]
        case Status.COLLECTING if state.wait is Wait.TWINS:
            wanted += _offers(state)
        case Status.CREATED if not state.awaits_answer:
            name = UNDERSTAND if state.understanding is None else FILTER
            wanted.append(Wanted(_ask(name), (state.raw_input, _tried(state))))
        case Status.AGGREGATING:
            wanted.append(Wanted(_ask(AGGREGATE), (state.corrections, _tried(state))))
        case Status.PROPOSAL_SENT:
            name = rounds.adjusting(state.round)
            wanted.append(Wanted(Ask(name=name, scope=rounds.ADJUST, prompt="adjust"), _tried(state)))
        case Status.FINALIZED | Status.FORCE_FINALIZED:
            wanted += _gaps(state)
        case Status.FAILED if is_wanted(state):
            wanted.append(Wanted(_ask(COMPROMISE)))
    if state.subnets or state.reopened is not None:
        wanted += _others(state)
    return wanted


def _alarms(state: Negotiation) -> dict[str, Millis]:
    due: dict[str, Millis] = {}
    if state.is_open:
        due[DURATION] = state.until
    match state.status:
        case Status.NEGOTIATING if (opened := state.current) is not None:
            due |= _of_round(state, opened)
        case Status.NEGOTIATING:
            due |= {waiting(each.agent_id): each.deadline for each in awaited(state)}
        case Status.COLLECTING if state.wait is not Wait.SUBNETS:
            due[OFFERS] = state.offers_due
        case Status.CREATED if state.unclear is not None:
            due[QUESTION] = state.unclear.deadline
    if state.subnets and state.is_searching:
        due[SUBNETS] = max(each.triggered.deadline for each in state.subnets.values())
    if state.reversals.until:
        due[UNDO] = state.reversals.until
    return due


@lru_cache(KEPT)
def _ask(name: str) -> Ask:
    return Ask(name=name, scope=name, prompt=name)


def _tried(state: Negotiation) -> int:
    """How often what was lost was asked again."""
    return len(state.recoveries)


# ── demand and offers ─────────────────────────────────────────────────────────────────────────────────────────────


def _offers(state: Negotiation) -> list[Wanted]:
    """One for each twin that was asked and has not answered, in whose place nobody has."""
    asked, tried = state.asked_twins or state.invited, _tried(state)
    return [_offer(agent_id, OFFERS, tried) for agent_id in asked if agent_id not in state.offers]


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


@lru_cache(KEPT)
def _vote(number: int, agent_id: str) -> Wanted:
    name = f"feedback/{number}/{agent_id}"
    return Wanted(Ask(name=name, scope=rounds.scope(number), prompt="feedback", about=agent_id))


def _of_round(state: Negotiation, opened: Round) -> dict[str, Millis]:
    due = {rounds.closing(opened.number): opened.deadline}
    if any(seat.twin_asked for seat in opened.seats.values()):
        due[rounds.patience(opened.number)] = opened.twins_until
    if reminders.is_due(state, opened):
        due[reminders.half_time(opened.number)] = reminders.half_time_of(state, opened)
    return due


# ── search ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _gaps(state: Negotiation) -> Iterator[Wanted]:
    """What an agreed plan lacks. Subnets do not ask, so that there is one level of them."""
    if state.parent is not None:
        return
    if state.gaps is None and state.policy.max_depth:
        yield Wanted(_ask(GAPS))
    if state.recursion is None and important_gaps(state):
        yield Wanted(_ask(RECURSE))


def _others(state: Negotiation) -> Iterator[Wanted]:
    """The other negotiations that this one begins: its subnets, and the one that takes it up again."""
    for subnet in running(state):
        sub = subnet.triggered.sub_channel_id
        yield Wanted(SendCommand(name=f"{BEGIN}/{sub}", scope=sub, to=sub, protocol=PROTOCOL))
    if state.reopened is not None:
        to = state.reopened.next_channel_id
        yield Wanted(SendCommand(name=REOPEN, scope=REOPEN, to=to, protocol=PROTOCOL))
