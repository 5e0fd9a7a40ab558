"""Slack's newer blocks, and the old ones where a workspace lacks them: the same is said either way."""

import logging
from collections.abc import Sequence

import pytest

from bot.local_slack import Message
from bot.posts.rate_limits import POST, UPDATE
from bot.registry import NEGOTIATION
from bot.texts import texts_in
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import Fit
from bot.views.kit.post import Post
from bot.views.kit.presenter import AddressOf, KnownLanguage, no_address
from bot.views.kit.surfaces import Task, TaskStatus, board, folded, people_table
from bot.views.negotiation.presenter import NegotiationPresenter
from engine.llm.port import Pause
from engine.negotiation.state import Negotiation
from tests.posts.driver import AYA, Driver
from tests.views.stories import Story, voting

PEOPLE = [(f"*Person {number}*", f"<@{AYA}> asks") for number in range(11)]
LINES = [" · ".join(each) for each in PEOPLE]


def card(state: Negotiation, fit: Fit) -> list[Block]:
    tasks = [
        Task("1", "Book <the> room", TaskStatus.IN_PROGRESS, f"<@{AYA}> · by Friday", "🔵 Book it"),
        Task("2", "Guests", TaskStatus.COMPLETE, line="✅ Guests"),
    ]
    inner = [blocks.section("Inside")]
    table = people_table("*People*", ("Who", "What"), PEOPLE, LINES, fit)
    shown = [*board("Tasks", tasks, fit), *folded("Offers", inner, fit), *table]
    return [blocks.section(f"It is {state.status}"), *shown]


class Boards(NegotiationPresenter):
    """Draws one post, with a plan and a container."""

    def posts(
        self, state: Negotiation, known: KnownLanguage, pause: Pause | None = None, address: AddressOf = no_address
    ) -> Sequence[Post]:
        return (
            Post.from_card(
                "root", "It stands", lambda fit: card(state, fit), stream=state.channel_id, texts=texts_in("en")
            ),
        )


@pytest.fixture
async def driver(driver: Driver) -> Driver:
    restarted(driver)
    return driver


def restarted(driver: Driver) -> None:
    driver.posts = driver.another({NEGOTIATION.name: Boards()})


async def posted(driver: Driver, story: Story) -> Message:
    return await driver.message(story, "root")


def kinds(message: Message) -> list[str]:
    return [each["type"] for each in message.blocks]


async def test_a_workspace_that_has_them_gets_them(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    message = await posted(driver, story)
    assert kinds(message) == ["section", "plan", "container", "section", "data_table"]
    [first, second] = message.blocks[1]["tasks"]
    assert (first["status"], second["status"]) == ("in_progress", "complete")
    assert message.blocks[2]["child_blocks"][0]["text"]["text"] == "Inside"
    [head, aya, *_] = message.blocks[4]["rows"]
    assert [each["type"] for each in (*head, *aya)] == ["raw_text", "raw_text", "raw_text", "rich_text"]


async def test_each_update_of_a_plan_has_an_id_of_its_own(driver: Driver) -> None:
    story = Story(place=await driver.mentioned()).demand()
    await driver.show(story)
    before = await posted(driver, story)
    await driver.show(story.stopped())
    after = await posted(driver, story)
    assert await driver.calls(UPDATE) == 1
    assert before.blocks[1]["block_id"] != after.blocks[1]["block_id"]


async def test_a_workspace_that_lacks_them_gets_the_old_ones_and_is_remembered(
    driver: Driver, caplog: pytest.LogCaptureFixture
) -> None:
    await driver.workspace.admin.surfaces(blocks=False)
    first = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(first)
    message = await posted(driver, first)
    assert kinds(message) == ["section"] * 5
    assert [each["text"]["text"] for each in message.blocks[1:]] == [
        "*Tasks*\n🔵 Book it\n✅ Guests", "*Offers*", "Inside", "\n".join(["*People*", *LINES])
    ]  # fmt: skip
    assert not (await driver.table(first))["root"].is_plain
    assert await driver.calls(POST) == 2

    await driver.show(voting("aya", place=await driver.mentioned(), stream="n-second"))
    assert await driver.calls(POST) == 3, "the second thread is not tried with them"
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


async def test_after_a_restart_they_are_tried_again(driver: Driver) -> None:
    await driver.workspace.admin.surfaces(blocks=False)
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    await driver.workspace.admin.surfaces()
    restarted(driver)
    await driver.show(story.stopped())
    assert kinds(await posted(driver, story)) == ["section", "plan", "container", "section", "data_table"]


async def test_an_update_is_drawn_without_them_as_well(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    await driver.workspace.admin.surfaces(blocks=False)
    await driver.show(story.stopped())
    message = await posted(driver, story)
    assert "plan" not in kinds(message)
    assert "It is cancelled" in str(message.blocks)


async def test_what_is_refused_even_without_them_is_sent_as_text(driver: Driver) -> None:
    await driver.workspace.admin.fault(POST, "error", error="invalid_blocks", times=2)
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    message = await posted(driver, story)
    assert message.blocks == []
    assert "Book it" in message.text
    assert "Inside" in message.text


def test_what_does_not_fit_whole_is_drawn_without_them() -> None:
    def long(fit: Fit) -> list[Block]:
        tasks = [Task(str(each), "x" * 90, TaskStatus.PENDING, "y" * 300, "z" * 20) for each in range(40)]
        return board("Tasks", tasks, fit)

    post = Post.from_card("root", "It stands", long, stream="n-1", texts=texts_in("en"))
    assert {each["type"] for each in post.blocks} == {"section"}
    assert not post.has_newer


def test_a_card_without_them_is_drawn_once_and_not_before_it_is_needed() -> None:
    drawn: list[Fit] = []

    def plain(fit: Fit) -> list[Block]:
        drawn.append(fit)
        return [blocks.section("Hello")]

    post = Post.from_card("root", "It stands", plain, stream="n-1", texts=texts_in("en"))
    assert drawn == []
    assert post.plain_blocks is post.blocks
    assert len(drawn) == 1


def test_nothing_is_shown_of_what_is_empty() -> None:
    assert board("Tasks", [], Fit(newer=True)) == folded("Offers", [], Fit(newer=True)) == []


def test_many_blocks_are_folded_ten_by_ten() -> None:
    many = [blocks.section(str(each)) for each in range(23)]
    assert [len(each["child_blocks"]) for each in folded("Offers", many, Fit(newer=True))] == [10, 10, 3]
    assert len(folded("Offers", many, Fit())) == 24
