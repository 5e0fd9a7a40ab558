"""How long the answer to a question is waited for: its step ends by an alarm, or with the negotiation."""

from engine.kernel import Ask, Millis
from engine.negotiation.state import Negotiation


def waited_for_until(state: Negotiation, ask: Ask) -> Millis:
    """Return when nobody waits for the answer any more; 0 where that has no end of its own."""
    match ask.prompt:
        case "respond":
            vacancy = next((each for each in state.vacancies.values() if each.agent_id == ask.about), None)
            return vacancy.deadline if vacancy else state.offers_due
        case "feedback" | "verify":
            return state.current.twins_until if state.current else 0
        case "understand" | "filter" | "aggregate" | "adjust":
            return state.until
        case _:
            return 0
