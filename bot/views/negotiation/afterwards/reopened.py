"""Texts about a reopened negotiation, for where it failed and for where it goes on."""

from bot.texts import Texts
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import local_time, mention
from engine.negotiation.afterwards.reopening import suits_balanced
from engine.negotiation.state import Negotiation


def continuation(state: Negotiation, texts: Texts, fit: Fit) -> list[str]:
    """Who reopened it, and when; empty if nobody has."""
    again = state.reopened
    if again is None:
        return []
    who = mention(again.by) or fit.line(again.by, 48) or "?"
    said = texts.say(
        "🔁 {who} took it up again ({moment}); it goes on further down.", who=who, moment=local_time(again.at, texts)
    )
    return [" ".join((said, *_what_changed(state, texts)))]


def participants_notice(state: Negotiation, texts: Texts) -> list[str]:
    """The notice in participants' direct messages; empty if nobody has reopened it."""
    if state.reopened is None:
        return []
    return [texts.say("🔁 It was taken up again. If you are asked, there is a new message for you.")]


def origin_notice(texts: Texts) -> str:
    """The notice on the card of the new negotiation."""
    return texts.say("🔁 Taken up again: the first time there was no agreement. Everybody is asked anew.")


def advice(state: Negotiation, texts: Texts) -> list[str]:
    """Advice to reopen it under the balanced rules, where they may get further."""
    if state.reopened is not None or not suits_balanced(state):
        return []
    return [
        texts.say(
            "• More people asked for changes than left. With the balanced rules, wishes end nothing: choose them when "
            "you take it up again."
        )
    ]


def _what_changed(state: Negotiation, texts: Texts) -> list[str]:
    again = state.reopened
    if again is None:
        return []
    what = [
        (again.raw_input != state.raw_input, texts.say("The demand is said otherwise.")),
        (again.balanced, texts.say("It is decided by the balanced rules.")),
        (bool(again.also_ask), texts.count("{n} more is asked.", "{n} more are asked.", len(again.also_ask))),
    ]
    return [text for holds, text in what if holds]
