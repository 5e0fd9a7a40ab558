"""Between two rounds, where needs decide: what was lost is looked for, then whoever asked decides, then it goes on.

| what is open | who is waited for | when they say nothing |
| --- | --- | --- |
| something essential was lost | the reserve; people whose twins cannot answer | the next of them |
| nobody is left to ask for it | whoever asked: go on without, look wider, stop | it fails |
| the same plan was sent twice, and no new change is asked for | whoever asked: keep it, again, stop | it is kept |
"""

from enum import StrEnum
from typing import Final

from engine.errors import IllegalStep
from engine.kernel import AlarmRang, Millis
from engine.negotiation.commands import DecideMissing, RecordOffer
from engine.negotiation.demand.clarification import time_to_decide
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import NegotiationFailed, RequesterAsked, RequesterDecided
from engine.negotiation.search import subnets, substitutes
from engine.negotiation.state import Negotiation, Round, Status, Wait
from engine.negotiation.terms import MissingChoice, Outcome, Question, Verdict
from engine.negotiation.voting import rounds

DECIDE: Final = "decide"
"""The alarm after which whoever asked is no longer waited for."""
MOST_QUESTIONS: Final = 2
"""About what was lost in one round: once others have been looked for in vain, whoever asked is asked once more."""


def follow(draft: NegotiationDraft, at: Millis) -> None:
    """Do the next thing between two rounds, unless somebody is waited for."""
    state = draft.state
    if state.status is not Status.NEGOTIATING or not state.rounds or not state.policy.by_needs:
        return
    tally = state.rounds[-1].tally
    if tally is None or substitutes.awaited(state) or state.awaits_decision or is_searching(state):
        return
    if tally.decision is Verdict.NEXT_ROUND:
        _ask(draft, "repeated", (), at)
        return
    lost = substitutes.still_lost(state)
    if not lost:
        rounds.start(draft, state.round + 1)
    elif len([each for each in state.decisions if each.round == state.round]) < MOST_QUESTIONS:
        _ask(draft, "lost", lost, at)
    else:
        _fail(draft)


class Follows(StrEnum):
    """What follows a round that was not the last, before there is another version."""

    NEXT = "next"
    ASKED = "asked"
    """Somebody is asked for what was lost."""
    TAKEN_OVER = "taken_over"
    """Who stays takes over what was lost, and has offered it."""
    LOST = "lost"
    """Whoever asked decides about what was lost."""
    REPEATED = "repeated"
    """Whoever asked decides about a version that was sent twice."""
    UNCHANGED = "unchanged"
    """... since no other plan came of what is asked for."""


def follows(state: Negotiation, closed: Round) -> Follows:
    asked = [each.asked.about for each in state.decisions if each.round == closed.number]
    if asked and asked[-1] == "repeated" and rounds.is_still_wished(state, closed.number):
        return Follows.UNCHANGED
    if asked:
        return Follows(asked[-1])
    if closed.tally is None or closed.tally.decision is not Verdict.SUBSTITUTE:
        return Follows.NEXT
    is_asked = any(each.round == closed.number for each in state.vacancies.values())
    return Follows.ASKED if is_asked or not state.policy.by_needs else Follows.TAKEN_OVER


def is_searching(state: Negotiation) -> bool:
    """Whether others are looked for, who do what was lost."""
    return state.wait is Wait.SUBNETS and state.is_searching


def substitute_answered(draft: NegotiationDraft, command: RecordOffer) -> None:
    """Begin the next round once every core seat is taken again."""
    is_seated = substitutes.answered(draft, command)
    if is_seated and not draft.state.policy.by_needs and substitutes.all_seated(draft.state):
        rounds.start(draft, draft.state.round + 1)


def decided(draft: NegotiationDraft, command: DecideMissing) -> None:
    """Take the decision of whoever asked, who may make it."""
    state = draft.state
    about, choice = state.decisions[-1].asked.about, command.choice
    if choice is MissingChoice.LOOK_WIDER:
        if about != "lost" or not may_look_wider(state):
            raise IllegalStep("Nobody else is looked for here. Go on without, or stop.")
        subnets.look_wider(draft, state.decisions[-1].needs, command.by, command.at, again=True)
        return
    if choice is MissingChoice.SEND_AGAIN and about != "repeated":
        raise IllegalStep("What was lost would be lost in the same version again. Go on without, or stop.")
    draft.happens(RequesterDecided(**draft.ids, choice=choice, by=command.by))
    if choice is MissingChoice.SEND_AGAIN:
        rounds.send_again(draft, command.at)
    elif about == "repeated":
        rounds.keep_best(draft, command.at)
    else:
        rounds.start(draft, state.round + 1)


def may_look_wider(state: Negotiation) -> bool:
    """Whether others can be looked for, who were not looked for since the last round."""
    asked = [each for each in state.decisions if each.round == state.round and each.made is not None]
    return bool(state.policy.max_depth and state.policy.max_subnets) and not asked


def alarm_rang(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    if draft.state.awaits_decision and alarm.at >= draft.state.offers_due:
        give_up(draft, alarm.at)


def give_up(draft: NegotiationDraft, at: Millis) -> None:
    """Go on without a decision: silence keeps a version that was sent twice, and saves nothing that was lost."""
    state = draft.state
    if not state.awaits_decision:
        return
    about = state.decisions[-1].asked.about
    draft.happens(RequesterDecided(**draft.ids, choice=MissingChoice.GO_ON))
    if about == "repeated":
        rounds.keep_best(draft, at)
    else:
        _fail(draft)


def _fail(draft: NegotiationDraft) -> None:
    draft.happens(NegotiationFailed(**draft.ids, reason=Outcome.CORE_WITHDRAWN, last_proposal=draft.state.proposal))


def _ask(draft: NegotiationDraft, about: Question, need_ids: tuple[str, ...], at: Millis) -> None:
    state, window = draft.state, time_to_decide(draft.state)
    given = draft.time_for_people(window, at)
    draft.happens(RequesterAsked(**draft.ids, need_ids=need_ids, about=about, **given))
    if not window or state.parent is not None:
        give_up(draft, at)
