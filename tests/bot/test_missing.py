"""What nobody covers is told to whoever asked before there is a plan, and they decide what becomes of it."""

from bot.views.negotiation.button_values import EDIT, GO_ON, LOOK_WIDER, STOP
from engine.negotiation.answers import Need, Understanding
from engine.negotiation.events import RequesterDecided
from engine.negotiation.state import Status
from engine.negotiation.terms import MissingChoice
from engine.projections.audit import acts

from . import home
from .conftest import Given
from .driver import ALONE, EVE, YOU, Driver, nothing_changed, shows, text_of, texts_of

RARE = Need(need_id="need_1", what="a helicopter", tags=("helicopter",))
READ = Understanding(surface_demand="A flight over the city", needs=(RARE,))


async def to_decide(given: Given) -> Driver:
    it = await given(says={"understand": READ})
    await it.stands(Status.COLLECTING)
    return it


async def test_whoever_asked_is_told_what_is_missing_and_has_four_ways(given: Given) -> None:
    it = await to_decide(given)

    card = (await it.thread())[-1]
    assert f"<@{YOU}>, this is missing" in text_of(card)
    assert "• a helicopter" in text_of(card)
    assert all(shows(card, each) for each in (LOOK_WIDER, GO_ON, EDIT, STOP))
    assert f"Missing: a helicopter. A decision waits for <@{YOU}>" in await it.root()


async def test_it_goes_on_without_and_says_who_said_so(given: Given) -> None:
    it = await to_decide(given)
    card = (await it.thread())[-1]

    await it.clicks(YOU, GO_ON, card=card)

    await it.stands(Status.NEGOTIATING, round=1)
    [decided] = await it.happened(RequesterDecided)
    assert (decided.choice, decided.by) == (MissingChoice.GO_ON, YOU)
    after = (await it.thread())[3]
    assert f"<@{YOU}> goes on without." in text_of(after)
    assert not shows(after, GO_ON)
    trail = await acts(it.demo.towow.store, it.key.tenant, it.key.stream)
    assert [(each.act, each.by, each.choice) for each in trail][-1] == ("decide_missing", YOU, "go_on")


async def test_others_are_looked_for_and_if_nobody_is_found_it_goes_on(given: Given) -> None:
    it = await to_decide(given)

    await it.clicks(YOU, LOOK_WIDER, card=(await it.thread())[-1])
    while not (await it.state()).proposals:
        await it.passes()

    state = await it.state()
    assert [each.triggered.gap_type for each in state.subnets.values()] == ["a helicopter"]
    assert all(each.failed for each in state.subnets.values())


async def test_nobody_else_decides(given: Given) -> None:
    it = await to_decide(given)
    async with nothing_changed(it, by=EVE, told="That is for somebody else to decide"):
        await it.clicks(EVE, GO_ON, card=(await it.thread())[-1])


async def test_a_click_that_comes_too_late_says_so(given: Given) -> None:
    it = await to_decide(given)
    card = (await it.thread())[-1]
    await it.keeps_old_cards()
    await it.clicks(YOU, GO_ON, card=card)

    async with nothing_changed(it, by=YOU, told="There is nothing to decide about what is missing any more"):
        await it.clicks(YOU, LOOK_WIDER, card=card)


async def test_silence_goes_on(given: Given) -> None:
    it = await to_decide(given)
    while not (await it.state()).proposals:
        await it.passes()
    assert "Nobody decided, so it goes on" in text_of((await it.thread())[3])


async def test_where_nobody_is_waited_for_it_says_what_is_missing_and_goes_on(given: Given) -> None:
    it = await given(policy=ALONE, says={"understand": READ})
    card = text_of((await it.thread())[3])
    assert "*Nobody covers: a helicopter*" in card
    assert "Nobody is waited for here, so it goes on without." in card
    assert (await it.state()).proposals


async def test_it_can_be_decided_at_home(given: Given) -> None:
    it = await to_decide(given)
    page = await home.opens(it, YOU)
    assert "Missing: a helicopter. A decision waits for" in "\n".join(texts_of(page.blocks))
    assert {LOOK_WIDER, GO_ON} <= {*home.buttons(page)}
    await home.clicks(it, YOU, GO_ON)
    await it.stands(Status.NEGOTIATING, round=1)
