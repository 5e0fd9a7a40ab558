"""The messages with which whoever asked is asked one question before anybody else is asked anything.

Each is a message of its own, which mentions them: nothing goes on before they answer.
"""

import re
from functools import partial
from typing import Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.mrkdwn import Fit, until_time
from bot.views.kit.post import Post
from bot.views.negotiation.button_values import CLARIFY, EDIT, action_button
from bot.views.negotiation.names import requester
from engine.negotiation.demand.clarification import time_to_decide
from engine.negotiation.events import DemandUnclear
from engine.negotiation.state import Negotiation


def questions(state: Negotiation, texts: Texts) -> list[Post]:
    return [_post(state, number, texts) for number in range(len(state.questions))]


def is_no_demand(state: Negotiation) -> bool:
    """Whether what was written is a question to us, or neither: then its author is answered, and nobody is asked."""
    return state.understanding is not None and state.understanding.kind != "demand"


def question_text(asked: DemandUnclear, texts: Texts, fit: Fit) -> str:
    """The question in one line."""
    return fit.line(asked.question, 400) or _in_our_words(asked, texts)


def _in_our_words(asked: DemandUnclear, texts: Texts) -> str:
    if asked.about == "demand":
        return texts.say("(erased)")
    return texts.say("Nobody was found who clearly fits. Who could help, or how would you say it in other words?")


def buttons(state: Negotiation, texts: Texts) -> Block:
    handle = StreamButton(stream=state.channel_id).value()
    return blocks.actions(
        blocks.button(texts.say("Clarify…"), CLARIFY, handle, style="primary"),
        action_button(EDIT, state.channel_id, texts),
    )


def _post(state: Negotiation, number: int, texts: Texts) -> Post:
    asked = state.questions[number]
    if is_no_demand(state) and asked is state.unclear:
        reply = asked.question or (state.understanding.reply if state.understanding else "")
        return Post.from_card(
            f"question-{number + 1}",
            Fit().line(reply, 400),
            lambda fit: [blocks.section(fit.text(reply, 1_200) or "…")],
            stream=state.channel_id,
            texts=texts,
        )
    title = texts.say("One question first: {question}", question=question_text(asked, texts, Fit()))
    card = partial(_card, state, asked, texts)
    return Post.from_card(
        f"question-{number + 1}", title, card, stream=state.channel_id, texts=texts, restored=_is_open(state, asked)
    )


def _card(state: Negotiation, asked: DemandUnclear, texts: Texts, fit: Fit) -> list[Block]:
    card = [
        blocks.section(texts.say("*{who}, one question first*", who=requester(state, fit))),
        blocks.section(question_text(asked, texts, fit)),
    ]
    if _is_open(state, asked):
        until = until_time(asked.deadline, texts)
        told = texts.say("Nobody else is asked before you answer. There is time until {moment}.", moment=until)
        return [*card, blocks.context(told), buttons(state, texts)]
    was_answered = state.unclear is not asked
    return [*card, blocks.context(texts.say("Answered.") if was_answered else _unanswered(state, texts))]


def _unanswered(state: Negotiation, texts: Texts) -> str:
    if not time_to_decide(state):
        return texts.say("Nobody is waited for here. Ask again with the answer.")
    return texts.say("There was no answer. Ask again with it.")


def _is_open(state: Negotiation, asked: DemandUnclear) -> bool:
    return state.awaits_answer and state.unclear is asked


_MARK: Final = re.compile(r"^\s*\[TBD\]\s*", re.IGNORECASE)
"""How models mark unknown things; it is superfluous in a list of questions."""


def open_questions(state: Negotiation) -> tuple[str, ...]:
    """The model's questions without their mark, the one that has to be answered first; none before the demand was
    understood.
    """
    if state.understanding is None:
        return ()
    first = state.unclear.question if state.unclear else ""
    questions = (_MARK.sub("", each) for each in (first, *state.understanding.uncertainties))
    return tuple(dict.fromkeys(each for each in questions if each.strip()))
