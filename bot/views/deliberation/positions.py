"""The two positions side by side, and what moved whom: in a channel that another company reads, without the reasons."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from bot.texts import Texts
from bot.views.deliberation.names import agent_name, whoever
from bot.views.deliberation.values import decision_text, listed, slot_name, value_text
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.modals import modal
from bot.views.kit.mrkdwn import Fit, bold
from engine.deliberation.answers import Move, Position
from engine.deliberation.closing.reporting import disagreements
from engine.deliberation.events import Difference
from engine.deliberation.rounds.plans import Change, changed_slots, plain
from engine.deliberation.state import Argument, Deliberation, Output
from engine.deliberation.terms import DEBATERS, Agent, ArgumentKind

BARS: Final = "▁▂▃▄▅▆▇█"


def trend_line(state: Deliberation, texts: Texts) -> str:
    """Empty before anything was compared."""
    trend = state.trend
    if not trend:
        return ""
    arrow = " → ".join(percent(each) for each in trend)
    return texts.say("How near both are {picture}  {figures}", picture=picture(trend), figures=arrow)


def picture(levels: Sequence[float]) -> str:
    """A bar for each level from 0 to 1."""
    return "".join(BARS[min(len(BARS) - 1, max(0, int(each * len(BARS))))] for each in levels)


def percent(level: float) -> str:
    return f"{round(100 * level)}%"


MOST_REASONS: Final = 3
MOST_MOVES: Final = 6
MOST_DIFFERENCES: Final = 6


def side_by_side(state: Deliberation, texts: Texts, fit: Fit) -> list[Block]:
    """Both latest positions; nothing before anybody has spoken."""
    planner, critic = state.last_output(Agent.PLANNER), state.last_output(Agent.CRITIC)
    if planner is None and critic is None:
        return []
    both = bold(texts.say("Planner and Critic"))
    if planner and critic and _shown_of(planner) == _shown_of(critic):
        return [blocks.section("\n".join([both, *_position(planner.position, state, texts, fit)]))]
    is_said_by_both = have_one_conclusion(state)
    left, right = (
        _column(agent, output, state, texts, fit, is_told=is_said_by_both)
        for agent, output in ((Agent.PLANNER, planner), (Agent.CRITIC, critic))
    )
    shared = (
        [blocks.section(f"{both}\n{fit.line(planner.position.conclusion, 280)}")] if is_said_by_both and planner else []
    )
    return [*shared, blocks.columns(left, right)]


def have_one_conclusion(state: Deliberation) -> bool:
    """Whether both say the same sentence: what differs is something else."""
    said = [each for agent in DEBATERS if (each := state.last_output(agent))]
    return len(said) == len(DEBATERS) and len({plain(each.position.conclusion) for each in said}) == 1


def both_refuse(state: Deliberation) -> bool:
    """Whether both hold that it should not be carried out."""
    said = [state.last_output(each) for each in DEBATERS]
    return all(each is not None and each.position.decision == "no_go" for each in said)


def _column(agent: Agent, output: Output | None, state: Deliberation, texts: Texts, fit: Fit, *, is_told: bool) -> str:
    """
    Args:
        is_told: its conclusion stands above already, since both say it.
    """
    name = bold(agent_name(agent, texts))
    if output is None:
        return f"{name}\n" + texts.say("has not spoken yet")
    position = output.position
    sure = texts.say("{level} sure", level=percent(position.confidence))
    told = (
        [*_choice(position, texts, fit), *_reasons(position, state, fit)]
        if is_told
        else _position(position, state, texts, fit)
    )
    lines = [f"{name} · {sure}", *told]
    if agent in state.current.skipped:
        lines.append(
            texts.say("_Did not answer in round {round}; this is what it said before._", round=len(state.rounds))
        )
    return "\n".join(line for line in lines if line)


def _shown_of(output: Output) -> tuple[object, ...]:
    """What is shown of a position, to see whether both hold the same."""
    position = output.position
    return plain(position.conclusion), plain(position.choice), position.key_reasons[:MOST_REASONS]


def settled(state: Deliberation, texts: Texts, fit: Fit) -> list[Block]:
    """What it came to, without the reasons: the report tells these. Nothing before anybody has spoken."""
    chosen = state.choice.chosen if state.choice else Agent.PLANNER
    output = state.last_output(chosen) or state.last_output(Agent.CRITIC)
    return blocks.sections(["\n".join(_conclusion(output.position, texts, fit))]) if output else []


def _position(position: Position, state: Deliberation, texts: Texts, fit: Fit) -> list[str]:
    return [*_conclusion(position, texts, fit), *_reasons(position, state, fit)]


def _reasons(position: Position, state: Deliberation, fit: Fit) -> list[str]:
    if state.place.shared:
        return []
    return [f"• {fit.line(each, 180)}" for each in fit.first(position.key_reasons, MOST_REASONS)]


def _conclusion(position: Position, texts: Texts, fit: Fit) -> list[str]:
    return [fit.line(position.conclusion, 280), *_choice(position, texts, fit)]


def _choice(position: Position, texts: Texts, fit: Fit) -> list[str]:
    return [texts.say("For: {option}", option=bold(fit.line(position.choice, 100)))] if position.choice else []


def what_moved(state: Deliberation, texts: Texts, fit: Fit) -> list[Block]:
    """The latest changes that name an argument, the last round's first."""
    moves = [(each, output) for output in _latest_first(state) for each in output.moves if not _is_said(each, output)]
    lines = [_move_line(move, output, state, texts, fit) for move, output in fit.first(moves, MOST_MOVES)]
    return blocks.titled_list(texts.say("*What moved whom*"), lines)


def _is_said(move: Move, output: Output) -> bool:
    """Whether another move of the same output says it already: a conclusion follows what is decided, and what begins
    later ends later.
    """
    others = {(each.slot, each.task_id) for each in output.moves if each.argument == move.argument}
    match move.slot:
        case "conclusion":
            return any(slot in ("decision", "choice") for slot, _ in others)
        case "start":
            return ("deadline", move.task_id) in others
        case _:
            return False


def _latest_first(state: Deliberation) -> Iterator[Output]:
    for each in reversed(state.rounds):
        yield from each.outputs.values()


def _move_line(move: Move, output: Output, state: Deliberation, texts: Texts, fit: Fit) -> str:
    who = agent_name(output.agent, texts)
    what = changed(move, output, state, texts, fit)
    if state.place.shared:
        return "• " + texts.say("{what}: {detail}", what=who, detail=what)
    argument = state.arguments.get(move.argument)
    told = argument is not None and argument.by not in ("", output.agent) and argument.kind is not ArgumentKind.FINDING
    by = f" ({whoever(argument.by, texts, fit)})" if argument and told else ""
    why = fit.line(argument.text if argument else move.why, 200)
    return "• " + texts.say("{who}: {what}, because: {why}{by}", who=who, what=what, why=why, by=by)


def changed(move: Move, output: Output, state: Deliberation, texts: Texts, fit: Fit) -> str:
    """What a move changed, from what to what."""
    found = {(each.slot, each.task_id): each for each in _changes(output, state)}
    change = found.get((move.slot, move.task_id))
    before, after = (change.before, change.after) if change else ("", "")
    arrow = " → ".join(value_text(move.slot, each, state, texts, fit) for each in (before, after))
    title = fit.line(_title_of(move.task_id, output, state), 80)
    match move.slot:
        case "task" if after or not before:
            return texts.say("new: “{task}”", task=title or fit.line(after, 80))
        case "task":
            return texts.say("no longer: “{task}”", task=fit.line(before, 80))
        case "decision":
            return decision_text(output.position.decision, texts)
        case "choice":
            return fit.line(output.position.choice, 100) or texts.say("no option")
        case "conclusion":
            return fit.line(output.position.conclusion.rstrip(".。"), 160)
        case _:
            return f"{slot_name(move.slot, title, texts)} {arrow}"


def _changes(output: Output, state: Deliberation) -> Sequence[Change]:
    """What an agent changed with an output, against what it had said before."""
    said = (each.outputs.get(output.agent) for each in reversed(state.rounds[: output.round - 1]))
    before = next((each for each in said if each is not None), None)
    return changed_slots(before, output) if before else ()


def _title_of(task_id: str, output: Output, state: Deliberation) -> str:
    plans = (each.plan for each in (output, *_latest_first(state)) if each.plan)
    return next((task.title for plan in plans for task in plan.tasks if task.task_id == task_id), "")


def differences(state: Deliberation, texts: Texts, fit: Fit) -> Sequence[str]:
    """In what both positions differ still."""
    return listed(
        disagreements(state), MOST_DIFFERENCES, lambda each: difference_line(each, state, texts, fit), texts, fit
    )


def difference_line(difference: Difference, state: Deliberation, texts: Texts, fit: Fit) -> str:
    """What each has in a slot, with days and people as people write them."""
    planner, critic = (
        value_text(difference.slot, each, state, texts, fit) for each in (difference.planner, difference.critic)
    )
    sides = (f"{agent_name(Agent.PLANNER, texts)} {planner}", f"{agent_name(Agent.CRITIC, texts)} {critic}")
    return f"• {slot_name(difference.slot, fit.line(difference.about, 80), texts)}: {' · '.join(sides)}"


MOST_BLOCKS = 95
LONGEST_LINE = 240


def arguments(state: Deliberation, texts: Texts) -> dict[str, Any]:
    """A modal: what each said last, in what both differ, and what was held against the plan."""
    fit = Fit()
    card: list[Block] = []
    for agent in DEBATERS:
        if (output := state.last_output(agent)) is not None:
            card += _said(output, texts, fit)
    card += blocks.titled_list(texts.say("*In what both differ*"), differences(state, texts, fit))
    card += blocks.titled_list(
        texts.say("*Held against the plan*"), [_line(each, texts, fit) for each in _held_against(state, fit)]
    )
    return modal(texts.say("Arguments"), card[:MOST_BLOCKS] or [blocks.section("…")], texts)


_AGAINST = frozenset({ArgumentKind.RISK, ArgumentKind.FINDING, ArgumentKind.POINT, ArgumentKind.SUGGESTION})


def _held_against(state: Deliberation, fit: Fit) -> list[Argument]:
    """The newest first; what code found and the Critic says in the same words, once."""
    newest = [each for each in reversed([*state.arguments.values()]) if each.kind in _AGAINST]
    return [*{fit.line(each.text, LONGEST_LINE).strip(" .。"): each for each in reversed(newest)}.values()][::-1]


def _said(output: Output, texts: Texts, fit: Fit) -> list[Block]:
    who = texts.say("*{who}*, round {round}", who=agent_name(output.agent, texts), round=output.round)
    position = output.position
    card = [blocks.section(f"{who}\n{fit.text(output.content, 2_400)}")]
    assumed = [f"• {fit.line(each, 200)}" for each in position.assumptions]
    return [*card, *blocks.titled_list(texts.say("Assumes:"), assumed)]


def _line(argument: Argument, texts: Texts, fit: Fit) -> str:
    mark = {"high": "🔴", "medium": "🟠"}.get(argument.severity, "⚪")
    by = whoever(argument.by, texts, fit) if argument.by and argument.kind is not ArgumentKind.FINDING else ""
    return f"{mark} {fit.line(argument.text, LONGEST_LINE)}" + (f" – {by}" if by else "")
