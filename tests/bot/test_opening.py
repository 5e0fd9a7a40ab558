"""Whoever may approve a ticket opens what was shown for it, for themselves alone; and it is known that they have."""

import pytest

from bot.views.delivery.button_values import OPEN
from engine.delivery.work.working import unread

from .conftest import Begin
from .driver import AYA, YOU, texts_of
from .leading import Led
from .test_results import done, files, made

PICTURE = b"\x89PNG\r\n\x1a\n\x00\xff"


async def left(it: Led) -> list[str]:
    return [each.label for each in unread(await it.ticket(), YOU)]


async def test_a_text_is_shown_in_a_form_and_nowhere_else(driver: Begin) -> None:
    it = await done(driver, made(beginning=""))
    thread = [each.text for each in await it.it.everything(AYA)]
    assert await left(it) == ["Result"]

    view = (await it.acts(YOU, OPEN)).modal

    assert view is not None
    assert "# The page" in "\n".join(texts_of(view.blocks))
    assert await left(it) == []
    assert [each.text for each in await it.it.everything(AYA)] == thread
    assert await files(it) == []


@pytest.mark.parametrize("content", [PICTURE, b"# Long\n" * 3_000], ids=["no text", "a long text"])
async def test_what_no_form_can_show_comes_by_direct_message(driver: Begin, content: bytes) -> None:
    it = await done(driver, made(content, beginning=""), kept=content)

    assert (await it.acts(YOU, OPEN)).modal is None

    person = it.it.demo.person(YOU)
    messages = await person.messages((await person.dm()).id)
    assert len([each for each in messages if each.files]) == 1
    assert await files(it) == []
    assert await left(it) == []
    assert await it.it.told(YOU) == ["It is in your direct messages with me."]


async def test_what_is_gone_was_not_opened(driver: Begin) -> None:
    it = await done(driver, made(beginning=""), kept=None)

    await it.acts(YOU, OPEN)

    assert await left(it) == ["Result"]
    [told] = await it.it.told(YOU)
    assert "could be sent" in told


async def test_nobody_else_opens_it(driver: Begin) -> None:
    it = await done(driver, made(beginning=""))

    assert (await it.acts(AYA, OPEN)).modal is None

    [told] = await it.it.told(AYA)
    assert "That is for somebody else" in told
