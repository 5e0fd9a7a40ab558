"""Who we are in the workspace, which Bolt has to know before it passes anything on."""

import asyncio
from collections.abc import Awaitable, Callable

from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.failures import CALL_ERRORS, failure


def identity(client: AsyncWebClient) -> Callable[[], Awaitable[AuthorizeResult]]:
    """Asks Slack until it has answered once."""
    known: AuthorizeResult | None = None
    asking = asyncio.Lock()

    async def who_we_are() -> AuthorizeResult:
        """
        Raises:
            CallFailed: and none of Slack's own errors. Those Bolt takes for "not installed": it acknowledges what came
                in with an apology, and a mention or a vote is lost because Slack was busy.
        """
        nonlocal known
        async with asking:
            if known is None:
                try:
                    answer = await client.auth_test()
                except CALL_ERRORS as error:
                    raise failure(error) from error
                known = AuthorizeResult.from_auth_test_response(auth_test_response=answer, bot_token=client.token)
            return known

    return who_we_are
