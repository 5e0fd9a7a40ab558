"""Assigns people to abilities: one leads each, and the others support them where one is not enough."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.lexicon.mentions import topics_in
from engine.lexicon.reading.numbers import number
from engine.negotiation.answers import OfferMade
from engine.offline.negotiation.needs import Needs
from engine.offline.negotiation.phrasing import is_first_person

ONE_IS_ENOUGH = frozenset({"venue", "host", "registration", "finance"})

_PIECE = re.compile(r"[；;\n]")
_ROOM = re.compile(
    r"(\d{2,4})\s*(?:多)?(?:人|个座|座)|\b(\d{2,4})[\s-]*(?:people|person|seats|guests)|for (?:up to )?(\d{2,4})\b"
)


@dataclass
class Seat:
    """One person's place. The first topic is their role; ``leader`` is whom they support, if they do not lead."""

    offer: OfferMade
    topics: list[str] = field(default_factory=list)
    leader: OfferMade | None = None


@dataclass
class Seating:
    seats: list[Seat]
    redundant: list[tuple[OfferMade, str, OfferMade]]
    """The offer that is not needed, its topic, and the offer that covers it."""
    uncovered: list[str]

    def leading(self, topic: str) -> Seat | None:
        return next((seat for seat in self.seats if topic in seat.topics and seat.leader is None), None)


def offered_topics(offer: OfferMade, needs: Needs) -> list[str]:
    """The topics of an offer that the demand needs; else those it welcomes; else all."""
    topics = topics_in(offer.contribution)
    wanted = [key for key in topics if key in needs.topics]
    return wanted or [key for key in topics if key in needs.welcome] or list(topics)


def part_about(contribution: str, topic: str) -> str:
    """The part of an offer about a topic, without "I can take on ...:"; the whole offer if no part is about it."""
    for piece in _PIECE.split(contribution):
        if topic in topics_in(piece):
            head, colon, tail = piece.replace("：", ":", 1).partition(":")
            return (tail if colon and topic in topics_in(head) else piece).strip(" 。.")
    return contribution.strip()


def parts_of(contribution: str) -> list[str]:
    """The parts of an offer, without "I can take on ...:"."""
    pieces = (piece.replace("：", ":", 1).partition(":") for piece in _PIECE.split(contribution))
    return [
        (tail if colon and is_first_person(head) else head + colon + tail).strip(" 。.") for head, colon, tail in pieces
    ]


def seat_everyone(offers: Sequence[OfferMade], needs: Needs, attendees: int | None) -> Seating:
    able = {offer.agent_id: offered_topics(offer, needs) for offer in offers}
    leads: dict[str, Seat] = {}
    topics = list(dict.fromkeys((*needs.topics, *(key for keys in able.values() for key in keys))))
    for key in topics:
        free = [each for each in offers if key in able[each.agent_id] and each.agent_id not in leads]
        if free:
            best = min(free, key=lambda each: _fitness(each, key, able[each.agent_id], attendees))
            leads[best.agent_id] = Seat(best, [key])
    for key in topics:  # what is left goes to somebody who offered it as a second thing
        if not any(key in seat.topics for seat in leads.values()):
            second = [seat for agent_id, seat in leads.items() if key in able[agent_id]]
            if second:
                min(second, key=lambda seat: (len(seat.topics), seat.offer.agent_id)).topics.append(key)
    seating = Seating(list(leads.values()), [], [])
    for offer in offers:
        if offer.agent_id not in leads:
            _support(offer, able[offer.agent_id], seating)
    seating.uncovered = [key for key in needs.topics if seating.leading(key) is None]
    return seating


def _support(offer: OfferMade, topics: Sequence[str], seating: Seating) -> None:
    """Seat an offer beside the person who leads its topic, or as redundant where one is enough; an offer of an
    unknown topic gets its own seat."""
    for key in topics:
        leader = seating.leading(key)
        if leader is not None and key not in ONE_IS_ENOUGH:
            seating.seats.append(Seat(offer, [key], leader.offer))
            return
    leader = seating.leading(topics[0]) if topics else None
    if leader is None:
        seating.seats.append(Seat(offer, list(topics[:1])))
    else:
        seating.redundant.append((offer, topics[0], leader.offer))


def _fitness(offer: OfferMade, key: str, topics: Sequence[str], attendees: int | None) -> tuple[bool, int, int, str]:
    """Smaller is better: the room is large enough, it is their first offer, they have few others, their id."""
    too_small = key == "venue" and attendees is not None and 0 < room_capacity(offer.contribution) < attendees
    return (too_small, topics.index(key), len(topics), offer.agent_id)


def room_capacity(text: str) -> int:
    """How many people the text says a room holds; 0 if it does not say."""
    found = [number(next(filter(None, groups))) or 0 for groups in _ROOM.findall(text)]
    return max(found, default=0)
