"""On the day before something is due, whoever promised it is asked by direct message, where admins want that."""

from bot.local_slack import Message
from bot.views.negotiation.button_values import DONE, LATE
from engine.negotiation.answers import Assignment, Milestone, ProposalDraft, Timeline
from engine.negotiation.events import CheckInAnswered

from .conftest import Given
from .driver import AYA, BO, PATIENT, YOU, Driver, shows, text_of
from .script import AGENT
from .test_delegates import direct

ASKING = PATIENT.model_copy(update={"check_ins": True})
PLAN = ProposalDraft(
    summary="An evening",
    assignments=(
        Assignment(agent_id=f"{AGENT}aya", role="Host", responsibility="books the room"),
        Assignment(agent_id=f"{AGENT}bo", role="Speaker", responsibility="gives a talk"),
    ),
    timeline=Timeline(milestones=(Milestone(name="Room booked", date="2027-03-05", agent_id=f"{AGENT}aya"),)),
)


async def asked(given: Given) -> tuple[Driver, Message]:
    it = await given(policy=ASKING, says={"aggregate": PLAN})
    await it.goes_on()
    while not (await it.state()).check_ins:
        await it.passes()
    return it, (await direct(it, AYA))[-1]


async def test_whoever_promised_it_is_asked_and_says_that_it_is_done(given: Given) -> None:
    it, card = await asked(given)
    assert "Due on Friday, March 5" in text_of(card)
    assert "Room booked" in text_of(card)
    assert not any("Due on" in text_of(each) for each in await direct(it, BO))
    thread = len(await it.thread())

    await it.demo.person(AYA).click(card.channel, card.ts, DONE)
    await it.settles()

    assert [each.is_late for each in await it.happened(CheckInAnswered)] == [False]
    card = (await direct(it, AYA))[-1]
    assert "☑️ You said: done." in text_of(card)
    assert not shows(card, DONE)
    assert "☑️ done" in await it.root()
    assert len(await it.thread()) == thread


async def test_whoever_asked_hears_what_will_be_late(given: Given) -> None:
    it, card = await asked(given)
    opened = (await it.demo.person(AYA).click(card.channel, card.ts, LATE)).modal
    assert opened is not None
    await it.demo.person(AYA).submit(opened, {"text": {"text": "The key comes on Monday"}})
    await it.settles()
    said = [text for each in await it.thread() if "will be late" in (text := text_of(each))]
    assert said == [f"⏰ <@{YOU}>, *Aya* will be late with Room booked: The key comes on Monday"]
    assert "⏰ late" in await it.root()
    assert "⏰ You said: late. The key comes on Monday" in text_of((await direct(it, AYA))[-1])


async def test_by_default_nobody_is_asked(given: Given) -> None:
    it = await given(policy=PATIENT, says={"aggregate": PLAN})
    await it.goes_on()
    assert not [name for name in await it.demo.towow.store.due(2**53, 100) if "check-in" in str(name)]
