"""What a negotiation wants of the world and waits for, as a function of its state, by phases.

| phase | asks | alarms |
| --- | --- | --- |
| demand | what is meant, who fits | until when the answer to a question is waited for |
| offers | each twin's offer, the first version | when the offers are closed |
| voting | the second opinion, what wishes mean, each twin's vote | when a round stops waiting, reminds, is decided |
| plan | the next version | |
| search | a substitute's offer, what the plan lacks, whether it is looked for, each subnet's beginning | until when |
| agreement | what would still be possible | |
| afterwards | the beginning of what takes this one up again | until when: undo, check-ins, other times |

Names are those of every database there is. Where the same question is asked anew under the same name, its basis has
changed. Two things are no function of the state, and are said by the rule that lets them happen: what another
negotiation is told once (a subnet that is taken back, a subnet's result, a clash), and the search for clashes. One is a
function of the time as well, and is said by `check_ins`.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from engine.kernel import Ask, Outstanding, SendCommand
from engine.negotiation.afterwards.reopening import REOPEN
from engine.negotiation.afterwards.rescheduling import alarm_of, open_now
from engine.negotiation.afterwards.undoing import UNDO
from engine.negotiation.agreement.compromise import COMPROMISE, is_wanted
from engine.negotiation.demand import gathering
from engine.negotiation.demand.clarification import QUESTION
from engine.negotiation.drafting import DURATION
from engine.negotiation.ids import PROTOCOL
from engine.negotiation.offers.offers import AGGREGATE, OFFERS
from engine.negotiation.search.gaps import GAPS, RECURSE, important_gaps
from engine.negotiation.search.subnets import BEGIN, SUBNETS, running
from engine.negotiation.search.substitutes import awaited, waiting
from engine.negotiation.state import TERMINAL, Negotiation, Status, Wait
from engine.negotiation.voting import rounds, second_opinion
from engine.negotiation.voting.between_rounds import DECIDE
from engine.negotiation.voting.votes import half_time

KEPT: Final = 1_024
"""Questions that are made once: while a round is open, the same ones are compared after every command."""


def outstanding(state: Negotiation) -> Outstanding:
    """Make it once for each state, and keep it there: what is after one command is before the next."""
    kept: dict[str, Outstanding] = state.__dict__
    if "outstanding" not in kept:
        kept["outstanding"] = _outstanding(state)
    return kept["outstanding"]


def _outstanding(state: Negotiation) -> Outstanding:
    wanted = Outstanding({}, {})
    if not state.demand_id:
        return wanted  # nobody has asked for anything
    if state.status not in TERMINAL:
        wanted.alarms[DURATION] = state.until
    if state.status in _WHILE:
        _WHILE[state.status](state, wanted)
    if state.subnets:
        _subnets(state, wanted)
    if state.reopened is not None:
        to = state.reopened.next_channel_id
        wanted.effects[SendCommand(name=REOPEN, scope=REOPEN, to=to, protocol=PROTOCOL)] = None
    if (asking := open_now(state)) is not None:
        wanted.alarms[alarm_of(asking)] = asking.begun.until
    if state.reversals.until:
        wanted.alarms[UNDO] = state.reversals.until
    return wanted


def _ask(name: str, scope: str = "", prompt: str = "", about: str = "") -> Ask:
    """Where nothing else is said, the scope and the prompt have the same name."""
    return Ask(name=name, scope=scope or name, prompt=prompt or name, about=about)


# ── demand and offers ─────────────────────────────────────────────────────────────────────────────────────────────


def _demand(state: Negotiation, wanted: Outstanding) -> None:
    if state.unclear is not None:
        wanted.alarms[QUESTION] = state.unclear.deadline
    else:
        for name in gathering.awaited(state):
            prompt = name.partition("/")[0]
            wanted.effects[_ask(name, prompt, prompt)] = state.raw_input, state.recoveries


def _offers(state: Negotiation, wanted: Outstanding) -> None:
    """Each twin's that was asked and has not answered, in whose place nobody has."""
    if state.wait is not Wait.SUBNETS:
        wanted.alarms[OFFERS] = state.offers_due
    if state.wait is Wait.TWINS:
        for agent_id in state.asked_twins or state.invited:
            if agent_id not in state.offers:
                wanted.effects[_offer(agent_id, OFFERS)] = state.recoveries
    if state.drafts_early:
        _first_version(state, wanted)


@lru_cache(KEPT)
def _offer(agent_id: str, scope: str) -> Ask:
    return _ask(f"offer/{agent_id}", scope, "respond", agent_id)


def _first_version(state: Negotiation, wanted: Outstanding) -> None:
    wanted.effects[_ask(AGGREGATE)] = state.corrections, state.recoveries


# ── voting, and what follows a round ──────────────────────────────────────────────────────────────────────────────


def _voting(state: Negotiation, wanted: Outstanding) -> None:
    opened = state.current
    if opened is None:
        _readings(state, wanted)
        _substitutes(state, wanted)
        if state.awaits_decision:
            wanted.alarms[DECIDE] = state.offers_due
        return
    number, effects, alarms = opened.number, wanted.effects, wanted.alarms
    for about in opened.opinions_due:
        effects[_ask(second_opinion.name(opened.version, about), second_opinion.scope(number), "verify", about)] = None
    if state.unread:
        _readings(state, wanted)
    votes = [_vote(number, agent_id) for agent_id, seat in opened.seats.items() if seat.twin_asked]
    for each in votes:
        effects[each] = None
    alarms[rounds.closing(number)] = opened.window.deadline
    if votes:
        alarms[rounds.patience(number)] = opened.window.twins_until
    if opened.waited_for_people and not opened.reminded and state.policy.human_window > 0:
        alarms[half_time(number)] = opened.window.half_time(state.policy)


@lru_cache(KEPT)
def _vote(number: int, agent_id: str) -> Ask:
    return _ask(f"feedback/{number}/{agent_id}", second_opinion.scope(number), "feedback", agent_id)


def _readings(state: Negotiation, wanted: Outstanding) -> None:
    for who, said in state.unread.items():
        name, scope = f"request/{said.round}/{who}", f"request/{who}"
        wanted.effects[_ask(name, scope, "read_request", said.agent_id)] = said.text


def _next_version(state: Negotiation, wanted: Outstanding) -> None:
    _readings(state, wanted)
    wanted.effects[_ask(rounds.adjusting(state.round), rounds.ADJUST, "adjust")] = state.recoveries


# ── search, and agreement ─────────────────────────────────────────────────────────────────────────────────────────


def _substitutes(state: Negotiation, wanted: Outstanding) -> None:
    for each in awaited(state):
        scope = waiting(each.agent_id)
        if not each.in_person:
            wanted.effects[_offer(each.agent_id, scope)] = None
        wanted.alarms[scope] = each.deadline


def _gaps(state: Negotiation, wanted: Outstanding) -> None:
    """What an agreed plan lacks. Subnets do not ask, so that there is one level of them."""
    if state.parent is not None:
        return
    if state.gaps is None and state.policy.max_depth:
        wanted.effects[_ask(GAPS)] = None
    if state.recursion is None and important_gaps(state):
        wanted.effects[_ask(RECURSE)] = None


def _compromise(state: Negotiation, wanted: Outstanding) -> None:
    if is_wanted(state):
        wanted.effects[_ask(COMPROMISE)] = None


def _subnets(state: Negotiation, wanted: Outstanding) -> None:
    found = running(state)
    for subnet in found:
        sub = subnet.triggered.sub_channel_id
        wanted.effects[SendCommand(name=f"{BEGIN}/{sub}", scope=sub, to=sub, protocol=PROTOCOL)] = None
    if found:
        wanted.alarms[SUBNETS] = min(each.triggered.deadline for each in found)


_WHILE: Final[Mapping[Status, Callable[[Negotiation, Outstanding], None]]] = {
    Status.CREATED: _demand,
    Status.COLLECTING: _offers,
    Status.AGGREGATING: _first_version,
    Status.NEGOTIATING: _voting,
    Status.PROPOSAL_SENT: _next_version,
    Status.FINALIZED: _gaps,
    Status.FORCE_FINALIZED: _gaps,
    Status.FAILED: _compromise,
}
