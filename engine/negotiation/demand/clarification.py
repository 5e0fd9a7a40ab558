"""A question first: where nothing essential can be made out, or nobody fits, whoever asked is asked before anybody is.

They answer by wording the demand otherwise. Silence ends it: without a failure where the demand was unclear.
"""

from typing import Final

from engine.kernel import AlarmRang, Millis
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import DemandUnclear, NegotiationCancelled, NegotiationFailed
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Outcome

QUESTION: Final = "question"
"""The alarm after which an answer is not waited for any longer."""

MOST_QUESTIONS: Final = 2
"""About what is needed. Then it goes on with what there is: a weak model would ask for ever."""


def is_due(state: Negotiation) -> bool:
    """Whether nothing but a question was made of the demand."""
    said = state.understanding
    is_asked = said is not None and bool(said.question.strip()) and not said.needs
    return is_asked and state.parent is None and _times_asked(state, "demand") < MOST_QUESTIONS


def is_no_demand(state: Negotiation) -> bool:
    """Whether somebody wrote a question about ToWow, or a greeting: then nobody else is asked for anything."""
    said = state.understanding
    return said is not None and said.kind != "demand" and state.parent is None


def reply(draft: NegotiationDraft, at: Millis) -> None:
    """End it quietly, with one sentence to whoever wrote it; empty where the model has none."""
    state = draft.state
    text = state.understanding.reply.strip() if state.understanding else ""
    draft.happens(DemandUnclear(**draft.ids, about="demand", question=text, deadline=at, until=state.until))
    draft.happens(NegotiationCancelled(**draft.ids, by="", reason=text, at=at))


def ask(draft: NegotiationDraft, question: str, at: Millis) -> None:
    """Ask what is meant. Where nobody can be waited for, the question is how it ends."""
    given = draft.time_for_people(time_to_decide(draft.state), at)
    draft.happens(DemandUnclear(**draft.ids, about="demand", question=question.strip(), **given))
    _wait(draft)


def ask_who_could_help(draft: NegotiationDraft, at: Millis) -> None:
    """Ask once who could help, or for other words, before it fails because nobody fits."""
    state = draft.state
    if _times_asked(state, "people") or state.parent is not None:
        draft.happens(NegotiationFailed(**draft.ids, reason=Outcome.NO_CANDIDATES))
        return
    given = draft.time_for_people(time_to_decide(state), at)
    draft.happens(DemandUnclear(**draft.ids, about="people", **given))
    _wait(draft)


def _times_asked(state: Negotiation, about: str) -> int:
    return sum(each.about == about for each in state.questions)


def time_to_decide(state: Negotiation) -> float:
    """Return the seconds that whoever asked is given for a decision. Without a channel nobody tells them in Slack: who
    asked over HTTP is told by the answer, and is given the shorter time.
    """
    policy = state.policy
    return policy.human_window if state.place.channel else min(policy.human_window, policy.override_window)


def alarm_rang(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    state = draft.state
    if state.awaits_answer and state.unclear and alarm.at >= state.unclear.deadline:
        give_up(draft)


def give_up(draft: NegotiationDraft) -> None:
    """End it, since the question was not answered."""
    unclear = draft.state.unclear
    if unclear is None or unclear.about == "people":
        draft.happens(NegotiationFailed(**draft.ids, reason=Outcome.NO_CANDIDATES))
    else:
        draft.happens(NegotiationCancelled(**draft.ids, by="", reason=unclear.question))


def _wait(draft: NegotiationDraft) -> None:
    if not time_to_decide(draft.state):
        give_up(draft)
