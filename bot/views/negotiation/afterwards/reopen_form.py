"""Builds and reads the form in which the requester reopens a negotiation that failed."""

from collections.abc import Mapping
from typing import Any, Final

from bot.texts import Texts
from bot.views.kit.action_form import ActionForm, FormWords, SentView
from bot.views.kit.fields import Values, choice_field, multi_choice_field, picked_option, picked_options, text_block
from bot.views.kit.fit import Fit
from bot.views.negotiation.demand.edit_form import demand_fields, read_edit
from bot.views.negotiation.names import bold_name, join_names
from engine.negotiation.afterwards.reopening import BALANCED, suits_balanced
from engine.negotiation.commands import Reopen
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.state import Negotiation

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
