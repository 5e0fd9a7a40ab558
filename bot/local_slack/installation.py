"""Which workspace this is, the app in it, and what a registered app may do where: codes and tokens."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Self

from pydantic import BaseModel, Field

from .limits import Refusal
from .model import Json, Now


class Team(BaseModel):
    """The workspace's own identity; every payload carries it."""

    id: str = "T_LOCAL"
    name: str = "Local workspace"
    domain: str = "local"
    enterprise_id: str | None = None
    enterprise_name: str | None = None
    edit_window: float | None = None  # seconds in which messages may be edited; None: always


SUBSCRIPTIONS = (
    "app_mention",
    "message.channels",
    "message.groups",
    "message.im",
    "message.mpim",
    "agent_session_stopped",
    "app_home_opened",
    "app_uninstalled",
    "channel_id_changed",
    "channel_shared",
    "channel_unarchive",
    "channel_unshared",
    "function_executed",
    "group_unarchive",
    "member_joined_channel",
    "member_left_channel",
    "team_access_granted",
    "team_access_revoked",
    "tokens_revoked",
    "user_change",
)


class Command(BaseModel):
    """A slash command, as the composer offers it."""

    command: str
    description: str = ""
    usage_hint: str = ""


class Shortcut(BaseModel):
    """A shortcut, as a menu offers it: a message's, or one for everywhere."""

    name: str
    callback_id: str
    type: Literal["global", "message"] = "message"
    description: str = ""


class Function(BaseModel):
    """A step that the app offers to workflows."""

    callback_id: str
    title: str
    description: str = ""
    inputs: dict[str, str] = Field(default_factory=dict)  # name -> type
    required: tuple[str, ...] = ()
    outputs: dict[str, str] = Field(default_factory=dict)
    must_return: tuple[str, ...] = ()

    @classmethod
    def described_by(cls, callback_id: str, declared: Json) -> Self:
        given, made = declared["input_parameters"], declared["output_parameters"]
        return cls(
            callback_id=callback_id,
            title=declared["title"],
            description=declared["description"],
            inputs={name: one["type"] for name, one in given["properties"].items()},
            required=tuple(given.get("required", ())),
            outputs={name: one["type"] for name, one in made["properties"].items()},
            must_return=tuple(made.get("required", ())),
        )


SCOPES = (
    *("app_mentions:read", "assistant:write", "channels:join", "chat:write", "commands", "dnd:read"),
    *(f"{kind}:{what}" for kind in ("channels", "groups", "im", "mpim") for what in ("history", "read")),
    *("files:read", "files:write", "im:write", "mpim:write", "reactions:write", "team:read"),
    *("usergroups:read", "users:read"),
)


class Surfaces(BaseModel):
    """What this workspace has: an older one lacks some of it."""

    agents: bool = True  # sessions and suggested prompts
    blocks: bool = True  # plans, task cards and containers in messages


class App(BaseModel):
    """The one app that is installed here, and its local tokens."""

    id: str = "A_TOWOW"
    name: str = "ToWow"
    bot_id: str = "B_TOWOW"
    bot_user_id: str = "U_TOWOW"
    bot_user_name: str = "towow"
    bot_token: str = "xoxb-local-towow"  # noqa: S105  (opens nothing outside this process)
    app_token: str = "xapp-local-towow"  # noqa: S105
    verification_token: str = "local-verification"  # noqa: S105
    scopes: tuple[str, ...] = SCOPES  # as in the manifest; a call that needs another one is refused
    subscriptions: tuple[str, ...] = SUBSCRIPTIONS  # as in the manifest's bot_events
    commands: tuple[Command, ...] = ()
    shortcuts: tuple[Shortcut, ...] = ()
    functions: tuple[Function, ...] = ()
    is_agent: bool = True  # is it declared as one?
    home_tab: bool = True  # does its DM have a Home tab?
    suggestions: tuple[str, ...] = ()  # what one may say to it
    welcome: dict[str, str] = Field(default_factory=dict)  # language -> what it is, where nothing was said yet

    @classmethod
    def described_by(cls, manifest: Json) -> Self:
        """The app that Slack would make of this manifest."""
        features: Json = manifest["features"]
        scopes: Json = {each: manifest["oauth_config"]["scopes"].get(each, ()) for each in ("bot", "bot_optional")}
        return cls(
            name=manifest["display_information"]["name"],
            scopes=tuple(scope for each in scopes.values() for scope in each),
            subscriptions=tuple(manifest["settings"]["event_subscriptions"]["bot_events"]),
            commands=tuple(map(Command.model_validate, features.get("slash_commands", ()))),
            shortcuts=tuple(map(Shortcut.model_validate, features.get("shortcuts", ()))),
            functions=tuple(Function.described_by(*one) for one in manifest.get("functions", {}).items()),
            is_agent="agent_view" in features,
            home_tab=features["app_home"]["home_tab_enabled"],
        )


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
