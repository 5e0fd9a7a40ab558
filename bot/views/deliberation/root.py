"""The card of a deliberation, which is edited in place: whoever comes late reads only this."""

from typing import Final

from bot.texts import Texts
from bot.views.deliberation import plan as plan_view
from bot.views.deliberation.names import agent_name, whoever
from bot.views.deliberation.outcome import ended_line, former_decisions, short_ended_line
from bot.views.deliberation.plan import plan_as_it_stands, still_argued
from bot.views.deliberation.positions import difference_line, settled, side_by_side, trend_line, what_moved
from bot.views.deliberation.values import ARGUMENTS, ASK, DECIDE, POINT, STOP, DecideButton, day_text, listed
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.heading import heading, paused_line
from bot.views.kit.menu import row
from bot.views.kit.mrkdwn import Fit, local_time, until_time, web_link
from bot.views.kit.post import Post
from bot.views.kit.presenter import AddressOf, no_address
from bot.views.kit.story.buttons import open_page
from engine.deliberation import wording
from engine.deliberation.rounds.people import may_ask, may_choose_now, may_object
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import ENDED, Deliberation, Point, Round, Status
from engine.deliberation.terms import DEBATERS, Action, Agent, Error, Reason
from engine.errors import BudgetSpent, InvalidAnswer, ModelUnavailable
from engine.llm.port import Pause

MOST_SETTLED: Final = 6
MOST_FACTS: Final = 6


REPORT: Final = "report"
"""The key of the report's post."""


def root(state: Deliberation, texts: Texts, pause: Pause | None = None, address: AddressOf = no_address) -> Post:
    """``address``: says where the report is, which it leads to."""
    return Post.from_card(
        "plan",
        f"{Fit().line(state.brief.title, 120)} · {status_line(state, texts)}",
        lambda fit: _card(state, texts, fit, pause, address),
        stream=state.session_id,
        texts=texts,
    )


def status_line(state: Deliberation, texts: Texts) -> str:
    match state.status:
        case Status.CLOSING:
            return texts.say("No further round: what is still uncertain is being collected…")
        case Status.REPORTING:
            return texts.say("The Reporter writes the plan…")
        case Status.CONVERGED | Status.TERMINATED:
            return ended_line(state, texts)
        case _:
            return _arguing(state, texts)


def short_status(state: Deliberation, texts: Texts) -> str:
    """The status without a reference to the plan, where the plan is not shown."""
    return short_ended_line(state, texts) if state.status in ENDED else status_line(state, texts)


def _arguing(state: Deliberation, texts: Texts) -> str:
    number, most = len(state.rounds), state.most_rounds
    if number == 1 and state.policy.start == "blind":
        return texts.say("Round 1: Planner and Critic each make a draft, and neither knows the other’s…")
    waiting = [agent_name(each, texts) for each in DEBATERS if each not in _spoken(state.current)]
    if not waiting:
        return texts.say("Round {round} of {most}: both positions are being compared…", round=number, most=most)
    return texts.say("Round {round} of {most}: the {who} is thinking…", round=number, most=most, who=waiting[0])


def _spoken(current: Round) -> set[str]:
    return {*current.outputs, *current.skipped}


def _card(state: Deliberation, texts: Texts, fit: Fit, pause: Pause | None, address: AddressOf) -> list[Block]:
    brief = state.brief
    card = heading(brief.title, "" if brief.origin else brief.goal, fit, is_above=bool(state.place.thread))
    if not _is_told_below(state) or fit.is_whole:  # else the thread's first card says who asked, and for which day
        card.append(blocks.context(_small_print(state, texts, fit)))
    if not brief.origin:
        known = listed(brief.facts, MOST_FACTS, lambda each: f"• {fit.line(each.text, 200)}", texts, fit)
        card += blocks.titled_list(texts.say("*What is known*"), known)
    lines = (
        _with_way_on(state, texts, _to_report(state, texts, address)),
        _since_and_until(state, texts),
        paused_line(pause, texts),
    )
    card.append(blocks.section("\n".join(filter(None, lines))))
    if state.status is Status.CONVERGED:
        card += settled(state, texts, fit)
    if not _is_told_below(state) or fit.only_whole():
        card += plan_as_it_stands(state, texts, fit)
    positions = [] if state.reason is Reason.NOT_ARGUED else side_by_side(state, texts, fit)
    is_among_us = not state.place.shared  # what was argued on the way is for colleagues alone, who have *Arguments…*
    if positions and (
        state.status is not Status.CONVERGED or (is_among_us and fit.only_whole())
    ):  # the report says why
        card += positions
    way = _way_there(state, texts, fit)
    if way and (state.is_open or (is_among_us and fit.only_whole())):
        card += way
    elif state.status is Status.TERMINATED:
        card += still_argued(state, texts, fit)
    card += blocks.titled_list(
        texts.say("*Points people raised*"), [_point(each, state, texts, fit) for each in state.points]
    )
    card += [blocks.context(each) for each in former_decisions(state, texts, fit)]
    card += [blocks.context(f"⚠️ {each}") for each in troubles(state, texts)]
    shown, others = _buttons(state, texts)
    if shown or others:
        card.append(row(shown, others))
    return card


def _with_way_on(state: Deliberation, texts: Texts, there: str) -> str:
    """The status, and a link to the plan, which says once where it is."""
    if state.status not in ENDED:
        return f"*{status_line(state, texts)}*"
    said = ended_line(state, texts, there)
    return f"*{said}*" if not there or there in said else f"*{said}* · {there}"


def _is_told_below(state: Deliberation) -> bool:
    """Whether the report tells the plan, and the thread begins with another card: that of what it was planned from."""
    return bool(state.brief.origin) and state.report is not None and not state.is_open


def _to_report(state: Deliberation, texts: Texts, address: AddressOf) -> str:
    there = address(REPORT) if state.report else ""
    return web_link(there, texts.say("Go to the plan")) if there else ""


def _since_and_until(state: Deliberation, texts: Texts) -> str:
    """How long it has been argued, and until when at the latest it may be objected to; empty where nobody argues."""
    if state.status is not Status.ARGUING:
        return ""
    since = texts.say("since {moment}", moment=local_time(state.opened_at, texts))
    until = texts.say(
        "points can be raised until both agree, {moment} at the latest", moment=until_time(state.until, texts)
    )
    return f"{since} · {until}"


def _way_there(state: Deliberation, texts: Texts, fit: Fit) -> list[Block]:
    """How near both are, what moved whom, and what is to be settled. Once it has ended the report below says it."""
    trend = trend_line(state, texts)
    open_now = (_to_settle(state, texts, fit) if state.is_open else []) or still_argued(state, texts, fit)
    return [*([blocks.context(trend)] if trend else []), *what_moved(state, texts, fit), *open_now]


def _small_print(state: Deliberation, texts: Texts, fit: Fit) -> str:
    brief = state.brief
    parts = [texts.say("Asked by {who}", who=whoever(state.requester_id, texts, fit))]
    if brief.starts or brief.ends:
        days = [day_text(each, state, texts, fit) for each in (brief.starts, brief.ends) if each]
        parts.append("📅 " + " – ".join(dict.fromkeys(days)))
    if brief.people and not brief.origin:  # what it was planned from names them
        parts.append(texts.count("{n} person", "{n} people", len(brief.people)))
    if (final := final_plan(state)) and not _is_told_below(state):
        parts.append(plan_view.total_line(final.plan, texts))
    return " · ".join(part for part in parts if part)


def _to_settle(state: Deliberation, texts: Texts, fit: Fit) -> list[Block]:
    """What the Host told both to address; in its words where it named nothing."""
    decided = next((each for each in reversed(state.rounds) if each.decision), None)
    if decided is None or decided.decision is None or decided.decision.action is Action.CONVERGE:
        return []
    decision = decided.decision
    spoken = wording.language(state)
    differ = {wording.difference(state, each, spoken): each for each in decided.differences}

    def line(each: str) -> str:
        return difference_line(differ[each], state, texts, fit) if each in differ else f"• {fit.line(each, 200)}"

    named = [each for each in decision.must_address if each in differ or not state.place.shared]
    lines = listed(named, MOST_SETTLED, line, texts, fit)
    if decision.opposes:
        lines.append(
            "• "
            + texts.say("The {who} argues the opposite side in this round", who=agent_name(decision.opposes, texts))
        )
    lines += [
        "• " + texts.say("The {who} has repeated itself, and has to move", who=agent_name(each, texts))
        for each in decision.stubborn
    ]
    if lines:
        return blocks.titled_list(texts.say("*To be settled in this round*"), lines)
    words = "" if state.place.shared else fit.text(decided.host_words, 400)
    return [blocks.context(f"{agent_name('host', texts)}: {words}")] if words else []


def _point(point: Point, state: Deliberation, texts: Texts, fit: Fit) -> str:
    asked = f"• {whoever(point.by, texts, fit)}: {fit.line(point.text, 200)}"
    is_awaited = state.is_open and len(point.answers) < len(DEBATERS)
    told = {} if state.place.shared else point.answers
    answers = [f"    ↳ {agent_name(each, texts)}: {fit.line(said, 200)}" for each, said in told.items()]
    waiting = "    ↳ " + texts.say("both will answer it") if is_awaited else ""
    return "\n".join(each for each in (asked, *answers, waiting) if each)


def troubles(state: Deliberation, texts: Texts) -> list[str]:
    """What failed and was made up for, each once."""
    return [*dict.fromkeys(_trouble(each, texts) for each in state.errors)]


def _trouble(error: Error, texts: Texts) -> str:
    match error.error:
        case "agent_failed" if error.detail == InvalidAnswer.__name__:
            return texts.say(
                "What the {who} answered in round {round} could not be read; what it said before stands.",
                who=agent_name(error.agent, texts),
                round=error.round,
            )
        case "agent_failed" if error.detail == BudgetSpent.__name__:
            return texts.say(
                "The budget for models was spent before the {who} was asked in round {round}; "
                "what it said before stands.",
                who=agent_name(error.agent, texts),
                round=error.round,
            )
        case "agent_failed" if error.detail == ModelUnavailable.__name__:
            return texts.say(
                "The model behind the {who} could not be reached in round {round}; what it said before stands.",
                who=agent_name(error.agent, texts),
                round=error.round,
            )
        case "agent_timeout" | "agent_failed":
            who = agent_name(error.agent, texts)
            return texts.say(
                "The {who} did not answer in round {round}; what it said before stands.", who=who, round=error.round
            )
        case "content_withheld":
            return texts.say("Part of what a model wrote is not shown: it held what nobody here had given.")
        case _:
            return texts.say("No encoder of sentences was there: the positions were compared by their data alone.")


def _buttons(state: Deliberation, texts: Texts) -> tuple[list[Block], list[Block]]:
    """The one next step, while it is argued, and the others."""
    handle = StreamButton(stream=state.session_id).value()
    shown: list[Block] = []
    buttons: list[Block] = []
    if may_object(state):
        style = {"style": "primary"} if state.is_argued else {}
        (shown if state.is_argued else buttons).append(
            blocks.button(texts.say("Raise a point…"), POINT, handle, **style)
        )
    if may_ask(state):
        buttons.append(blocks.button(texts.say("Ask the Critic…"), ASK, handle))
    if state.last_output(Agent.CRITIC):
        buttons.append(blocks.button(texts.say("Arguments…"), ARGUMENTS, handle))
    if state.is_open and may_choose_now(state):
        buttons.append(decide(state, texts))
    if state.status in (Status.ARGUING, Status.CLOSING):
        sure = blocks.confirm(
            texts.say("Stop and report now?"),
            texts.say("No further round is argued. The Reporter writes the plan as it stands, with what is open."),
            yes=texts.say("Stop and report"),
            no=texts.say("Keep going"),
        )
        buttons.append(blocks.button(texts.say("Stop and report now"), STOP, handle, confirm=sure))
        buttons.append(open_page(state.session_id, texts))
    return shown, buttons


def decide(state: Deliberation, texts: Texts) -> Block:
    value = DecideButton(stream=state.session_id, round=len(state.rounds)).value()
    return blocks.button(texts.say("Decide…"), DECIDE, value)
