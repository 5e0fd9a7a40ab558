"""The messages that tell whoever asked what nobody covers; with them they decide what becomes of it without that."""

from functools import partial

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import local_time, mention
from bot.views.kit.post import Post
from bot.views.negotiation.button_values import EDIT, GO_ON, LOOK_WIDER, STOP
from bot.views.negotiation.names import requester
from bot.views.negotiation.to_requester import asks_requester
from engine.negotiation.demand.clarification import time_to_decide
from engine.negotiation.offers.missing_needs import may_look_wider
from engine.negotiation.state import Decision, Negotiation
from engine.negotiation.terms import MissingChoice


def decisions(state: Negotiation, texts: Texts) -> list[Post]:
    return [_post(state, number, texts) for number in range(len(state.decisions))]


def missing_line(decision: Decision, texts: Texts, fit: Fit) -> str:
    """What is missing, in one line."""
    return texts.say(", ").join(fit.line(each.what, 120) for each in decision.needs)


def buttons(state: Negotiation, texts: Texts) -> Block:
    handle = StreamButton(stream=state.channel_id).value()
    wider = [blocks.button(texts.say("Look wider"), LOOK_WIDER, handle, style="primary")]
    return blocks.actions(
        *(wider if may_look_wider(state) else []),
        blocks.button(texts.say("Go on without"), GO_ON, handle),
        blocks.button(texts.say("Edit demand…"), EDIT, handle),
        blocks.button(texts.say("Stop"), STOP, handle, confirm=_sure(texts)),
    )


def _sure(texts: Texts) -> Block:
    return blocks.confirm(
        texts.say("Stop this negotiation?"),
        texts.say("Everyone in the thread will see that it was stopped. For ten minutes, that can be undone."),
        yes=texts.say("Stop"),
        no=texts.say("Keep going"),
    )


def _post(state: Negotiation, number: int, texts: Texts) -> Post:
    decision = state.decisions[number]
    title = texts.say("Nobody covers: {what}", what=missing_line(decision, texts, Fit()))
    card = partial(_card, state, decision, texts)
    return asks_requester(state, f"missing-{number + 1}", title, card, texts, is_open=_is_open(state, decision))


def _card(state: Negotiation, decision: Decision, texts: Texts, fit: Fit) -> list[Block]:
    if not _is_open(state, decision):
        title = texts.say("*Nobody covers: {what}*", what=missing_line(decision, texts, fit))
        return [blocks.section(f"{title}\n{_what_came_of_it(state, decision, texts, fit)}")]
    until = local_time(decision.asked.deadline, texts)
    return [
        blocks.section(texts.say("*{who}, this is missing*", who=requester(state, fit))),
        *blocks.titled_list(
            texts.say("Nobody who was asked covers:"),
            [f"• {fit.line(each.what, 200)}" for each in fit.first(decision.needs, 10)],
        ),
        blocks.context(
            texts.say("Without an answer by {moment} it goes on, and the plan says what it lacks.", moment=until)
        ),
        buttons(state, texts),
    ]


def _what_came_of_it(state: Negotiation, decision: Decision, texts: Texts, fit: Fit) -> str:
    made = decision.made
    if made is None:
        return texts.say("It was not decided.")
    who = mention(made.by) or fit.line(made.by, 48)
    if made.choice is MissingChoice.LOOK_WIDER:
        return texts.say("🔎 {who} has others looked for.", who=who)
    if not who and not time_to_decide(state):
        return texts.say("Nobody is waited for here, so it goes on without.")
    if not who:
        return texts.say("Nobody decided, so it goes on without.")
    return texts.say("{who} goes on without.", who=who)


def _is_open(state: Negotiation, decision: Decision) -> bool:
    return state.awaits_decision and state.decisions[-1] is decision
