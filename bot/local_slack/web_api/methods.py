"""Method name -> what it does."""

from __future__ import annotations

from collections.abc import Callable

from ..model import Json
from ..workspace import Workspace
from . import chat, conversations, files, people, surfaces
from .calls import Call

Method = Callable[[Workspace, Call], Json]


def open_connection(workspace: Workspace, call: Call) -> Json:
    """apps.connections.open. The SDK retries with the same URL when a first try fails, so it is not single-use."""
    return {
        "url": f"{workspace.url.replace('http', 'ws', 1)}/link/?ticket={workspace.ticket}&app_id={workspace.app.id}"
    }


READING = frozenset(
    {
        *("api.test", "auth.test", "bots.info", "chat.getPermalink", "dnd.teamInfo", "files.info", "team.info"),
        *("usergroups.list", "usergroups.users.list"),
        *(f"conversations.{what}" for what in ("history", "info", "list", "members", "replies")),
        *(f"users.{what}" for what in ("conversations", "info", "list")),
    }
)
"""Methods that change nothing: only these can be called with GET, which any page can have a browser do."""

METHODS: dict[str, Method] = {
    "agents.sessions.setStatus": surfaces.set_session_status,
    "api.test": people.api_test,
    "apps.connections.open": open_connection,
    "assistant.threads.setSuggestedPrompts": surfaces.set_suggested_prompts,
    "auth.test": people.auth_test,
    "blocks.validate": surfaces.validate,
    "bots.info": people.bot_info,
    "chat.delete": chat.remove,
    "chat.getPermalink": chat.get_permalink,
    "chat.postEphemeral": chat.post_ephemeral,
    "chat.postMessage": chat.post_message,
    "chat.update": chat.update,
    "conversations.history": conversations.history,
    "conversations.info": conversations.info,
    "conversations.join": conversations.join,
    "conversations.list": conversations.list_,
    "conversations.members": conversations.members,
    "conversations.open": conversations.open_,
    "conversations.replies": conversations.replies,
    "dnd.teamInfo": people.not_to_be_disturbed,
    "files.completeUploadExternal": files.complete_upload,
    "files.getUploadURLExternal": files.get_upload_url,
    "files.info": files.info,
    "functions.completeError": surfaces.complete_error,
    "functions.completeSuccess": surfaces.complete_success,
    "reactions.add": people.add_reaction,
    "reactions.remove": people.remove_reaction,
    "team.info": people.team_info,
    "usergroups.list": people.group_list,
    "usergroups.users.list": people.group_members,
    "users.conversations": conversations.of_user,
    "users.info": people.user_info,
    "users.list": people.user_list,
    "views.open": surfaces.open_,
    "views.publish": surfaces.publish,
    "views.push": surfaces.push,
    "views.update": surfaces.update,
}
