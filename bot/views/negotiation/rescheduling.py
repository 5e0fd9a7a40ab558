"""What people see once somebody cannot any more when an agreed plan needs them, and of the search for another time.

Whose calendar it is hears of it, and whoever asked; everybody else reads only that another time is looked for.
"""

from collections.abc import Iterator
from functools import partial

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.data_words import when_words
from bot.views.kit.mrkdwn import Fit, escaped, until_time
from bot.views.kit.post import Post
from bot.views.kit.presenter import Readers
from bot.views.negotiation.afterwards import give_up_button
from bot.views.negotiation.button_values import (
    AGREE_TO_TIME,
    FIND_TIME,
    KEEP_TIME,
    PRIMARY,
    REFUSE_TIMES,
    action_button,
)
from bot.views.negotiation.names import asked_on, bold_name, demand_line, direct_message, thread_link
from bot.views.negotiation.plan.times import in_the_way
from engine.facts.circumstances import When
from engine.negotiation.afterwards.conflicts import is_asked_about
from engine.negotiation.afterwards.rescheduling import may_be_begun, voters
from engine.negotiation.plan.moving import moves
from engine.negotiation.plan.times import key_of
from engine.negotiation.state import Conflict, Negotiation, Rescheduling


def conflict_messages(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """A message to each who cannot any more, and one to whoever asked."""
    for agent_id, conflicts in () if state.is_plan_erased else state.conflicts.items():
        known = state.known_person(agent_id)
        person = (known.user_id if known else "") or ""
        for each in conflicts:
            if each.found.when is None:
                continue  # it was known when it was agreed, or was erased
            for user in dict.fromkeys((person, state.requester_id)):
                if user:
                    yield _told(state, each, user, readers, is_own=user == person)


def _told(state: Negotiation, conflict: Conflict, user: str, readers: Readers, *, is_own: bool) -> Post:
    key = f"conflict-{conflict.found.number}{'' if is_own else '-asked'}/{conflict.found.agent_id}"
    texts = readers.texts(user, key)
    card = partial(_conflict_card, state, conflict, texts, readers.address(""), is_own=is_own)
    return direct_message(
        state, key, user, _what(state, conflict, texts, is_own=is_own), texts, card, is_late=not conflict.stands
    )


def _what(state: Negotiation, conflict: Conflict, texts: Texts, *, is_own: bool) -> str:
    fit, agent_id = Fit(), conflict.found.agent_id
    demand, when = demand_line(state, fit), _when(state, conflict.found.when, texts)
    if is_own:
        return texts.say(
            "🗓️ You cannot any more on {when}, when “{demand}” needs you: your calendar or your own days say so.",
            when=when,
            demand=demand,
        )
    return texts.say(
        "🗓️ {who} cannot any more on {when}, when “{demand}” needs them.",
        who=bold_name(state.name_of(agent_id), agent_id, fit),
        when=when,
        demand=demand,
    )


def _conflict_card(
    state: Negotiation, conflict: Conflict, texts: Texts, thread: str, _: Fit, *, is_own: bool
) -> list[Block]:
    stream, agent_id = state.channel_id, conflict.found.agent_id
    said = [_what(state, conflict, texts, is_own=is_own), *_follows(state, conflict, texts, is_own=is_own)]
    card = [*blocks.sections(said), *thread_link(state, texts, thread)]
    if not conflict.stands:
        return card
    buttons = []
    if may_be_begun(state, agent_id):
        buttons.append(action_button(FIND_TIME, stream, texts, look=PRIMARY, agent_id=agent_id))
    if is_own:
        buttons.append(action_button(KEEP_TIME, stream, texts, agent_id=agent_id))
        buttons.append(give_up_button(stream, agent_id, texts))
    return [*card, blocks.actions(*buttons)] if buttons else card


def _follows(state: Negotiation, conflict: Conflict, texts: Texts, *, is_own: bool) -> list[str]:
    """What comes of it, or has come."""
    agent_id, found = conflict.found.agent_id, conflict.found.found
    if conflict.kept_by:
        return [
            texts.say("You can all the same, as you have said.")
            if is_own
            else texts.say("They say that they can all the same.")
        ]
    if conflict.is_over:
        when = next((each.when for each in moves(state) if each.begun.when == conflict.found.when), None)
        if when is not None:
            return [texts.say("It takes place on {when} now.", when=_when(state, when, texts))]
        return [
            texts.say("That is over: nothing keeps you from coming any more.")
            if is_own
            else texts.say("That is over: nothing keeps them from coming any more.")
        ]
    if is_asked_about(state, agent_id):
        return [texts.say("Those who are needed are being asked for another time.")]
    if found is not None and found.times:
        return [
            texts.count(
                "There is {n} other time at which everybody can, as far as it is known.",
                "There are {n} other times at which everybody can, as far as it is known.",
                len(found.times),
            )
        ]
    said = [texts.say("No other time is known at which everybody can who is needed.")]
    if found is not None and found.nearest and not is_own:
        said.append(
            "\n".join([texts.say("Who cannot at the nearest times:"), *in_the_way(state, found.nearest, texts)])
        )
    return said


# ── another time ──────────────────────────────────────────────────────────────────────────────────────────────────


def asking_messages(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """A message to everybody whose yes it takes, each time that another time is looked for."""
    for each in _asked_for(state):
        users = dict.fromkeys(users[0] for users in voters(state, each).values())
        for user in users:
            key = f"times-{each.begun.number}/{user}"
            texts = readers.texts(user, key)
            card = partial(_asking_card, state, each, user, texts, readers.address(""))
            text = _asked(state, each, texts)
            yield direct_message(state, key, user, text, texts, card, is_late=not each.is_open, until=each.begun.until)


def _asked_for(state: Negotiation) -> tuple[Rescheduling, ...]:
    """Nothing is told of it once the plan's words were erased."""
    return () if state.is_plan_erased else state.reschedulings


def _asked(state: Negotiation, asking: Rescheduling, texts: Texts) -> str:
    return texts.say(
        "🕒 “{demand}” is to take place at another time than {when}. When can you?",
        demand=demand_line(state, Fit()),
        when=_when(state, asking.begun.when, texts),
    )


def _asking_card(state: Negotiation, asking: Rescheduling, user: str, texts: Texts, thread: str, _: Fit) -> list[Block]:
    if not asking.is_open:
        return [*blocks.sections([_ended(state, asking, texts)]), *thread_link(state, texts, thread)]
    stream, number, needed = state.channel_id, asking.begun.number, voters(state, asking)
    mine = [part for part, users in needed.items() if user in users]
    card = [blocks.section(_asked(state, asking, texts))]
    for each in asking.begun.times:
        key, when = key_of(each), _when(state, each, texts)
        if all(key in asking.answers.get(part, ()) for part in mine):
            card.append(blocks.section(texts.say("*{when}* · ✓ You can then.", when=when)))
            continue
        button = action_button(AGREE_TO_TIME, stream, texts, round=number, key=key)
        card.append(blocks.section(f"*{when}*") | {"accessory": button})
    until = until_time(asking.begun.until, texts)
    return [
        *card,
        blocks.context(
            texts.say(
                "The first one that suits everybody who is needed counts. {answered}; time until {until}.",
                answered=_answered(state, asking, texts),
                until=until,
            )
        ),
        *thread_link(state, texts, thread),
        blocks.actions(action_button(REFUSE_TIMES, stream, texts, round=number)),
    ]


def _answered(state: Negotiation, asking: Rescheduling, texts: Texts) -> str:
    needed = voters(state, asking)
    users = {users[0] for users in needed.values()}
    done = {users[0] for part, users in needed.items() if part in asking.answers}
    return texts.say("{n} of {total} have answered", n=len(done), total=len(users))


def asking_posts(state: Negotiation, texts: Texts) -> Iterator[Post]:
    """A message of the thread, each time that another time is looked for: nobody is named in it."""
    for each in _asked_for(state):
        text = _ended(state, each, texts) if not each.is_open else _looked_for(state, each, texts)
        yield Post.from_card(
            f"times-{each.begun.number}", text, partial(_shown, text), stream=state.channel_id, texts=texts
        )


def _looked_for(state: Negotiation, asking: Rescheduling, texts: Texts) -> str:
    times = [f"• {_when(state, each, texts)}" for each in asking.begun.times]
    intro = texts.say(
        "🕒 On {when}, not everybody can any more who is needed. They are asked for another time by direct message:",
        when=_when(state, asking.begun.when, texts),
    )
    return "\n".join([intro, *times, f"{_answered(state, asking, texts)}."])


def _ended(state: Negotiation, asking: Rescheduling, texts: Texts) -> str:
    before = _when(state, asking.begun.when, texts)
    if asking.when is None:
        return texts.say("🕒 No other time was agreed, so it stays as it is: {when}.", when=before)
    return texts.say("🗓️ Agreed: {when}, instead of {before}.", when=_when(state, asking.when, texts), before=before)


def moved_line(state: Negotiation, texts: Texts) -> list[str]:
    """When the plan takes place since it was moved; empty where it never was."""
    of_all = [each for each in moves(state) if not each.begun.agent_id]
    return [_ended(state, of_all[-1], texts)] if of_all else []


def _shown(text: str, _: Fit) -> list[Block]:
    return [blocks.section(text)]


def _when(state: Negotiation, when: When | None, texts: Texts) -> str:
    return escaped(when_words(when, texts, asked_on(state))) if when is not None else "…"
