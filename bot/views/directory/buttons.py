"""The names of the App Home's buttons and forms, and the values that the buttons carry."""

from engine.directory.profile import LimitScope
from engine.facts.data import MaybeDatum
from engine.kernel import Validated

MAKE = "twin.make"
PROFILE = "twin.profile"
LIMITS = "twin.limits"
HELD = "twin.held"
"""Shows what somebody holds to, limit by limit."""
HOLDS = "limit.holds"
LIMIT = "limit.change"
TELL = "twin.tell"
RATE = "twin.rate"
"""Says whether a twin has answered as its person would."""
AWAY = "twin.away"
"""Asks for the days on which somebody is away."""
PAUSE = "twin.pause"
RESUME = "twin.resume"
PREPARES = "twin.prepares"
VOTES = "twin.votes"
RESET = "twin.reset"
DISABLE = "twin.disable"
ENABLE = "twin.enable"
ASK = "home.ask"
PEOPLE = "people.find"
ADD = "people.add"
IMPORT = "people.import"
SETTINGS = "settings.change"
NOTIFICATIONS = "notifications.choose"
CALENDAR = "calendar.give"
FORGET_CALENDAR = "calendar.forget"


class Twin(Validated):
    """The value of a button that is about one twin. Its owner is looked up in the directory, never taken from here."""

    agent_id: str = ""
    """Empty for a twin that does not exist yet."""

    def value(self) -> str:
        return self.model_dump_json()


def read_twin(value: str) -> Twin:
    """Read the value of a button."""
    return Twin.model_validate_json(value)


class Rating(Validated):
    """The value of a feedback button below a twin's answer."""

    agent_id: str
    suits: bool

    def value(self) -> str:
        return self.model_dump_json()


def read_rating(value: str) -> Rating:
    """Read the value of a button."""
    return Rating.model_validate_json(value)


class LimitButton(Validated):
    """The value of a button about one limit: all that whoever clicks it has seen of it."""

    agent_id: str
    key: str
    data: MaybeDatum = None
    scope: LimitScope = "own"

    def value(self) -> str:
        return self.model_dump_json()


def read_limit_button(value: str) -> LimitButton:
    """Read the value of a button."""
    return LimitButton.model_validate_json(value)
