"""Method name -> what it does."""

from __future__ import annotations

from collections.abc import Callable

from ..model import Json
from ..workspace import Workspace
from . import agents, blocks, chat, conversations, files, functions, history, people, views
from .calls import Call

Method = Callable[[Workspace, Call], Json]


def open_connection(workspace: Workspace, call: Call) -> Json:
    """apps.connections.open. The SDK retries with the same URL when a first try fails, so it is not single-use."""
    return {
        "url": f"{workspace.url.replace('http', 'ws', 1)}/link/?ticket={workspace.ticket}&app_id={workspace.app.id}"
    }


READING = frozenset(
    {
        *("api.test", "auth.test", "bots.info", "chat.getPermalink", "files.info", "team.info"),
        *("usergroups.list", "usergroups.users.list"),
        *(f"conversations.{what}" for what in ("history", "info", "list", "members", "replies")),
        *(f"users.{what}" for what in ("conversations", "info", "list")),
    }
)
"""Methods that change nothing: only these can be called with GET, which any page can have a browser do."""

METHODS: dict[str, Method] = {
    "agents.sessions.setStatus": agents.set_session_status,
    "api.test": people.api_test,
    "apps.connections.open": open_connection,
    "assistant.threads.setSuggestedPrompts": agents.set_suggested_prompts,
    "auth.test": people.auth_test,
    "blocks.validate": blocks.validate,
    "bots.info": people.bot_info,
    "chat.delete": chat.remove,
    "chat.getPermalink": chat.get_permalink,
    "chat.postEphemeral": chat.post_ephemeral,
    "chat.postMessage": chat.post_message,
    "chat.update": chat.update,
    "conversations.history": history.history,
    "conversations.info": conversations.info,
    "conversations.join": conversations.join,
    "conversations.list": conversations.list_,
    "conversations.members": conversations.members,
    "conversations.open": conversations.open_,
    "conversations.replies": history.replies,
    "files.completeUploadExternal": files.complete_upload,
    "files.getUploadURLExternal": files.get_upload_url,
    "files.info": files.info,
    "functions.completeError": functions.complete_error,
    "functions.completeSuccess": functions.complete_success,
    "reactions.add": people.add_reaction,
    "reactions.remove": people.remove_reaction,
    "team.info": people.team_info,
    "usergroups.list": people.group_list,
    "usergroups.users.list": people.group_members,
    "users.conversations": conversations.of_user,
    "users.info": people.user_info,
    "users.list": people.user_list,
    "views.open": views.open_,
    "views.publish": views.publish,
    "views.push": views.push,
    "views.update": views.update,
}
