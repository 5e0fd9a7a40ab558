"""How a deliberation ended, in words: agreed, decided by whom, disagreed on what, or what still speaks against it.

Only what its data shows is said here; a model's words on it stand below.
"""

from typing import Final

from bot.texts import Texts
from bot.views.deliberation.names import agent_name, person_of, reason_text, whoever
from bot.views.deliberation.positions import both_refuse
from bot.views.deliberation.values import slot_name
from bot.views.kit.mrkdwn import Fit
from engine.deliberation.closing.reporting import disagreements, outcome_of, still_open
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Reason

MOST_FORMER: Final = 3
MOST_NAMED: Final = 2
"""Of what both differ in, in one sentence; the lists name the rest."""


def ended_line(state: Deliberation, texts: Texts, there: str = "") -> str:
    """Return the status of one that has ended, and where to read on.

    Args:
        there: a link to the plan; empty where it is not known.
    """
    where = there or texts.say("The plan is below")
    what = disagreed_on(state, texts)
    why = reason_text(state.reason or Reason.USER_STOP, texts)
    match outcome_of(state):
        case "decided":
            return texts.say(
                "✅ Decided by {who}: the {whose}’s position. {where}", where=where, **_decision(state, texts)
            )
        case "agreed":
            return texts.say("✅ Agreed: {why}. {where}", why=why, where=where)
        case "no_plan":
            return texts.say("There is no plan: {why}", why=why)
        case "not_argued":
            return texts.say("What is known is laid side by side. Nobody has weighed it: that takes a model")
        case _ if both_refuse(state):
            return texts.say("🛑 Both say that it should not be carried out as it is asked for. Why, is below")
        case "not_settled":
            return texts.say(
                "Both hold the same, and it is not settled: {why}. What there is, is below", why=_against(state, texts)
            )
        case _ if what:
            return texts.say("No agreement on {what}: {why}. What there is, is below", what=what, why=why)
        case _:
            return texts.say("No agreement: {why}. What there is, is below", why=why)


def short_ended_line(state: Deliberation, texts: Texts) -> str:
    """Return the same where the plan is not shown."""
    what = disagreed_on(state, texts)
    why = reason_text(state.reason or Reason.USER_STOP, texts)
    match outcome_of(state):
        case "decided":
            return texts.say("✅ Decided by {who}: the {whose}’s position", **_decision(state, texts))
        case "agreed":
            return texts.say("✅ Agreed")
        case "no_plan":
            return texts.say("There is no plan: {why}", why=why)
        case "not_argued":
            return texts.say("Laid side by side, and not weighed")
        case _ if both_refuse(state):
            return texts.say("🛑 Both say that it should not be carried out")
        case "not_settled":
            return texts.say("Both hold the same, and it is not settled: {why}", why=_against(state, texts))
        case _ if what:
            return texts.say("No agreement on {what}: {why}", what=what, why=why)
        case _:
            return texts.say("No agreement: {why}", why=why)


def told_end(state: Deliberation, texts: Texts, fit: Fit) -> str:
    """Return the sentence with which a report begins, before a model's own; empty where both have agreed."""
    what = disagreed_on(state, texts)
    match outcome_of(state):
        case "decided" if state.choice is not None:
            who, whose = whoever(state.choice.by, texts, fit), agent_name(state.choice.chosen, texts)
            decided = texts.say("{who} decided for the {whose}’s position.", who=who, whose=whose)
            had = texts.say("Planner and Critic had not agreed on {what}.", what=what) if what else ""
            return f"{decided}\n{had}".strip()
        case "not_settled":
            return texts.say("Planner and Critic hold the same. What still speaks against it, stands below.")
        case "disagreed" if what:
            return texts.say("Planner and Critic do not agree on {what}.", what=what)
        case _:
            return ""


def former_decisions(state: Deliberation, texts: Texts, fit: Fit) -> list[str]:
    """Return a sentence for each decision that was made and is open again, and by whom, the oldest first."""
    return [
        texts.say(
            "↩️ {who} had decided for the {whose}’s position; what {by} brought up has opened that again.",
            who=whoever(each.by, texts, fit),
            whose=agent_name(each.chosen, texts),
            by=whoever(each.reopened_by, texts, fit),
        )
        for each in state.former_choices[-MOST_FORMER:]
    ]


def disagreed_on(state: Deliberation, texts: Texts) -> str:
    """Name in what both differ; empty where they do not, or nobody can tell."""
    fit = Fit()
    names = [slot_name(each.slot, fit.line(each.about, 60), texts) for each in disagreements(state)]
    named = [*dict.fromkeys(names)]
    listed = texts.say(", ").join(named[:MOST_NAMED])
    more = len(named) - MOST_NAMED
    if more <= 0:
        return listed
    return texts.count("{what} and {n} thing more", "{what} and {n} things more", more, what=listed)


def _against(state: Deliberation, texts: Texts) -> str:
    """Say what kind of thing speaks against it; where nothing does, why it ended before that was said."""
    held = still_open(state)
    return reason_text(held[0].reason if held else state.reason or Reason.USER_STOP, texts)


def _decision(state: Deliberation, texts: Texts) -> dict[str, str]:
    """Who decided, without a mention: a status notifies nobody."""
    choice = state.choice
    if choice is None:  # its words are erased
        return {"who": texts.say("whoever asked"), "whose": "…"}
    known = person_of(state, choice.by, Fit())
    other = texts.say("whoever asked") if choice.by == state.requester_id else texts.say("an admin")
    return {"who": known or other, "whose": agent_name(choice.chosen, texts)}
