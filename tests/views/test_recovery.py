"""Cards tell that a negotiation was stuck or took too long."""

import pytest

from bot.texts import texts_in
from bot.views.negotiation.agreement.failure_reasons import failure_reason
from bot.views.negotiation.root import root
from engine.kernel import Recover
from engine.negotiation.policy import PRESETS
from tests.views.message_contents import shown
from tests.views.stories import Story, voting


def stuck(story: Story, times: int) -> Story:
    for _ in range(times):
        story.now += 30_000
        story.does(Recover)
    return story


def read(story: Story, language: str = "en") -> str:
    return shown(root(story.state, texts_in(language)))


def test_that_it_was_stuck_is_said_on_the_root_card() -> None:
    assert "stuck" not in read(Story().demand())
    once = stuck(Story().demand(), 1)
    assert "⚠️ It was stuck 1 time, and was taken up again from there." in read(once)
    assert "卡住了 1 次" in read(once, "zh")
    assert "last attempt" not in read(once)


def test_the_last_attempt_is_called_so_and_after_it_there_is_none() -> None:
    story = stuck(Story().demand(), 3)
    assert "stuck 3 times, and was taken up again from there. This is the last attempt." in read(story)
    stuck(story, 1)
    assert "No agreement this time: a step kept failing on our side" in read(story)
    assert "last attempt" not in read(story)


@pytest.mark.parametrize(
    ("story", "why"),
    [
        pytest.param(Story().demand(), "it took too long before there was a proposal", id="no proposal"),
        pytest.param(
            voting("aya", "bo", policy=PRESETS["story05"]).twin("aya", "accept").twin("bo", "negotiate", "x", "x"),
            "the time ran out before there was agreement",
            id="in the middle of the rounds",
        ),
    ],
)
def test_what_took_too_long_does_not_say_that_the_rounds_ran_out(story: Story, why: str) -> None:
    story.now = story.state.until
    story.rings("duration")
    assert failure_reason(story.state, texts_in("en")) == why
