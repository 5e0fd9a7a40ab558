"""Who may do what with a lunch, as tables: over the rules alone, and through the product, by the same roles and the
same means as for a negotiation."""

from collections.abc import AsyncIterator
from typing import Final

import pytest

from bot.demo.demo import CHANNEL
from engine.errors import NotAllowed
from engine.kernel import Command, Event, Place
from engine.store.memory import MemoryStore
from tests.bot.driver import YOU
from tests.bot.roles import REQUESTER, SEATED, STRANGER, TABLE, Role, arrives, clicks, forms, roles, sends
from tests.negotiation.test_authorization import ROLES
from tests.negotiation.test_authorization import Role as RuleRole

from .driver import LunchDriver, lunching
from .rules import (
    RULEBOOK,
    CloseLunch,
    JoinLunch,
    LunchClosed,
    LunchJoined,
    LunchProposed,
    LunchSuggested,
    ProposeLunch,
    decide,
)
from .views import CLOSE, DISH, JOIN

AT: Final = 1_800_000_000_000
PROPOSED: Final = LunchProposed(by=ROLES[0].by, wish="lunch", place=Place(channel=CHANNEL), stream="lunch-aaaaaaaa")
NOT_YOURS: Final = (
    "That is for somebody else to decide, so nothing was changed. Write to them in the thread if something should "
    "be otherwise."
)
NOT_FOUND: Final = "We cannot find that any more, so nothing was changed. Look at the newest message, or begin anew."


# ── over the rules ────────────────────────────────────────────────────────────────────────────────────────────────


def proposes(role: RuleRole) -> Command:
    place = Place(channel=CHANNEL)
    return ProposeLunch(command_id="1", at=AT, by=role.by, wish="lunch", place=place, stream="lunch-aaaaaaaa")


def joins(role: RuleRole) -> Command:
    return JoinLunch(command_id="1", at=AT, by=role.by, dish="Ramen")


def closes(role: RuleRole) -> Command:
    return CloseLunch(command_id="1", at=AT, by=role.by, as_admin=role.as_admin)


def is_colleague(role: RuleRole) -> bool:
    return bool(role.by) and "@" not in role.by


def owns_it(role: RuleRole) -> bool:
    return role.owner


ACTS: Final = {
    "propose": ((), proposes, is_colleague),
    "join": ((PROPOSED, LunchSuggested(restaurant="Noodles & Co")), joins, is_colleague),
    "close": ((PROPOSED, LunchSuggested(restaurant="Noodles & Co")), closes, owns_it),
}


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
@pytest.mark.parametrize("act", ACTS)
def test_an_act_is_for_those_it_is_for(act: str, role: RuleRole) -> None:
    history, command, may = ACTS[act]
    before = RULEBOOK.fold(history)
    if may(role):
        assert decide(before, command(role)).events
    else:
        with pytest.raises(NotAllowed):
            decide(before, command(role))


# ── through the product ───────────────────────────────────────────────────────────────────────────────────────────


IN_PERSON: Final = [each for each in TABLE if not each.delegate]  # nobody decides for anybody else here


@pytest.fixture
async def lunch() -> AsyncIterator[LunchDriver]:
    async with lunching(MemoryStore()) as it:
        await it.proposes()
        yield it


def joins_it(role: Role) -> bool:
    return not role.home and not role.tenant


async def on_record(it: LunchDriver) -> list[str]:
    """The kinds of refusals."""
    stored = await it.it.demo.towow.store.load(await it.key())
    assert stored is not None
    return [each.partition(":")[0] for each in stored.commands.values() if each]


async def happened_since(it: LunchDriver, before: list[Event]) -> list[Event]:
    events = await it.events()
    assert events[: len(before)] == before
    return events[len(before) :]


@roles(REQUESTER, SEATED, STRANGER, among=IN_PERSON)
async def test_whoever_proposed_it_or_an_admin_closes_it_and_nobody_else_does(lunch: LunchDriver, role: Role) -> None:
    await arrives(lunch.it, role)
    before, card = await lunch.events(), await lunch.card()

    await clicks(lunch.it, role, card, CLOSE)

    if role.steers:
        assert await happened_since(lunch, before) == [LunchClosed(by=role.user)]
        assert await lunch.it.told(role.user) == []
    else:
        assert await happened_since(lunch, before) == []
        assert await lunch.it.told(role.user) == [NOT_FOUND if role.tenant else NOT_YOURS]
        assert await lunch.card() == card
        assert await on_record(lunch) == ([] if role.tenant else ["NotAllowed"])


@roles(REQUESTER, SEATED, STRANGER, among=IN_PERSON)
async def test_the_form_is_for_colleagues(lunch: LunchDriver, role: Role) -> None:
    await arrives(lunch.it, role)

    await clicks(lunch.it, role, await lunch.card(), JOIN)

    opened = await forms(lunch.it)
    if joins_it(role):
        assert [each.user for each in opened] == [role.user]
    else:
        assert opened == []
        assert await lunch.it.told(role.user) == [NOT_FOUND if role.tenant else NOT_YOURS]


@roles(REQUESTER, SEATED, STRANGER, among=IN_PERSON)
async def test_a_form_counts_only_from_a_colleague(lunch: LunchDriver, role: Role) -> None:
    form = (await lunch.it.clicks(YOU, JOIN, card=await lunch.card())).modal
    assert form is not None
    await arrives(lunch.it, role)
    before, card = await lunch.events(), await lunch.card()

    answer = await sends(lunch.it, role, form, {DISH: "Ramen"})

    if joins_it(role):
        assert answer == {}
        assert await happened_since(lunch, before) == [LunchJoined(by=role.user, dish="Ramen")]
    else:
        assert answer["response_action"] == "errors"
        assert answer["errors"] == {DISH: NOT_FOUND if role.tenant else NOT_YOURS}
        assert await happened_since(lunch, before) == []
        assert await lunch.card() == card
        assert await on_record(lunch) == ([] if role.tenant else ["NotAllowed"])
