"""The whole App Home, as a pure function of what is known about a person."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.texts import Texts
from bot.views.directory.admins import AdminOverview, admin_blocks
from bot.views.directory.calendar_form import CalendarShown, calendar_blocks
from bot.views.directory.notifications_form import Told, notification_blocks
from bot.views.directory.twin import TwinVotes, own_twin_blocks
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.home_part import HomeSections
from engine.directory.state import Entry


@dataclass(frozen=True, slots=True)
class Home:
    """Everything that the page depends on."""

    user_id: str
    twin: tuple[str, Entry] | None
    """Agent id and entry; None for people without a twin."""
    protocols: Sequence[HomeSections]
    """What each protocol adds."""
    overview: AdminOverview | None = None
    """For admins."""
    told: Told = field(default_factory=Told)
    twin_votes: TwinVotes = field(default_factory=TwinVotes)
    has_model: bool = True
    """Whether a model answers for the twins, and no rules."""
    calendar: CalendarShown | None = None
    """None where nobody may give one."""


def home(page: Home, texts: Texts) -> dict[str, Any]:
    """A view for ``views.publish``: what waits for the person, what they wait for, their twin, how they are told."""
    agent_id, entry = page.twin or ("", None)
    undecided = [block for each in page.protocols for block in each.undecided]
    return {
        "type": "home",
        "blocks": [
            *_asked(page, texts),
            blocks.header(texts.say("Waiting for you")),
            *(undecided or [blocks.section(texts.say("Nobody is waiting for you."))]),
            *_promised(page, texts),
            *(block for each in page.protocols if each.own for block in (blocks.divider(), *each.own)),
            blocks.divider(),
            blocks.header(texts.say("Your digital twin")),
            *own_twin_blocks(agent_id, entry, texts, has_model=page.has_model, said=page.twin_votes),
            *([blocks.divider(), *calendar_blocks(page.calendar, texts)] if page.calendar else []),
            blocks.divider(),
            *notification_blocks(page.told, texts),
            *([blocks.divider(), *admin_blocks(page.overview, texts)] if page.overview else []),
        ],
    }


def _asked(page: Home, texts: Texts) -> Iterator[Block]:
    """What they are asked for; without a section where there is nothing, since that is the usual case."""
    asked = [block for each in page.protocols for block in each.asked]
    if asked:
        yield blocks.header(texts.say("You are asked"))
        yield from asked
        yield blocks.divider()


def _promised(page: Home, texts: Texts) -> Iterator[Block]:
    promised = [block for each in page.protocols for block in each.promised]
    if promised:
        yield blocks.divider()
        yield blocks.header(texts.say("Your commitments"))
        yield from promised
