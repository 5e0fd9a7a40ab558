"""The settings of negotiations that admins may change, and how they are shown."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from bot.texts import Texts
from bot.views.kit.days import duration
from bot.views.kit.settings_part import Setting, choice, minutes
from engine.directory.messages import Settings
from engine.negotiation.policy import PRESETS, Policy


def _in_short(policy: Policy, texts: Texts) -> str:
    """At most 75 characters, as many as an option of Slack's can have."""
    values = {"percent": policy.finalize_at, "rounds": policy.max_rounds}
    refused = policy.fail_on_rejections
    if policy.fail_below is not None:
        return texts.say(
            "{percent}% accept, {rounds} rounds at most; fails below {least}%", **values, least=policy.fail_below
        )
    if policy.by_needs:
        return texts.say("{percent}% accept, {rounds} rounds at most; fails if what is essential is lost", **values)
    if refused is None:
        return texts.say("{percent}% accept, {rounds} rounds at most; fails only at the end", **values)
    return texts.say(
        "{percent}% accept, {rounds} rounds at most; fails when over {most}% say no", **values, most=refused.percent
    )


SETTINGS: Final = (
    choice(
        "policy", "policy", lambda texts: texts.say("How much agreement is enough?"),
        [(name, name, partial(_in_short, PRESETS[name])) for name in sorted(PRESETS)],
    ),
    choice(
        "blind_votes", "blind", lambda texts: texts.say("When does everybody see what was voted?"),
        [
            ("at_once", False, lambda texts: texts.say("At once, vote by vote")),
            ("after_the_round", True,
             lambda texts: texts.say("Once the round is over; until then, who has voted")),
        ],
    ),
    minutes("human_window", "human", lambda texts: texts.say("Minutes in which people may overrule their twins")),
    minutes(
        "override_window", "override",
        lambda texts: texts.say("Minutes in which whoever asked may answer for parts that belong to no one here"),
    ),
    minutes("response_timeout", "response", lambda texts: texts.say("Minutes in which twins have to answer a demand")),
    minutes("feedback_timeout", "feedback", lambda texts: texts.say("Minutes in which twins have to vote")),
    choice(
        "require_model", "model", lambda texts: texts.say("What if no model can be reached?"),
        [
            ("rules", False, lambda texts: texts.say("Simple rules stand in, and it says so")),
            ("nothing", True, lambda texts: texts.say("The negotiation ends, and says why")),
        ],
        lambda texts: texts.say(
            "About reading a demand, choosing whom to ask and making the plan. "
            "Where no key is set, the simple rules are the model."
        ),
    ),
    choice(
        "check_ins", "check_ins", lambda texts: texts.say("Who is asked on the day before something is due?"),
        [
            ("nobody", False, lambda texts: texts.say("Nobody")),
            ("owners", True, lambda texts: texts.say("Whoever promised it: done, or late?")),
        ],
    ),
    choice(
        "prepares", "twins", lambda texts: texts.say("How far may twins go?"),
        [
            ("as_their_people_say", False, lambda texts: texts.say("As far as their people let them")),
            ("people", True, lambda texts: texts.say("They prepare votes, and people give them")),
        ],
    ),
)  # fmt: skip


class NegotiationSettings:
    """A `SettingsPart` (bot/views/kit/settings_part.py)."""

    rows: Sequence[Setting] = SETTINGS

    def policy(self, settings: Settings, default: Policy) -> Policy:
        names = [each.name for each in SETTINGS if each.name in Policy.model_fields]
        said = {name: value for name in names if (value := getattr(settings, name)) is not None}
        started = {name: getattr(default, name) for name in ("first_window", "asks_early")}
        return self.unset(settings, default).model_copy(update={**started, **said})

    def unset(self, settings: Settings, default: Policy) -> Policy:
        return PRESETS.get(settings.policy or "", default)

    def lines(self, policy: Policy, texts: Texts) -> Iterator[str]:
        yield texts.say("• How much agreement is enough: {rules}", rules=_in_short(policy, texts))
        yield texts.say(
            "• People may overrule their twins for {window}; whoever asked answers for parts that belong to no one "
            "here within {override}",
            window=duration(policy.human_window, texts),
            override=duration(policy.override_window, texts),
        )
        yield texts.say(
            "• Twins are waited for {offers} when they are asked, and {votes} when they vote",
            offers=duration(policy.response_timeout, texts),
            votes=duration(policy.feedback_timeout, texts),
        )
        for each in SETTINGS:
            if told := each.told(getattr(policy, each.name, None), texts):
                yield told
