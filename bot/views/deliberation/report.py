"""The Reporter's plan: one message, with what was agreed, what is open, and who holds otherwise."""

from collections.abc import Sequence

from bot.texts import Texts
from bot.views.deliberation import plan as plan_view
from bot.views.deliberation.button_values import ASK, EXPORT
from bot.views.deliberation.consensus import trend_line
from bot.views.deliberation.names import agent_name, reason_text, whoever
from bot.views.deliberation.root import decide
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import plain_line
from bot.views.kit.post import Post
from engine.deliberation.people import may_choose_now
from engine.deliberation.plans import final_plan
from engine.deliberation.state import Deliberation, Report, Status
from engine.deliberation.terms import Agent, Reason


def report(state: Deliberation, said: Report, texts: Texts) -> Post:
    return Post.from_card(
        "report",
        f"{title(state, texts)}: {Fit().line(state.brief.title, 160)}",
        lambda fit: _card(state, said, texts, fit),
        stream=state.session_id,
        texts=texts,
    )


def title(state: Deliberation, texts: Texts) -> str:
    if state.choice:
        return texts.say("✅ The plan, as it was decided")
    if state.report and state.report.is_divergent:
        return texts.say("⚖️ The plan, with what is not agreed")
    return texts.say("✅ The plan")


def _card(state: Deliberation, said: Report, texts: Texts, fit: Fit) -> list[Block]:
    final, summary = final_plan(state), said.summary
    plan = final.plan if final else None
    heading = plain_line(plan.title if plan else state.brief.title, 120)
    card = [
        blocks.header(f"{title(state, texts)}: {heading}"[: blocks.LONGEST_HEADER]),
        blocks.section(fit.text(said.content, 1_800) or "…"),
    ]
    if state.choice:
        who, whose = whoever(state.choice.by, texts, fit), agent_name(state.choice.chosen, texts)
        card.append(blocks.section(texts.say("{who} decided for the {whose}’s position.", who=who, whose=whose)))
    if plan:
        card += plan_view.phases(state, plan, texts, fit)
        card.append(blocks.context(plan_view.total_line(plan, texts) or "…"))
    for heading, lines in (
        (texts.say("*Agreed*"), summary.key_agreements),
        (texts.say("*Settled on the way*"), summary.resolved_concerns),
        (texts.say("*Not agreed, and what would settle it*"), summary.open_disagreements),
        (texts.say("*Still uncertain*"), summary.remaining_uncertainties),
        (texts.say("*Who holds otherwise*"), summary.dissent),
    ):
        card += blocks.titled_list(heading, _bullets(lines, fit))
    card.append(blocks.context(_history(state, texts)))
    return [*card, blocks.actions(*_buttons(state, texts))]


def _bullets(lines: Sequence[str], fit: Fit) -> list[str]:
    return [f"• {fit.line(each, 300)}" for each in fit.first(lines, 10)]


def _history(state: Deliberation, texts: Texts) -> str:
    rounds = texts.count("After {n} round", "After {n} rounds", len(state.rounds))
    why = reason_text(state.reason or (state.closing.reason if state.closing else Reason.AGREED), texts)
    return " · ".join(part for part in (rounds, why, trend_line(state, texts)) if part)


def _buttons(state: Deliberation, texts: Texts) -> list[Block]:
    handle = StreamButton(stream=state.session_id).value()
    choose = [decide(state, texts)] if state.status is Status.TERMINATED and may_choose_now(state) else []
    ask = [blocks.button(texts.say("Ask the Critic…"), ASK, handle)] if state.last_output(Agent.CRITIC) else []
    return [*choose, blocks.button(texts.say("Export…"), EXPORT, handle), *ask]
