"""What people do in a scenario of a negotiation, and when."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.demo.oracle.scenarios import AGENT, Act, Scenario
from engine.errors import Misconfigured
from engine.kernel import Command, Millis
from engine.negotiation import commands
from engine.negotiation.answers import OfferDecision
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import MissingChoice
from engine.negotiation.voting.kinds import FeedbackType


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


def _vote(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    current = state.rounds[-1]
    about: Fields = {"agent_id": _agent(said), "round": current.number, "digest": current.digest}
    return commands.CastVote(
        **fields, **about, feedback_type=FeedbackType(said["vote"]), text=said.get("text", ""), **_admin(said)
    )


def _admin(said: Fields) -> Fields:
    return {"as_admin": True} if said.get("as_admin") else {}


def _change(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    current = state.rounds[-1]
    return commands.RequestChange(**fields, text=said["text"], round=current.number, digest=current.digest)


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


def _decide(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    return commands.DecideMissing(**fields, choice=MissingChoice(said["choice"]), **_admin(said))


def _edit(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    return commands.EditDemand(**fields, raw_input=said["text"], **_admin(said))


def _close(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    return commands.CloseRound(**fields, round=state.rounds[-1].number, **_admin(said))


def _stop(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    return commands.Cancel(**fields, reason=said.get("text", ""), **_admin(said))


def _core(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    return commands.ChooseCore(**fields, agent_ids=tuple(AGENT + each for each in said["for"]), **_admin(said))


def _delegate(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    return commands.Delegate(**fields, agent_id=_agent(said), to=said.get("to", ""))


def _hand_back(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    return commands.HandBack(**fields, agent_id=_agent(said))


def _give_up(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    return commands.GiveUpSeat(**fields, agent_id=_agent(said), reason=said.get("text", ""))


def _proceed(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
    return commands.Proceed(**fields, **_admin(said))


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
    return commands.AnswerHelp(**fields, agent_id=_agent(said), ask=bool(said.get("ask", True)), **_admin(said))


ACTS: Final[Mapping[str, Make]] = {
    "vote": _vote,
    "request_change": _change,
    "correct_offer": _offer,
    "decide_missing": _decide,
    "edit": _edit,
    "close_round": _close,
    "stop": _stop,
    "choose_core": _core,
    "delegate": _delegate,
    "hand_back": _hand_back,
    "give_up": _give_up,
    "proceed": _proceed,
    "offer_help": _offer_help,
    "answer_help": _answer_help,
}
