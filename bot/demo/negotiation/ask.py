"""Asks for something in the terminal, with votes that are given in advance."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.commands.subcommand import CommandFailed
from bot.demo.demo import ANY, CHANNEL, Demo, DemoSettings, Posted, running_demo, telling_what_is_waited_for
from bot.listeners.negotiation.intake import stream_names
from bot.local_slack import Message, User, View
from bot.views.negotiation.button_values import VOTE_PREPARED, vote_action
from bot.views.negotiation.voting import vote_forms
from bot.views.negotiation.voting.votes import BUTTONS
from bot.views.negotiation.voting.wish_fields import CHANGE
from engine.directory.profile import Profiles
from engine.errors import Misconfigured, UnknownStream
from engine.kernel import StreamKey
from engine.negotiation.events import EVENTS
from engine.negotiation.public.build import Knows, public, times_of
from engine.negotiation.public.models import PublicNegotiation
from engine.negotiation.state import Negotiation, Seat, Status
from engine.negotiation.voting.kinds import FeedbackType
from engine.runtime.streams import Envelope, envelope, opened
from engine.store.port import Store


class Report(PublicNegotiation):
    """All that is told, and how it came about."""

    events: tuple[Envelope, ...]


EXIT_CODES: Final = {Status.FINALIZED: 0, Status.FORCE_FINALIZED: 0, Status.FAILED: 3, Status.CANCELLED: 4}
UNFINISHED: Final = 1


def exit_code(status: Status) -> int:
    """Return how a command ends whose demand came to this: 0 where there is a plan."""
    return EXIT_CODES.get(status, UNFINISHED)


async def report(store: Store, key: StreamKey, state: Negotiation) -> Report:
    stored = await store.load(key)
    assert stored is not None  # noqa: S101 - it has just come to its end
    times = times_of((each.at, opened(each, EVENTS)) for each in stored.events)
    told = public(state, times, Knows(is_told_all=True, has_asked=True))
    return Report(**dict(told), events=tuple(envelope(each, EVENTS) for each in stored.events))


async def post(demo: Demo, demand: str) -> Posted | None:
    """Mention ToWow with a demand.

    Returns:
        None when it was refused: why is in the thread, for the requester alone.
    """
    message = await demo.mention(demand)
    await demo.settle()
    for name in stream_names(demo.tenant, CHANNEL, message.ts):
        key = StreamKey(demo.tenant, name)
        try:
            state = await read(demo, key)
        except UnknownStream:
            return None
        if state.place.thread == message.ts:
            return Posted(message, key)
    return None


async def read(demo: Demo, key: StreamKey) -> Negotiation:
    state, _ = await demo.towow.runtime.read(key)
    assert isinstance(state, Negotiation)  # noqa: S101 - a demand starts nothing else
    return state


async def cast_vote(
    demo: Demo, posted: Posted, user_id: str, agent_id: str, vote: FeedbackType, text: str = ""
) -> str | None:
    """Click the button of the newest round, and fill in the form behind it.

    Returns:
        why it was refused, in a sentence; None when it is recorded.
    """
    person, action = demo.person(user_id), vote_action(vote)
    thread = await demo.thread(posted, user_id)
    card = next((each for each in reversed(thread) if _has_button(each, action)), None)
    if card is None:
        return "There is no open round to vote in."
    before = len(await _private_texts(demo, posted, user_id))
    outcome = await person.click(CHANNEL, card.ts, action)
    if outcome.modal is not None:
        outcome = await person.submit(outcome.modal, _filled_in(outcome.modal, agent_id, text))
    if outcome.errors:
        return " ".join(outcome.errors.values())
    if not outcome.acked:
        return outcome.error or "It was not acknowledged."
    await demo.settle()
    # A click that is refused is acknowledged as well: the person is told why, in private.
    return next(iter((await _private_texts(demo, posted, user_id))[before:]), None)


async def cast_prepared(demo: Demo, user_id: str) -> str | None:
    """Make what somebody's twin has prepared their own vote, where they are told of it.

    Returns:
        why it was refused, in a sentence; None when it is recorded.
    """
    person = demo.person(user_id)
    channel = (await person.dm()).id
    messages = await person.messages(channel)
    card = next((each for each in reversed(messages) if _has_button(each, VOTE_PREPARED)), None)
    if card is None:
        return "Their twin has prepared no vote."
    outcome = await person.click(channel, card.ts, VOTE_PREPARED)
    if not outcome.acked:
        return outcome.error or "It was not acknowledged."
    await demo.settle()
    told = [each for each in await person.messages(channel) if each.visible_to and each not in messages]
    return told[-1].text if told else None


async def _private_texts(demo: Demo, posted: Posted, user_id: str) -> list[str]:
    """What this person alone was told in the thread, oldest first."""
    return [each.text for each in await demo.thread(posted, user_id) if each.visible_to]


def _has_button(message: Message, action_id: str) -> bool:
    return any(
        element.get("action_id") == action_id for block in message.blocks for element in block.get("elements", ())
    )


def _filled_in(view: View, agent_id: str, text: str) -> dict[str, dict[str, object]]:
    answers = {vote_forms.SEAT: agent_id, CHANGE: text}
    asked = {str(block.get("block_id")) for block in view.blocks if block.get("type") == "input"}
    if CHANGE not in asked:
        answers[vote_forms.WHY] = text
    return {name: {name: answer} for name, answer in answers.items() if name in asked}


HOUR: Final = 3600.0

PREPARED: Final = "prepared"

_VOTE = re.compile(
    r"(?P<agent>[^=]{1,200})=(?P<vote>" + "|".join((*BUTTONS, PREPARED)) + r")(?::(?P<text>.*?))?(?:@(?P<round>\d+))?",
    re.S,
)


@dataclass(frozen=True, slots=True)
class ScriptedVote:
    """A linked person who clicks this button: in one round, or, without it, in every round."""

    agent_id: str
    vote: FeedbackType | None
    """None: what their twin has prepared."""
    text: str = ""
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    report: Report
    thread: Sequence[Message]
    names: Mapping[str, str]
    """Of everybody in the thread, by user id."""
    warnings: Sequence[str]


class DemandRefused(CommandFailed):
    """The demand never became a negotiation. The message says why."""


def read_votes(texts: Sequence[str], profiles: Profiles) -> list[ScriptedVote]:
    """Read the votes that the options name, each with its person and round."""
    votes: list[ScriptedVote] = []
    faults: list[str] = []
    for text in texts:
        match = _VOTE.fullmatch(text)
        if match is None:
            faults.append(
                f"--vote {text!r} cannot be read; it looks like user_agent_bo=accept, user_agent_bo=negotiate:TEXT "
                "or user_agent_bo=withdraw:TEXT@2 (in round 2 only); user_agent_bo=prepared gives what its twin has "
                "prepared"
            )
            continue
        agent = match["agent"].strip()
        agent_id = agent if agent in profiles else f"user_agent_{agent}"
        if agent_id not in profiles:
            faults.append(f"--vote {text!r} is for {agent!r}, whom no profile describes")
            continue
        name, words = match["vote"], (match["text"] or "").strip()
        vote = None if name == PREPARED else FeedbackType(name)
        needs_words = vote is not None and vote.kind.needs_words
        number = int(match["round"]) if match["round"] else None
        if words and not needs_words:
            faults.append(f"--vote {text!r}: {name} takes no text")
        elif needs_words and not words:
            faults.append(f"--vote {text!r}: {name} needs a text, as in {agent}={name}:TEXT")
        elif number == 0:
            faults.append(f"--vote {text!r}: rounds count from 1")
        elif any((each.agent_id, each.round) == (agent_id, number) for each in votes):
            faults.append(f"--vote {text!r}: {agent} has another vote already for the same round")
        else:
            votes.append(ScriptedVote(agent_id, vote, words, number))
    if faults:
        raise Misconfigured(faults)
    return votes


async def ask(
    demand: str, settings: DemoSettings, votes: Sequence[ScriptedVote] = (), *, own_votes: bool = False
) -> Asked:
    """
    Args:
        own_votes: whether twins only prepare their votes.

    Raises:
        DemandRefused: it is empty, too long, or has no words in it.
        Misconfigured, StoreUnusable
    """
    users = {each.agent_id: _user(each.agent_id, settings.profiles) for each in votes}
    windows = {"human_window": HOUR if votes else 0.0, "override_window": 0.0, "first_window": 0.0}
    prepares = own_votes or settings.policy.prepares
    played = replace(
        settings,
        profiles=settings.profiles.with_links({agent_id: user.id for agent_id, user in users.items()}),
        policy=settings.policy.model_copy(update={**windows, "prepares": prepares}),
    )
    async with (
        running_demo(played, tuple(users.values())) as demo,
        telling_what_is_waited_for(demo, asks_a_model=settings.claude is not None),
    ):
        posted = await post(demo, demand)
        if posted is None:
            raise DemandRefused(await _private_reason(demo))
        warnings = await _play(demo, posted, votes, users)
        state = await read(demo, posted.key)
        return Asked(await report(demo.towow.store, posted.key, state), await demo.thread(posted), demo.names, warnings)


async def _play(demo: Demo, posted: Posted, votes: Sequence[ScriptedVote], users: Mapping[str, User]) -> Sequence[str]:
    """Play to the end, with the clock jumping from deadline to deadline.

    Returns:
        what of the script could not be done.
    """
    warnings: list[str] = []
    clicked: dict[tuple[int, str], ScriptedVote] = {}
    while (state := await read(demo, posted.key)).is_open or state.is_searching:
        due = {key: each for key, each in _due(votes, state).items() if key not in clicked}
        if not due and not await demo.skip():
            break
        for key, each in due.items():
            clicked[key] = each
            user = users[each.agent_id].id
            refused = (
                await cast_prepared(demo, user)
                if each.vote is None
                else await cast_vote(demo, posted, user, each.agent_id, each.vote, each.text)
            )
            if refused:
                warnings.append(f"round {state.round}: the vote of {each.agent_id} was not taken: {refused}")
            await demo.settle()
            if (await read(demo, posted.key)).round != state.round:
                break
        await demo.settle()
    state = await read(demo, posted.key)
    seated = {agent_id for each in state.rounds for agent_id in each.seats}
    warnings += [f"{each} was never seated, so nothing was clicked" for each in users if each not in seated]
    idle = [each for each in votes if each.agent_id in seated and each not in clicked.values()]
    return [*warnings, *(_never_clicked(each) for each in idle)]


def _due(votes: Sequence[ScriptedVote], state: Negotiation) -> Mapping[tuple[int, str], ScriptedVote]:
    """Return the votes of the open round, by round and agent; one for this round replaces one for every round.

    A vote for every round that was carried into this one stands already.
    """
    current = state.current
    if current is None:
        return {}
    seats = current.seats
    now = [each for each in votes if each.agent_id in seats and each.round in (None, current.number)]
    now = [each for each in now if each.round or not _stands(each, seats[each.agent_id])]
    now.sort(key=lambda each: each.round is not None)
    return {(current.number, each.agent_id): each for each in now}


def _stands(vote: ScriptedVote, seat: Seat) -> bool:
    return seat.human is not None and seat.human.carried and vote.vote in (None, seat.human.feedback_type)


def _never_clicked(vote: ScriptedVote) -> str:
    when = f"round {vote.round}" if vote.round else "any round without a vote of its own"
    return f"{vote.agent_id} had no seat in {when}, so {vote.vote or PREPARED} was not clicked"


def _user(agent_id: str, profiles: Profiles) -> User:
    name = agent_id.removeprefix("user_agent_")
    return User(id=f"U_{name.upper()}", name=name, real_name=profiles[agent_id].user_name, locale=ANY)


async def _private_reason(demo: Demo) -> str:
    said = await demo.person().messages(CHANNEL)
    threads = [await demo.person().thread(CHANNEL, each.ts) for each in said]
    private = [each.text for thread in threads for each in thread if each.visible_to]
    return private[-1] if private else "The demand was not taken."
