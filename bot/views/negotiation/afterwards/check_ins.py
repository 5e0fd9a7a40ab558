"""On the day before something is due: the message to whoever promised it, their answer, and what others read of it."""

from collections.abc import Iterator
from functools import partial

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import safe_line
from bot.views.kit.post import Post
from bot.views.kit.readers import Readers
from bot.views.negotiation.button_values import DONE, LATE, CheckInButton
from bot.views.negotiation.direct_messages import direct_message, thread_link
from bot.views.negotiation.names import bold_name, requester
from bot.views.negotiation.plan.dates import asked_on, day_text
from engine.negotiation.afterwards.check_ins import answerers
from engine.negotiation.afterwards.checked_in import CheckIn
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import LONGEST_REASON


def check_in_messages(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """A message for each thing that is due, to whoever promised it."""
    for each in state.check_ins.values():
        user = answerers(state, each.asked)[0]
        key = f"check-in/{each.asked.key}"
        texts = readers.texts(user, key)
        card = partial(_card, state, each, texts, readers.address(""))
        yield direct_message(
            state, key, user, _question(state, each, texts), texts, card, is_late=each.asked.agent_id in state.given_up
        )


def late_posts(state: Negotiation, texts: Texts) -> Iterator[Post]:
    """A message of the thread for each thing that was said to be late, which notifies whoever asked."""
    for each in state.check_ins.values():
        if each.answer is not None and each.answer.is_late:
            text = _late_line(state, each, texts)
            yield Post.from_card(
                f"late/{each.asked.key}", text, partial(_said, text), stream=state.channel_id, texts=texts
            )


def standing_mark(state: Negotiation, agent_id: str, texts: Texts) -> str:
    """How what somebody promised stands, in a word or two; empty where nobody has said so."""
    said = [each.answer for each in state.check_ins.values() if each.asked.agent_id == agent_id and each.answer]
    if not said:
        return ""
    return texts.say("⏰ late") if any(each.is_late for each in said) else texts.say("☑️ done")


def _question(state: Negotiation, each: CheckIn, texts: Texts) -> str:
    return texts.say(
        "Due on {date} for “{demand}”: {what}. How does it stand?",
        date=day_text(each.asked.day, texts, asked_on(state)),
        demand=safe_line(state.demand_text, 120),
        what=safe_line(each.asked.what, 160) or "…",
    )


def _card(state: Negotiation, each: CheckIn, texts: Texts, thread: str, fit: Fit) -> list[Block]:
    value = CheckInButton(stream=state.channel_id, key=each.asked.key).value()
    done = blocks.button(texts.say("Done"), DONE, value, style="primary")
    late = blocks.button(texts.say("Late…"), LATE, value)
    shown = [blocks.section(_question(state, each, texts))]
    if each.answer is None:
        return [*shown, *thread_link(state, texts, thread), blocks.actions(done, late)]
    if not each.answer.is_late:
        return [*shown, blocks.section(texts.say("☑️ You said: done.")), *thread_link(state, texts, thread)]
    said = texts.say("⏰ You said: late. {what}", what=fit.text(each.answer.text, LONGEST_REASON))
    return [*shown, blocks.section(said), *thread_link(state, texts, thread), blocks.actions(done)]


def _late_line(state: Negotiation, each: CheckIn, texts: Texts) -> str:
    fit = Fit()
    promised = state.final.final_proposal.assignments if state.final else ()
    name = next((seat.display_name for seat in promised if seat.agent_id == each.asked.agent_id), "")
    who = bold_name(name, each.asked.agent_id, fit) if each.asked.agent_id else requester(state, fit)
    return texts.say(
        "⏰ {asker}, {who} will be late with {what}: {why}",
        asker=requester(state, fit),
        who=who,
        what=fit.line(each.asked.what, 120) or "…",
        why="" if state.place.shared or each.answer is None else fit.line(each.answer.text, LONGEST_REASON),
    )


def _said(text: str, _: Fit) -> list[Block]:
    return [blocks.section(text)]
