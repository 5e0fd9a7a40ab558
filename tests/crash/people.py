"""What the script's people do. Who sees that a click was not taken waits for the bot and clicks again."""

from functools import partial
from typing import Final

from bot.views import modals
from bot.workspace import LocalWorkspace, Message, NotPossible, Outcome, Person

from .story import ASKER, DEMAND, LOBBY, Press, Story

PATIENCE: Final = 60.0
"""Seconds."""

LOOK: Final = 0.5
"""Seconds without a call of the bot's, after which it has caught up with what it shows."""


async def play(story: Story, workspace: LocalWorkspace) -> Message:
    """The demand's message, once its outcome is below it."""
    asker = workspace.person(ASKER.id)
    demand = await asker.say(LOBBY, f"<@{workspace.bot_user_id}> {DEMAND}")
    for press in story.presses:
        person = workspace.person(press.user)
        card = await until_twins_have_voted(person, demand, press.round)
        if press.card:
            card = await person.until_message(LOBBY, partial(_offers, press), demand.ts, PATIENCE)
        await _press(workspace, person, card, press)
    await asker.until_message(LOBBY, lambda each: post_key(each) == "outcome", demand.ts, PATIENCE)
    return demand


def post_key(message: Message) -> str | None:
    """By which the bot knows its own posts again."""
    key: str | None = (message.metadata or {}).get("event_payload", {}).get("key")
    return key


def _offers(press: Press, message: Message) -> bool:
    return post_key(message) == press.card and press.button in str(message.blocks)


async def until_twins_have_voted(person: Person, demand: Message, number: int) -> Message:
    """The card of a round, once all of them have."""

    def has_voted(message: Message) -> bool:
        return post_key(message) == f"round-{number}" and "the twin is thinking" not in str(message.blocks)

    return await person.until_message(LOBBY, has_voted, demand.ts, PATIENCE)


async def _press(workspace: LocalWorkspace, person: Person, card: Message, press: Press) -> None:
    while True:
        await workspace.admin.connected(PATIENCE)
        try:
            outcome = await person.click(LOBBY, card.ts, press.button)
            if outcome.modal is not None:
                outcome = await _filled_in(workspace, person, outcome, press)
        except NotPossible:
            return  # the button is gone: the vote was taken after all, and the round is over
        if outcome.acked and not outcome.errors:
            return
        if press.card and await _has_moved_on(workspace, person, card, press):
            return


async def _has_moved_on(workspace: LocalWorkspace, person: Person, card: Message, press: Press) -> bool:
    """Whether the card that is edited in place offers something else by now: it was taken after all.

    The same button may belong to the next round, and pressing that would be another decision. So people look first.
    """
    await workspace.admin.connected(PATIENCE)
    await workspace.admin.idle(quiet=LOOK, within=PATIENCE)
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
        outcome = await person.submit(form, {modals.CHANGE: {modals.CHANGE: press.change}})
        if outcome.acked:
            return outcome
