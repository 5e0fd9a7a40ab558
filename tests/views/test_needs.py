"""What a demand needs is told wherever a plan is read: who covers it, who has accepted, and what is missing."""

import json
from typing import Any

import pytest

from bot.texts import texts_in
from bot.views.negotiation.action_forms import PROCEED_FORM
from bot.views.negotiation.agreement.outcome import announcement, outcome_title
from bot.views.negotiation.button_values import PROCEED
from bot.views.negotiation.direct_messages import ending_title
from bot.views.negotiation.export.file import as_json
from bot.views.negotiation.export.markdown import markdown
from bot.views.negotiation.export.steps import EndedNegotiation
from engine.negotiation.actions import BY_NAME
from engine.negotiation.answers import Need
from engine.negotiation.plan.told_needs import NeedStatus, needs_in_round, needs_now
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.public.build import Times
from engine.negotiation.state import Status
from tests.views.ended_negotiations import ended
from tests.views.forms import form_of
from tests.views.message_contents import shown, texts_of, whole
from tests.views.stories import Story, post_of

VENUE = Need(need_id="need_1", what="a venue")
FOOD = Need(need_id="need_2", what="catering", quantity=2)
MUSIC = Need(need_id="need_3", what="music", essential=False)
BALANCED = PRESETS["balanced"].model_copy(update={"human_window": 0, "second_opinion": False})


def asked(*needs: Need, demand: str = "A party for 30", policy: Policy = BALANCED, **covers: tuple[str, ...]) -> Story:
    """Round 1 is open. ``covers``: who covers which needs."""
    story = (
        Story(policy=policy, linked={"aya": "U0AYA"})
        .demand(demand)
        .understood(
            counted=[each.need_id for each in needs if each.what == "speakers"], surface_demand=demand, needs=needs
        )
    )
    story.shortlisted(*covers)
    for agent, needs_of_theirs in covers.items():
        story.offers(agent, covers=needs_of_theirs)
    while story.state.status is Status.COLLECTING:
        story.now = story.state.offers_due
        story.rings("offers")
    return story.drafted(*covers)


def lacking_food(demand: str = "A party for 30") -> Story:
    """A plan that both accept, and nobody cooks."""
    story = asked(VENUE, FOOD, MUSIC, demand=demand, aya=("need_1",), bo=())
    return story.twin("aya", "accept").twin("bo", "accept").time_is_up()


def test_before_there_is_a_plan_the_card_says_what_is_needed() -> None:
    story = Story().demand().understood(needs=(VENUE, MUSIC))

    assert "Needed: ▫️ a venue   ▫️ music" in shown(post_of(story, "root"))
    assert [each.status for each in needs_now(story.state)] == [NeedStatus.OPEN, NeedStatus.OPEN]


def test_a_demand_whose_needs_nobody_knows_says_nothing_of_them() -> None:
    story = Story().demand().understood().shortlisted("aya").offers("aya").drafted("aya")

    assert "eeded:" not in shown(post_of(story, "root"))
    assert "What is needed" not in shown(post_of(story, "round-1"))


def test_a_round_says_who_covers_what_and_who_has_accepted() -> None:
    story = asked(VENUE, MUSIC, aya=("need_1",), bo=("need_1",)).twin("aya", "accept")

    text = whole(post_of(story, "round-1"))

    assert "*What is needed*\n○ a venue (essential): *Aya* (accepts), *Bo*\n❌ music: missing" in text
    for key in ("root", "round-1"):
        assert "❌ Missing: music" in shown(post_of(story, key))


def test_in_a_blind_round_nobody_learns_who_has_accepted() -> None:
    blind = BALANCED.model_copy(update={"blind_votes": True})
    before = asked(VENUE, aya=("need_1",), bo=(), policy=blind)
    accepted = asked(VENUE, aya=("need_1",), bo=(), policy=blind).twin("aya", "accept")

    told = "○ a venue (essential): *Aya*"
    assert told in whole(post_of(accepted, "round-1"))
    assert needs_in_round(accepted.state, accepted.state.rounds[0]) == needs_in_round(
        before.state, before.state.rounds[0]
    )
    accepted.twin("bo", "accept").time_is_up()
    assert "○ a venue (essential): *Aya* (accepts)" in whole(post_of(accepted, "round-1"))


def test_a_whole_plan_is_called_one() -> None:
    story = asked(VENUE, aya=("need_1",), bo=()).twin("aya", "accept").twin("bo", "accept").time_is_up()

    text = shown(post_of(story, "outcome"))
    assert text.startswith("✅ We have a plan")
    assert "○ a venue: *Aya*" in text
    assert "○ a venue (essential): *Aya* (accepts)" in whole(post_of(story, "outcome"))


@pytest.mark.parametrize(
    ("demand", "plain", "missing"),
    [
        ("A party for 30", "We have a plan", "⚠️ Nobody who agreed covers: catering."),
        ("办一场30人的聚会", "方案定了", "⚠️ 同意参加的人里没有人负责：catering。"),
    ],
    ids=["in English", "in Chinese"],
)
def test_a_plan_that_lacks_something_essential_says_so_everywhere(demand: str, plain: str, missing: str) -> None:
    story = lacking_food(demand).goes_ahead(announce=True)
    state, texts = story.state, texts_in("zh" if plain == "方案定了" else "en")
    assert state.status is Status.FORCE_FINALIZED

    card = shown(post_of(story, "outcome"))
    assert missing in card
    assert plain not in card
    assert missing in shown(announcement(state, texts))
    assert missing in markdown(EndedNegotiation(state, Times(ended_at=story.now)), texts)
    assert missing in texts_of(form_of(BY_NAME[PROCEED], PROCEED_FORM, state, texts))
    assert "catering" in shown(post_of(story, "root")).replace("catering", "", 1), "as a need, and as missing"
    assert "✅" not in outcome_title(state, texts) + ending_title(state, texts)


def test_that_everybody_agreed_is_not_denied_where_only_something_is_missing() -> None:
    text = shown(post_of(lacking_food(), "outcome"))

    assert "Not everyone agreed" not in text
    assert text.count("Nobody who agreed covers: catering.") == 1


def test_the_file_for_programs_has_each_need() -> None:
    told: dict[str, Any] = json.loads(as_json(ended(lacking_food())))

    venue, food, music = told["needs"]
    assert (venue["status"], venue["covered_by"], venue["accepted"]) == ("accepted", ["aya"], ["aya"])
    assert (food["status"], food["essential"], food["quantity"]) == ("missing", True, 2)
    assert (music["status"], music["essential"]) == ("missing", False)
    assert told["rounds"][0]["needs"] == told["needs"]
    assert [each["covers"] for each in told["proposal"]["assignments"]] == [["need_1"], []]


def test_where_too_few_cover_a_need_the_cards_say_how_many_do() -> None:
    speakers = Need(need_id="need_1", what="speakers", quantity=3)
    story = asked(speakers, aya=("need_1",), bo=())

    for key in ("root", "round-1"):
        assert "❌ Missing: speakers (1 of 3)" in shown(post_of(story, key))
    assert "❌ speakers × 3 (essential): " in whole(post_of(story, "round-1"))
    assert "– 1 of 3" in whole(post_of(story, "round-1"))
    story.twin("aya", "accept").twin("bo", "accept").time_is_up()
    assert "speakers (1 of 3)" in shown(post_of(story, "outcome"))
    told: dict[str, Any] = json.loads(as_json(ended(story)))
    assert (told["needs"][0]["status"], told["needs"][0]["count"], told["needs"][0]["wanted"]) == ("partly", 1, 3)
