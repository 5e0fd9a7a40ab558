"""What a registered app may do where: the codes of an authorization, and the tokens that it is exchanged for."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import NamedTuple

from pydantic import BaseModel, Field

from .clock import Now
from .installation import App, Team
from .refusals import Refusal

CODE_LIFETIME = 600.0  # seconds
LIFETIME = 12 * 3600.0  # seconds that a rotating token is good for


class Registration(BaseModel):
    """An app that any workspace can install, as its developer has registered it."""

    app: App = Field(default_factory=App)
    client_id: str = "1111111111.2222222222"
    client_secret: str = "local-client-secret"  # noqa: S105 - opens nothing outside this process
    redirect_uris: tuple[str, ...] = ()  # an authorization may lead to any address that begins with one of these
    rotates: bool = True  # do tokens expire?
    lifetime: float = LIFETIME
    grace: float = 0.0  # seconds in which a refresh token that was used gives the same answer again


class Place(NamedTuple):
    """Where an app is installed: in one workspace, or in a whole organisation, whose team is None."""

    enterprise_id: str | None
    team_id: str | None


@dataclass(eq=False)
class Grant:
    """One installation."""

    place: Place
    user: str  # who installed it
    token: str = ""
    refresh_token: str = ""
    is_revoked: bool = False
    without: set[str] = field(default_factory=set)  # workspaces of the organisation that the app was removed from


class _Code(NamedTuple):
    place: Place
    user: str
    redirect_uri: str
    issued: float


class _Used(NamedTuple):
    grant: Grant
    at: float
    gave: str  # the refresh token that came in its place


class Grants:
    def __init__(self, registration: Registration, now: Now) -> None:
        self._registration = registration
        self._now = now
        self._codes: dict[str, _Code | None] = {}  # None: it was used
        self._grants: list[Grant] = []
        self._tokens: dict[str, tuple[Grant, float | None]] = {}  # token -> whose, and when it expires
        self._used: dict[str, _Used] = {}  # refresh tokens
        self.refreshed = 0

    def issue_code(self, place: Place, user: str, redirect_uri: str) -> str:
        code = secrets.token_hex(16)
        self._codes[code] = _Code(place, user, redirect_uri, self._now())
        return code

    def check_client(self, client_id: str, client_secret: str) -> None:
        if client_id != self._registration.client_id:
            raise Refusal("invalid_client_id")
        if client_secret != self._registration.client_secret:
            raise Refusal("bad_client_secret")

    def exchange(self, code: str, redirect_uri: str) -> Grant:
        if code not in self._codes:
            raise Refusal("invalid_code")
        asked = self._codes[code]
        if asked is None:
            raise Refusal("code_already_used")
        if asked.redirect_uri != redirect_uri:
            raise Refusal("bad_redirect_uri")
        self._codes[code] = None
        if self._now() - asked.issued > CODE_LIFETIME:
            raise Refusal("invalid_code")
        grant = Grant(asked.place, asked.user)
        self._grants = [each for each in self._grants if each.place != asked.place] + [grant]
        self._renew(grant)
        return grant

    def refresh(self, refresh_token: str) -> Grant:
        """Raises Refusal: it is unknown, or was used; or what was installed is not any more."""
        used = self._used.get(refresh_token)
        if used and self._now() - used.at < self._registration.grace and used.grant.refresh_token == used.gave:
            return used.grant
        grant = next((each for each in self._grants if each.refresh_token == refresh_token != ""), None)
        if grant is None or grant.is_revoked:
            raise Refusal("invalid_refresh_token")
        self._renew(grant)
        self._used[refresh_token] = _Used(grant, self._now(), grant.refresh_token)
        self.refreshed += 1
        return grant

    def whose(self, token: str | None) -> Grant:
        """Raises Refusal: the token is unknown, has expired, or was revoked."""
        if token is None:
            raise Refusal("not_authed")
        if token not in self._tokens:
            raise Refusal("invalid_auth")
        grant, expires = self._tokens[token]
        if grant.is_revoked:
            raise Refusal("account_inactive")
        if expires is not None and expires <= self._now():
            raise Refusal("token_expired")
        return grant

    def of(self, team: Team) -> Grant | None:
        """By what the app is in a workspace: an installation of its own, or its organisation's."""
        alive = {each.place: each for each in self._grants if not each.is_revoked}
        own = alive.get(Place(team.enterprise_id, team.id))
        whole = alive.get(Place(team.enterprise_id, None)) if team.enterprise_id else None
        return own or (whole if whole is not None and team.id not in whole.without else None)

    def expire(self) -> None:
        """Every token that there is expires now."""
        for token, (grant, expires) in self._tokens.items():
            if expires is not None:
                self._tokens[token] = (grant, min(expires, self._now()))

    @property
    def secrets(self) -> list[str]:
        """Every token there was."""
        refresh = {each for grant in self._grants for each in (grant.refresh_token,) if each}
        return [*self._tokens, *refresh, *self._used]

    def _renew(self, grant: Grant) -> None:
        rotates = self._registration.rotates
        prefix = "xoxe.xoxb-local-" if rotates else "xoxb-local-"
        grant.token = prefix + secrets.token_hex(60 if rotates else 24)
        grant.refresh_token = f"xoxe-local-{secrets.token_hex(60)}" if rotates else ""
        self._tokens[grant.token] = (grant, self._now() + self._registration.lifetime if rotates else None)
