"""Fetches what people have uploaded to Slack: a `FileSource` (engine/workers/port.py)."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.failures import CALL_ERRORS, CallFailed, Refused, failure
from bot.posts.slack_calls import Clients
from bot.texts import Texts, texts_in
from engine.kernel import StreamKey
from engine.proxies import proxy_for
from engine.workers.port import FileRefused

SLACKS: Final = "slack.com"
LONGEST_FETCH: Final = 60
"""Seconds for one file."""
CHUNK: Final = 64 * 1024
"""Bytes that are read at once."""
WITHOUT_CONTENT: Final = frozenset({"tombstone", "hidden_by_limit"})
"""Modes of files of which Slack has nothing any more."""


class SlackFiles:
    """
    Args:
        slack: the client, or what returns a tenant's.
        api_url: of Slack's Web API; files are fetched from Slack's own hosts, or from where this is.
    """

    def __init__(self, slack: AsyncWebClient | Clients, api_url: str) -> None:
        self._slack = slack
        self._api = urlsplit(api_url)

    async def __call__(self, key: StreamKey, file_id: str, *, most_bytes: int) -> bytes:
        """Fetch a file that somebody uploaded to Slack."""
        try:
            client = self._slack if isinstance(self._slack, AsyncWebClient) else await self._slack(key.tenant)
        except CallFailed as error:
            raise FileRefused(not_fetched(texts_in("en"))) from error
        told = await self._file_info(client, file_id)
        if int(told.get("size") or 0) > most_bytes:
            raise FileRefused(too_large(texts_in("en")))
        address = str(told.get("url_private_download") or told.get("url_private") or "")
        if not self._is_slacks(address):
            raise FileRefused(elsewhere(texts_in("en")))
        try:
            return await self._fetched(client, address, str(told.get("mimetype") or ""), most_bytes)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise FileRefused(not_fetched(texts_in("en"))) from error

    async def _file_info(self, client: AsyncWebClient, file_id: str) -> Mapping[str, Any]:
        """What Slack says of a file."""
        try:
            answer = await client.files_info(file=file_id)
        except CALL_ERRORS as error:
            is_gone = isinstance(failure(error), Refused)
            raise FileRefused((gone if is_gone else not_fetched)(texts_in("en"))) from error
        except AttributeError as error:  # what slack_sdk 3.48 makes of a reply that is text, as proxies give
            raise FileRefused(not_fetched(texts_in("en"))) from error
        told = answer.get("file")
        if not isinstance(told, dict) or told.get("id") != file_id or told.get("mode") in WITHOUT_CONTENT:
            raise FileRefused(gone(texts_in("en")))
        return told

    def _is_slacks(self, address: str) -> bool:
        """Whether the token may be sent there."""
        try:
            parts = urlsplit(address)
            place = (parts.scheme, parts.hostname, parts.port)
            ours = (self._api.scheme, self._api.hostname, self._api.port)
        except ValueError:
            return False
        host = parts.hostname or ""
        is_at_slack = parts.scheme == "https" and (host == SLACKS or host.endswith(f".{SLACKS}"))
        return place == ours or (is_at_slack and parts.port in (None, 443))

    async def _fetched(self, client: AsyncWebClient, address: str, kind: str, most_bytes: int) -> bytes:
        """Fetch the file's bytes from its address."""
        headers = {"Authorization": f"Bearer {client.token}"}
        limit = aiohttp.ClientTimeout(total=LONGEST_FETCH)
        async with (
            aiohttp.ClientSession(timeout=limit, cookie_jar=aiohttp.DummyCookieJar()) as session,
            session.get(address, headers=headers, allow_redirects=False, proxy=proxy_for(address)) as answer,
        ):
            # Whoever may not read a file is shown a page to sign in, as a success or as a redirect.
            is_page = answer.content_type == "text/html" and kind != "text/html"
            if answer.status != 200 or is_page:
                raise FileRefused(gone(texts_in("en")) if answer.status == 404 else not_fetched(texts_in("en")))
            read = bytearray()
            async for chunk in answer.content.iter_chunked(CHUNK):
                read += chunk
                if len(read) > most_bytes:
                    raise FileRefused(too_large(texts_in("en")))
            return bytes(read)


def gone(texts: Texts) -> str:
    return texts.say("The file is not there any more, or ToWow may not read it. Send it once more, or give a link.")


def too_large(texts: Texts) -> str:
    return texts.say("The file is larger than what can be kept here. Give a smaller one, or a link.")


def elsewhere(texts: Texts) -> str:
    return texts.say("The file is kept outside of Slack. Give its address as a link instead.")


def not_fetched(texts: Texts) -> str:
    return texts.say("The file could not be fetched from Slack just now. Please send it once more.")
