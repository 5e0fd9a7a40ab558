"""What the buttons of the App Home carry, and how they and the forms behind them are called."""

from engine.kernel import Validated

MAKE = "twin.make"
PROFILE = "twin.profile"
LIMITS = "twin.limits"
PAUSE = "twin.pause"
RESUME = "twin.resume"
RESET = "twin.reset"
DISABLE = "twin.disable"
ENABLE = "twin.enable"
ASK = "home.ask"
PEOPLE = "people.find"
ADD = "people.add"
IMPORT = "people.import"
SETTINGS = "settings.change"


class Twin(Validated):
    """The value of a button that is about one twin. Whose it is, is decided from the directory."""

    agent_id: str = ""
    """Empty for one that is still to be made."""

    def value(self) -> str:
        return self.model_dump_json()


def read_twin(value: str) -> Twin:
    """
    Raises:
        ValueError: not a button of ours.
    """
    return Twin.model_validate_json(value)
