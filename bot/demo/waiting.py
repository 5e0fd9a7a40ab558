"""What a command waits for that plays a demand or a plan: how its thread stands."""

from contextlib import AbstractAsyncContextManager

from bot.commands.waiting import telling
from bot.demo.demo import CHANNEL, Demo


def telling_what_is_waited_for(demo: Demo, *, asks_a_model: bool) -> AbstractAsyncContextManager[None]:
    """Say so while it is entered. Without a model nothing waits: the clock jumps."""
    return telling(lambda: _stands(demo), asks_a_model=asks_a_model)


async def _stands(demo: Demo) -> str:
    """Return how the newest thread stands, as our first message in it says."""
    person = demo.person()
    asked = await person.messages(CHANNEL)
    thread = await person.thread(CHANNEL, asked[-1].ts) if asked else []
    return next((each.text for each in thread if each.user == demo.workspace.bot_user_id), "it begins")
