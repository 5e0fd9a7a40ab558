"""Who may do what, as a table over the rules alone: every role times every act of a person.

What the product makes of it (who is acting, what they are told, that nothing changes) is in tests/bot.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import pytest

from engine.errors import NotAllowed, Refusal
from engine.facts.circumstances import When
from engine.kernel import Action, Command, FieldKind, Place, Who
from engine.negotiation.actions import ACTIONS
from engine.negotiation.answers import Assignment, Need, OfferDecision
from engine.negotiation.commands import (
    AvailabilityFinding,
    Cancel,
    CorrectOffer,
    FindTime,
    OfferHelp,
    RecordAvailability,
)
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from engine.times.feasible import FoundTimes, PossibleTime
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario, draft, voting

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
Act = Callable[[Scenario, Role, str], Command]


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


def timed() -> Scenario:
    """It could be at another time."""
    scenario = Scenario(policy=PATIENT, linked=LINKED).demand().understood().shortlisted(*SEATS)
    for each in SEATS:
        scenario.offers(each)
    found = FoundTimes(minutes=60, known=3, times=(PossibleTime(when=LATER, can=3),))
    return scenario.proposed(draft(*SEATS), times=found).delegates(AYA, "aya", DELEGATE)


LATER: Final = When(first="2027-03-05", last="2027-03-05", start="15:00", end="16:00", exact="day")


def collecting() -> Scenario:
    scenario = Scenario(policy=PATIENT, linked=LINKED).demand().understood().shortlisted("aya", "bo", "chen")
    return scenario.offers("aya").delegates(AYA, "aya", DELEGATE)


def asked() -> Scenario:
    return Scenario(policy=PATIENT, linked=LINKED, place=CHANNEL).demand().understood(question="What is needed?")


def to_decide() -> Scenario:
    """Nobody covers what is needed."""
    need = Need(need_id="need_1", what="a venue")
    scenario = Scenario(policy=PATIENT, linked=LINKED, place=CHANNEL).demand().understood(needs=(need,))
    scenario.shortlisted(*SEATS).delegates(AYA, "aya", DELEGATE)
    for each in SEATS:
        scenario.offers(each)
    return scenario


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


def in_conflict() -> Scenario:
    """Nobody can any more when the plan needs them."""
    scenario, then = agreed(), When(first="2027-03-05", last="2027-03-05", start="10:00", end="11:00", exact="day")
    found = FoundTimes(minutes=60, known=3, times=(PossibleTime(when=LATER, can=3),))
    known = tuple(AvailabilityFinding(agent_id=each, when=then, cannot=True, found=found) for each in SEATS)
    return scenario.does(RecordAvailability, findings=known)


def rescheduling() -> Scenario:
    """Everybody is asked for another time."""
    return in_conflict().does(FindTime, by=AYA, agent_id="aya")


def helped() -> Scenario:
    said = {"agent_id": "helper", "display_name": "Helper", "text": "I can help"}
    return collecting().does(OfferHelp, by="U_HELPER", **said)


def failed() -> Scenario:
    scenario = voting("aya", "bo", "chen", linked=LINKED).delegates(AYA, "aya", DELEGATE)
    return scenario.twins(dict.fromkeys(("aya", "bo", "chen"), "reject")).stands(Status.FAILED)


def corrects(at: Scenario, role: Role, seat: str) -> Command:
    said: dict[str, Any] = {"decision": OfferDecision.PARTICIPATE, "contribution": "in my own words"}
    return CorrectOffer(command_id="c", at=at.now, by=role.by, agent_id=seat, **said)


def offers_help(at: Scenario, role: Role, seat: str) -> Command:
    return OfferHelp(command_id="c", at=at.now, by=role.by, agent_id=seat, display_name="Helper", text="I can help")


def does(action: Action[Negotiation]) -> Act:
    """Do what a row says, as its button and its form would."""

    def command(at: Scenario, role: Role, seat: str) -> Command:
        opened = at.state.rounds[-1] if at.state.rounds else None
        said = {
            "agent_id": seat,
            "key": f"{LATER.first}T{LATER.start}" if at.state.times or at.state.reschedulings else f"seat/{seat}",
            "round": opened.number if opened else 0,
            "digest": opened.digest if opened else "",
        }
        entered = {each.name: ENTERED[each.kind] for each in action.fields if each.kind in ENTERED}
        said |= {each.name: entered[each.name] for each in action.fields if each.name in entered and not each.is_kept}
        return action.command_of(said, command_id="c", at=at.now, by=role.by, as_admin=role.as_admin)

    return command


ENTERED: Final = {FieldKind.TEXT: "not like this", FieldKind.PERSON: "U_SOMEBODY", FieldKind.PICKS: ("aya",)}


def on_a_seat(role: Role, seat: str) -> bool:
    return seat in role.seats


def on_their_own_seat(role: Role, seat: str) -> bool:
    return seat in role.own


def as_requester(role: Role, _seat: str) -> bool:
    return role.by == REQUESTER


def on_a_seat_or_for_the_whole(role: Role, seat: str) -> bool:
    return on_a_seat(role, seat) if seat else as_requester(role, seat)


def on_a_seat_or_as_requester(role: Role, seat: str) -> bool:
    return on_a_seat(role, seat) or as_requester(role, seat)


def as_one_of_them(role: Role, seat: str) -> bool:
    return bool(role.seats) or as_requester(role, seat)


def as_newcomer(role: Role, _seat: str) -> bool:
    """Somebody of the company who was not asked, and has not asked."""
    return not role.own and role.by not in ("", REQUESTER) and "@" not in role.by


def as_owner(role: Role, _seat: str) -> bool:
    return role.owner


STAGES: Final = (
    asked, collecting, helped, to_decide, open_round, timed, prepared, voted_in_person, wished, agreed, going_ahead,
    checked_in, in_conflict, rescheduling, stopped, failed,
)  # fmt: skip
MAY: Final = {Who.OWNER: as_owner, Who.PART: on_a_seat}
PERSONS: Final = {
    "seat.delegate": on_their_own_seat,
    "seat.hand_back": on_a_seat,
    "plan.change": as_requester,
    "time.take": on_a_seat_or_for_the_whole,
    "wish.not_meant": on_a_seat_or_for_the_whole,
    "seat.give_up": on_a_seat,
    "time.find": on_a_seat_or_as_requester,
    "time.keep": on_a_seat,
    "time.refuse": as_one_of_them,
    "time.agree": as_one_of_them,
    "check_in.done": on_a_seat,
    "check_in.late": on_a_seat,
}
"""Who the person themselves is, of the rows that are a person's own."""
ACTS: Final = {
    **{each.name: (does(each), PERSONS.get(each.name) or MAY[each.who]) for each in ACTIONS},
    "offer.correct": (corrects, on_a_seat),
    "help.offer": (offers_help, as_newcomer),
}
NEVER_REACHED: Final = {"missing.send_again"}
"""Rows for which none of the stages waits."""


@cache
def chances(act: str) -> list[tuple[Callable[[], Scenario], str]]:
    """Return where something is tried: in every stage in which it can be done, about every seat about which somebody
    can do it there, or about which it is nobody's to do.
    """
    command, may = ACTS[act]
    found: list[tuple[Callable[[], Scenario], str]] = []
    for begun in STAGES:
        at = begun()
        if act == "help.offer" and not at.state.invited:
            continue  # as long as nobody was asked, everybody is a newcomer
        able = {
            seat: any(may(role, seat) and happens(at, command(at, role, seat)) for role in ROLES)
            for seat in (("helper",) if act.startswith("help.") else (*SEATS, ""))
        }
        nobodys = {seat for seat in able if seat in SEATS and not any(may(role, seat) for role in ROLES)}
        if any(able.values()):
            found += [(begun, seat) for seat in able if able[seat] or seat in nobodys]
    return found


def happens(at: Scenario, command: Command) -> bool:
    try:
        return bool(RULEBOOK.decide(at.state, command).events)
    except Refusal:
        return False


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
@pytest.mark.parametrize("act", ACTS)
def test_an_act_is_for_those_it_is_for_and_changes_nothing_from_anybody_else(act: str, role: Role) -> None:
    """In every stage in which it can be done at all."""
    command, may = ACTS[act]
    for begun, seat in chances(act):
        at = begun()
        if may(role, seat):
            assert RULEBOOK.decide(at.state, command(at, role, seat)).events, (begun.__name__, seat)
        else:
            with pytest.raises(NotAllowed):
                RULEBOOK.decide(at.state, command(at, role, seat))


@pytest.mark.parametrize("act", ACTS)
def test_every_act_is_tried_wherever_it_can_be(act: str) -> None:
    """A row that nobody tries is not proven; and one about a part is tried with each."""
    tried = chances(act)
    assert bool(tried) == (act not in NEVER_REACHED)
    if act.startswith(("vote.", "seat.", "offer.", "check_in.")):
        assert {seat for _, seat in tried} >= set(SEATS)


def test_the_person_of_every_row_is_named() -> None:
    assert {each.name for each in ACTIONS if each.who is Who.PERSON} == PERSONS.keys()


def test_every_command_that_says_who_acts_is_in_the_table() -> None:
    """A new act of a person cannot be left out of it."""
    at, role = open_round(), ROLES[0]
    covered = {type(command(at, role, "aya")) for command, _ in ACTS.values()}
    assert {each for each in Command.__subclasses__() if "by" in each.__annotations__ and is_ours(each)} <= covered


def is_ours(command: type[Command]) -> bool:
    return command.__module__ == "engine.negotiation.commands"
