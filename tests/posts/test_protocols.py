"""Streams of any protocol are shown as its presenter says; of a protocol that nobody has described, nothing is."""

import pytest

from bot.posts.stream_reconciler import Presenters
from bot.registry import DIRECTORY, NEGOTIATION
from bot.views.negotiation.presenter import NegotiationPresenter
from engine.kernel import Place
from tests.posts.driver import PRESENTERS, Driver
from tests.views.stories import voting


async def shown_with(driver: Driver, presenters: Presenters) -> list[str]:
    """Which posts a negotiation gets."""
    driver.posts = driver.another(presenters)
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    return await driver.keys(story)


async def test_a_stream_without_a_presenter_counts_as_shown(driver: Driver) -> None:
    assert PRESENTERS[DIRECTORY.name] is None

    assert await shown_with(driver, {NEGOTIATION.name: None}) == []

    assert not await driver.is_behind()


async def test_a_protocol_that_nobody_described_is_an_error_and_its_streams_stay_behind(
    driver: Driver, caplog: pytest.LogCaptureFixture
) -> None:
    assert await shown_with(driver, {DIRECTORY.name: None}) == []

    assert await driver.is_behind()
    assert "is a stream of 'negotiation'; no protocol here is called that" in caplog.text


async def test_another_presenter_says_where_its_posts_are(driver: Driver) -> None:
    class Hidden(NegotiationPresenter):
        def place(self, state: object) -> Place | None:
            return None

    assert await shown_with(driver, {NEGOTIATION.name: Hidden()}) == []
    assert not await driver.is_behind()
    assert await shown_with(driver, PRESENTERS) == ["root", "offers", "round-1"]
