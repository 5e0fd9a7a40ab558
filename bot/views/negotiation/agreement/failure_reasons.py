"""Why a negotiation ended without a plan, and what would give the next one a better chance."""

from bot.texts import Texts
from bot.views.negotiation.voting.votes import tally_line
from engine.errors import BudgetSpent, InvalidAnswer
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Outcome


def failure_reason(state: Negotiation, texts: Texts) -> str:
    """Half a sentence."""
    if state.outcome is Outcome.NEGOTIATION_TIMEOUT:
        if not state.rounds:
            return texts.say("it took too long before there was a proposal")
        if len(state.rounds) < state.policy.max_rounds:
            return texts.say("the time ran out before there was agreement")
    if state.outcome is Outcome.MODEL_UNAVAILABLE and not state.policy.require_model:
        return texts.say("the twins could not answer, and nobody else said yes")
    return outcome_reason(state.outcome, state.policy, texts)


def outcome_reason(outcome: Outcome | None, policy: Policy, texts: Texts) -> str:
    match outcome:
        case Outcome.NO_CANDIDATES:
            return texts.say("nobody was found who clearly fits")
        case Outcome.NO_PARTICIPANTS:
            return texts.say("nobody was able to take part")
        case Outcome.LOW_ACCEPTANCE:
            return texts.say("fewer than {percent}% accepted the proposal", percent=policy.fail_below)
        case Outcome.MAJORITY_REJECT:
            return texts.say("most of those asked said no")
        case Outcome.CORE_WITHDRAWN:
            return texts.say("somebody the plan cannot do without has left")
        case Outcome.CORE_NOT_AGREED:
            return texts.say("somebody the plan cannot do without did not agree to it")
        case Outcome.NO_FEEDBACK:
            return texts.say("too few people answered")
        case Outcome.NEGOTIATION_TIMEOUT:
            return texts.say("the rounds ran out before there was agreement")
        case Outcome.MODEL_UNAVAILABLE:
            return texts.say("no model could be reached, and nothing else may answer in its place here")
        case _:
            return texts.say("a step kept failing on our side")


def known_facts(state: Negotiation, texts: Texts) -> list[str]:
    """Facts that code has counted, half a sentence each."""
    facts = []
    if state.invited and state.outcome is not Outcome.MODEL_UNAVAILABLE:
        facts.append(
            texts.say("{n} of {total} asked would take part", n=len(state.participants), total=len(state.invited))
        )
    if state.rounds:
        facts.append(texts.count("{n} round", "{n} rounds", len(state.rounds)))
        facts.append(tally_line(state, state.rounds[-1], texts, is_open=False))
    return facts


def as_sentence(half: str, texts: Texts) -> str:
    # Translators: makes a sentence of half of one, such as "too few people answered".
    return texts.say("{half}.", half=half[:1].upper() + half[1:])


def what_would_help_next(state: Negotiation, texts: Texts) -> str:
    match state.outcome:
        case Outcome.NO_CANDIDATES:
            return texts.say(
                "Say more concretely which skills, place and time you need; "
                "or ask a colleague who has them to set up a profile."
            )
        case Outcome.NO_PARTICIPANTS:
            return texts.say(
                "Their reasons are above. Another date, a smaller share or a clearer offer often makes the difference."
            )
        case Outcome.NEGOTIATION_TIMEOUT if not state.rounds:
            return texts.say("Nothing you did caused this. Please ask again in a while.")
        case Outcome.LOW_ACCEPTANCE | Outcome.MAJORITY_REJECT | Outcome.NEGOTIATION_TIMEOUT:
            return texts.say("Take up what people asked for in your next demand, or start with a smaller plan.")
        case Outcome.CORE_WITHDRAWN:
            return texts.say("Find somebody for the part that nobody has first, or plan without it; then ask again.")
        case Outcome.CORE_NOT_AGREED:
            return texts.say("Talk to whoever the plan depends on about what they asked for, then ask again.")
        case Outcome.NO_FEEDBACK:
            return texts.say("Ask again at a time when people can answer, or talk to the most important ones first.")
        case Outcome.MODEL_UNAVAILABLE if state.degraded and state.degraded[-1].why == InvalidAnswer.code:
            return texts.say(
                "Nobody refused: what the model answered could not be read. "
                "An admin can choose another model (LLM_MODEL)."
            )
        case Outcome.MODEL_UNAVAILABLE if state.degraded and state.degraded[-1].why == BudgetSpent.code:
            return texts.say(
                "Nobody refused: the budget for models is spent. "
                "Ask again tomorrow, or ask an admin to raise it (TOWOW_BUDGET_…)."
            )
        case Outcome.MODEL_UNAVAILABLE if not state.policy.require_model:
            return texts.say("Nobody refused: the model could not be reached. Please take it up again in a while.")
        case Outcome.MODEL_UNAVAILABLE:
            return texts.say(
                "Nothing you did caused this. Take it up again in a while; "
                "for new demands, an admin can let simple rules stand in (Settings in the Home tab)."
            )
        case _:
            return texts.say("Nothing you did caused this. Please ask again in a while.")
