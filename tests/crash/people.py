"""What the script's people do. Who sees that a click was not taken waits for the bot and clicks again."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from bot.local_slack import LocalWorkspace, Message, NotPossible, Outcome, Person
from bot.views.directory.buttons import NOTIFICATIONS
from bot.views.directory.notifications_form import WHEN
from bot.views.negotiation.button_values import GIVE_UP
from bot.views.negotiation.voting.wish_fields import CHANGE
from tests.bot.driver import presses

from .story import ASKER, DEMAND, LOBBY, Nap, Press, Story

LIMIT: Final = 300.0
"""Seconds for one run: only one that is stuck takes so long, however busy the machine is with something else."""

PATIENCE: Final = LIMIT / 2
"""Seconds."""

Wait = Callable[[], Awaitable[None]]


async def play(
    story: Story, workspace: LocalWorkspace, sleep: Callable[[Nap], Awaitable[None]], all_is_said: Wait
) -> Message:
    """The demand's message, once its outcome is below it.

    Args:
        all_is_said: returns once the bot has caught up with what it shows.
    """
    for user in story.gone:
        await workspace.admin.deactivate(user)
    for user in story.digested:
        await _choose_digests(workspace.person(user), workspace)
    asker = workspace.person(ASKER.id)
    demand = await asker.say(LOBBY, f"<@{workspace.bot_user_id}> {DEMAND}")
    await act_out(story, workspace, demand, sleep, all_is_said)
    return demand


async def _choose_digests(person: Person, workspace: LocalWorkspace) -> None:
    """As long as nothing goes wrong yet."""
    await workspace.admin.connected(PATIENCE)
    await person.open_home()
    home = await person.until_home(lambda view: NOTIFICATIONS in str(view.blocks), PATIENCE)
    form = await person.act(home, NOTIFICATIONS)
    assert form.modal is not None
    assert (await person.submit(form.modal, {WHEN: {WHEN: "digest"}})).acked


async def act_out(
    story: Story,
    workspace: LocalWorkspace,
    demand: Message,
    sleep: Callable[[Nap], Awaitable[None]],
    all_is_said: Wait,
) -> None:
    """From the demand on, until the outcome is below it."""
    asker = workspace.person(ASKER.id)
    for act in story.acts:
        await _until_twins_have_voted(asker, demand, act.round)
        if isinstance(act, Nap):
            await sleep(act)
            continue
        person = workspace.person(act.user)
        if act.once_all_is_said:
            await _card(person, demand, act)
            await all_is_said()
        await _press(workspace, person, await _card(person, demand, act), act, all_is_said)
    await asker.until_message(LOBBY, lambda each: post_key(each) == story.outcome, demand.ts, PATIENCE)


def post_key(message: Message) -> str | None:
    """By which the bot knows its own posts again."""
    key: str | None = (message.metadata or {}).get("event_payload", {}).get("key")
    return key


async def _card(person: Person, demand: Message, press: Press) -> Message:
    """With the button, where they press it."""
    offers = partial(_offers, press)
    if not (press.in_dm or press.in_digest):
        return await person.until_message(LOBBY, offers, demand.ts, PATIENCE)
    direct = (await person.dm()).id
    if press.after:
        await person.until_message(direct, lambda each: post_key(each) == press.after, within=PATIENCE)
    return await person.until_message(direct, offers, within=PATIENCE)


def _offers(press: Press, message: Message) -> bool:
    return post_key(message) == press.card and press.button in str(message.blocks)


async def _until_twins_have_voted(person: Person, demand: Message, number: int) -> None:
    def have_voted(message: Message) -> bool:
        return post_key(message) == f"round-{number}" and "the twin is thinking" not in str(message.blocks)

    await person.until_message(LOBBY, have_voted, demand.ts, PATIENCE)


async def _press(workspace: LocalWorkspace, person: Person, card: Message, press: Press, all_is_said: Wait) -> None:
    while True:
        await workspace.admin.connected(PATIENCE)
        try:
            outcome = await presses(person, card, press.button)
            if outcome.modal is not None:
                outcome = await _filled_in(workspace, person, outcome, press)
        except NotPossible:
            return  # the button is gone: the vote was taken after all, and the round is over
        if outcome.acked and not outcome.errors:
            return
        if press.on_root and await _has_moved_on(person, card, press, all_is_said):
            return


async def _has_moved_on(person: Person, card: Message, press: Press, all_is_said: Wait) -> bool:
    """Whether the card that is edited in place offers something else by now: it was taken after all.

    The same button may belong to the next round, and pressing that would be another decision. So people look first.
    """
    await all_is_said()
    shown = next(each for each in await person.thread(LOBBY, card.thread_ts or card.ts) if each.ts == card.ts)
    return _value(shown, press.button) != _value(card, press.button)


def _value(message: Message, button: str) -> str | None:
    elements = [element for block in message.blocks for element in block.get("elements", ())]
    return next((element["value"] for element in elements if element.get("action_id") == button), None)


async def _filled_in(workspace: LocalWorkspace, person: Person, outcome: Outcome, press: Press) -> Outcome:
    """The form stays open, with everything in it, until it was taken."""
    form = outcome.modal
    assert form is not None
    while True:
        await workspace.admin.connected(PATIENCE)
        field = "reason" if press.button == GIVE_UP else CHANGE
        outcome = await person.submit(form, {field: {field: press.change}})
        if outcome.acked:
            return outcome
