"""Who we are in the workspace, which Bolt has to know before it passes anything on."""

import asyncio

from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.failures import CALL_ERRORS, failure
from engine.kernel import Tenant


class Identity:
    """Asks Slack who the bot token belongs to, until Slack has answered once."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._known: AuthorizeResult | None = None
        self._asking = asyncio.Lock()

    @property
    def known_tenant(self) -> Tenant | None:
        """The workspace that the bot token belongs to; None while Slack has not said which it is."""
        return Tenant(self._known.team_id or "", self._known.enterprise_id or "") if self._known else None

    def web_address(self, tenant: Tenant) -> str:
        """Return where the workspace is on the web, with a slash at its end; empty while Slack has not said so, and for
        any other workspace.
        """
        if self._known is None or not self._known.url or tenant != self.known_tenant:
            return ""
        return f"{self._known.url.rstrip('/')}/"

    async def authorize(self) -> AuthorizeResult:
        """
        Raises:
            CallFailed: and none of Slack's own errors. Those Bolt takes for "not installed": it acknowledges what came
                in with an apology, and a mention or a vote is lost because Slack was busy.
        """
        async with self._asking:
            if self._known is None:
                try:
                    answer = await self._client.auth_test()
                except CALL_ERRORS as error:
                    raise failure(error) from error
                self._known = AuthorizeResult.from_auth_test_response(
                    auth_test_response=answer, bot_token=self._client.token
                )
            return self._known

    async def tenant(self) -> Tenant:
        """Return the workspace that the bot token belongs to.

        Raises:
            CallFailed
        """
        known = await self.authorize()
        return Tenant(known.team_id or "", known.enterprise_id or "")
