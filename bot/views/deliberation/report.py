"""The Reporter's plan: one message, with what was agreed, what is open, and who holds otherwise."""

from collections.abc import Sequence
from typing import Final

from bot.texts import Texts
from bot.views.deliberation import plan as plan_view
from bot.views.deliberation.button_values import ASK, EXPORT, POINT
from bot.views.deliberation.consensus import trend_line
from bot.views.deliberation.names import agent_name, reason_text, whoever
from bot.views.deliberation.positions import both_refuse
from bot.views.deliberation.root import REPORT, decide
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fit import Fit
from bot.views.kit.handover import carry_out
from bot.views.kit.post import Post
from bot.views.kit.story.buttons import open_page
from engine.deliberation.answers import Plan
from engine.deliberation.handover import hands_over
from engine.deliberation.people import may_choose_now, may_reopen
from engine.deliberation.plans import final_plan
from engine.deliberation.state import Deliberation, Report, Status
from engine.deliberation.terms import Agent, Reason


def report(state: Deliberation, said: Report, texts: Texts) -> Post:
    return Post.from_card(
        REPORT,
        f"{title(state, texts)} · {Fit().line(state.brief.title, 160)}",
        lambda fit: _card(state, said, texts, fit),
        stream=state.session_id,
        texts=texts,
    )


def title(state: Deliberation, texts: Texts) -> str:
    if state.choice:
        return texts.say("✅ The plan, as it was decided")
    if is_unargued(state):
        return texts.say("🗂️ What is known, side by side")
    if both_refuse(state):
        return texts.say("🛑 The plan, which neither would carry out as it is asked for")
    if state.report and state.report.is_divergent:
        return texts.say("⚖️ The plan, with what is not agreed")
    return texts.say("✅ The plan")


def _card(state: Deliberation, said: Report, texts: Texts, fit: Fit) -> list[Block]:
    final = final_plan(state)
    plan = final.plan if final else None
    card = [blocks.header(title(state, texts)), blocks.section(fit.text(lead(said, plan), 1_200) or "…")]
    if is_unargued(state):
        card += _side_by_side(state, texts, fit)
    if state.choice:
        who, whose = whoever(state.choice.by, texts, fit), agent_name(state.choice.chosen, texts)
        card.append(blocks.section(texts.say("{who} decided for the {whose}’s position.", who=who, whose=whose)))
    if plan:
        card += plan_view.phases(state, plan, texts, fit)
        card.append(blocks.context(plan_view.total_line(plan, texts) or "…"))
    for heading, lines in told(said, plan, texts):
        card += blocks.titled_list(heading, _bullets(lines, fit))
    card.append(blocks.context(_history(state, texts)))
    return [*card, blocks.actions(*_buttons(state, texts))]


def is_unargued(state: Deliberation) -> bool:
    """Whether rules spoke in place of a model."""
    reason = state.reason or (state.closing.reason if state.closing else None)
    return reason is Reason.NOT_ARGUED


OWN_MODEL: Final = "ollama pull qwen3:8b\nANTHROPIC_BASE_URL=http://127.0.0.1:11434 LLM_MODEL=qwen3:8b towow demo"
"""How somebody has a model on their own machine."""


def _side_by_side(state: Deliberation, texts: Texts, fit: Fit) -> list[Block]:
    """The options and what people said, and how to have it weighed."""
    options = [f"• {fit.line(each, 200)}" for each in state.options]
    names = {who: each.name for each in state.brief.people for who in (each.user_id, each.person_id) if who}
    said = [
        "• " + (f"{fit.line(name, 48)}: " if (name := names.get(each.by, "")) else "") + fit.line(each.text, 200)
        for each in fit.first(state.brief.facts, 12)
    ]
    how = texts.say("Weighing it takes a model. One on your own machine costs nothing:")
    return [
        *blocks.titled_list(texts.say("*Options*"), options),
        *blocks.titled_list(texts.say("*What people said*"), said),
        blocks.section(f"{how}\n```{OWN_MODEL}```"),
    ]


def lead(said: Report, plan: Plan | None) -> str:
    """What the report begins with: the card itself tells the plan, and what is agreed and open."""
    lines = said.content.strip().split("\n")
    if lines[0].startswith("#"):
        lines = lines[1:]
    headings = [number for number, each in enumerate(lines) if each.startswith("#")]
    begins = "\n".join(lines[: headings[0]] if headings and plan else lines).strip()
    return begins or said.content


def told(said: Report, plan: Plan | None, texts: Texts) -> Sequence[tuple[str, Sequence[str]]]:
    """What the report lists, each under its heading; the tasks of the plan are not told again as agreements."""
    summary, titles = said.summary, {each.title for each in plan.tasks} if plan else set()
    return (
        (texts.say("*Agreed*"), [each for each in summary.key_agreements if each not in titles]),
        (texts.say("*Settled on the way*"), summary.resolved_concerns),
        (texts.say("*Not agreed, and what would settle it*"), summary.open_disagreements),
        (texts.say("*Still uncertain*"), summary.remaining_uncertainties),
        (texts.say("*Who holds otherwise*"), summary.dissent),
    )


def _bullets(lines: Sequence[str], fit: Fit) -> list[str]:
    return [f"• {fit.line(each, 300)}" for each in fit.first([*dict.fromkeys(lines)], 10)]


def _history(state: Deliberation, texts: Texts) -> str:
    rounds = texts.count("After {n} round", "After {n} rounds", len(state.rounds))
    why = reason_text(state.reason or (state.closing.reason if state.closing else Reason.AGREED), texts)
    return " · ".join(part for part in (rounds, why, trend_line(state, texts)) if part)


def _buttons(state: Deliberation, texts: Texts) -> list[Block]:
    handle = StreamButton(stream=state.session_id).value()
    choose = [decide(state, texts)] if state.status is Status.TERMINATED and may_choose_now(state) else []
    ask = [blocks.button(texts.say("Ask the Critic…"), ASK, handle)] if state.last_output(Agent.CRITIC) else []
    point = [blocks.button(texts.say("Raise a point…"), POINT, handle)] if may_reopen(state) else []
    carry = [carry_out(state.session_id, texts)] if hands_over(state) else []
    page = open_page(state.session_id, texts)
    return [*choose, *carry, blocks.button(texts.say("Export…"), EXPORT, handle), *point, *ask, page]
