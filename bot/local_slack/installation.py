"""Which workspace this is, and the one app that is installed in it."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, Field

from .model import Json


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
    "channel_unshared",
    "function_executed",
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
    *("app_mentions:read", "assistant:write", "channels:join", "chat:write", "commands"),
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
