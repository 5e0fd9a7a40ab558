"""Lists the posts that a deliberation should have: one card that stays one card, questions to the Critic, the plan."""

from bot.texts import Texts
from bot.views.deliberation.names import agent_name, whoever
from bot.views.deliberation.report import report
from bot.views.deliberation.root import root
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import Fit
from bot.views.kit.post import Post
from bot.views.kit.presenter import AddressOf, no_address
from engine.deliberation.state import AskedCritic, Deliberation
from engine.deliberation.terms import Agent
from engine.llm.port import Pause


def questions(state: Deliberation, texts: Texts) -> list[Post]:
    return [_post(state, each, texts) for each in state.questions]


def _post(state: Deliberation, asked: AskedCritic, texts: Texts) -> Post:
    return Post.from_card(
        asked.question_id,
        texts.say("A question to the Critic: {question}", question=Fit().line(asked.text, 160)),
        lambda fit: _card(state, asked, texts, fit),
        stream=state.session_id,
        texts=texts,
    )


def _card(state: Deliberation, asked: AskedCritic, texts: Texts, fit: Fit) -> list[Block]:
    who = whoever(asked.by, texts, fit)
    card = [blocks.context(texts.say("{who} asks the Critic: {question}", who=who, question=fit.line(asked.text, 600)))]
    if asked.reply is None:
        return [*card, blocks.section(texts.say("The Critic is thinking…"))]
    if not asked.reply:
        return [*card, blocks.section(texts.say("The Critic could not answer just now. Please ask again."))]
    card.append(blocks.section(f"*{agent_name(Agent.CRITIC, texts)}* {fit.text(asked.reply, 1_500)}"))
    if state.place.shared:
        return card
    named = [state.arguments[each].text for each in asked.arguments if each in state.arguments]
    return [*card, *[blocks.context(f"• {fit.line(each, 200)}") for each in fit.first(named, 4)]]


def posts(state: Deliberation, texts: Texts, pause: Pause | None = None, address: AddressOf = no_address) -> list[Post]:
    if not state.exists or state.erased == "*":
        return []
    written = [report(state, state.report, texts)] if state.report else []
    return [root(state, texts, pause, address), *questions(state, texts), *written]
