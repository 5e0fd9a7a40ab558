"""The outcome card tells of a failure at once, and what is still possible when that is known."""

import json

import pytest

from bot.texts import texts_in
from bot.views.negotiation.agreement.outcome import outcome
from bot.views.negotiation.export.file import as_json
from bot.views.negotiation.export.markdown import markdown
from bot.views.negotiation.root import root
from engine.llm.port import OFFLINE
from engine.negotiation.answers import Assignment, Compromise, Resolution
from engine.negotiation.commands import RecordCompromise
from tests.views.ended_negotiations import ended
from tests.views.message_contents import shown
from tests.views.stories import Story, voting

COMPROMISE = Compromise(
    summary="A smaller evening <!channel>",
    facts=("Aya still has a room",),
    assignments=(Assignment(agent_id="aya", role="host", responsibility="a room for 30"),),
    compromises=(Resolution(issue="the late end", resolution="end at nine", rationale="Bo can come then"),),
    unresolved=("a caterer",),
    suggestions=("Ask again for thirty people",),
)


@pytest.fixture
def failed() -> Story:
    story = voting("aya", "bo").twin("aya", "negotiate", "too late", "an earlier end")
    return story.twin("bo", "negotiate", "too much", "less work").time_is_up()


def card(story: Story, language: str = "en") -> str:
    return shown(outcome(story.state, texts_in(language)))


def test_the_failure_is_told_at_once_with_what_is_certain(failed: Story) -> None:
    text = card(failed)
    assert "No agreement this time" in text
    assert "2 of 2 asked would take part · 1 round · 0 of 2 in favour · 2 ask for changes" in text
    assert "*What would help*\nTake up what people asked for" in text
    assert "still be possible" not in text
    assert "询问了 2 人，2 人愿意参与" in card(failed, "zh")


def test_what_a_model_says_comes_onto_the_same_card(failed: Story) -> None:
    failed.does(RecordCompromise, compromise=COMPROMISE, model="claude")
    text = card(failed)
    assert "*What would still be possible*\nA smaller evening &lt;!channel&gt;" in text
    assert "*What could be built on*\n• Aya still has a room" in text
    assert "*Who could do what*\n• Aya · host: a room for 30" in text
    assert "*Alternatives*\n• the late end → end at nine (Bo can come then)" in text
    assert "*Still unsolved*\n• a caterer" in text
    assert "*Next steps*\n• Ask again for thirty people" in text
    assert "A suggestion of the model’s. Nobody is bound by it." in text
    assert "*What would help*" not in text
    assert "*Alternatives*" not in card(failed, "zh")


def test_the_offline_model_says_that_it_is_none(failed: Story) -> None:
    failed.does(RecordCompromise, compromise=COMPROMISE, model=OFFLINE)
    assert "Worked out by simple rules, not by a model." in card(failed)


def test_without_a_model_the_facts_stand_and_the_root_card_says_why(failed: Story) -> None:
    before = card(failed)
    failed.does(RecordCompromise, compromise=None, degraded="E003")
    assert card(failed) == before
    assert "The model was out of reach for: looking for a way out." in shown(root(failed.state, texts_in("en")))


def test_an_answer_that_nobody_can_read_is_told_apart_from_a_model_that_cannot_be_reached(failed: Story) -> None:
    failed.does(RecordCompromise, compromise=None, degraded="E013")
    said = shown(root(failed.state, texts_in("en")))
    assert "What the model answered could not be read for: looking for a way out." in said
    assert "out of reach" not in said
    assert "模型有回答，但无法读懂" in shown(root(failed.state, texts_in("zh")))


def test_it_is_in_what_is_exported(failed: Story) -> None:
    assert json.loads(as_json(ended(failed)))["compromise"] is None
    assert "still be possible" not in markdown(ended(failed), texts_in("en"))

    failed.does(RecordCompromise, compromise=COMPROMISE, model="claude")

    told = json.loads(as_json(ended(failed)))["compromise"]
    assert told["suggestions"] == ["Ask again for thirty people"]
    assert [(each["agent_id"], each["responsibility"]) for each in told["assignments"]] == [("aya", "a room for 30")]
    text = markdown(ended(failed), texts_in("en"))
    assert "## What would still be possible\n\nA smaller evening" in text
    assert "end at nine (Bo can come then)" in text
