"""Somebody proposes a lunch, a model suggests where, colleagues join until an hour is over or somebody closes it."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, ClassVar, Final

from engine.errors import IllegalStep, NotAllowed
from engine.kernel import (
    PRIVATE,
    AlarmRang,
    Ask,
    Command,
    Decision,
    Draft,
    EffectFailed,
    Event,
    FactKind,
    HandedFact,
    HandedPerson,
    Handover,
    Millis,
    Place,
    Rulebook,
    Transitions,
)

HOUR: Final[Millis] = 3_600_000
CLOSING: Final = "close"
"""The alarm."""


class Status(StrEnum):
    NEW = "new"
    THINKING = "thinking"
    OPEN = "open"
    CLOSED = "closed"


# ── commands ──────────────────────────────────────────────────────────────────────────────────────────────────────


class ProposeLunch(Command):
    by: str
    wish: str
    place: Place
    stream: str


class RecordSuggestion(Command):
    """What the model said; empty where it could not answer."""

    restaurant: str


class JoinLunch(Command):
    by: str
    dish: str


class CloseLunch(Command):
    by: str
    as_admin: bool = False


# ── events ────────────────────────────────────────────────────────────────────────────────────────────────────────


class LunchProposed(Event):
    event_type: ClassVar[str] = "lunch.proposed"
    by: str
    place: Place
    stream: str
    wish: Annotated[str, PRIVATE] = ""


class LunchSuggested(Event):
    event_type: ClassVar[str] = "lunch.suggested"
    restaurant: str


class LunchJoined(Event):
    event_type: ClassVar[str] = "lunch.joined"
    by: str
    dish: str


class LunchClosed(Event):
    event_type: ClassVar[str] = "lunch.closed"
    by: str = ""
    """Empty where its time was over."""


EVENTS: Final = {each.event_type: each for each in (LunchProposed, LunchSuggested, LunchJoined, LunchClosed)}

STEPS: Final = Transitions(
    Status.NEW,
    {
        (Status.NEW, LunchProposed): Status.THINKING,
        (Status.THINKING, LunchSuggested): Status.OPEN,
        (Status.OPEN, LunchJoined): Status.OPEN,
        (Status.OPEN, LunchClosed): Status.CLOSED,
    },
)


@dataclass(frozen=True)
class Lunch:
    stream: str = ""
    status: Status = Status.NEW
    by: str = ""
    wish: str = ""
    place: Place = field(default_factory=Place)
    restaurant: str = ""
    dishes: MappingProxyType[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """By user."""


def decide(state: Lunch, command: Command) -> Decision:
    """
    Raises:
        NotAllowed, IllegalStep
    """
    draft = Draft(state, evolve)
    match command:
        case ProposeLunch() if _is_colleague(command.by):
            event = LunchProposed(by=command.by, wish=command.wish, place=command.place, stream=command.stream)
            draft.happens(event)
            draft.owes(Ask(name="suggest", scope="lunch", prompt="suggest"))
        case RecordSuggestion() if state.status is Status.THINKING:
            _suggest(draft, command.restaurant, command.at)
        case EffectFailed() if state.status is Status.THINKING:
            _suggest(draft, "", command.at)
        case JoinLunch() if _is_colleague(command.by):
            draft.happens(LunchJoined(by=command.by, dish=command.dish))
        case CloseLunch() if command.by and (command.by == state.by or command.as_admin):
            draft.happens(LunchClosed(by=command.by))
            draft.clears(CLOSING)
        case AlarmRang(name="close") if state.status is Status.OPEN:
            draft.happens(LunchClosed())
        case ProposeLunch() | JoinLunch() | CloseLunch():
            raise NotAllowed(f"{type(command).__name__} is not for {command.by!r}.")
        case _:
            pass
    return draft.decision()


def _suggest(draft: Draft[Lunch], restaurant: str, at: Millis) -> None:
    draft.happens(LunchSuggested(restaurant=restaurant))
    draft.sets(CLOSING, at + HOUR)


def _is_colleague(user: str) -> bool:
    return bool(user) and "@" not in user


def evolve(state: Lunch, event: Event) -> Lunch:
    """
    Raises:
        IllegalStep
    """
    state = replace(state, status=STEPS.after(state.status, type(event)))
    match event:
        case LunchProposed():
            return replace(state, stream=event.stream, by=event.by, wish=event.wish, place=event.place)
        case LunchSuggested():
            return replace(state, restaurant=event.restaurant)
        case LunchJoined():
            return replace(state, dishes=MappingProxyType({**state.dishes, event.by: event.dish}))
        case LunchClosed():
            return state
    raise IllegalStep(f"{event.event_type} is no event of a lunch.")


def hand_over(state: Lunch) -> Handover | None:
    """A lunch that is closed, if anybody goes."""
    if state.status is not Status.CLOSED or not state.dishes:
        return None
    return Handover(
        origin=state.stream,
        requester_id=state.by,
        title=state.restaurant,
        goal=state.wish,
        place=state.place,
        people=tuple(HandedPerson(person_id=each, user_id=each, brings=dish) for each, dish in state.dishes.items()),
        facts=(HandedFact(fact_id="need-1", kind=FactKind.NEED, text=state.wish, by=state.by),),
    )


RULEBOOK: Final = Rulebook(
    protocol="lunch",
    initial=Lunch(),
    decide=decide,
    evolve=evolve,
    events=EVENTS,
    is_open=lambda state: state.status is not Status.CLOSED,
    hand_over=hand_over,
)
