"""The Reporter's plan: one message, with what was agreed, what is open, and who holds otherwise."""

from collections.abc import Sequence
from typing import Final

from bot.texts import Texts
from bot.views.deliberation import plan as plan_view
from bot.views.deliberation.names import reason_text
from bot.views.deliberation.outcome import former_decisions, told_end
from bot.views.deliberation.positions import both_refuse, trend_line
from bot.views.deliberation.root import REPORT, decide
from bot.views.deliberation.values import ASK, EXPORT, POINT, listed
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.handover import carry_out
from bot.views.kit.menu import row
from bot.views.kit.mrkdwn import Fit
from bot.views.kit.post import Post
from bot.views.kit.story.buttons import open_page
from engine.deliberation.answers import Plan
from engine.deliberation.closing.closing import hands_over
from engine.deliberation.closing.reporting import outcome_of
from engine.deliberation.rounds.people import may_ask, may_choose_now, may_object
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import Deliberation, Report, Status
from engine.deliberation.terms import Reason
from engine.facts.quoting import sentences

MOST_LISTED: Final = 10
MOST_SAID: Final = 24


def report(state: Deliberation, said: Report, texts: Texts) -> Post:
    return Post.from_card(
        REPORT,
        f"{title(state, texts)} · {Fit().line(state.brief.title, 160)}",
        lambda fit: _card(state, said, texts, fit),
        stream=state.session_id,
        texts=texts,
    )


def title(state: Deliberation, texts: Texts) -> str:
    if state.is_argued:
        return texts.say("🔁 The plan of before: it is argued about again")
    if state.is_open:
        return texts.say("🔁 The plan of before: its report is written anew")
    if state.choice:
        return texts.say("✅ The plan, as it was decided")
    if is_unargued(state):
        return texts.say("🗂️ What is known, side by side")
    if both_refuse(state):
        return texts.say("🛑 The plan, which neither would carry out as it is asked for")
    if outcome_of(state) == "not_settled":
        return texts.say("⚖️ The plan, with what is still open")
    if state.report and state.report.is_divergent:
        return texts.say("⚖️ The plan, with what is not agreed")
    return texts.say("✅ The plan")


def _card(state: Deliberation, said: Report, texts: Texts, fit: Fit) -> list[Block]:
    final = final_plan(state)
    plan = final.plan if final else None
    begins = [blocks.section(text) for text in (fit.text(_begin(said, plan, texts), 1_200),) if text]
    former = [blocks.context(each) for each in former_decisions(state, texts, fit)]
    if state.is_open:  # the card above tells how it stands now
        return [blocks.header(title(state, texts)), *begins, *former, _buttons(state, texts)]
    end = told_end(state, texts, fit)
    card = [blocks.header(title(state, texts)), *([blocks.section(end)] if end else []), *begins, *former]
    small = [plan_view.total_line(plan, texts)] if plan else []
    if is_unargued(state):
        card += _side_by_side(state, texts, fit)
    if plan:
        card += plan_view.phases(state, plan, texts, fit)
    for heading, lines in told(said, plan, texts):
        card += blocks.titled_list(heading, _bullets(lines, texts, fit))
    if not is_unargued(state):  # it has no way there
        small.append(_history(state, texts, fit))
    card += [blocks.context(" · ".join(filter(None, small)))] if any(small) else []
    return [*card, _buttons(state, texts)]


def is_unargued(state: Deliberation) -> bool:
    """Whether rules spoke in place of a model."""
    return outcome_of(state) == "not_argued"


OWN_MODEL: Final = "ollama pull qwen3:8b\nANTHROPIC_BASE_URL=http://127.0.0.1:11434 LLM_MODEL=qwen3:8b towow demo"
"""How somebody has a model on their own machine."""


def _side_by_side(state: Deliberation, texts: Texts, fit: Fit) -> list[Block]:
    """The options and what people said, and how to have it weighed."""
    options = [f"• {fit.line(each, 200)}" for each in state.options]
    names = {who: each.name for each in state.brief.people for who in (each.user_id, each.person_id) if who}
    told = [("", each) for each in said_in_goal(state)]
    told += [(names.get(each.by, ""), each.text) for each in state.brief.facts]

    def line(each: tuple[str, str]) -> str:
        name, text = each
        return "• " + (f"{fit.line(name, 48)}: " if name else "") + fit.line(text, 200)

    said = listed(told, MOST_SAID, line, texts, fit)
    is_known = options or said or state.brief.people or state.brief.tasks
    nothing = texts.say("Nothing is known yet: say what there is to choose from and what is known, or use a model.")
    how = texts.say("Weighing it takes a model. One on your own machine costs nothing:")
    return [
        *([] if is_known else [blocks.section(nothing)]),
        *blocks.titled_list(texts.say("*Options*"), options),
        *blocks.titled_list(texts.say("*What people said*"), said),
        blocks.section(f"{how}\n```{OWN_MODEL}```"),
    ]


def said_in_goal(state: Deliberation) -> Sequence[str]:
    """Return the goal without its first sentence. An agreed plan has facts in its place."""
    return () if state.brief.origin else [each.strip() for each in sentences(state.brief.goal)[1:]]


def lead(said: Report, plan: Plan | None) -> str:
    """What the report begins with: the card itself tells the plan, and what is agreed and open. Empty where it is no
    more than a heading.
    """
    lines = said.content.strip().split("\n")
    if lines[0].startswith("#"):
        lines = lines[1:]
    headings = [number for number, each in enumerate(lines) if each.startswith("#")]
    begins = "\n".join(lines[: headings[0]] if headings and plan else lines).strip()
    return begins or (said.content if len(lines) > 1 else "")


def _begin(said: Report, plan: Plan | None, texts: Texts) -> str:
    """The lead, unless it is one of the lines that are listed below."""
    text = lead(said, plan)
    return "" if any(text in lines for _, lines in told(said, plan, texts)) else text


def told(said: Report, plan: Plan | None, texts: Texts) -> Sequence[tuple[str, Sequence[str]]]:
    """What the report lists, each under its heading; the tasks of the plan are not told again as agreements."""
    summary, titles = said.summary, {each.title for each in plan.tasks} if plan else set()
    return (
        (texts.say("*Agreed*"), [each for each in summary.key_agreements if each not in titles]),
        (texts.say("*Settled on the way*"), summary.resolved_concerns),
        (texts.say("*Still open, and what would settle it*"), summary.open_disagreements),
        (texts.say("*Still uncertain*"), summary.remaining_uncertainties),
        (texts.say("*Who holds otherwise*"), summary.dissent),
    )


def _bullets(lines: Sequence[str], texts: Texts, fit: Fit) -> list[str]:
    return listed([*dict.fromkeys(lines)], MOST_LISTED, lambda each: f"• {fit.line(each, 300)}", texts, fit)


def _history(state: Deliberation, texts: Texts, fit: Fit) -> str:
    spoken = state.spoken_rounds
    rounds = texts.count("After {n} round", "After {n} rounds", spoken) if spoken else ""
    if rounds and state.status is Status.CONVERGED and not state.choice and not fit.is_whole:
        return rounds  # why it ended is on the card above
    why = reason_text(state.reason or Reason.USER_STOP, texts)
    return " · ".join(part for part in (rounds, why, trend_line(state, texts)) if part)


def _buttons(state: Deliberation, texts: Texts) -> Block:
    handle = StreamButton(stream=state.session_id).value()
    export, page = blocks.button(texts.say("Export…"), EXPORT, handle), open_page(state.session_id, texts)
    if state.is_open:
        return row([], [export, page])
    choose = [decide(state, texts)] if state.status is Status.TERMINATED and may_choose_now(state) else []
    ask = [blocks.button(texts.say("Ask the Critic…"), ASK, handle)] if may_ask(state) else []
    point = [blocks.button(texts.say("Raise a point…"), POINT, handle)] if may_object(state) else []
    carry = [carry_out(state.session_id, texts)] if hands_over(state) and not state.carried_out_in else []
    return row([*choose, *carry], [*point, *ask, export, page])
