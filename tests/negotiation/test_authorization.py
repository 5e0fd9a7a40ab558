"""Who may do what, as a table over the rules alone: every role times every act of a person.

What the product makes of it (who is acting, what they are told, that nothing changes) is in tests/bot.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest

from engine.errors import NotAllowed
from engine.facts.circumstances import When
from engine.kernel import Command, Place
from engine.negotiation.answers import Assignment, Need, OfferDecision
from engine.negotiation.commands import (
    AnswerCheckIn,
    AnswerHelp,
    Cancel,
    CastPrepared,
    CastVote,
    ChooseCore,
    CloseRound,
    CorrectOffer,
    CorrectRequest,
    DecideMissing,
    Delegate,
    EditDemand,
    GiveUpSeat,
    HandBack,
    OfferHelp,
    Proceed,
    Reopen,
    RequestChange,
    TakeBack,
)
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from engine.negotiation.terms import MissingChoice
from engine.negotiation.voting.kinds import FeedbackType
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario, voting

AYA, BO, DELEGATE, ADMIN, STRANGER = "U_AYA", "U_BO", "U_DEL", "U_ADMIN", "U_EVE"
LINKED: Final = {"aya": AYA, "bo": BO}
CHANNEL: Final = Place(channel="C_LOBBY")
PATIENT: Final = Policy(human_window=3600, override_window=0)


@dataclass(frozen=True)
class Role:
    name: str
    by: str
    seats: tuple[str, ...] = ()
    """The seats that this person may vote for and correct the offer of."""
    own: tuple[str, ...] = ()
    """The seats that are linked to this very person."""
    owner: bool = False
    """Whether they may direct the whole negotiation: who asked, and admins."""
    as_admin: bool = False


ROLES: Final = (
    Role("the requester", REQUESTER, seats=("chen",), owner=True),
    Role("the linked person of a seat", AYA, seats=("aya",), own=("aya",)),
    Role("another linked participant", BO, seats=("bo",), own=("bo",)),
    Role("a delegate", DELEGATE, seats=("aya",)),
    Role("an admin", ADMIN, owner=True, as_admin=True),
    Role("an admin who is linked", BO, seats=("bo",), own=("bo",), owner=True, as_admin=True),
    Role("a stranger", STRANGER),
    Role("an outsider under the id of the requester", f"{REQUESTER}@T_PARTNER"),
    Role("an outsider under the id of a linked person", f"{AYA}@T_PARTNER"),
    Role("an outsider under the id of an admin", f"{ADMIN}@T_PARTNER"),
    Role("nobody", ""),
)

SEATS: Final = ("aya", "bo", "chen")
Act = Callable[[Scenario, Role, str], tuple[type[Command], Mapping[str, Any]]]


def open_round() -> Scenario:
    policy = PATIENT.model_copy(update={"name": "balanced"})  # under which people may abstain as well
    return voting("aya", "bo", "chen", policy=policy, linked=LINKED).delegates(AYA, "aya", DELEGATE)


def prepared() -> Scenario:
    """Every twin has prepared a vote."""
    scenario = Scenario(policy=PATIENT, linked=LINKED, preparing=SEATS).demand().understood().shortlisted(*SEATS)
    for each in SEATS:
        scenario.offers(each)
    scenario.drafted(*SEATS).delegates(AYA, "aya", DELEGATE)
    return scenario.twins(dict.fromkeys(SEATS, "accept"))


def voted_in_person() -> Scenario:
    scenario = open_round().clicks(AYA, "aya", "accept").clicks(BO, "bo", "accept")
    return scenario.clicks(REQUESTER, "chen", "negotiate").stands(Status.PROPOSAL_SENT)


def wished() -> Scenario:
    return open_round().clicks(BO, "bo", "negotiate", "Later").requests_change("Sooner")


def collecting() -> Scenario:
    scenario = Scenario(policy=PATIENT, linked=LINKED).demand().understood().shortlisted("aya", "bo", "chen")
    return scenario.offers("aya").delegates(AYA, "aya", DELEGATE)


def asked() -> Scenario:
    return Scenario(policy=PATIENT, linked=LINKED, place=CHANNEL).demand().understood(question="What is needed?")


def to_decide() -> Scenario:
    """Nobody covers what is needed."""
    need = Need(need_id="need_1", what="a venue")
    scenario = Scenario(policy=PATIENT, linked=LINKED, place=CHANNEL).demand().understood(needs=(need,))
    return scenario.shortlisted("aya").offers("aya")


def agreed() -> Scenario:
    scenario = voting("aya", "bo", "chen", linked=LINKED).delegates(AYA, "aya", DELEGATE)
    return scenario.twins(dict.fromkeys(("aya", "bo", "chen"), "accept")).stands(Status.FINALIZED)


def stopped() -> Scenario:
    return open_round().does(Cancel, by=REQUESTER).stands(Status.CANCELLED)


def going_ahead() -> Scenario:
    return agreed().goes_ahead()


def checked_in() -> Scenario:
    """Everybody was asked on the day before."""
    seats = tuple(Assignment(agent_id=each, role="helper", when=When(first="2027-03-05")) for each in SEATS)
    scenario = Scenario(policy=ALONE.model_copy(update={"check_ins": True}), linked=LINKED).demand().understood()
    scenario.shortlisted(*SEATS)
    for each in SEATS:
        scenario.offers(each)
    scenario.drafted(assignments=seats).delegates(AYA, "aya", DELEGATE).twins(dict.fromkeys(SEATS, "accept"))
    due = {each.name: each.due for each in scenario.last.alarms if each.name.startswith("check-in")}
    for name, moment in due.items():
        scenario.now = moment
        scenario.rings(name)
    return scenario


def helped() -> Scenario:
    said = {"agent_id": "helper", "display_name": "Helper", "text": "I can help"}
    return collecting().does(OfferHelp, by="U_HELPER", **said)


def failed() -> Scenario:
    scenario = voting("aya", "bo", "chen", linked=LINKED).delegates(AYA, "aya", DELEGATE)
    return scenario.twins(dict.fromkeys(("aya", "bo", "chen"), "reject")).stands(Status.FAILED)


def casts(vote: FeedbackType) -> Act:
    def command(at: Scenario, role: Role, seat: str) -> tuple[type[Command], Mapping[str, Any]]:
        opened = at.state.rounds[-1]
        text = "" if vote is FeedbackType.ACCEPT else "not like this"
        button = {"round": opened.number, "digest": opened.digest}
        return CastVote, {"by": role.by, "agent_id": seat, "feedback_type": vote, "text": text, **button}

    return command


def casts_prepared(at: Scenario, role: Role, seat: str) -> tuple[type[Command], Mapping[str, Any]]:
    opened = at.state.rounds[-1]
    return CastPrepared, {"by": role.by, "agent_id": seat, "round": opened.number, "digest": opened.digest}


def corrects(_at: Scenario, role: Role, seat: str) -> tuple[type[Command], Mapping[str, Any]]:
    said = {"decision": OfferDecision.PARTICIPATE, "contribution": "in my own words"}
    return CorrectOffer, {"by": role.by, "agent_id": seat, **said}


def delegates(_at: Scenario, role: Role, seat: str) -> tuple[type[Command], Mapping[str, Any]]:
    return Delegate, {"by": role.by, "agent_id": seat, "to": "U_SOMEBODY"}


def hands_back(_at: Scenario, role: Role, seat: str) -> tuple[type[Command], Mapping[str, Any]]:
    return HandBack, {"by": role.by, "agent_id": seat}


def gives_up(_at: Scenario, role: Role, seat: str) -> tuple[type[Command], Mapping[str, Any]]:
    return GiveUpSeat, {"by": role.by, "agent_id": seat, "reason": "I am ill"}


def answers_check_in(_at: Scenario, role: Role, seat: str) -> tuple[type[Command], Mapping[str, Any]]:
    return AnswerCheckIn, {"by": role.by, "key": f"seat/{seat}"}


def offers_help(_at: Scenario, role: Role, _seat: str) -> tuple[type[Command], Mapping[str, Any]]:
    return OfferHelp, {"by": role.by, "agent_id": "helper", "display_name": "Helper", "text": "I can help"}


def requests(at: Scenario, role: Role, _seat: str) -> tuple[type[Command], Mapping[str, Any]]:
    opened = at.state.rounds[-1]
    return RequestChange, {"by": role.by, "text": "Sooner", "round": opened.number, "digest": opened.digest}


def corrects_wish(_at: Scenario, role: Role, seat: str) -> tuple[type[Command], Mapping[str, Any]]:
    return CorrectRequest, {"by": role.by, "agent_id": seat, "text": "On Monday"}


def directs(kind: type[Command], **fields: Any) -> Act:
    return lambda _at, role, _seat: (kind, {"by": role.by, "as_admin": role.as_admin, **fields})


def on_a_seat(role: Role, seat: str) -> bool:
    return seat in role.seats


def on_their_own_seat(role: Role, seat: str) -> bool:
    return seat in role.own


def as_requester(role: Role, _seat: str) -> bool:
    return role.by == REQUESTER


def as_newcomer(role: Role, _seat: str) -> bool:
    """Somebody of the company who was not asked, and has not asked."""
    return not role.own and role.by not in ("", REQUESTER) and "@" not in role.by


def as_owner(role: Role, _seat: str) -> bool:
    return role.owner


ACTS: Final = {
    **{f"{vote} in an open round": (open_round, casts(vote), on_a_seat, SEATS) for vote in FeedbackType},
    "give what the twin has prepared": (prepared, casts_prepared, on_a_seat, SEATS),
    "correct an offer": (collecting, corrects, on_a_seat, SEATS),
    "name a delegate": (collecting, delegates, on_their_own_seat, SEATS),
    "hand back to the twin": (voted_in_person, hands_back, on_a_seat, SEATS),
    "ask for a change": (open_round, requests, as_requester, ("",)),
    "correct how a wish was understood": (wished, corrects_wish, on_a_seat, ("bo",)),
    "correct how the wish of the whole was understood": (wished, corrects_wish, as_requester, ("",)),
    "stop": (open_round, directs(Cancel), as_owner, ("",)),
    "stop while offers are open": (collecting, directs(Cancel), as_owner, ("",)),
    "close a round": (open_round, directs(CloseRound, round=1), as_owner, ("",)),
    "edit the demand": (collecting, directs(EditDemand, raw_input="Something else"), as_owner, ("",)),
    "edit the demand while a question is open": (asked, directs(EditDemand, raw_input="Something"), as_owner, ("",)),
    "decide what becomes of what is missing": (
        to_decide,
        directs(DecideMissing, choice=MissingChoice.GO_ON),
        as_owner,
        ("",),
    ),
    "look wider": (to_decide, directs(DecideMissing, choice=MissingChoice.LOOK_WIDER), as_owner, ("",)),
    "stop it while there is something to decide": (to_decide, directs(Cancel), as_owner, ("",)),
    "choose core seats": (open_round, directs(ChooseCore, agent_ids=("aya",)), as_owner, ("",)),
    "offer help": (collecting, offers_help, as_newcomer, ("",)),
    "ask whoever offers help": (helped, directs(AnswerHelp, agent_id="helper", ask=True), as_owner, ("",)),
    "decline somebody's help": (helped, directs(AnswerHelp, agent_id="helper", ask=False), as_owner, ("",)),
    "give up a promise": (agreed, gives_up, on_a_seat, SEATS),
    "take back that it was stopped": (stopped, directs(TakeBack), as_owner, ("",)),
    "take back that the plan is carried out": (going_ahead, directs(TakeBack), as_owner, ("",)),
    "say how a promise stands": (checked_in, answers_check_in, on_a_seat, SEATS),
    "proceed": (agreed, directs(Proceed), as_owner, ("",)),
    "reopen": (failed, directs(Reopen, raw_input="Something smaller"), as_owner, ("",)),
}


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
@pytest.mark.parametrize("act", ACTS)
def test_an_act_is_for_those_it_is_for_and_changes_nothing_from_anybody_else(act: str, role: Role) -> None:
    begun, command, may, seats = ACTS[act]
    for seat in seats:
        scenario = begun()
        before = scenario.state
        kind, fields = command(scenario, role, seat)
        scenario.does(kind, **fields)
        if may(role, seat):
            assert scenario.refused is None, seat
            assert scenario.last.events, seat
        else:
            scenario.is_refused(NotAllowed)
            assert scenario.state is before


def test_every_command_that_says_who_acts_is_in_the_table() -> None:
    """A new act of a person cannot be left out of it."""
    at, role = open_round(), ROLES[0]
    covered = {command(at, role, "aya")[0] for _, command, _, _ in ACTS.values()}
    assert {each for each in Command.__subclasses__() if "by" in each.__annotations__ and is_ours(each)} <= covered


def is_ours(command: type[Command]) -> bool:
    return command.__module__ == "engine.negotiation.commands"
