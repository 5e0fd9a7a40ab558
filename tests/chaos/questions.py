"""Questions that are asked at the end of a siege, in every hall: nobody is met with silence."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from bot.local_slack import LocalWorkspace, Message, Person

from .town import ASKERS, FOREIGN, STRANGER, UNINVITED

DEMAND: Final = "I need a room for ten people"


async def last_questions(
    workspace: LocalWorkspace, halls: Mapping[int, str], idle: Callable[[], Awaitable[object]]
) -> list[str]:
    """Ask what is answered to one person alone, wherever one can, and return which of it was not.

    Args:
        halls: number -> the id of the channel.
        idle: returns once the bot does nothing any more.
    """
    unanswered = []
    asker, stranger = workspace.person(ASKERS[0].id), workspace.person(STRANGER.id)
    mention = f"<@{workspace.bot_user_id}>"
    for number, channel in halls.items():
        outcome = await asker.slash(channel, "/towow", "status")
        if not outcome.acked or outcome.message is None:
            unanswered.append(f"/towow status in {channel} is not answered: {outcome.error}")
        if number == UNINVITED:
            continue  # Slack tells us of no mention where we are not

        async def edits(channel: str = channel) -> None:
            await asker.edit(await asker.say(channel, DEMAND), f"{mention} {DEMAND}")

        async def greets(channel: str = channel) -> None:
            await asker.say(channel, f"{mention} help")

        unanswered += [
            f"whoever {what.__name__} in {channel} is not answered"
            for what in (edits, greets)
            if not await _is_told(workspace, asker, channel, what, idle)
        ]
    if FOREIGN not in halls:
        return unanswered
    files = [await stranger.upload("plan.txt", b"See here")]

    async def asks() -> None:
        await stranger.say(halls[FOREIGN], f"{mention} {DEMAND}", files=files)

    if not await _is_told(workspace, stranger, halls[FOREIGN], asks, idle):
        unanswered.append(f"a stranger who asks in {halls[FOREIGN]} is not answered")
    return unanswered


async def _is_told(
    workspace: LocalWorkspace,
    person: Person,
    channel: str,
    acts: Callable[[], Awaitable[None]],
    idle: Callable[[], Awaitable[object]],
) -> bool:
    """Return whether the bot says something to somebody who acts, and to nobody else."""
    before = {each.ts for each in await _private(person, channel)}
    await acts()
    await workspace.admin.idle(quiet=0.2)
    await idle()
    await workspace.admin.idle(quiet=0.2)
    return any(each.ts not in before for each in await _private(person, channel))


async def _private(person: Person, channel: str) -> list[Message]:
    direct = await person.messages((await person.dm()).id) if not person.id.startswith(STRANGER.id) else []
    return [*direct, *(each for each in await person.conversation(channel) if each.visible_to == person.id)]
