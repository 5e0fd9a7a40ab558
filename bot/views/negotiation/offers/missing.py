"""The messages in which whoever asked decides: what becomes of it without what nobody covers, or what was lost, or of a
version that too few have answered twice.
"""

from functools import partial

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import local_time, mention
from bot.views.kit.post import Post
from bot.views.negotiation.button_values import EDIT, GO_ON, LOOK_WIDER, SEND_AGAIN, STOP
from bot.views.negotiation.names import requester
from bot.views.negotiation.to_requester import asks_requester
from engine.negotiation.demand.clarification import time_to_decide
from engine.negotiation.offers.missing_needs import may_look_wider
from engine.negotiation.state import Decision, Negotiation
from engine.negotiation.terms import MissingChoice
from engine.negotiation.voting import between_rounds


def decisions(state: Negotiation, texts: Texts) -> list[Post]:
    return [_post(state, number, texts) for number in range(len(state.decisions))]


def missing_line(decision: Decision, texts: Texts, fit: Fit) -> str:
    """What is missing, in one line."""
    return texts.say(", ").join(fit.line(each.what, 120) for each in decision.needs)


def buttons(state: Negotiation, texts: Texts) -> Block:
    """The answers that count now, which waits for a decision."""
    handle = StreamButton(stream=state.channel_id).value()
    edit = blocks.button(texts.say("Edit demand…"), EDIT, handle)
    stop = blocks.button(texts.say("Stop"), STOP, handle, confirm=_sure(texts))
    match state.decisions[-1].asked.about:
        case "repeated":
            keep = blocks.button(texts.say("Keep it"), GO_ON, handle, style="primary")
            again = blocks.button(texts.say("Send it again"), SEND_AGAIN, handle)
            return blocks.actions(keep, again, stop)
        case "lost":
            may_look, others = between_rounds.may_look_wider(state), [stop]
        case "missing":
            may_look, others = may_look_wider(state), [edit, stop]
    wider = [blocks.button(texts.say("Look wider"), LOOK_WIDER, handle, style="primary")] if may_look else []
    return blocks.actions(*wider, blocks.button(texts.say("Go on without"), GO_ON, handle), *others)


def _sure(texts: Texts) -> Block:
    return blocks.confirm(
        texts.say("Stop this negotiation?"),
        texts.say("Everyone in the thread will see that it was stopped. For ten minutes, that can be undone."),
        yes=texts.say("Stop"),
        no=texts.say("Keep going"),
    )


def _post(state: Negotiation, number: int, texts: Texts) -> Post:
    decision = state.decisions[number]
    card = partial(_card, state, decision, texts)
    title = _title(decision, texts, Fit())
    return asks_requester(state, f"missing-{number + 1}", title, card, texts, is_open=_is_open(state, decision))


def _title(decision: Decision, texts: Texts, fit: Fit) -> str:
    match decision.asked.about:
        case "repeated":
            return texts.say("Too few have answered the same version twice")
        case "lost":
            return texts.say("Lost, and nobody is left to ask: {what}", what=missing_line(decision, texts, fit))
        case "missing":
            return texts.say("Nobody covers: {what}", what=missing_line(decision, texts, fit))


def _card(state: Negotiation, decision: Decision, texts: Texts, fit: Fit) -> list[Block]:
    if not _is_open(state, decision):
        return [blocks.section(f"*{_title(decision, texts, fit)}*\n{_what_came_of_it(state, decision, texts, fit)}")]
    until, who = local_time(decision.asked.deadline, texts), requester(state, fit)
    listed = [f"• {fit.line(each.what, 200)}" for each in fit.first(decision.needs, 10)]
    match decision.asked.about:
        case "repeated":
            asked = texts.say("*{who}, the same version was sent twice*", who=who)
            told = [blocks.section(texts.say("Too few have answered it, and nobody asks for a change."))]
            silence = texts.say("Without an answer by {moment} it is kept, as partly agreed.", moment=until)
        case "lost":
            asked = texts.say("*{who}, this was lost*", who=who)
            told = blocks.titled_list(texts.say("Nobody who stays covers it, and nobody is left to ask:"), listed)
            silence = texts.say("Without an answer by {moment} there is no agreement.", moment=until)
        case "missing":
            asked = texts.say("*{who}, this is missing*", who=who)
            told = blocks.titled_list(texts.say("Nobody who was asked covers:"), listed)
            silence = texts.say(
                "Without an answer by {moment} it goes on, and the plan says what it lacks.", moment=until
            )
    return [blocks.section(asked), *told, blocks.context(silence), buttons(state, texts)]


def _what_came_of_it(state: Negotiation, decision: Decision, texts: Texts, fit: Fit) -> str:
    made, about = decision.made, decision.asked.about
    if made is None:
        return texts.say("It was not decided.")
    who = mention(made.by) or fit.line(made.by, 48)
    if made.choice is MissingChoice.LOOK_WIDER:
        return texts.say("🔎 {who} has others looked for.", who=who)
    if made.choice is MissingChoice.SEND_AGAIN:
        return texts.say("{who} has it sent again.", who=who)
    if about == "repeated":
        return texts.say("{who} keeps it.", who=who) if who else texts.say("Nobody decided, so it is kept.")
    if about == "lost" and not who:
        return texts.say("Nobody decided, so there is no agreement.")
    if not who and not time_to_decide(state):
        return texts.say("Nobody is waited for here, so it goes on without.")
    if not who:
        return texts.say("Nobody decided, so it goes on without.")
    return texts.say("{who} goes on without.", who=who)


def _is_open(state: Negotiation, decision: Decision) -> bool:
    return state.awaits_decision and state.decisions[-1] is decision
