"""One demand from the message to the delivery, as people click and read it: clicks, cards, words.

Six people are asked. In the first round one wishes for a change and the others accept; in the second, everybody does.
Then the plan is argued out and carried out: each shows what they have done, and whoever asked approves. A scripted
model says what a good one would; the local Slack workspace counts. No browser is needed, and the clock jumps.

Keys: ``journey`` has what is counted, by name (`FIGURES` says what each is), and ``journey_goals`` the goals that there
are. A click is a press of a button, of an answer in a dialog, or of a form's own button; typing is none. Words are ours
(`words.py`); a thread's are those that stand in it when the part has ended. Forms and dialogs count as often as
somebody had to open them: hiding is not shortening.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rich.console import Console
from rich.table import Table

from benchmarks.burst import ASKER
from benchmarks.cost import Figures
from benchmarks.story import DEMAND, PEOPLE, RESULT, WISH, WISHING, Storyteller, profiles
from benchmarks.thread_heights import CHANNEL, Cast, Scene, has, negotiated
from benchmarks.words import words_of_dialog, words_of_messages, words_of_view
from bot.local_slack import Message, Outcome, Person, View
from bot.views.delivery.button_values import APPROVE, FINISH
from bot.views.delivery.forms_owning import shown_field
from bot.views.kit.handover import CARRIED_OUT_IN, CARRY_OUT, PLAN_IT, PLANNED_IN
from bot.views.negotiation.action_forms import HOW
from bot.views.negotiation.button_values import ACCEPT, NEGOTIATE, PROCEED
from bot.views.negotiation.voting.wish_fields import CHANGE
from engine.delivery.state import Status

ROUNDS: Final = 2
MOST_STEPS: Final = 60
"""Turns of everybody in which a delivery should have ended."""

FIGURES: Final = {
    "thread_words": "words in the thread once people have agreed",
    "participant_messages": "messages to the participant who has most, until they have agreed",
    "participant_clicks": "clicks of a participant who agrees, until they have agreed",
    "participant_words": "words in the messages to the participant who has most, until they have agreed",
    "plan_words": "words that the argued plan adds to the thread",
    "delivery_words": "words that the delivery adds to the thread",
    "opened_words": "words of the forms and dialogs that were opened",
    "message_words": "words in all direct messages",
    "requester_messages": "messages to whoever asked",
    "mentions": "names in the thread of people who have a message",
    "cards": "messages of ours, in the thread and to people",
    "clicks": "clicks of everybody, from the demand to the delivery",
    "words": "words in the thread at the end, and of what was opened",
}
GOALS: Final = {"thread_words": 350, "participant_messages": 2, "participant_clicks": 1, "requester_messages": 1} | {
    "mentions": 0,
    "clicks": 25,
    "words": 600,
}


@dataclass
class Hands:
    """Clicks for people, and counts what it takes and what is read on the way."""

    scene: Scene
    clicks: Counter[str] = field(default_factory=Counter)
    """By who."""
    opened: int = 0
    """Words of what was opened."""

    async def presses(self, user: str, card: Message, action: str) -> Outcome:
        outcome = await self._person(user).click(card.channel, card.ts, action)
        self.clicks[user] += 1
        if outcome.confirm is not None:
            self.clicks[user] += 1
            self.opened += words_of_dialog(outcome.confirm)
        if outcome.error:
            raise RuntimeError(f"{user} could not press {action}: {outcome.error}")
        await self.scene.settles()
        return outcome

    async def types(self, user: str, card: Message, field: str, text: str) -> None:
        """Type into a field of a message."""
        await self._person(user).click(card.channel, card.ts, field, text)

    async def goes(self, card: Message, way: str) -> None:
        """Whoever asked chooses how to go on from the card of a plan: two answers in a form that has to be opened."""
        form = (await self.presses(ASKER, card, PROCEED)).modal
        self.clicks[ASKER] += 1
        await self.fills(ASKER, form, {HOW: way})

    async def fills(self, user: str, form: View | None, said: Mapping[str, str]) -> None:
        """Type into the fields of a form by their names, and send it."""
        if form is None:
            raise RuntimeError(f"{user} was shown no form")
        self.opened += words_of_view(form)
        outcome = await self._person(user).submit(form, {name: {name: text} for name, text in said.items()})
        self.clicks[user] += 1
        if outcome.errors or outcome.error:
            raise RuntimeError(f"{user} could not send {form.callback_id}: {outcome.errors or outcome.error}")
        await self.scene.settles()

    async def direct(self, user: str) -> list[Message]:
        """What we have written to somebody, oldest first."""
        person = self._person(user)
        return [each for each in await person.messages((await person.dm()).id) if each.user != user]

    async def thread(self) -> list[Message]:
        """Our messages in the thread."""
        return [each for each in await self._person(ASKER).thread(CHANNEL, self.scene.thread) if each.user != ASKER]

    def _person(self, user: str) -> Person:
        return self.scene.workspace.person(user)


@dataclass
class Voters:
    """Each answers each version once, where they are asked: in the message to them."""

    wishing: str
    """The agent whose person wants a change in the first round."""
    hands: Hands | None = None
    answered: set[tuple[str, int]] = field(default_factory=set)

    async def act(self, scene: Scene) -> None:
        hands = self.hands = self.hands or Hands(scene)
        state, _version = await scene.towow.runtime.read(scene.key)
        number = len(state.rounds)
        for user in scene.users:
            if (user, number) in self.answered:
                continue
            card = next((each for each in await hands.direct(user) if has(each, ACCEPT)), None)
            if card is None:
                continue
            self.answered.add((user, number))
            if number == 1 and user == self.wishing:
                form = (await hands.presses(user, card, NEGOTIATE)).modal
                await hands.fills(user, form, {CHANGE: WISH})
            else:
                await hands.presses(user, card, ACCEPT)


async def measure() -> Figures:
    voters = Voters(wishing=f"U_P{WISHING:02}")
    cast = Cast(DEMAND, profiles, Storyteller(), voters.act)
    async with negotiated(len(PEOPLE), ROUNDS, cast) as scene:
        hands = voters.hands or Hands(scene)
        found: dict[str, int] = {}
        found["thread_words"] = words_of_messages(await hands.thread())
        notified = {each: await hands.direct(each) for each in scene.users}
        found["participant_messages"] = max(map(len, notified.values()))
        found["participant_words"] = max(map(words_of_messages, notified.values()))
        agreeing = [hands.clicks[each] for each in scene.users if each != voters.wishing]
        found["participant_clicks"] = max(agreeing)
        for name, button in (("plan_words", PLAN_IT), ("delivery_words", CARRY_OUT)):
            before = words_of_messages(await hands.thread())
            if button == PLAN_IT:
                await hands.goes(_newest(await hands.thread(), PROCEED), button)
            else:
                await hands.presses(ASKER, _newest(await hands.thread(), button), button)
            if button == CARRY_OUT:
                await _is_delivered(hands)
            found[name] = words_of_messages(await hands.thread()) - before
        thread = await hands.thread()
        direct = {each: await hands.direct(each) for each in (ASKER, *scene.users)}
        found["opened_words"] = hands.opened
        found["message_words"] = sum(map(words_of_messages, direct.values()))
        found["requester_messages"] = len(direct[ASKER])
        found["mentions"] = sum(f"<@{user}>" in str(each.blocks) for user in scene.users for each in thread)
        found["cards"] = len(thread) + sum(map(len, direct.values()))
        found["clicks"] = hands.clicks.total()
        found["words"] = words_of_messages(thread) + hands.opened
        return {"journey": {name: found[name] for name in FIGURES}, "journey_goals": GOALS}


def tell(found: Figures, console: Console) -> None:
    table = Table(
        "", "found", "goal", title="One demand of six people and two rounds, from the message to the delivery"
    )
    for name, figure in found["journey"].items():
        goal = found["journey_goals"].get(name)
        table.add_row(FIGURES[name], str(figure), "" if goal is None else f"at most {goal}")
    console.print(table)


async def _is_delivered(hands: Hands) -> None:
    """Each shows what is theirs, and whoever asked approves it, until nothing is left to do.

    Raises:
        RuntimeError: it is not delivered; what it measures would mean nothing.
    """
    for _ in range(MOST_STEPS):
        if not await _does_something(hands):
            break
    scene = hands.scene
    stream = f"{CARRIED_OUT_IN}{PLANNED_IN}{scene.key.stream}"
    state, _version = await scene.towow.runtime.read(scene.key._replace(stream=stream))
    if state.status is not Status.COMPLETED:
        raise RuntimeError(f"the delivery is {state.status}")


async def _does_something(hands: Hands) -> bool:
    for user in hands.scene.users:
        for card in await hands.direct(user):
            if has(card, FINISH):
                await hands.types(user, card, shown_field(1), RESULT)
                await hands.presses(user, card, FINISH)
                return True
    for card in (*await hands.thread(), *await hands.direct(ASKER)):
        if has(card, APPROVE):
            await hands.presses(ASKER, card, APPROVE)
            return True
    return False


def _newest(messages: list[Message], action: str) -> Message:
    return next(each for each in reversed(messages) if has(each, action))
