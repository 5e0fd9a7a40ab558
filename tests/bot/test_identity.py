"""Bolt asks Slack who we are before it passes anything on; nothing is lost when Slack does not say."""

import pytest

from .conftest import Begin

SHORTLY = 0.8
"""Seconds that Slack waits for us here."""


@pytest.mark.parametrize("status", [pytest.param(500, id="out of order"), pytest.param(429, id="too many calls")])
async def test_a_mention_is_delivered_again_when_slack_did_not_say_who_we_are(driver: Begin, status: int) -> None:
    it = await driver(ack_timeout=SHORTLY)
    await it.demo.workspace.admin.fault("auth.test", "status", status=status, retry_after=1)

    it = await it.asks()

    assert (await it.state()).exists


async def test_slack_is_asked_once(driver: Begin) -> None:
    it = await (await driver()).asks()
    await it.asks()

    assert (await it.demo.workspace.admin.calls())["auth.test"] == 1
