"""Everything that was argued, for whoever wants to see more than the verdict."""

from typing import Any

from bot.texts import Texts
from bot.views.deliberation.names import agent_name, whoever
from bot.views.deliberation.positions import differences
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.modals import modal
from bot.views.kit.mrkdwn import Fit
from engine.deliberation.state import Argument, Deliberation, Output
from engine.deliberation.terms import DEBATERS, ArgumentKind

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
