"""What people do in a scenario of a negotiation, and when."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bot.demo.oracle.scenarios import AGENT, Act, Scenario
from engine.errors import Misconfigured
from engine.kernel import Action, Command, FieldKind, Millis
from engine.negotiation import commands
from engine.negotiation.actions import ACTIONS
from engine.negotiation.answers import OfferDecision
from engine.negotiation.state import Negotiation, Status


def act(scenario: Scenario, said: Act, state: Negotiation, command_id: str, at: Millis) -> Command | None:
    """Return the command; None as long as it is not time for it."""
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


def _made(rows: Sequence[Action[Negotiation]]) -> Make:
    """Return how the rows of one act are made into its command.

    Args:
        rows: the scenario chooses one of several by what stands after the point of their names.
    """

    def make(scenario: Scenario, said: Fields, state: Negotiation, fields: Fields) -> Command:
        chosen = said.get("vote", said.get("choice"))
        found = [each for each in rows if len(rows) == 1 or each.name.partition(".")[2] == chosen]
        if not found:
            raise Misconfigured([f"`{chosen}` is nothing that can be chosen here; see docs/oracle.md"])
        [action] = found
        latest = state.rounds[-1] if state.rounds else None
        about: Fields = {"to": said.get("to", "")}
        about |= {each.name: said.get("text", "") for each in action.fields if each.kind is FieldKind.TEXT}
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
    choice = "ask" if said.get("ask", True) else "decline"
    return _BY_ROWS["answer_help"](scenario, said | {"choice": choice}, state, fields)


_BY_ROWS: Final = {
    act: _made([each for each in ACTIONS if each.audited_as == act])
    for act in dict.fromkeys(each.audited_as for each in ACTIONS)
}
ACTS: Final[Mapping[str, Make]] = {
    **_BY_ROWS,
    "edit": _BY_ROWS["edit_demand"],
    "correct_offer": _offer,
    "stop": _stop,
    "offer_help": _offer_help,
    "answer_help": _answer_help,
}
"""The actions as the audit calls them, and what takes more than their rows say."""
