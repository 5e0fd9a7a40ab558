"""The settings of negotiations that admins may change, and how they are shown."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.kit.duration import duration
from bot.views.kit.fields import Values, choice_field, entered_decimal, number_field, picked_option
from engine.directory.messages import Settings
from engine.negotiation.policy import PRESETS, Policy

POLICY, BLIND, MODEL, CHECK_INS, TWINS = "policy", "blind", "model", "check_ins", "twins"
MINUTES: Final[Mapping[str, str]] = {
    "human": "human_window",
    "override": "override_window",
    "response": "response_timeout",
    "feedback": "feedback_timeout",
}
"""The form's fields in minutes -> the settings in seconds."""

ADJUSTABLE: Final = (*MINUTES.values(), "blind_votes", "require_model", "check_ins", "prepares")
"""Fields of a policy that admins may set, whichever policy it is."""

AS_STARTED: Final = "as_started"
STAND_IN: Final[Mapping[str, bool]] = {"rules": False, "nothing": True}
"""What answers where no model can be reached -> whether a model is required."""
VOTES_SHOWN: Final[Mapping[str, bool]] = {"at_once": False, "after_the_round": True}
"""When everybody sees what was voted -> whether votes are blind."""


CHECKED_IN: Final[Mapping[str, bool]] = {"nobody": False, "owners": True}
"""Who is asked on the day before something is due -> whether anybody is."""
VOTING: Final[Mapping[str, bool]] = {"as_their_people_say": False, "people": True}
"""Whose votes count -> whether every twin only prepares."""


class NegotiationSettings:
    """A `SettingsPart` (bot/views/kit/settings_part.py)."""

    @property
    def blocks(self) -> Mapping[str, str]:
        times = {name: field for field, name in MINUTES.items()}
        return {
            "policy": POLICY,
            "blind_votes": BLIND,
            "require_model": MODEL,
            "check_ins": CHECK_INS,
            "prepares": TWINS,
            **times,
        }

    def policy(self, settings: Settings, default: Policy) -> Policy:
        base = PRESETS.get(settings.policy or "", default)
        said = {name: getattr(settings, name) for name in ADJUSTABLE} | {"first_window": default.first_window}
        return base.model_copy(update={name: value for name, value in said.items() if value is not None})

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
        if policy.require_model:
            yield texts.say("• Where no model can be reached, no rules stand in for it: the negotiation ends")
        if policy.blind_votes:
            yield texts.say("• What was voted is shown once the round is over; until then, who has voted")
        if policy.prepares:
            yield texts.say("• Every twin only prepares its vote, and its person gives it")
        if policy.check_ins:
            yield texts.say("• On the day before something is due, whoever promised it is asked how it stands")

    def fields(self, settings: Settings, default: Policy, texts: Texts) -> Sequence[Block]:
        as_started = (AS_STARTED, texts.say("As ToWow was started"))
        policies = [as_started, *((name, _in_short(PRESETS[name], texts)) for name in sorted(PRESETS))]
        when = texts.say("When does everybody see what was voted?")
        # The times of the chosen policy hold wherever no time is set.
        policy = PRESETS.get(settings.policy or "", default)
        return [
            choice_field(POLICY, texts.say("How much agreement is enough?"), policies, settings.policy or AS_STARTED),
            choice_field(BLIND, when, _shown(as_started, texts), _chosen(VOTES_SHOWN, settings.blind_votes)),
            *_times(settings, policy, texts),
            choice_field(
                MODEL,
                texts.say("What if no model can be reached?"),
                _stand_ins(as_started, texts),
                _chosen(STAND_IN, settings.require_model),
                hint=texts.say(
                    "About reading a demand, choosing whom to ask and making the plan. "
                    "Where no key is set, the simple rules are the model."
                ),
            ),
            choice_field(
                CHECK_INS,
                texts.say("Who is asked on the day before something is due?"),
                _checked_in(as_started, texts),
                _chosen(CHECKED_IN, settings.check_ins),
            ),
            choice_field(
                TWINS,
                texts.say("How far may twins go?"),
                _reaches(as_started, texts),
                _chosen(VOTING, settings.prepares),
            ),
        ]

    def read(self, values: Values) -> Mapping[str, Any]:
        said = picked_option(values, POLICY)
        seconds = {
            name: None if (minutes := entered_decimal(values, field)) is None else round(minutes * 60, 3)
            for field, name in MINUTES.items()
        }
        return {
            "policy": None if said in (None, AS_STARTED) else said,
            "require_model": STAND_IN.get(picked_option(values, MODEL) or ""),
            "blind_votes": VOTES_SHOWN.get(picked_option(values, BLIND) or ""),
            "check_ins": CHECKED_IN.get(picked_option(values, CHECK_INS) or ""),
            "prepares": VOTING.get(picked_option(values, TWINS) or ""),
            **seconds,
        }


def _times(settings: Settings, policy: Policy, texts: Texts) -> Iterator[Block]:
    labels = {
        "human": texts.say("Minutes in which people may overrule their twins"),
        "override": texts.say("Minutes in which whoever asked may answer for parts that belong to no one here"),
        "response": texts.say("Minutes in which twins have to answer a demand"),
        "feedback": texts.say("Minutes in which twins have to vote"),
    }
    for field, label in labels.items():
        seconds = getattr(settings, MINUTES[field])
        yield number_field(
            field,
            label,
            None if seconds is None else seconds / 60,
            least=0,
            most=60 * 24 * 30,
            decimal=True,
            hint=texts.say("Left out: {n}", n=duration(getattr(policy, MINUTES[field]), texts)),
        )


def _shown(as_started: tuple[str, str], texts: Texts) -> list[tuple[str, str]]:
    at_once, after_the_round = VOTES_SHOWN
    return [
        as_started,
        (at_once, texts.say("At once, vote by vote")),
        (after_the_round, texts.say("Once the round is over; until then, who has voted")),
    ]


def _stand_ins(as_started: tuple[str, str], texts: Texts) -> list[tuple[str, str]]:
    rules, nothing = STAND_IN
    return [
        as_started,
        (rules, texts.say("Simple rules stand in, and it says so")),
        (nothing, texts.say("The negotiation ends, and says why")),
    ]


def _checked_in(as_started: tuple[str, str], texts: Texts) -> list[tuple[str, str]]:
    nobody, owners = CHECKED_IN
    return [as_started, (nobody, texts.say("Nobody")), (owners, texts.say("Whoever promised it: done, or late?"))]


def _reaches(as_started: tuple[str, str], texts: Texts) -> list[tuple[str, str]]:
    as_people_say, people = VOTING
    return [
        as_started,
        (as_people_say, texts.say("As far as their people let them")),
        (people, texts.say("They prepare votes, and people give them")),
    ]


def _chosen(options: Mapping[str, bool], said: bool | None) -> str:
    return next((each for each, meaning in options.items() if meaning is said), AS_STARTED)


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
