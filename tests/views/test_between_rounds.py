"""What people read between two rounds: what was lost or too seldom answered, who decides, and what came of it."""

import pytest

from bot.views.negotiation.button_values import EDIT, GO_ON, LOOK_WIDER, SEND_AGAIN, STOP
from engine.negotiation.answers import Assignment, Need, ProposalDraft
from engine.negotiation.commands import DecideMissing
from engine.negotiation.policy import PRESETS
from engine.negotiation.terms import MissingChoice
from tests.negotiation.scenario import REQUESTER
from tests.views.message_contents import buttons, shown
from tests.views.stories import Story, post_of

BALANCED = PRESETS["balanced"].model_copy(update={"second_opinion": False, "human_window": 60, "override_window": 0})
SAID = {"en": "An evening", "zh": "一个晚上"}


def begun(language: str = "en", *, claims: tuple[str, ...] = ("need_2",)) -> Story:
    """Ann has the room and Bo the talk. ``claims``: what Bo has offered."""
    needs = (Need(need_id="need_1", what="a room"), Need(need_id="need_2", what="a talk"))
    story = Story(policy=BALANCED, linked={"ann": "U_ANN", "bo": "U_BO"}).demand(SAID[language])
    story.understood(needs=needs, surface_demand=SAID[language]).shortlisted("ann", "bo")
    story.offers("ann", covers=("need_1",)).offers("bo", covers=claims)
    seats = (
        Assignment(agent_id="ann", role="Room", responsibility="opens the hall", covers=("need_1",)),
        Assignment(agent_id="bo", role="Talk", responsibility="talks", covers=("need_2",)),
    )
    return story.proposed(ProposalDraft(summary="An evening", assignments=seats))


def lost(language: str = "en") -> Story:
    return begun(language).clicks("U_BO", "bo", "accept").clicks("U_ANN", "ann", "withdraw")


def repeated(language: str = "en") -> Story:
    story = begun(language)
    for _ in range(2):
        for each in ("ann", "bo"):
            story.twin_fails(each)
        story.time_is_up()
    return story


def read(story: Story, key: str) -> str:
    return shown(post_of(story, key))


def test_whoever_asked_reads_what_was_lost_and_what_silence_means() -> None:
    story = lost()
    assert "this was lost" in read(story, "missing-1")
    assert "• a room" in read(story, "missing-1")
    assert "there is no agreement" in read(story, "missing-1")
    assert buttons(post_of(story, "missing-1")).keys() == {LOOK_WIDER, GO_ON, STOP}
    assert "A decision waits for <@U_ASKS>" in read(story, "root")
    assert "has left, and nobody is left to ask." in read(story, "round-1")
    assert "a replacement is being asked" not in read(story, "round-1")


def test_whoever_asked_reads_that_too_few_have_answered() -> None:
    story = repeated()
    assert "the same version was sent twice" in read(story, "missing-1")
    assert "it is kept, as partly agreed" in read(story, "missing-1")
    assert buttons(post_of(story, "missing-1")).keys() == {GO_ON, SEND_AGAIN, STOP}
    assert EDIT not in buttons(post_of(story, "missing-1"))
    assert "Too few have answered the same version twice." in read(story, "round-2")


@pytest.mark.parametrize(
    ("story", "choice", "came"),
    [
        (lost, MissingChoice.GO_ON, "<@U_ASKS> goes on without."),
        (lost, MissingChoice.LOOK_WIDER, "<@U_ASKS> has others looked for."),
        (repeated, MissingChoice.GO_ON, "<@U_ASKS> keeps it."),
        (repeated, MissingChoice.SEND_AGAIN, "<@U_ASKS> has it sent again."),
        (lost, None, "Nobody decided, so there is no agreement."),
        (repeated, None, "Nobody decided, so it is kept."),
    ],
)
def test_what_was_decided_stands_in_the_thread(story: object, choice: MissingChoice | None, came: str) -> None:
    told: Story = story()  # type: ignore[operator]
    if choice is None:
        told.now = told.state.offers_due
        told.rings("decide")
    else:
        told.does(DecideMissing, by=REQUESTER, choice=choice)
    assert came in read(told, "missing-1")
    assert not buttons(post_of(told, "missing-1"))


def test_what_another_in_the_plan_takes_over_is_said_as_that() -> None:
    story = begun(claims=("need_1", "need_2")).clicks("U_BO", "bo", "accept").clicks("U_ANN", "ann", "withdraw")
    assert "who has offered the same takes it over" in read(story, "round-1")


def test_it_is_all_said_in_chinese_as_well() -> None:
    assert "这些落空了" in read(lost("zh"), "missing-1")
    assert "同一版方案已发过两次" in read(repeated("zh"), "missing-1")
