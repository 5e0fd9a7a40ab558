"""The form in which the requester reopens what failed, and what is said where it failed and where it goes on."""

from collections.abc import Mapping
from typing import Any, Final

from bot.texts import Texts
from bot.views.kit.action_form import ActionForm, FormWords, SentView
from bot.views.kit.fields import Values, choice_field, multi_choice_field, picked_option, picked_options, text_block
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import local_time, mention
from bot.views.negotiation.demand.edit_form import demand_fields, read_edit
from bot.views.negotiation.names import bold_name, join_names
from engine.negotiation.afterwards.reopening import BALANCED, suits_balanced
from engine.negotiation.commands import Reopen
from engine.negotiation.policy import PRESETS, Policy
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


RULES, POSSIBLE = "rules", "possible"
"""Names of the fields; the second exists if there are people who were possibly related and not asked."""

SAME: Final = "same"
MOST_NAMES: Final = 8


def _reopen(state: Negotiation, _: Reopen, texts: Texts) -> FormWords:
    above = texts.say("It goes on in the same place as a negotiation of its own, and everybody is asked anew.")
    shown = [*demand_fields(state, texts)]
    if state.policy.name != BALANCED:
        rules = [
            (SAME, texts.say("As before: {rules}", rules=_rules(state.policy, texts))),
            (BALANCED, texts.say("Balanced: {rules}", rules=_rules(PRESETS[BALANCED], texts))),
        ]
        chosen = BALANCED if suits_balanced(state) else SAME
        shown.append(choice_field(RULES, texts.say("When does it fail?"), rules, chosen))
    if state.reserve:
        options = [(POSSIBLE, texts.say("Ask these as well"))]
        shown.append(text_block(_possible(state, texts)))
        shown.append(multi_choice_field(POSSIBLE, texts.say("More people"), options))
    return FormWords(texts.say("Take it up again"), texts.say("Ask again"), [text_block(above)], own=shown)


def _reopened(_: Negotiation, view: SentView) -> Mapping[str, Any]:
    values: Values = view["state"]["values"]
    return {
        "raw_input": read_edit(view),
        "balanced": picked_option(values, RULES) == BALANCED,
        "asks_possible": POSSIBLE in picked_options(values, POSSIBLE),
    }


def _rules(policy: Policy, texts: Texts) -> str:
    if policy.fail_below is not None:
        return texts.say("if fewer than {percent}% accept", percent=policy.fail_below)
    rejections = policy.fail_on_rejections
    if rejections is None:
        return texts.say("if there is no majority at the end")
    if rejections.more:
        return texts.say("if more than {percent}% say no", percent=rejections.percent)
    return texts.say("if {percent}% or more say no", percent=rejections.percent)


def _possible(state: Negotiation, texts: Texts) -> str:
    """The people who were not asked; only the requester and admins read this."""
    fit = Fit()
    few = [bold_name(each.display_name, each.agent_id, fit) for each in state.reserve[:MOST_NAMES]]
    names = join_names(few, texts, len(state.reserve))
    return texts.say("Perhaps related, and not asked the first time: {names}", names=names)


REOPEN_FORM: Final = ActionForm(_reopen, _reopened)
