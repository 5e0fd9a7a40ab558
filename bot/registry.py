"""The table of protocols: a row for each, which names all that it brings.

It is the top of the house: only what starts a process imports it, and hands the rows down as an argument. Nothing
else outside of a folder that is named after a protocol imports one. A further protocol is a row here, and folders of
its own.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from bot.listeners import deliberation as deliberation_listeners
from bot.listeners import delivery as delivery_listeners
from bot.listeners import directory as directory_listeners
from bot.listeners import negotiation as negotiation_listeners
from bot.listeners.deliberation.people import stop as stop_deliberation
from bot.listeners.deliberation.planning import CONVERSATION as PLANNING
from bot.listeners.delivery.accounts import ACCOUNTS as DELIVERY_ACCOUNTS
from bot.listeners.delivery.beginning import CONVERSATION as DELIVERING
from bot.listeners.delivery.leading import stop as stop_delivery
from bot.listeners.delivery.registry import tell_deliveries
from bot.listeners.delivery.session_logs import SessionLogs
from bot.listeners.negotiation.accounts import ACCOUNTS as NEGOTIATION_ACCOUNTS
from bot.listeners.negotiation.actions import stop as stop_negotiation
from bot.listeners.negotiation.demand import CONVERSATION
from bot.protocol_row import Protocol
from bot.views.deliberation import notices as deliberation_notices
from bot.views.deliberation.descriptions import DESCRIPTIONS as DELIBERATION_DESCRIPTIONS
from bot.views.deliberation.every_form import every_form as deliberation_forms
from bot.views.deliberation.home import HOME_PART as DELIBERATION_HOME
from bot.views.deliberation.presenter import DeliberationPresenter
from bot.views.deliberation.story import DeliberationStory
from bot.views.delivery import notices as delivery_notices
from bot.views.delivery.descriptions import DESCRIPTIONS as DELIVERY_DESCRIPTIONS
from bot.views.delivery.every_form import every_form as delivery_forms
from bot.views.delivery.home import HOME_PART as DELIVERY_HOME
from bot.views.delivery.presenter import DeliveryPresenter
from bot.views.delivery.story import DeliveryStory
from bot.views.directory import notices as directory_notices
from bot.views.directory.descriptions import DESCRIPTIONS as DIRECTORY_DESCRIPTIONS
from bot.views.negotiation import notices as negotiation_notices
from bot.views.negotiation.descriptions import DESCRIPTIONS as NEGOTIATION_DESCRIPTIONS
from bot.views.negotiation.every_form import every_form as negotiation_forms
from bot.views.negotiation.home import HOME_PART
from bot.views.negotiation.presenter import NegotiationPresenter
from bot.views.negotiation.settings import NegotiationSettings
from bot.views.negotiation.story import NegotiationStory
from engine.deliberation.asks import RETURNS as DELIBERATION_RETURNS
from engine.deliberation.asks import DeliberationAsks
from engine.deliberation.rules import RULEBOOK as DELIBERATION_RULES
from engine.delivery.asks import RETURNS as DELIVERY_RETURNS
from engine.delivery.asks import DeliveryAsks
from engine.delivery.policy import Policy as Scheduling
from engine.delivery.rules import RULEBOOK as DELIVERY_RULES
from engine.directory.asks import RETURNS as DIRECTORY_RETURNS
from engine.directory.asks import DirectoryAsks
from engine.directory.rules import RULEBOOK as DIRECTORY_RULES
from engine.kernel import Computation
from engine.negotiation.asks import RETURNS, NegotiationAsks
from engine.negotiation.policy import FOR_PEOPLE
from engine.negotiation.rehearsal import rehearse
from engine.negotiation.rules import RULEBOOK as NEGOTIATION_RULES
from engine.offline.deliberation.telling import ANSWERERS as DELIBERATION_ANSWERERS
from engine.offline.delivery.managing import ANSWERERS as DELIVERY_ANSWERERS
from engine.offline.directory.answerers import ANSWERERS as DIRECTORY_ANSWERERS
from engine.offline.negotiation.answerers import ANSWERERS
from engine.workers.port import WorkPort

if TYPE_CHECKING:
    from bot.api.part import ApiPart
    from bot.commands.why import WhyPart
    from bot.demo.evals.part import EvalsPart
    from bot.demo.oracle.part import OraclePart
    from bot.demo.part import DemoPart


def _negotiation_api() -> "ApiPart":
    from bot.api.negotiation.part import PART

    return PART


def _deliberation_api() -> "ApiPart":
    from bot.api.deliberation.part import PART

    return PART


def _delivery_api() -> "ApiPart":
    from bot.api.delivery.part import PART

    return PART


def _directory_api() -> "ApiPart":
    from bot.api.directory.part import PART

    return PART


def _negotiation_why() -> "WhyPart":
    from bot.commands.negotiation.why import PART

    return PART


def _deliberation_why() -> "WhyPart":
    from bot.commands.deliberation.why import PART

    return PART


def _delivery_why() -> "WhyPart":
    from bot.commands.delivery.logs import PART

    return PART


def _negotiation_evals(row: Protocol) -> "EvalsPart":
    from bot.demo.negotiation.evals.play import part

    return part(row)


def _deliberation_evals(row: Protocol) -> "EvalsPart":
    from bot.demo.deliberation.evals.play import part

    return part(row)


def _negotiation_prompt_evals(row: Protocol) -> "EvalsPart":
    from bot.demo.negotiation.evals.prompts import part

    return part(row)


def _deliberation_prompt_evals(row: Protocol) -> "EvalsPart":
    from bot.demo.deliberation.evals.prompts import part

    return part(row)


def _delivery_prompt_evals(_: Protocol) -> "EvalsPart":
    from bot.demo.delivery.evals.prompts import PART

    return PART


def _directory_prompt_evals(_: Protocol) -> "EvalsPart":
    from bot.demo.directory.evals import PART

    return PART


def _negotiation_demo() -> "DemoPart":
    from bot.demo.negotiation.part import PART

    return PART


def _delivery_demo() -> "DemoPart":
    from bot.demo.delivery.part import PART

    return PART


def _deliberation_computations() -> Mapping[str, Computation]:
    from engine.deliberation.rounds.meaning_comparison import COMPUTATIONS

    return COMPUTATIONS


def _negotiation_oracle(row: Protocol) -> "OraclePart":
    from bot.demo.negotiation.oracle import part

    return part(row)


def _deliberation_oracle(row: Protocol) -> "OraclePart":
    from bot.demo.deliberation.oracle import part

    return part(row)


def _delivery_oracle(row: Protocol) -> "OraclePart":
    from bot.demo.delivery.oracle import part

    return part(row)


NEGOTIATION: Final = Protocol(
    NEGOTIATION_RULES,
    negotiation_listeners.register,
    returns=RETURNS,
    answerers=ANSWERERS,
    rehearse=rehearse,
    asks=NegotiationAsks,
    presenter=NegotiationPresenter(),
    descriptions=NEGOTIATION_DESCRIPTIONS,
    policies=FOR_PEOPLE,
    conversation=CONVERSATION,
    refused=negotiation_notices.refused,
    resume=negotiation_listeners.resume,
    accounts=NEGOTIATION_ACCOUNTS,
    stop=stop_negotiation,
    heard=negotiation_listeners.heard,
    availability=negotiation_listeners.availability_changed,
    why=_negotiation_why,
    demo=_negotiation_demo,
    evals=_negotiation_evals,
    prompt_evals=_negotiation_prompt_evals,
    oracle=_negotiation_oracle,
    forms=negotiation_forms,
    home=HOME_PART,
    story=NegotiationStory(),
    settings=NegotiationSettings(),
    api=_negotiation_api,
)


DELIBERATION: Final = Protocol(
    DELIBERATION_RULES,
    deliberation_listeners.register,
    returns=DELIBERATION_RETURNS,
    answerers=DELIBERATION_ANSWERERS,
    asks=DeliberationAsks,
    computations=_deliberation_computations,
    presenter=DeliberationPresenter(),
    descriptions=DELIBERATION_DESCRIPTIONS,
    conversation=PLANNING,
    refused=deliberation_notices.refused,
    resume=deliberation_listeners.resume,
    stop=stop_deliberation,
    why=_deliberation_why,
    evals=_deliberation_evals,
    prompt_evals=_deliberation_prompt_evals,
    oracle=_deliberation_oracle,
    forms=deliberation_forms,
    home=DELIBERATION_HOME,
    story=DeliberationStory(),
    api=_deliberation_api,
)


def _delivery_work() -> WorkPort:
    from engine.delivery.work.work_orders import WORK

    return WORK


DELIVERY: Final = Protocol(
    DELIVERY_RULES,
    delivery_listeners.register,
    returns=DELIVERY_RETURNS,
    answerers=DELIVERY_ANSWERERS,
    asks=DeliveryAsks,
    work=_delivery_work,
    scheduling=Scheduling,
    session_logs=SessionLogs,
    workers_changed=tell_deliveries,
    presenter=DeliveryPresenter(),
    descriptions=DELIVERY_DESCRIPTIONS,
    home=DELIVERY_HOME,
    story=DeliveryStory(),
    conversation=DELIVERING,
    refused=delivery_notices.refused,
    accounts=DELIVERY_ACCOUNTS,
    demo=_delivery_demo,
    prompt_evals=_delivery_prompt_evals,
    oracle=_delivery_oracle,
    forms=delivery_forms,
    resume=delivery_listeners.resume,
    stop=stop_delivery,
    heard=delivery_listeners.heard,
    why=_delivery_why,
    api=_delivery_api,
)


DIRECTORY: Final = Protocol(
    DIRECTORY_RULES,
    directory_listeners.register,
    returns=DIRECTORY_RETURNS,
    answerers=DIRECTORY_ANSWERERS,
    asks=DirectoryAsks,
    prompt_evals=_directory_prompt_evals,
    refused=directory_notices.refused,
    descriptions=DIRECTORY_DESCRIPTIONS,
    api=_directory_api,
)

PROTOCOLS: Final[Sequence[Protocol]] = (NEGOTIATION, DELIBERATION, DELIVERY, DIRECTORY)
