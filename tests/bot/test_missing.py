"""Whoever asked is asked: what is meant, and what becomes of what is missing."""

from bot.local_slack import Outcome
from bot.views.negotiation.button_values import CLARIFY, EDIT, GO_ON, LOOK_WIDER, STOP
from engine.negotiation.answers import Need, Shortlist, Understanding
from engine.negotiation.events import DemandEdited, DemandUnclear, RequesterDecided
from engine.negotiation.state import Status
from engine.negotiation.terms import MissingChoice
from engine.negotiation.terms import Outcome as End
from engine.projections.audit import acts

from . import home
from .conftest import Given
from .driver import ALONE, EVE, YOU, Driver, nothing_changed, shows, text_of, texts_of

WHAT = "What should happen, and for whom?"
UNCLEAR = Understanding(surface_demand="It is not clear what is needed.", question=WHAT)


async def answers(it: Driver, answer: str) -> Outcome:
    form = await it.clicks(YOU, CLARIFY, card=(await it.thread())[2])
    assert form.modal is not None
    field = next(each["block_id"] for each in form.modal.blocks if each["type"] == "input")
    outcome = await it.demo.person(YOU).submit(form.modal, {field: {field: answer}})
    await it.settles()
    return outcome


async def test_the_question_is_asked_in_the_thread_and_its_answer_goes_on(given: Given) -> None:
    it = await given("Something nice", says={"understand": UNCLEAR})

    await it.stands(Status.CREATED)
    card = (await it.thread())[2]
    assert f"<@{YOU}>, one question first" in text_of(card)
    assert WHAT in text_of(card)
    assert it.script.asked == ["understand"]
    assert "One question waits for" in await it.root()

    del it.script.says["understand"]
    assert (await answers(it, "A dinner for 12")).errors == {}

    await it.stands(Status.NEGOTIATING, round=1)
    [edited] = await it.happened(DemandEdited)
    assert edited.raw_input == f"Something nice\n{WHAT} – A dinner for 12"
    assert not shows((await it.thread())[2], CLARIFY)
    assert "Answered." in text_of((await it.thread())[2])


async def test_nobody_else_answers_it(given: Given) -> None:
    it = await given("Something nice", says={"understand": UNCLEAR})

    async with nothing_changed(it, by=EVE, told="That is for somebody else to decide"):
        await it.clicks(EVE, CLARIFY, card=(await it.thread())[2])


async def test_silence_stops_it_and_says_so(given: Given) -> None:
    it = await given("Something nice", says={"understand": UNCLEAR})

    await it.goes_on()

    await it.stands(Status.CANCELLED)
    assert "Stopped: the question was not answered" in await it.root()
    told = text_of((await it.thread())[-1])
    assert f"One question stayed open\n{WHAT}" in told
    assert "Ask again with the answer." in told


async def test_where_nobody_is_waited_for_the_question_is_the_answer(given: Given) -> None:
    it = await given("Something nice", policy=ALONE, says={"understand": UNCLEAR})

    await it.stands(Status.CANCELLED)
    assert "Nobody was asked: one question is open" in await it.root()
    asked, ended = (text_of(each) for each in (await it.thread())[-2:])
    assert "Nobody is waited for here. Ask again with the answer." in asked, "nobody has let any time pass"
    assert WHAT in ended
    assert "One question stayed open" in ended


async def test_where_nobody_fits_and_nobody_is_waited_for_it_says_what_would_help(given: Given) -> None:
    found = Shortlist(definitely_related=(), analysis="What people here can help with: venues, talks.")
    it = await given(policy=ALONE, says={"filter": found})

    await it.stands(Status.FAILED)
    assert "Nobody was asked: nobody was found who clearly fits" in await it.root()
    asked, ended = (text_of(each) for each in (await it.thread())[-2:])
    assert "Nobody is waited for here. Ask again with the answer." in asked
    assert "Nobody was found this time" in ended
    assert "What people here can help with: venues, talks." in ended


async def test_where_nobody_fits_whoever_asked_says_who_could_help(given: Given) -> None:
    it = await given(says={"filter": Shortlist(definitely_related=())})

    await it.stands(Status.CREATED)
    assert [each.about for each in await it.happened(DemandUnclear)] == ["people"]
    assert "Who could help, or how would you say it in other words?" in text_of((await it.thread())[2])

    del it.script.says["filter"]
    await answers(it, "Somebody with a room")
    await it.stands(Status.NEGOTIATING, round=1)


async def test_where_nobody_says_so_it_fails_as_it_did(given: Given) -> None:
    it = await given(says={"filter": Shortlist(definitely_related=())})

    state = await (await it.goes_on()).stands(Status.FAILED)
    assert state.outcome is End.NO_CANDIDATES


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
