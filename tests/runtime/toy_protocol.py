"""A toy protocol: guests order, a cook cooks, an alarm closes the kitchen. It exercises every word of the kernel."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

from engine.errors import IllegalStep, NotAllowed, Unanswered
from engine.kernel import (
    PRIVATE,
    AlarmRang,
    Command,
    CommandDelivered,
    Decision,
    Draft,
    Effect,
    EffectFailed,
    Event,
    Handled,
    Millis,
    OnRestart,
    Record,
    Recover,
    Rulebook,
    SendCommand,
)


class Order(Command):
    guest: str
    dish: str
    note: str = ""


class Serve(Command):
    dish: str


class CallOff(Command):
    """Everything that is not cooked yet is not wanted any more."""


class PassOn(Command):
    """Another kitchen shall cook it."""

    dish: str
    to: str


class CloseAt(Command):
    due: Millis


class Ordered(Event):
    event_type: ClassVar[str] = "kitchen.ordered"
    guest: str
    dish: str
    note: Annotated[str, PRIVATE] = ""


class Served(Event):
    event_type: ClassVar[str] = "kitchen.served"
    dish: str


class Burnt(Event):
    event_type: ClassVar[str] = "kitchen.burnt"
    dish: str
    why: str


class CalledOff(Event):
    event_type: ClassVar[str] = "kitchen.called_off"


class TakenUp(Event):
    """Nobody was cooking any more: these are cooked anew."""

    event_type: ClassVar[str] = "kitchen.taken_up"
    dishes: tuple[str, ...]


class PassedOn(Event):
    event_type: ClassVar[str] = "kitchen.passed_on"
    dish: str
    to: str


class SentBack(Event):
    event_type: ClassVar[str] = "kitchen.sent_back"
    dish: str
    why: str


class ClosingSet(Event):
    event_type: ClassVar[str] = "kitchen.closing_set"
    due: Millis


class Closed(Event):
    event_type: ClassVar[str] = "kitchen.closed"
    at: Millis


class Cook(Effect):
    kind: ClassVar[str] = "cook"
    dish: str


class Flambe(Effect):
    """Not to be done twice."""

    kind: ClassVar[str] = "flambe"
    on_restart: ClassVar[OnRestart] = OnRestart.NEVER
    dish: str


@dataclass(frozen=True)
class Kitchen:
    orders: Mapping[str, str] = field(default_factory=dict)
    """Dish -> guest."""
    served: tuple[str, ...] = ()
    burnt: tuple[str, ...] = ()
    passed_on: tuple[str, ...] = ()
    sent_back: tuple[str, ...] = ()
    closes_at: Millis = 0
    closed: bool = False
    taken_up: int = 0

    @property
    def waiting(self) -> tuple[str, ...]:
        return tuple(each for each in self.orders if each not in (*self.served, *self.burnt))


PATIENCE: Millis = 60_000


def decide(state: Kitchen, command: Command) -> Decision:
    draft = Draft(state, evolve)
    match command:
        case Order(guest="thief"):
            raise NotAllowed("Thieves are not served.")
        case Order() if state.closed:
            raise IllegalStep("The kitchen is closed.")
        case Order():
            draft.happens(Ordered(guest=command.guest, dish=command.dish, note=command.note))
            kind = Flambe if command.dish.startswith("flambé") else Cook
            draft.owes(kind(name=f"cook/{command.dish}", scope="stove", dish=command.dish))
        case Serve() if command.dish in state.orders and command.dish not in state.served:
            draft.happens(Served(dish=command.dish))
        case CallOff():
            draft.happens(CalledOff())
            draft.voids("stove")
        case PassOn():
            draft.happens(PassedOn(dish=command.dish, to=command.to))
            draft.owes(SendCommand(name=f"pass/{command.dish}", scope="hatch", to=command.to, protocol="kitchen"))
        case CommandDelivered(refused=""):
            pass
        case CommandDelivered():
            draft.happens(SentBack(dish=command.name.removeprefix("pass/"), why=command.refused))
        case CloseAt():
            draft.happens(ClosingSet(due=command.due))
            draft.sets("close", command.due)
        case Recover():
            lost = tuple(each for each in state.waiting if f"cook/{each}" not in command.running)
            if lost:
                draft.happens(TakenUp(dishes=lost))
                draft.voids("stove")
            for dish in lost:
                draft.owes(Cook(name=f"cook/{dish}", scope="stove", dish=dish))
        case AlarmRang(name="close") if command.at >= state.closes_at:
            draft.happens(Closed(at=command.at))
        case EffectFailed(name="cook/stone"):
            raise Unanswered("Nobody knows what to do about a stone.")
        case EffectFailed():
            draft.happens(Burnt(dish=command.name.removeprefix("cook/"), why=command.why))
        case _:
            pass
    return draft.decision()


def evolve(state: Kitchen, event: Event) -> Kitchen:
    match event:
        case Ordered():
            return replace(state, orders={**state.orders, event.dish: event.guest})
        case Served():
            return replace(state, served=(*state.served, event.dish))
        case Burnt():
            return replace(state, burnt=(*state.burnt, event.dish))
        case TakenUp():
            return replace(state, taken_up=state.taken_up + 1)
        case PassedOn():
            return replace(state, passed_on=(*state.passed_on, event.dish))
        case SentBack():
            return replace(state, sent_back=(*state.sent_back, event.dish))
        case ClosingSet():
            return replace(state, closes_at=event.due)
        case Closed():
            return replace(state, closed=True)
        case _:
            return state


def book(handled: Handled[Kitchen]) -> tuple[Record, ...]:
    """The waiters' book: every order, in turn, and how many dishes were ordered before and after it."""
    if not isinstance(handled.command, Order):
        return ()
    line = {
        "guest": handled.command.guest,
        "dish": handled.command.dish,
        "orders": [len(handled.before.orders), len(handled.after.orders)],
        "events": len(handled.events),
        "refused": type(handled.refusal).__name__ if handled.refusal else "",
    }
    return (Record("book", f"{handled.stream}/{handled.turn:04}", json.dumps(line)),)


def waiting(handled: Handled[Kitchen]) -> tuple[Record, ...]:
    """Who waits for which dish: a row while it is not there."""
    return tuple(
        Record(
            "waiting", f"{handled.after.orders[event.dish]}/{event.dish}", None if isinstance(event, Served) else "1"
        )
        for event in handled.events
        if isinstance(event, Ordered | Served)
    )


def compose_command(state: Kitchen, effect: SendCommand, *, command_id: str, at: Millis) -> Command:
    dish = effect.name.removeprefix("pass/")
    guest = "thief" if dish == "loot" else f"a guest of theirs, with {len(state.passed_on)} dishes"
    return Order(command_id=command_id, at=at, guest=guest, dish=dish)


KITCHEN = Rulebook(
    protocol="kitchen",
    initial=Kitchen(),
    decide=decide,
    evolve=evolve,
    events={
        each.event_type: each
        for each in (Ordered, Served, Burnt, CalledOff, TakenUp, PassedOn, SentBack, ClosingSet, Closed)
    },
    is_open=lambda state: not state.closed,
    stalled_at=lambda state, since: since + PATIENCE if state.waiting and not state.closed else None,
    projections=(book, waiting),
    compose_command=compose_command,
)
EFFECTS: tuple[type[Effect], ...] = (Cook, Flambe)
