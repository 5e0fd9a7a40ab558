"""Whoever asked decides that the plan is carried out: the card, the messages, and the channel if they like."""

from bot.demo.demo import CHANNEL
from bot.listeners.negotiation.exports import times_in
from bot.local_slack import Message, View
from bot.views.negotiation.action_forms import HOW
from bot.views.negotiation.button_values import EXPORT, PROCEED
from engine.kernel import StreamKey, Tenant
from engine.negotiation.commands import Proceed
from engine.negotiation.events import PlanProceeded
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Status
from engine.projections.audit import acts

from .conftest import Begin, Given
from .driver import ADMIN, ALONE, AYA, BO, DEMAND, PATIENT, QUIET, YOU, Driver, nothing_changed, shows, text_of
from .test_delegates import direct
from .test_direct_demands import asked, reads, writes

ONE_ROUND = PATIENT.model_copy(update={"max_rounds": 1})


async def outcome(it: Driver) -> Message:
    return next(each for each in await it.thread() if shows(each, EXPORT))


async def form(it: Driver, user: str = YOU) -> View:
    clicked = await it.clicks(user, PROCEED, card=await outcome(it))
    assert clicked.modal is not None, clicked
    return clicked.modal


async def decides(it: Driver, user: str = YOU, *, announce: bool = False, opened: View | None = None) -> dict[str, str]:
    values = {"announce": {"announce": ["announce"] if announce else []}}
    sent = await it.demo.person(user).submit(opened or await form(it, user), values)
    await it.settles()
    return sent.errors


async def test_the_card_and_everybodys_messages_say_that_it_goes_ahead(given: Given) -> None:
    it = await (await given()).goes_on()
    await it.stands(Status.FINALIZED)
    count = len(await it.thread())

    assert await decides(it, ADMIN) == {}

    [decided] = await it.happened(PlanProceeded)
    assert (decided.by, decided.at, decided.announce) == (ADMIN, it.demo.clock.now(), False)
    card = await outcome(it)
    assert not shows(card, PROCEED)
    assert f"🚀 It goes ahead: <@{ADMIN}> decided that" in text_of(card)
    for user in (AYA, BO):
        assert "🚀 It goes ahead" in text_of((await direct(it, user))[-1])
    assert len(await it.thread()) == count
    act = (await acts(it.demo.towow.store, it.key.tenant, it.key.stream))[-1]
    assert (act.act, act.by, act.as_admin) == ("proceed", ADMIN, True)


async def test_the_channel_hears_it_in_one_message_if_they_like(given: Given) -> None:
    it = await (await given()).goes_on()

    await decides(it, announce=True)

    [*_, last] = await it.thread()
    assert last.broadcast
    assert "🚀 It goes ahead" in text_of(last)
    shown = await it.demo.person(BO).messages(CHANNEL)
    assert [each.ts for each in shown if each.is_reply] == [last.ts]


async def test_a_plan_with_partial_agreement_shows_its_risk_first(given: Given) -> None:
    it = await (await given(policy=ONE_ROUND, twins={("bo", 1): "negotiate"})).goes_on()
    await it.stands(Status.FORCE_FINALIZED)

    opened = await form(it)

    said = str(opened.blocks)
    assert "Not everyone agreed" in said
    assert "*Bo*" in said
    assert await decides(it, opened=opened) == {}


async def test_it_is_decided_once(given: Given) -> None:
    it = await (await given()).goes_on()
    late = await form(it, ADMIN)
    await it.keeps_old_cards()
    stale = await outcome(it)
    await decides(it)

    assert "decided already" in (await decides(it, ADMIN, announce=True, opened=late))[HOW]
    async with nothing_changed(it, by=YOU, told="It was decided already that this plan is carried out"):
        assert (await it.clicks(YOU, PROCEED, card=stale)).modal is None
    assert len(await it.happened(PlanProceeded)) == 1


async def test_what_is_exported_afterwards_says_the_same_as_before(given: Given) -> None:
    it = await (await given()).goes_on()
    ended = (await times_in(it.demo.towow.store, it.key)).ended_at

    it.demo.clock.jump(ended + 86_400_000)
    await decides(it)

    assert (await times_in(it.demo.towow.store, it.key)).ended_at == ended


async def test_of_a_demand_in_direct_messages_nobody_else_is_told(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    state = await asked(it, await writes(it, DEMAND))
    assert state is not None
    person = it.demo.person(YOU)
    final = next(each for each in await reads(it) if shows(each, PROCEED))
    opened = (await person.click(final.channel, final.ts, PROCEED)).modal
    assert opened is not None
    assert [block["block_id"] for block in opened.blocks if block["type"] == "input"] == [HOW]
    services, key = it.demo.towow.services, StreamKey(Tenant(it.demo.workspace.team_id), state.channel_id)
    elsewhere = Proceed(command_id="elsewhere", at=services.now(), by=YOU, announce=True)
    await services.gateway.send(key, RULEBOOK, elsewhere)
    await it.demo.settle(QUIET)
    before = await reads(it)
    assert not [each for each in before if shows(each, PROCEED) or each.broadcast]

    refused = await person.submit(opened)

    assert "It was decided already that this plan is carried out" in refused.errors[HOW]
    assert await reads(it) == before
