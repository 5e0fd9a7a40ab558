"""What the plan lacks, on cards, in direct messages and in exported files."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from bot.texts import texts_in
from bot.views.kit.mrkdwn import Fit
from bot.views.negotiation.export import file
from bot.views.negotiation.export.markdown import markdown
from bot.views.negotiation.export.steps import EndedNegotiation
from bot.views.negotiation.presenter import posts
from bot.views.negotiation.search import gap_search
from bot.views.negotiation.voting.votes import agreed_by_rules
from engine.llm.port import OFFLINE
from engine.negotiation.answers import GapAnalysis, RecursionAnswer
from engine.negotiation.commands import Cancel, Recall, RecordGaps, RecordRecursion
from engine.negotiation.events import HelpAnswered, HelpOffered
from engine.negotiation.public.build import Times
from engine.negotiation.state import Volunteer
from engine.negotiation.terms import Outcome
from tests.negotiation.scenario import REQUESTER, Scenario
from tests.negotiation.searches import (
    HANDS,
    PHOTOS,
    agreed,
    begun,
    fails,
    fills,
    lacking,
    searching,
    weighed,
)
from tests.views.ended_negotiations import LATER
from tests.views.message_contents import shown


def card(scenario: Scenario, key: str = "outcome") -> str:
    return next(shown(post) for post in posts(scenario.state) if post.key == key)


def test_what_would_be_nice_to_have_is_told_and_nobody_is_asked() -> None:
    assert "• photographer – it is missed\nIt would be nice to have, so nobody else is asked." in card(
        lacking(agreed(), photographer=59)
    )


def test_a_plan_that_lacks_nothing_says_nothing_of_it() -> None:
    assert "lacks" not in card(lacking(agreed()))


def test_where_a_condition_does_not_hold_the_card_says_which() -> None:
    scenario = weighed(lacking(agreed(), photographer=90), PHOTOS, three=False)
    assert "Nobody else is asked for it." in card(scenario)


def test_a_step_without_a_model_is_named_on_the_root_card() -> None:
    no = RecursionAnswer(condition_1_met=False, condition_2_met=False, condition_3_met=False)
    scenario = agreed().does(RecordGaps, analysis=GapAnalysis(gaps=()), degraded="E003")
    assert "looking for what the plan lacks" in card(scenario, "root")
    scenario = lacking(agreed(), photographer=90).does(RecordRecursion, answer=no, degraded="E003")
    assert "deciding whether others are asked for it" in card(scenario, "root")


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("fills", "✅ Found: *Pia*"),
        ("fails", "▫️ Nobody was found: nobody was able to take part. The plan stays as it is."),
        ("time", "▫️ Nobody was found in time; the plan stays as it is."),
        ("stop", "▫️ The search was stopped; the plan stays as it is."),
        ("", "⏳ Other colleagues are being asked, until "),
    ],
)
def test_what_becomes_of_a_search_is_on_the_outcome_card(end: str, told: str) -> None:
    scenario = searching(PHOTOS)
    match end:
        case "fills":
            fills(scenario, PHOTOS, "pia")
        case "fails":
            fails(scenario, PHOTOS)
        case "time":
            scenario.later(300).rings("subnets")
        case "stop":
            scenario.does(Cancel, by=REQUESTER)
    assert told in card(scenario)


def test_the_plans_own_words_for_a_gap_are_not_said_twice() -> None:
    scenario = searching(PHOTOS, scenario=agreed(gaps=("Photographer: nobody yet", "music")))
    assert gap_search.other_gaps(scenario.state, ("Photographer: nobody yet", "music")) == ["music"]


def test_a_card_that_agreed_late_says_that_the_plan_goes_without_it() -> None:
    sub = begun(searching(PHOTOS))
    sub.shortlisted("pia").offers("pia").drafted("pia").twins({"pia": "accept"})
    assert "✅ Found, and taken into the plan" in card(sub, "root")
    sub.does(Recall)
    assert "Found too late: the plan goes without it" in card(sub, "root")


def test_a_card_whose_time_was_over_says_so() -> None:
    assert "Stopped: there was no more time for it" in card(begun(searching(PHOTOS)).does(Recall), "root")


def test_a_subnet_has_no_outcome_card_of_its_own() -> None:
    sub = begun(searching(PHOTOS)).shortlisted()
    assert sub.state.outcome is Outcome.NO_CANDIDATES
    assert [post.key for post in posts(sub.state)] == ["root"]


def test_the_files_tell_who_was_found_for_what() -> None:
    state = fails(fills(searching(PHOTOS, HANDS), PHOTOS, "pia"), HANDS).state
    exported = json.loads(file.as_json(EndedNegotiation(state, Times(ended_at=LATER))))

    assert [(each["gap_type"], each["search"]["status"], each["search"]["found"]) for each in exported["gaps"]] == [
        (PHOTOS, "found", ["pia"]),
        (HANDS, "failed", []),
    ]
    assert [each["source"] for each in exported["proposal"]["assignments"]] == ["offer", "offer", "subnet"]
    assert "pia" in [each["agent_id"] for each in exported["people"]]
    told = markdown(EndedNegotiation(state, Times(ended_at=LATER)), texts_in("en"))
    assert "photographer – it is missed – ✅ Found: Pia" in told
    assert "Pia" in told.partition("Confirmed")[2]


def test_whom_a_search_has_found_is_not_confirmed_where_rules_speak() -> None:
    state = fills(searching(PHOTOS), PHOTOS, "pia").state
    assert agreed_by_rules(state) == frozenset()
    offers = {agent_id: replace(each, model=OFFLINE) for agent_id, each in state.offers.items()}
    by_rules = replace(state, offers=offers)
    assert agreed_by_rules(by_rules) == {"pia"}
    text = next(shown(post) for post in posts(by_rules) if post.key == "outcome")
    assert "○ Found by simple rules: " in text
    assert "✅ Found" not in text
    ids: dict[str, Any] = {"demand_id": state.demand_id, "channel_id": state.channel_id, "agent_id": "pia"}
    offered = HelpOffered(**ids, display_name="Pia", by="U_PIA", text="I take photos")
    herself = Volunteer(offered, HelpAnswered(**ids, by="U_ASKS", way="plan"))
    assert agreed_by_rules(replace(by_rules, volunteers={"pia": herself})) == frozenset(), "she has offered it herself"


def test_what_is_still_looked_for_is_on_one_line() -> None:
    assert (
        gap_search.running_searches(searching(PHOTOS, HANDS).state, texts_in("en"), Fit()) == "photographer, more hands"
    )
