"""Shows what somebody holds to: each limit in their words, as data, and whether that holds."""

from collections.abc import Iterator
from typing import Any, Final

from bot.texts import Texts
from bot.views.directory.buttons import HELD, HOLDS, LIMIT, LimitButton, Twin
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.data_words import wanted_words
from bot.views.kit.modals import modal
from bot.views.kit.mrkdwn import Fit, escaped
from engine.directory.profile import HeldLimit, Limits, LimitScope, Profile

MOST_SHOWN: Final = 40
"""Limits in one modal, which takes 100 blocks."""
MOST_LISTED: Final = 20
LONGEST_WORDS: Final = 240


def held_lines(profile: Profile, texts: Texts, fit: Fit, *, as_data: bool) -> Iterator[str]:
    """
    Args:
        as_data: whether whoever reads it is told what was read of the words, which is for their owner alone.
    """
    yield from _fields(profile.limits, texts, fit)
    limits = fit.first(profile.stated_limits, MOST_LISTED)
    for each in profile.typed_limits:
        yield f"✓ {data_of(each, texts)}"
    for each in limits:
        words = words_of(each, texts, fit) or data_of(each, texts)
        yield limit_line(each, texts, fit) if as_data else f"• {words}"
    if as_data and (unsaid := sum(is_unsaid(each) for each in profile.stated_limits)):
        yield texts.count(
            "_{n} of these was read as data, and waits for your yes._",
            "_{n} of these were read as data, and wait for your yes._",
            unsaid,
        )


def is_unsaid(limit: HeldLimit) -> bool:
    """Whether it was read as data, and nobody has said yes or no."""
    return limit.state == "read" and limit.data is not None


def limit_line(limit: HeldLimit, texts: Texts, fit: Fit) -> str:
    """One limit in one line: its words, and what holds of it."""
    words = words_of(limit, texts, fit)
    if limit.state == "off":
        return texts.say("~{limit}~ (off)", limit=words or data_of(limit, texts))
    if limit.data is None:
        return texts.say("○ {words} · in words", words=words)
    if not words:
        return f"✓ {data_of(limit, texts)}"
    if limit.is_data:
        return texts.say("✓ {words} · held as: {data}", words=words, data=data_of(limit, texts))
    return texts.say("○ {words} · read as: {data}?", words=words, data=data_of(limit, texts))


def words_of(limit: HeldLimit, texts: Texts, fit: Fit) -> str:
    """The owner's words, and what they are; empty where it was stated as data alone."""
    words = fit.line(limit.words, LONGEST_WORDS)
    match limit.source:
        case "never":
            return texts.say("never: “{words}”", words=words)
        case "leaves_if":
            return texts.say("leaves a plan that says “{words}”", words=words)
        case "from_now_on":
            return texts.say("“{words}”", words=words)
        case "field":
            return ""


def data_of(limit: HeldLimit, texts: Texts) -> str:
    """What it demands as data, and of what."""
    said = escaped(wanted_words(limit.data, texts)) if limit.data is not None else ""
    return " · ".join(filter(None, (said, scope_words(limit.scope, texts))))


def scope_words(scope: LimitScope, texts: Texts) -> str:
    return texts.say("own part") if scope == "own" else texts.say("the whole")


def truth(texts: Texts) -> str:
    """What really holds, and how."""
    return texts.say(
        "What stands here as data, code holds: the twin’s yes to a plan that breaks it does not count. What is only in "
        "words, the twin is asked about one by one, for each demand and each plan, and a second reader looks as well. "
        "Where a demand or a plan has “never” words just as you wrote them, the twin asks you first."
    )


def without_model(texts: Texts) -> str:
    return texts.say(
        "Simple rules answer here, and no model. Of what is only in words, nothing protects you but your own “never” "
        "words, where a demand or a plan has them just as you wrote them."
    )


def held_button(agent_id: str, texts: Texts) -> Block:
    return blocks.button(texts.say("What I hold to…"), HELD, Twin(agent_id=agent_id).value())


def held_modal(agent_id: str, profile: Profile, texts: Texts) -> dict[str, Any]:
    """Every limit with what its owner may say of it."""
    fit = Fit()
    limits = profile.stated_limits
    shown: list[Block] = [blocks.section(truth(texts))]
    shown += blocks.titled_list(
        texts.say("*As entered*"),
        [*_fields(profile.limits, texts, fit), *(f"✓ {data_of(each, texts)}" for each in profile.typed_limits)],
    )
    for each in limits[:MOST_SHOWN]:
        shown += _rows(agent_id, each, texts, fit)
    if not limits:
        shown.append(blocks.section(texts.say("Nothing was said in words yet.")))
    if len(limits) > MOST_SHOWN:
        more = texts.count("{n} more is left out here.", "{n} more are left out here.", len(limits) - MOST_SHOWN)
        shown.append(blocks.context(more))
    metadata = Twin(agent_id=agent_id).value()
    return modal(texts.say("What I hold to"), shown, texts, name=HELD, metadata=metadata)


def _rows(agent_id: str, limit: HeldLimit, texts: Texts, fit: Fit) -> Iterator[Block]:
    seen = LimitButton(agent_id=agent_id, key=limit.key, data=limit.data, scope=limit.scope).value()
    change = blocks.button(texts.say("Change…"), LIMIT, seen)
    shown = blocks.section(limit_line(limit, texts, fit))
    if is_unsaid(limit):
        yield shown
        yield blocks.actions(blocks.button(texts.say("Yes, it holds"), HOLDS, seen, style="primary"), change)
    else:
        yield {**shown, "accessory": change}


def _fields(limits: Limits, texts: Texts, fit: Fit) -> Iterator[str]:
    """What was typed into fields and is no datum."""
    if limits.busy:
        why = fit.line(limits.busy.said_in(texts.language), 200)
        yield texts.say("• Nothing at all just now: {why}", why=why)
    if len(limits.locations) > 1:
        places = texts.listed([fit.line(each, 60) for each in limits.locations[:12]])
        yield texts.say("• in person only here: {places}", places=places)
