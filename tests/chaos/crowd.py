"""People who ask and click all the time, each by their own dice."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from string import ascii_lowercase
from typing import Any, Final

from bot.local_slack import LocalWorkspace, Message, NotPossible, Outcome, Person, User, View
from bot.views.kit.menu import buttons_in
from bot.views.negotiation.button_values import (
    ACCEPT,
    CHANGE,
    CLOSE,
    CORRECT,
    GO_ON,
    LOOK_WIDER,
    NEGOTIATE,
    SEND_AGAIN,
    STOP,
    WHY,
    WITHDRAW,
    VoteButton,
)
from bot.views.negotiation.voting.vote_forms import WHY as WHY_FIELD
from tests.bot.driver import presses

from .ledger import Ballot, Ledger
from .model_wire import INTERNAL
from .town import ASKERS, CLOSED, DEMANDS, FOREIGN, HALLS, STRANGER, UNINVITED
from .world import World

VOTES: Final = (ACCEPT, NEGOTIATE, WITHDRAW)
LIKING: Final = {
    ACCEPT: 60, NEGOTIATE: 12, WITHDRAW: 3, CLOSE: 6, CHANGE: 3, CORRECT: 3, STOP: 1, WHY: 2, GO_ON: 20, LOOK_WIDER: 3,
    SEND_AGAIN: 4,
}  # fmt: skip
"""How much each button is liked, against the others that are there."""

PAUSE: Final = (0.8, 4.0)
"""Seconds between two acts of one person."""
WAIT: Final = 600.0
"""Seconds that people wait for the bot to be there."""
BETWEEN_DEMANDS: Final = (20.0, 60.0)
"""Seconds between two demands of one person."""
HOW: Final = ("mention", "mention", "mention", "file", "me", "edit", "command", "command")
INTRUSIONS: Final = (10.0, 30.0)
"""Seconds between two of a stranger's."""
RECENT: Final = 12
"""Messages of a conversation that people look at."""


@dataclass(frozen=True, slots=True)
class Button:
    card: Message
    action: str
    value: str
    index: int
    """Among those of the same action in the message."""


class Crowd:
    def __init__(
        self,
        workspace: LocalWorkspace,
        seed: int,
        users: Sequence[User],
        world: World,
        ledger: Ledger,
        between_demands: tuple[float, float] = BETWEEN_DEMANDS,
    ) -> None:
        self._workspace = workspace
        self._seed = seed
        self._users = users
        self._world = world
        self._ledger = ledger
        self._between_demands = between_demands

    async def live(self) -> None:
        """Go on until cancelled."""
        async with asyncio.TaskGroup() as group:
            for number, each in enumerate(ASKERS):
                group.create_task(self._asks(each.id, self._dice(f"asks {each.id}"), first=number))
            group.create_task(self._intrudes(self._dice("intrudes")))
            for user in (*ASKERS, *self._users):
                group.create_task(self._clicks(user.id, self._dice(f"clicks {user.id}")))

    def _dice(self, name: str) -> Random:
        return Random(f"{self._seed} {name}")

    async def _asks(self, user: str, rng: Random, first: float) -> None:
        person = self._workspace.person(user)
        await asyncio.sleep(first)
        while True:
            number, demand = rng.randint(1, HALLS), rng.choice(DEMANDS)
            await self._world.has_us.wait()
            with suppress(NotPossible):  # the channel has another id by now
                await self._ask(person, number, demand, rng)
            await asyncio.sleep(rng.uniform(*self._between_demands))

    async def _ask(self, person: Person, number: int, demand: str, rng: Random) -> None:
        """Ask in one of the ways that there are. Nobody can mention us where we are not."""
        channel, mentioned = self._world.halls[number], f"<@{self._workspace.bot_user_id}> {demand}"
        how = rng.choice(HOW)
        if number == UNINVITED or how == "command":
            text = f"{demand} ({''.join(rng.choices(ascii_lowercase, k=8))})"
            await self._workspace.admin.connected(WAIT)
            outcome = await person.slash(channel, "/towow", text)
            if outcome.acked and outcome.message is None:
                self._ledger.commands.append((person.id, text))
            return
        # In a channel that others may read, Slack does not say of these whose company their author is of.
        is_bare = number in (1, CLOSED)
        files = [await person.upload("plan.txt", b"See here")] if how == "file" and is_bare else []
        said = await person.say(channel, mentioned, me=how == "me" and is_bare, files=files)
        if self._world.has_us.is_set():  # else it may have come too late for us to hear of it
            self._ledger.demands.append((channel, said.ts))
        if how == "edit":
            await person.edit(said, f"{mentioned}!")

    async def _intrudes(self, rng: Random) -> None:
        """Ask as somebody of another company, with a file, so that Slack does not say so."""
        person = self._workspace.person(STRANGER.id)
        while True:
            await asyncio.sleep(rng.uniform(*INTRUSIONS))
            await self._world.has_us.wait()
            files = [await person.upload("plan.txt", b"See here")]
            mentioned = f"<@{self._workspace.bot_user_id}> {rng.choice(DEMANDS)}"
            await person.say(self._world.halls[FOREIGN], mentioned, files=files)

    async def _clicks(self, user: str, rng: Random) -> None:
        person = self._workspace.person(user)
        while True:
            await asyncio.sleep(rng.uniform(*PAUSE))
            await self._world.has_us.wait()
            await self._workspace.admin.connected(WAIT)  # whoever sees that nothing works waits
            try:
                there = [*_buttons(await self._look(person, rng))]
                if there:
                    wanted = rng.choices(there, [LIKING[each.action] for each in there])[0]
                    await self._press(person, wanted, rng)
            except NotPossible:
                continue  # it is gone by now, as it may be for anybody

    async def _look(self, person: Person, rng: Random) -> list[Message]:
        """Return a conversation: one's own with the bot, or a thread."""
        is_asker = person.id.startswith("U_ASKS")
        if not is_asker and rng.random() < 0.6:
            return (await person.messages((await person.dm()).id))[-RECENT:]
        tops = (await person.messages(self._world.halls[rng.randint(1, HALLS)]))[-RECENT:]
        if is_asker:
            tops = [each for each in tops if each.user == person.id]
        if not tops:
            return []
        top = rng.choice(tops)
        return await person.thread(top.channel, top.ts)

    async def _press(self, person: Person, button: Button, rng: Random) -> None:
        self._ledger.clicks[button.action] += 1
        if button.action not in VOTES:
            await self._goes_through(person, button, rng)
            return
        vote = VoteButton.read(button.value)
        is_certain = False
        try:
            is_certain = await self._goes_through(person, button, rng)
        finally:  # also where the siege ends between the click and its answer
            self._ledger.voted(Ballot(vote.stream, vote.round, person.id), is_certain=is_certain)

    async def _goes_through(self, person: Person, button: Button, rng: Random) -> bool:
        """Click, and send the form that comes.

        Returns:
            whether it is certain that what was said by it was taken.
        """
        card = button.card
        outcome = await presses(person, card, button.action, index=button.index)
        if outcome.acked and outcome.modal and _inputs(outcome.modal):
            sent = await self._send(person, outcome.modal, rng)
            return sent.acked and not sent.errors
        # Who asked may have several seats, and then a form should have come, as for any vote but this one. Where
        # somebody has no seat none comes: that vote is refused at once, and on record.
        return outcome.acked and button.action == ACCEPT and not person.id.startswith("U_ASKS")

    async def _send(self, person: Person, form: View, rng: Random) -> Outcome:
        """Fill in a form and send it; whatever becomes of it, it is closed.

        Raises:
            NotPossible: it is gone, and nothing was sent.
        """
        values = {block["block_id"]: {block["element"]["action_id"]: _said(block, rng)} for block in _inputs(form)}
        try:
            return await person.submit(form, values)
        finally:
            for view in await person.modals():
                with suppress(NotPossible):
                    await person.close(view)


def _buttons(messages: Sequence[Message]) -> Iterator[Button]:
    for message in messages:
        seen: dict[str, int] = {}
        for block in message.blocks:
            for element in buttons_in([*block.get("elements", ()), block.get("accessory") or {}]):
                action = str(element.get("action_id", ""))
                if action in LIKING:
                    yield Button(message, action, str(element.get("value", "")), seen.get(action, 0))
                    seen[action] = seen.get(action, 0) + 1


def _inputs(form: View) -> list[dict[str, Any]]:
    return [block for block in form.blocks if block["type"] == "input"]


def _said(block: dict[str, Any], rng: Random) -> object:
    element = block["element"]
    if block["block_id"] == WHY_FIELD:
        return f"{INTERNAL}: {rng.choice(('my mother is in hospital', '我不想和他一起做'))}"
    if options := element.get("options"):
        return rng.choice(options)["value"]
    return rng.choice(("An hour earlier", "换到周末", "Only for 20 people, please", "我只能待到九点"))
