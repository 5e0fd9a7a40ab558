"""The form in which an admin says what holds in the workspace, and what was filled in."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError
from slack_sdk.models.views import View

from bot.texts import Texts
from bot.views.directory.admins import duration
from bot.views.directory.buttons import SETTINGS
from bot.views.kit.fields import (
    InvalidForm,
    Values,
    channels_field,
    choice_field,
    entered_decimal,
    number_field,
    people_field,
    picked_channels,
    picked_option,
    picked_people,
    plain_text_object,
)
from engine.directory.messages import Settings
from engine.kernel import Validated
from engine.negotiation.policy import Policy

POLICY, BLIND, MODEL, CHANNELS, ADMINS = "policy", "blind", "model", "channels", "admins"
MINUTES: Final[Mapping[str, str]] = {
    "human": "human_window",
    "override": "override_window",
    "response": "response_timeout",
    "feedback": "feedback_timeout",
}
"""Fields that hold minutes -> of the settings, in seconds."""

AS_STARTED: Final = "as_started"
STAND_IN: Final[Mapping[str, bool]] = {"rules": False, "nothing": True}
"""What answers where no model can be reached -> whether a model is required."""
VOTES_SHOWN: Final[Mapping[str, bool]] = {"at_once": False, "after_the_round": True}
"""When everybody sees what was voted -> whether votes are blind."""


class OpenedSettings(Validated):
    """What the form remembers: its private_metadata."""

    revision: int


def settings_form(
    revision: int, settings: Settings, policy: Policy, presets: Mapping[str, Policy], texts: Texts
) -> dict[str, Any]:
    """
    Args:
        policy: what the next demand is decided by; its times stand where nothing is set.
        presets: the policies there are, by name.
    """
    as_started = (AS_STARTED, texts.say("As ToWow was started"))
    policies = [as_started]
    policies += [(name, _in_short(presets[name], texts)) for name in sorted(presets)]
    when = texts.say("When does everybody see what was voted?")
    labels = {
        "human": texts.say("Minutes in which people may overrule their twins"),
        "override": texts.say("Minutes in which whoever asked may answer for seats that belong to no one here"),
        "response": texts.say("Minutes in which twins have to answer a demand"),
        "feedback": texts.say("Minutes in which twins have to vote"),
    }
    times = [
        number_field(
            field,
            label,
            getattr(settings, MINUTES[field]) / 60 if getattr(settings, MINUTES[field]) is not None else None,
            least=0,
            most=60 * 24 * 30,
            decimal=True,
            hint=texts.say("Left out: {n}", n=duration(getattr(policy, MINUTES[field]), texts)),
        )
        for field, label in labels.items()
    ]
    return View(
        type="modal",
        callback_id=SETTINGS,
        title=plain_text_object(texts.say("Settings")),
        submit=plain_text_object(texts.say("Save")),
        close=plain_text_object(texts.say("Cancel")),
        private_metadata=OpenedSettings(revision=revision).model_dump_json(),
        blocks=[
            choice_field(POLICY, texts.say("How much agreement is enough?"), policies, settings.policy or AS_STARTED),
            choice_field(BLIND, when, _shown(as_started, texts), _chosen(VOTES_SHOWN, settings.blind_votes)),
            *times,
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
            channels_field(
                CHANNELS,
                texts.say("Where may demands begin?"),
                texts.say("Left out: everywhere. By direct message, always."),
                settings.channels,
            ),
            people_field(
                ADMINS,
                texts.say("Who is an admin?"),
                texts.say("Besides those that ToWow was started with."),
                settings.admins,
            ),
        ],
    ).to_dict()


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


def _chosen(options: Mapping[str, bool], said: bool | None) -> str:
    return next((each for each, meaning in options.items() if meaning is said), AS_STARTED)


def _in_short(policy: Policy, texts: Texts) -> str:
    rounds = policy.max_rounds
    return texts.say(
        "{name}: {percent}% accept, {rounds} rounds", name=policy.name, percent=policy.finalize_at, rounds=rounds
    )


def read_settings(view: Mapping[str, Any], texts: Texts) -> tuple[int, Settings]:
    """The revision that the form started from, and what was filled in.

    Raises:
        ValueError: not a form of ours.
        Unusable
    """
    try:
        revision = OpenedSettings.model_validate_json(view["private_metadata"]).revision
    except (KeyError, ValidationError) as error:
        raise ValueError("This form is none of ours.") from error
    values: Values = view["state"]["values"]
    said = picked_option(values, POLICY)
    seconds = {
        name: None if (minutes := entered_decimal(values, field)) is None else round(minutes * 60, 3)
        for field, name in MINUTES.items()
    }
    try:
        settings = Settings(
            policy=None if said in (None, AS_STARTED) else said,
            require_model=STAND_IN.get(picked_option(values, MODEL) or ""),
            blind_votes=VOTES_SHOWN.get(picked_option(values, BLIND) or ""),
            channels=picked_channels(values, CHANNELS),
            admins=picked_people(values, ADMINS),
            **seconds,
        )
    except ValidationError as error:
        wrong = {str(each["loc"][0]) for each in error.errors()}
        outside = texts.say("This is too short or too long.")
        raise InvalidForm({field: outside for field, name in MINUTES.items() if name in wrong}) from error
    return revision, settings
