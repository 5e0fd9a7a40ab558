"""Links to the page of one story. A link is for one person, ends by itself, and is worth nothing once it is changed.

It is signed (HMAC-SHA-256) over the workspace, the stream, its reader and its end. Another key makes all links void.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, urlencode

from engine.facts.language import Language
from engine.kernel import Millis, Tenant

PATH: Final = "/n"
DAY: Final[Millis] = 24 * 60 * 60_000
DAYS: Final = 7
"""For which a link works, unless it is said otherwise."""
SHORTEST_KEY: Final = 24
"""Characters."""


@dataclass(frozen=True, slots=True)
class PageAccess:
    """How the pages of stories are reached."""

    key: bytes = field(repr=False)
    """Signs the links."""
    url: str = ""
    """Where people reach the HTTP interface, without a slash at its end; empty where that is where it is served."""
    days: int = DAYS


@dataclass(frozen=True, slots=True)
class Link:
    """What a link says, once it has been checked."""

    stream: str
    user: str
    until: Millis


class LinkExpired(Exception):
    """A link that was ours, and has come to its end."""


class LinkForged(Exception):
    """No link of ours, or not for this workspace."""


class StoryLinks:
    """Makes and checks links."""

    def __init__(self, access: PageAccess, *, names_team: bool = False) -> None:
        self._access = access
        self._names_team = names_team
        self._url = access.url

    @property
    def days(self) -> int:
        return self._access.days

    def serve_at(self, url: str) -> None:
        """Say where the pages are served, which is where they are reached unless it was said otherwise."""
        self._url = self._access.url or url

    def link(self, tenant: Tenant, stream: str, user: str, now: Millis, language: Language) -> str:
        """Return the address of a stream's page, for this user alone."""
        until = now // 1000 + self._access.days * DAY // 1000
        return f"{self._url}{PATH}/{quote(stream, safe='')}?{self.query(tenant, stream, user, until, language)}"

    def query(self, tenant: Tenant, stream: str, user: str, until: int, language: Language) -> str:
        """
        Args:
            until: seconds since 1970.
        """
        signature = self._sign(tenant, stream, user, until)
        said = {"for": user, "until": str(until), "lang": language, "signature": signature}
        return urlencode(said | ({"team": tenant.team_id} if self._names_team else {}))

    def check(self, tenant: Tenant, stream: str, query: Mapping[str, str], now: Millis) -> Link:
        """Return the link that a query holds, once its signature and its end are checked."""
        user, until = query.get("for", ""), query.get("until", "")
        if not (until.isascii() and until.isdecimal() and len(until) < 15 and user):
            raise LinkForged
        signed = self._sign(tenant, stream, user, int(until))
        given = query.get("signature", "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(signed.encode(), given):
            raise LinkForged
        if now >= int(until) * 1000:
            raise LinkExpired
        return Link(stream, user, int(until) * 1000)

    def _sign(self, tenant: Tenant, stream: str, user: str, until: int) -> str:
        said = json.dumps(["page", tenant.enterprise_id, tenant.team_id, stream, user, until])
        digest = hmac.digest(self._access.key, said.encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
