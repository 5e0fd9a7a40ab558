"""Rate limits, once they are switched on."""

from __future__ import annotations

import pytest
from slack_sdk.errors import SlackApiError

from bot.workspace import Channel, LocalWorkspace

from .conftest import CHANNELS, GENERAL, USERS, client_of


async def test_posting_too_fast_in_one_channel_is_refused_until_the_time_has_passed() -> None:
    time = 1_700_000_000.0
    other = Channel(id="C_OTHER", name="other")
    async with LocalWorkspace(users=USERS, channels=[*CHANNELS, other], now=lambda: time) as workspace:
        client = client_of(workspace)
        await workspace.admin.rate_limits(True)
        for number in range(4):
            await client.chat_postMessage(channel=GENERAL, text=str(number))
        with pytest.raises(SlackApiError) as refused:
            await client.chat_postMessage(channel=GENERAL, text="one too many")
        assert refused.value.response["error"] == "ratelimited"
        assert refused.value.response.headers["Retry-After"] == "1"
        await client.chat_postMessage(channel="C_OTHER", text="elsewhere there is room")
        time += 1
        await client.chat_postMessage(channel=GENERAL, text="now")


async def test_updates_are_limited_over_all_channels() -> None:
    async with LocalWorkspace(users=USERS, channels=CHANNELS, now=lambda: 1_700_000_000.0) as workspace:
        client = client_of(workspace)
        await workspace.admin.rate_limits(True)
        ts = (await client.chat_postMessage(channel=GENERAL, text="card"))["ts"]
        for number in range(50):
            await client.chat_update(channel=GENERAL, ts=ts, text=str(number))
        with pytest.raises(SlackApiError, match="ratelimited"):
            await client.chat_update(channel=GENERAL, ts=ts, text="one too many")
        await workspace.admin.rate_limits(False)
        await client.chat_update(channel=GENERAL, ts=ts, text="free")
