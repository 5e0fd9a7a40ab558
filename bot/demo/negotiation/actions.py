"""What people do in a demo of a negotiation: they post a demand, and they vote."""

from bot.demo.demo import CHANNEL, Demo, Posted
from bot.listeners.negotiation.intake import stream_names
from bot.local_slack import Message, View
from bot.views.negotiation.button_values import VOTE_PREPARED, vote_action
from bot.views.negotiation.voting import vote_forms
from engine.errors import UnknownStream
from engine.kernel import StreamKey
from engine.negotiation.state import Negotiation
from engine.negotiation.voting.kinds import FeedbackType


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
    answers = {vote_forms.SEAT: agent_id, vote_forms.CHANGE: text}
    asked = {str(block.get("block_id")) for block in view.blocks if block.get("type") == "input"}
    if vote_forms.CHANGE not in asked:
        answers[vote_forms.WHY] = text
    return {name: {name: answer} for name, answer in answers.items() if name in asked}
