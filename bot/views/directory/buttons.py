"""The names of the App Home's buttons and forms, and the values that the buttons carry."""

from bot.views.kit.button_values import ButtonValue
from engine.directory.profile import LimitScope
from engine.facts.data import MaybeDatum

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


class Twin(ButtonValue):
    """The value of a button that is about one twin. Its owner is looked up in the directory, never taken from here."""

    agent_id: str = ""
    """Empty for a twin that does not exist yet."""


class Rating(ButtonValue):
    """The value of a feedback button below a twin's answer."""

    agent_id: str
    suits: bool


class LimitButton(ButtonValue):
    """The value of a button about one limit: all that whoever clicks it has seen of it."""

    agent_id: str
    key: str
    data: MaybeDatum = None
    scope: LimitScope = "own"
