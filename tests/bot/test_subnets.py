"""What an agreed plan lacks is looked for in its own thread, and whoever is found is in the plan."""

from bot.demo.demo import CHANNEL
from bot.demo.negotiation.ask import read
from bot.local_slack import Message
from bot.views.negotiation.button_values import ACCEPT, EDIT, EXPORT, PROCEED, STOP
from engine.kernel import StreamKey
from engine.negotiation.events import ProposalAmended, SubnetFailed
from engine.negotiation.state import Negotiation, Status

from .conftest import Begin
from .driver import ALONE, AYA, BO, EVE, PATIENT, YOU, Driver, nothing_changed, shows, text_of
from .script import AGENT, lacking, people
from .test_delegates import direct
from .test_proceed import decides

TWO = people({"aya": AYA, "bo": BO}, ("cy", "dee"))
"""Aya makes the plan; the others may be found."""


async def agreed(driver: Begin, policy: object = ALONE, **found: tuple[str, ...]) -> Driver:
    it = await driver(linked=("aya",), said_by=TWO, policy=policy)
    lacking(it.script, **found)
    return await (await it.asks()).goes_on()


async def subnets(it: Driver) -> list[Negotiation]:
    names = (await it.state()).subnets
    return [await read(it.demo, StreamKey(it.key.tenant, each)) for each in names]


async def posts_of(it: Driver, stream: str) -> list[Message]:
    return [
        each
        for each in await it.thread()
        if each.metadata is not None and each.metadata["event_payload"]["stream"] == stream
    ]


async def outcome(it: Driver) -> str:
    return text_of(next(each for each in await it.thread() if shows(each, EXPORT)))


async def test_who_is_found_is_on_the_card_and_in_one_thread(driver: Begin) -> None:
    it = await agreed(driver, photos=("cy",), music=("dee",))

    card = await outcome(it)
    assert "What the plan lacks" in card
    assert "photos – nobody brings photos\n✅ Found: *Cy*" in card
    assert "Role of cy" in card
    assert len(await it.happened(ProposalAmended)) == 2
    for sub in await subnets(it):
        [root, *rest] = await posts_of(it, sub.channel_id)
        assert "✅ Found, and taken into the plan" in text_of(root)
        assert "Wanted for the plan of" in text_of(root)
        assert not any(shows(each, action) for each in (root, *rest) for action in (EDIT, PROCEED, EXPORT, STOP))
    assert len(await it.demo.person().messages(CHANNEL)) == 1


async def test_the_thread_of_a_command_is_its_subnets_thread_as_well(driver: Begin) -> None:
    it = await driver(linked=("aya",), said_by=TWO, policy=ALONE)
    lacking(it.script, photos=("cy",))
    await it.demo.person().slash(CHANNEL, "/towow", "I need a venue for 50 people in Berlin")
    await it.settles()

    [started] = [each for each in await it.demo.person().messages(CHANNEL) if each.metadata is not None]
    streams = {
        each.metadata["event_payload"]["stream"]
        for each in await it.demo.person().thread(CHANNEL, started.ts)
        if each.metadata is not None
    }
    assert len(streams) == 2


async def test_while_somebody_is_looked_for_the_plan_stands_and_who_asked_may_stop_it(driver: Begin) -> None:
    it = await agreed(driver, PATIENT, photos=("bo",))
    [sub] = await subnets(it)
    assert sub.current is not None
    assert "⏳ Other colleagues are being asked" in await outcome(it)
    root = (await it.thread())[1]
    assert "⏳ The plan stands. Still looked for: photos" in text_of(root)
    async with nothing_changed(it, by=EVE, told="That is for somebody else to decide"):
        await it.stops(EVE, card=root)

    hesitated = await it.stops(YOU, card=root, confirm=False)
    assert hesitated.confirm is not None
    assert hesitated.confirm["title"]["text"] == "Stop looking for what the plan lacks?"
    await it.stops(YOU, card=root)

    await it.stands(Status.FINALIZED)
    assert [each.status for each in await subnets(it)] == [Status.CANCELLED]
    assert "▫️ The search was stopped" in await outcome(it)
    assert not any(shows(each, STOP) or shows(each, ACCEPT) for each in await it.thread())
    assert "Nothing was agreed, and nothing is expected of you." in text_of((await direct(it, BO))[-1])


async def test_who_is_found_hears_it_and_that_the_plan_goes_ahead(driver: Begin) -> None:
    it = await agreed(driver, PATIENT, photos=("bo",))
    [sub] = await subnets(it)
    while sub.is_open:
        await it.passes()
        [sub] = await subnets(it)

    assert sub.parent is not None
    told = text_of((await direct(it, BO))[-1])
    assert "It belongs to the plan of" in told
    before = len(await direct(it, BO))
    assert await decides(it, YOU) == {}
    assert len(await direct(it, BO)) == before + 1
    assert "🚀 It goes ahead" in text_of((await direct(it, BO))[-1])


async def test_of_two_gaps_one_may_stay_open_and_the_card_says_so(driver: Begin) -> None:
    it = await driver(linked=("aya",), said_by=TWO, policy=ALONE)
    it.script.votes["dee", 1] = "withdraw"
    lacking(it.script, photos=("cy",), music=("dee",))
    it = await (await it.asks()).goes_on()

    card = await outcome(it)
    assert "✅ Found: *Cy*" in card
    assert "▫️ Nobody was found: fewer than 50% accepted the proposal. The plan stays as it is." in card
    assert [each.gap_type for each in await it.happened(SubnetFailed)] == ["music"]
    state = await it.state()
    assert state.final is not None
    assert [each.agent_id for each in state.final.final_proposal.assignments] == [f"{AGENT}aya", f"{AGENT}cy"]
