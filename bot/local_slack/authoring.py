"""A person writes, as Slack's composer stores it; posts, edits, deletes, reacts, uploads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from .limits import NotPossible, Refusal
from .model import Channel, File, Json, Message, User, UserGroup
from .posts import Draft, delete, edit, post
from .requests import Edit, MessageReference, React, SaidByWorkflow, Say
from .shapes import file_shape
from .visibility import as_seen_by, visible_channel, visible_message
from .workspace import Workspace

MARKUP = re.compile(
    r"<(?:@[A-Z0-9_]+(?:\|[^<>]*)?|#[A-Z0-9_]+(?:\|[^<>]*)?|!(?:here|channel|everyone)(?:\|[^<>]*)?"
    r"|!subteam\^[A-Z0-9_]+(?:\|[^<>]*)?|!date\^[^<>]+|(?:https?://|mailto:)[^<>\s|]+(?:\|[^<>]+)?)>"
)
TYPED = re.compile(
    r"(?P<link>https?://[^\s<>]+[^\s<>.,;:!?)])"
    r"|(?P<mail>(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)"
    r"|(?P<domain>(?<![A-Za-z0-9_@./-])(?:[a-z0-9-]+\.)+(?:app|cn|co|com|de|dev|example|io|net|org)\b(?![.-]\w)"
    r"(?:/[^\s<>]*\w)?)"
    r"|(?<![\w@])@(?P<name>[\w.-]*\w)"
    r"|(?<![\w#&])#(?P<channel>[\w-]+)"
    r"|(?P<emoji>[^\x00-\u2100])\ufe0f?"
)
CALLS = frozenset({"here", "channel", "everyone"})
EMOJI = Path(__file__).parent / "page" / "script" / "emoji.js"


def compose(
    typed: str, users: Iterable[User], groups: Iterable[UserGroup] = (), channels: Iterable[Channel] = ()
) -> str:
    """What is stored of what was typed.

    `&`, `<` and `>` are escaped, and what is Slack's own form already passes. `@name`, a group's `@handle`, `@here` and
    `#channel` become mentions, links, mail addresses and bare domains become links, and an emoji becomes its name.
    """
    marks = {user.name.lower(): f"<@{user.id}>" for user in users}
    marks |= {group.handle.lower(): f"<!subteam^{group.id}>" for group in groups}
    marks |= {call: f"<!{call}>" for call in CALLS}
    marks |= {f"#{channel.name.lower()}": f"<#{channel.id}>" for channel in channels}
    stored: list[str] = []
    end = 0
    for markup in MARKUP.finditer(typed):
        stored += [_plain(typed[end : markup.start()], marks), markup.group()]
        end = markup.end()
    return "".join([*stored, _plain(typed[end:], marks)])


def _plain(typed: str, marks: Mapping[str, str]) -> str:
    escaped = typed.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return TYPED.sub(lambda found: _stored(found, marks), escaped)


def _stored(found: re.Match[str], marks: Mapping[str, str]) -> str:
    whole = found[0]
    match found.lastgroup:
        case "link":
            return f"<{whole}>"
        case "mail":
            return f"<mailto:{whole}|{whole}>"
        case "domain":
            return f"<http://{whole}|{whole}>"
        case "name":
            return marks.get(found["name"].lower(), whole)
        case "channel":
            return marks.get(whole.lower(), whole)
        case _:
            name = _names().get(found["emoji"])
            return f":{name}:" if name else whole


@cache
def _names() -> dict[str, str]:
    """Emoji -> name, as the page shows them; of two names, the first."""
    pairs = re.findall(r'"?([a-z0-9_+-]+)"?: "([^"]+)"', EMOJI.read_text("utf-8"))
    return {shown.removesuffix("\ufe0f"): name for name, shown in reversed(pairs)}


WORKFLOW_BOT = "B_WORKFLOW"


def say(workspace: Workspace, user: User, request: Say) -> Message:
    """The message as stored; the app is told after this returns."""
    channel = visible_channel(workspace, user, request.channel)
    if user.id not in channel.members:
        raise NotPossible(f"{user.id} is not a member of {channel.id}; add them first.")
    if request.thread_ts is not None and workspace.messages.root(channel.id, request.thread_ts) is None:
        raise NotPossible(f"There is no thread {request.thread_ts} in {channel.id}; its first message may be deleted.")
    draft = Draft(
        text=composed(workspace, request.text),
        thread_ts=request.thread_ts,
        broadcast=request.broadcast,
        me=request.me,
        files=[each.id for each in _shared(workspace, user, request)],
        attachments=[_passed_on(workspace, user, request.forwards)] if request.forwards else [],
    )
    try:
        return as_seen_by(post(workspace, channel, user.id, draft), user)
    except Refusal as refusal:
        raise NotPossible(f"{user.id} cannot post this in {channel.id}: {refusal.code}.") from None


def edit_message(workspace: Workspace, user: User, request: Edit) -> Message:
    message = _own(workspace, user, request)
    return edit(workspace, message, text=composed(workspace, request.text))


def say_as_workflow(workspace: Workspace, request: SaidByWorkflow) -> Message:
    """A workflow posts: no person is the author, though it may mention the app."""
    channel = workspace.channels[request.channel]
    draft = Draft(text=composed(workspace, request.text), workflow=request.name)
    return post(workspace, channel, WORKFLOW_BOT, draft)


def composed(workspace: Workspace, typed: str) -> str:
    public = [each for each in workspace.channels if each.type == "channel"]
    return compose(typed, workspace.users, workspace.user_groups, public)


def delete_message(workspace: Workspace, user: User, request: MessageReference) -> None:
    """One's own; admins may delete those of others and of the app."""
    message = visible_message(workspace, user, request.channel, request.ts)
    if message.user != user.id and not user.is_admin:
        raise NotPossible(f"The message {request.ts} is by {message.user}; only they and admins can delete it.")
    delete(workspace, workspace.messages[message.key])


def react(workspace: Workspace, user: User, request: React) -> Message:
    """Add one's reaction, or take it back."""
    seen = visible_message(workspace, user, request.channel, request.ts)
    message = workspace.messages[seen.key]
    users = message.reactions.get(request.name, [])
    users = [one for one in users if one != user.id] if user.id in users else [*users, user.id]
    reactions = {**message.reactions, request.name: users}
    kept = {name: by for name, by in reactions.items() if by}
    return as_seen_by(workspace.messages.put(message.model_copy(update={"reactions": kept})), user)


def _shared(workspace: Workspace, user: User, request: Say) -> Iterator[File]:
    """What this person has uploaded, shared where they say something."""
    for each in request.files:
        file = workspace.files.get(each)
        if file is None or file.user != user.id:
            raise NotPossible(f"{user.id} has not uploaded {each}.")
        shown = [*dict.fromkeys((*file.channels, request.channel))]
        yield workspace.files.put(file.model_copy(update={"shared": True, "channels": shown}))


def _passed_on(workspace: Workspace, user: User, spot: MessageReference) -> Json:
    """A message as it is enclosed in the one that forwards it: nothing of it is in that one's text."""
    seen = visible_message(workspace, user, spot.channel, spot.ts)
    author = workspace.users.get(seen.user)
    name = (author and (author.real_name or author.name)) or seen.workflow
    link = f"{workspace.url}/archives/{seen.channel}/p{seen.ts.replace('.', '')}"
    inside = {"team": workspace.team.id, "channel": seen.channel, "ts": seen.ts, "message": {"blocks": seen.blocks}}
    return {
        "id": 1,
        "ts": seen.ts,
        "from_url": link,
        "original_url": link,
        "fallback": f"[{name}]: {seen.text}",
        "text": seen.text,
        "author_id": seen.user,
        "author_name": name,
        "author_subname": name,
        "channel_id": seen.channel,
        "channel_team": workspace.team.id,
        "is_msg_unfurl": True,
        "is_share": True,
        "mrkdwn_in": ["text"],
        "footer": "Slack conversation",
        **({"message_blocks": [inside]} if seen.blocks else {}),
        **({"files": [file_shape(workspace, workspace.files[one]) for one in seen.files]} if seen.files else {}),
    }


def _own(workspace: Workspace, user: User, spot: MessageReference) -> Message:
    seen = visible_message(workspace, user, spot.channel, spot.ts)
    if seen.user != user.id:
        raise NotPossible(f"The message {spot.ts} is by {seen.user}; only they can change it.")
    return workspace.messages[seen.key]


LONGEST_NAME = 255


def upload(workspace: Workspace, user: User, name: str, content: bytes) -> File:
    """Keep a file of this person's, which is shared with nobody but the app whose form it is given to."""
    called = name.replace("/", "_").strip()[:LONGEST_NAME]
    if not called or not content:
        raise NotPossible("A file has a name, and something in it.")
    created = int(workspace.now())
    return workspace.files.put(
        File(id=workspace.new_id("F"), name=called, length=len(content), user=user.id, created=created, content=content)
    )


def given_files(workspace: Workspace, user_id: str, value: object) -> list[Json]:
    """What a form says of the files with these ids."""
    ids = value if isinstance(value, Sequence) and not isinstance(value, str) else [value] if value else []
    files = [workspace.files.get(str(each)) for each in ids]
    if any(file is None or file.user != user_id for file in files):
        raise NotPossible(f"{user_id} has not uploaded all of these files.")
    return [file_shape(workspace, file) for file in files if file is not None]
