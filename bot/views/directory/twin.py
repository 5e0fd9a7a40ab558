"""Shows a person's digital twin to them or to an admin."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.texts import Texts
from bot.views.directory.buttons import (
    LIMITS,
    MAKE,
    PAUSE,
    PREPARES,
    PROFILE,
    RESET,
    RESUME,
    TELL,
    VOTES,
    Twin,
)
from bot.views.directory.calendar_form import away_button
from bot.views.directory.held import held_button, held_lines, without_model
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import Fit, bold, mention
from engine.directory.profile import Profile
from engine.directory.state import Entry

IN_A_ROW: Final = 3
"""Votes of a twin, overruled one after the other, after which its person is offered that it only prepares them."""


@dataclass(frozen=True, slots=True)
class TwinVotes:
    """What became of a twin's latest votes."""

    votes: int = 0
    overruled: int = 0
    in_a_row: int = 0
    """How many were overruled since one was not."""
    is_bound: bool = False
    """Whether an admin has every twin only prepare."""


def own_twin_blocks(
    agent_id: str,
    entry: Entry | None,
    texts: Texts,
    *,
    has_model: bool = True,
    said: TwinVotes = TwinVotes(),
) -> list[Block]:
    """
    Args:
        entry: None for people without a twin.
        has_model: whether a model answers for the twin, and no rules.
    """
    if entry is None or entry.profile is None:
        explained = texts.say(
            "You have none, so nobody is asked in your name. A twin answers demands the way you would, and you can "
            "overrule it at any moment."
        )
        make = blocks.button(texts.say("Make my twin…"), MAKE, Twin().value(), style="primary")
        return [blocks.section(explained), blocks.actions(make)]
    shown = twin_blocks(entry, entry.profile, texts)
    if not has_model and entry.profile.worded_limits:
        shown.append(blocks.context(without_model(texts)))
    shown.append(blocks.context(_reach(entry.profile, said, texts)))
    return [*shown, *_offer(agent_id, entry.profile, said, texts), blocks.actions(*_buttons(agent_id, entry, texts))]


def twin_blocks(entry: Entry, profile: Profile, texts: Texts, *, as_data: bool = True) -> list[Block]:
    """The person's profile, their twin's state and its limits.

    Args:
        as_data: whether whoever reads it is told what was read of the limits, which is for their owner alone.
    """
    fit = Fit()
    facts = " · ".join(
        each
        for each in (
            bold(fit.line(profile.user_name, 60)),
            fit.line(profile.location, 60),
            texts.say(", ").join(fit.line(each, 30) for each in profile.languages[:6]),
        )
        if each
    )
    held = [*held_lines(profile, texts, fit, as_data=as_data)]
    abilities = [f"• {_ability(tag, profile, fit)}" for tag in fit.first(profile.tags, 16)]
    return [
        blocks.section(f"{facts}\n{fit.text(profile.profile_summary, 600)}"),
        blocks.context(_standing(entry, texts)),
        *blocks.titled_list(texts.say("*Abilities*"), abilities),
        *blocks.titled_list(texts.say("*Availability*"), [fit.text(profile.availability, 300)]),
        *blocks.titled_list(texts.say("*What I hold to*") if as_data else texts.say("*What they hold to*"), held),
    ]


def _standing(entry: Entry, texts: Texts) -> str:
    if entry.is_disabled:
        said = texts.say("⛔ Taken out by an admin: nobody is asked.")
    elif entry.is_paused:
        said = texts.say("⏸️ Paused: the twin answers nothing.")
    else:
        said = texts.say("🟢 The twin answers.")
    whose = mention(entry.profile.slack_user if entry.profile else None)
    return " · ".join(each for each in (said, whose) if each)


def _reach(profile: Profile, said: TwinVotes, texts: Texts) -> str:
    """How far it goes, and how often it was overruled."""
    if profile.only_prepares:
        lines = [
            texts.say("✍️ In new demands it prepares your votes, and you give them: without you, your part has no vote.")
        ]
    elif said.is_bound:
        lines = [texts.say("✍️ Here all twins only prepare votes: an admin wants people to give them.")]
    else:
        lines = [texts.say("🗳️ It votes for you, unless you do.")]
    if said.votes:
        lines.append(
            texts.count(
                "You have overruled {overruled} of its last {n} vote.",
                "You have overruled {overruled} of its last {n} votes.",
                said.votes,
                overruled=said.overruled,
            )
        )
    return "\n".join(lines)


def _offer(agent_id: str, profile: Profile, said: TwinVotes, texts: Texts) -> list[Block]:
    """What its person is offered, once they have overruled it again and again."""
    if profile.only_prepares or said.is_bound or said.in_a_row < IN_A_ROW:
        return []
    why = texts.count(
        "You have overruled your twin {n} time in a row. Shall it only prepare your votes from now on?",
        "You have overruled your twin {n} times in a row. Shall it only prepare your votes from now on?",
        said.in_a_row,
    )
    value = Twin(agent_id=agent_id).value()
    return [
        blocks.section(why),
        blocks.actions(blocks.button(texts.say("Let it only prepare"), PREPARES, value, style="primary")),
    ]


def _ability(tag: str, profile: Profile, fit: Fit) -> str:
    name, exactly = fit.line(tag, 60), fit.line(profile.capabilities.get(tag, ""), 240)
    return f"{bold(name)}: {exactly}" if exactly else bold(name)


def _buttons(agent_id: str, entry: Entry, texts: Texts) -> Iterator[Block]:
    value = Twin(agent_id=agent_id).value()
    yield blocks.button(texts.say("Edit my profile…"), PROFILE, value)
    yield held_button(agent_id, texts)
    yield blocks.button(texts.say("Limits…"), LIMITS, value)
    yield blocks.button(texts.say("From now on…"), TELL, value)
    yield away_button(Twin(agent_id=agent_id), texts)
    if entry.is_paused:
        yield blocks.button(texts.say("Let it answer again"), RESUME, value, style="primary")
    else:
        yield blocks.button(texts.say("Pause my twin"), PAUSE, value)
    if entry.profile is not None and entry.profile.only_prepares:
        yield blocks.button(texts.say("Let it vote again"), VOTES, value)
    if entry.loaded is None:
        yield remove_button(agent_id, texts)


def remove_button(agent_id: str, texts: Texts) -> Block:
    """Removes a twin that was made in Slack; no file brings it back."""
    sure = blocks.confirm(
        texts.say("Remove this twin?"),
        texts.say("Nobody is asked in this name any more. Votes that were given stay."),
        texts.say("Remove it"),
        texts.say("Keep it"),
    )
    value = Twin(agent_id=agent_id).value()
    return blocks.button(texts.say("Remove…"), RESET, value, style="danger", confirm=sure)
