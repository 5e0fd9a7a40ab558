"""What people do in a scenario of a negotiation, and when."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.demo.oracle.scenarios import AGENT, Act, Scenario
from engine.errors import Misconfigured
from engine.kernel import Command, Millis
from engine.negotiation import commands
from engine.negotiation.actions import BY_NAME
from engine.negotiation.answers import OfferDecision
from engine.negotiation.state import Negotiation, Status


def act(scenario: Scenario, said: Act, state: Negotiation, command_id: str, at: Millis) -> Command | None:
    """Return the command; None as long as it is not time for it.

    Raises:
        Misconfigured: there is no such act, or no such time.
    """
    if said.do not in ACTS:
        raise Misconfigured([f"`{said.do}` is nothing that a person does; there are: {', '.join(ACTS)}"])
    if not _is_time(said.at, state):
        return None
    fields = {"command_id": command_id, "at": at, "by": _user(scenario, said.by)}
    return ACTS[said.do](scenario, dict(said.with_), state, fields)


def _is_time(when: str, state: Negotiation) -> bool:
    name, _, number = when.partition(" ")
    match name:
        case "offers":
            return state.status is Status.COLLECTING
        case "question":
            return state.awaits_answer
        case "decision":
            return state.awaits_decision
        case "round":
            return state.current is not None and state.current.number == int(number)
        case "end":
            return not state.is_open
    raise Misconfigured([f"`{when}` is no time for an act; see docs/oracle.md"])


def _user(scenario: Scenario, who: str) -> str:
    if who == "requester":
        return scenario.requester
    return (scenario.people[who].user or scenario.requester) if who in scenario.people else who


Fields = dict[str, Any]
Make = Callable[[Scenario, Fields, Negotiation, Fields], Command]


def _agent(said: Fields) -> str:
    return AGENT + str(said["for"])


def _row(name: str, *, chosen_by: str = "", text: str = "text") -> Make:
    """Return how a row of the actions is made into the command of an act.

    Args:
        name: the row's; what stands after the point is chosen by the scenario where it says so.
        chosen_by: the name under which the scenario chooses it.
        text: the field of the command that takes the scenario's text.
    """

    def make(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
        wanted = f"{name}.{said.get(chosen_by)}" if chosen_by else name
        if wanted not in BY_NAME:
            raise Misconfigured([f"`{said.get(chosen_by)}` is nothing that `{chosen_by}` can say; see docs/oracle.md"])
        action = BY_NAME[wanted]
        latest = state.rounds[-1] if state.rounds else None
        about: Fields = {text: said.get("text", ""), "to": said.get("to", "")}
        if latest is not None:
            about |= {"round": latest.number, "digest": latest.digest}
        if isinstance(said.get("for"), str):
            about["agent_id"] = _agent(said)
        elif "for" in said:
            about["agent_ids"] = tuple(AGENT + each for each in said["for"])
        return action.command_of(about, as_admin=bool(said.get("as_admin")), **fields)

    return make


def _offer(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    return commands.CorrectOffer(
        **fields,
        agent_id=_agent(said),
        decision=OfferDecision(said.get("decision", "participate")),
        contribution=said.get("contribution", ""),
        conditions=tuple(said.get("conditions", ())),
        reason=said.get("reason", ""),
        covers=tuple(said["covers"]) if "covers" in said else None,
        brings=said.get("brings", 1),
    )


def _stop(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    return commands.Cancel(**fields, reason=said.get("text", ""), as_admin=bool(said.get("as_admin")))


def _offer_help(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    name = scenario.people[said["for"]].name
    return commands.OfferHelp(
        **fields,
        agent_id=_agent(said),
        display_name=name,
        text=said["text"],
        has_twin=True,
        covers=tuple(said.get("covers", ())),
    )


def _answer_help(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    return _row("help.ask" if said.get("ask", True) else "help.decline")(scenario, said, state, fields)


ACTS: Final[Mapping[str, Make]] = {
    "vote": _row("vote", chosen_by="vote"),
    "request_change": _row("plan.change"),
    "correct_offer": _offer,
    "decide_missing": _row("missing", chosen_by="choice"),
    "edit": _row("demand.edit", text="raw_input"),
    "close_round": _row("round.close"),
    "stop": _stop,
    "choose_core": _row("core.choose"),
    "delegate": _row("seat.delegate"),
    "hand_back": _row("seat.hand_back"),
    "give_up": _row("seat.give_up", text="reason"),
    "proceed": _row("plan.proceed"),
    "offer_help": _offer_help,
    "answer_help": _answer_help,
}
