"""A further protocol, which nothing in the product knows: lunches. All that adds it is the row `TOY`."""

from typing import TYPE_CHECKING, Final

from bot.protocol_row import Protocol

from .asks import PROMPTS, RETURNS, LunchAsks, suggest
from .listeners import CONVERSATION, register
from .rules import RULEBOOK
from .views import DESCRIPTIONS, LunchPresenter

if TYPE_CHECKING:
    from bot.api.part import ApiPart


def _api() -> "ApiPart":
    from .api import PART

    return PART


TOY: Final = Protocol(
    RULEBOOK,
    register,
    prompts=PROMPTS,
    returns=RETURNS,
    answerers={"suggest": suggest},
    asks=LunchAsks,
    presenter=LunchPresenter(),
    conversation=CONVERSATION,
    descriptions=DESCRIPTIONS,
    api=_api,
)
