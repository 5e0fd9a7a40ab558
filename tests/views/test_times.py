"""How many can is said to everybody; who cannot, to whoever asked alone, and to each of themselves."""

import json
from typing import Any, Final

import pytest
from msgspec.structs import replace

from bot.texts import texts_in
from bot.views.negotiation.button_values import OTHER_TIMES, TAKE_TIME
from bot.views.negotiation.export.file import as_json
from bot.views.negotiation.plan.times import times_modal
from bot.views.negotiation.presenter import posts
from engine.facts.circumstances import When
from engine.negotiation.answers import Assignment, ProposalDraft
from engine.negotiation.commands import RecordProposal
from engine.negotiation.policy import PRESETS
from engine.negotiation.public.build import Knows, Times, public
from engine.times.feasible import FoundTimes, PossibleTime
from tests.negotiation.scenario import REQUESTER
from tests.views.ended_negotiations import ended
from tests.views.message_contents import buttons, shown, whole
from tests.views.stories import Story, post_of

POLICY: Final = PRESETS["balanced"].model_copy(update={"human_window": 60, "override_window": 60})
DAY: Final = "2027-03-15"


def at(start: str, end: str) -> When:
    return When(first=DAY, last=DAY, start=start, end=end, exact="day")


def story(then: PossibleTime | None, found: FoundTimes | None, demand: str = "A party") -> Story:
    """Round 1 is open, with a plan for Aya and Bo at nineteen."""
    told = Story(policy=POLICY, linked={"aya": "U0AYA", "bo": "U0BO"}).demand(demand)
    told.understood(surface_demand=demand).shortlisted("aya", "bo").offers("aya").offers("bo").rings("offers")
    seats = tuple(Assignment(agent_id=each, responsibility="comes") for each in ("aya", "bo"))
    draft = ProposalDraft(summary="A party", assignments=seats, when=at("19:00", "21:00"))
    told.does(RecordProposal, version=1, draft=draft, times=found, then=then)
    return told.twins({"aya": "accept", "bo": "accept"})


ALL: Final = PossibleTime(when=at("19:00", "21:00"), can=2)
ONE: Final = PossibleTime(when=at("19:00", "21:00"), can=1, cannot=("aya",))
FITS: Final = FoundTimes(minutes=120, known=2, unsaid=1, times=(PossibleTime(when=at("17:00", "19:00"), can=2), ONE))
NEVER: Final = FoundTimes(minutes=120, known=2, nearest=(ONE,))


@pytest.mark.parametrize(
    ("demand", "line"),
    [("A party", "all 2 can, as far as it is known"), ("办一场聚会", "就目前所知，2 人都可以")],
)
def test_that_all_can_is_said_with_when_it_is(demand: str, line: str) -> None:
    card = shown(post_of(story(ALL, FITS, demand), "round-1"))
    assert line in card
    assert "✓" in card


def test_a_time_at_which_somebody_cannot_is_broken_and_nobody_is_named() -> None:
    told = story(ONE, FITS)
    card = post_of(told, "round-1")
    assert "1 of 2 can, as far as it is known" in shown(card)
    line = next(each for each in whole(card).splitlines() if "1 of 2 can" in each)
    assert "✗" in line
    assert "Aya" not in line
    assert "You cannot then" in shown(post_of(told, "part-1/aya"))
    assert "You cannot then" not in shown(post_of(told, "part-1/bo"))


def test_whoever_can_come_later_is_counted_with_from_when_and_not_named() -> None:
    late = PossibleTime(when=at("19:00", "21:00"), can=1, cannot=("aya",), later=("20:00",))
    card = whole(post_of(story(late, FITS), "round-1"))
    line = next(each for each in card.splitlines() if "one from" in each)
    assert "1 of 2 can, as far as it is known, one from 20:00" in line
    assert "Aya" not in line


def test_where_no_time_fits_whoever_asked_alone_is_told_once_who_is_in_the_way() -> None:
    nobody = FoundTimes(minutes=120, known=2, nearest=(replace(ONE, blocking=("aya",)),))
    told = story(None, nobody)
    message = post_of(told, "no-time-1")
    assert (message.to, message.is_late) == (REQUESTER, False)
    assert "*Aya*" in whole(message)
    assert "no time fits everybody who has to be there" in message.text
    card = post_of(told, "round-1")
    assert "No time fits everybody" in whole(card)
    assert "whoever asked was told who cannot" in whole(card)

    seats = tuple(Assignment(agent_id=each, responsibility="comes anyway") for each in ("aya", "bo"))
    told.clicks("U0AYA", "aya", "negotiate", "Later").clicks("U0BO", "bo", "negotiate", "Later").time_is_up()
    told.does(RecordProposal, version=2, draft=ProposalDraft(summary="A party", assignments=seats), times=nobody)
    keys = [each.key for each in posts(told.state) if each.key.startswith("no-time")]
    assert keys == ["no-time-1"], "it is as it was"
    assert post_of(told, "no-time-1").is_late


def test_where_there_is_no_other_time_no_button_shows_any() -> None:
    assert OTHER_TIMES not in buttons(post_of(story(ONE, NEVER), "round-1"))
    assert OTHER_TIMES in buttons(post_of(story(ONE, FITS), "round-1"))


def test_whoever_asked_is_told_who_has_to_be_there_and_cannot() -> None:
    both = PossibleTime(when=at("19:00", "21:00"), cannot=("aya", "bo"), blocking=("bo",))
    told = story(None, FoundTimes(minutes=120, known=2, nearest=(both,)))
    said = modal_for(told, told.state.requester_id)
    assert "Has to be there and cannot: *Bo*" in said
    assert "Cannot then: *Aya*" in said
    assert "*Bo*" not in modal_for(told, "U0AYA", "aya")


def test_where_nothing_was_looked_for_nothing_is_said() -> None:
    card = post_of(story(None, None), "round-1")
    assert "can, as far as" not in whole(card)
    assert OTHER_TIMES not in buttons(card)


def test_that_no_time_fits_is_said_to_everybody_and_who_is_in_the_way_to_nobody_there() -> None:
    card = post_of(story(None, NEVER), "round-1")
    assert "No time fits everybody who has to be there" in shown(card)
    assert OTHER_TIMES in buttons(card)


def modal_for(told: Story, reader: str, *own: str) -> str:
    view: dict[str, Any] = times_modal(told.state, 1, texts_in("en"), reader=reader, own=own)
    return json.dumps(view, ensure_ascii=False)


def test_the_other_times_name_who_cannot_to_whoever_asked_alone() -> None:
    told = story(ONE, FITS)
    asker = modal_for(told, told.state.requester_id)
    assert "Cannot then: *Aya*" in asker
    assert asker.count(TAKE_TIME) == 2
    bo, stranger = modal_for(told, "U0BO", "bo"), modal_for(told, "U0EVE")
    assert "Aya" not in bo + stranger
    assert bo.count("You can then.") == 2
    assert modal_for(told, "U0AYA", "aya").count("You cannot then.") == 1
    assert (bo.count(TAKE_TIME), stranger.count(TAKE_TIME)) == (2, 0)
    assert "Of 1 person nothing is known" in stranger


def test_a_version_without_times_shows_none() -> None:
    with pytest.raises(LookupError):
        modal_for(story(None, None), "U0BO", "bo")


def test_programs_are_told_the_times_and_whoever_asked_alone_who_cannot() -> None:
    told = story(ONE, FITS).state
    everybody = public(told, Times(), Knows()).times
    assert everybody is not None
    assert [(each.key, each.can, each.cannot) for each in everybody.times] == [
        (f"{DAY}T17:00", 2, ()),
        (f"{DAY}T19:00", 1, ()),
    ]
    aya = public(told, Times(), Knows(is_told_all=True, agent_ids=frozenset({"aya"}))).times
    asker = public(told, Times(), Knows(is_told_all=True, has_asked=True)).times
    file = public(told, Times(), Knows(is_told_all=True)).times
    assert [each and each.then and each.then.cannot for each in (aya, asker, file)] == [("aya",), ("aya",), ()]


def test_an_exported_file_names_nobody_who_cannot() -> None:
    assert json.loads(as_json(ended(story(ONE, FITS).later(60).rings("close/1"))))["times"]["then"]["cannot"] == []
