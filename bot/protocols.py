"""A row for each protocol: everything by which the rest of the bot knows it.

Nothing else outside of a folder that is named after a protocol imports one. A further protocol is a row here, and
folders of its own.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from slack_bolt.async_app import AsyncApp

from bot.descriptions import PLAIN, Descriptions
from bot.listeners import deliberation as deliberation_listeners
from bot.listeners import delivery as delivery_listeners
from bot.listeners import directory as directory_listeners
from bot.listeners import negotiation as negotiation_listeners
from bot.listeners.clicks import Wording
from bot.listeners.conversation import Conversation
from bot.listeners.deliberation.native_stop import stop as stop_deliberation
from bot.listeners.deliberation.planning import CONVERSATION as PLANNING
from bot.listeners.delivery.beginning import CONVERSATION as DELIVERING
from bot.listeners.delivery.native_stop import stop as stop_delivery
from bot.listeners.delivery.registry import tell_deliveries
from bot.listeners.delivery.session_logs import SessionLogs
from bot.listeners.native_stop import MakeStop
from bot.listeners.negotiation.demand import CONVERSATION
from bot.listeners.negotiation.first_questions import heard as negotiation_heard
from bot.listeners.negotiation.native_stop import stop as stop_negotiation
from bot.listeners.services import Services
from bot.listeners.session_follower import SessionFollower
from bot.posts.slack_calls import Clients
from bot.views.deliberation import notices as deliberation_notices
from bot.views.deliberation.descriptions import DESCRIPTIONS as DELIBERATION_DESCRIPTIONS
from bot.views.deliberation.home import HOME_PART as DELIBERATION_HOME
from bot.views.deliberation.presenter import DeliberationPresenter
from bot.views.deliberation.story import DeliberationStory
from bot.views.delivery import notices as delivery_notices
from bot.views.delivery.descriptions import DESCRIPTIONS as DELIVERY_DESCRIPTIONS
from bot.views.delivery.home import HOME_PART as DELIVERY_HOME
from bot.views.delivery.presenter import DeliveryPresenter
from bot.views.delivery.story import DeliveryStory
from bot.views.directory import notices as directory_notices
from bot.views.directory.descriptions import DESCRIPTIONS as DIRECTORY_DESCRIPTIONS
from bot.views.kit import notices
from bot.views.kit.home_part import HomePart
from bot.views.kit.presenter import Presenter
from bot.views.kit.settings_part import SettingsPart
from bot.views.kit.story.model import StoryPart
from bot.views.negotiation import notices as negotiation_notices
from bot.views.negotiation.descriptions import DESCRIPTIONS as NEGOTIATION_DESCRIPTIONS
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
from engine.directory.profile import Profiles
from engine.directory.rules import RULEBOOK as DIRECTORY_RULES
from engine.kernel import Rulebook, Validated
from engine.llm.asker import Asks
from engine.llm.prompts import AnswerClasses, Prompt
from engine.negotiation.asks import RETURNS, NegotiationAsks
from engine.negotiation.policy import FOR_PEOPLE
from engine.negotiation.rules import RULEBOOK as NEGOTIATION_RULES
from engine.offline import Answerer
from engine.offline.deliberation.telling import ANSWERERS as DELIBERATION_ANSWERERS
from engine.offline.delivery.managing import ANSWERERS as DELIVERY_ANSWERERS
from engine.offline.directory.answerers import ANSWERERS as DIRECTORY_ANSWERERS
from engine.offline.negotiation.answerers import ANSWERERS
from engine.runtime.computing import Computation
from engine.runtime.observers import Listener
from engine.store.port import Store
from engine.workers.port import WorkPort

if TYPE_CHECKING:
    from bot.api.part import ApiPart
    from bot.commands.subcommand import Subcommand
    from bot.commands.why_part import WhyPart
    from bot.demo.evals.part import EvalsPart
    from bot.demo.oracle.part import OraclePart
    from bot.demo.part import DemoPart


@dataclass(frozen=True, slots=True, eq=False)
class Protocol:
    rulebook: Rulebook[Any]
    register: Callable[[AsyncApp, Services], None]
    """Registers its listeners with Bolt."""
    returns: AnswerClasses = field(default_factory=lambda: MappingProxyType({}))
    """What each of its prompts must say that it returns, by the prompt's name without the folder."""
    prompts: Path | None = None
    """The folder whose subfolder of its name has its prompts; None: the one that comes with ToWow."""
    answerers: Mapping[str, Answerer] = field(default_factory=lambda: MappingProxyType({}))
    """What answers each of its prompts where there is no model."""
    asks: Callable[[Mapping[str, Prompt], Profiles], Asks] | None = None
    """Makes its questions from all prompts and a tenant's people; None where no model is asked."""
    computations: Callable[[], Mapping[str, Computation]] = lambda: MappingProxyType({})
    """By the name of the function: what runs each `Compute` that its rules owe."""
    work: "Callable[[], WorkPort] | None" = None
    """What workers are told, and what is made of what they did; None where none work for it."""
    scheduling: type[Validated] | None = None
    """The figures by which its work is scheduled, each with a default; None where it schedules none."""
    session_logs: Callable[[Store, Path], SessionFollower] | None = None
    """Keeps the logs of its streams as files in a folder; None where none are kept."""
    workers_changed: Callable[[Services], Awaitable[None]] | None = None
    """Tells its streams who may work for them now, and by which figures."""
    presenter: Presenter[Any] | None = None
    """Says what is posted about its streams; None where nobody is shown any."""
    conversation: Conversation | None = None
    """Deals with what people write to ToWow; None where it is deaf to that."""
    refused: Wording = notices.refused
    """Says to people what was refused."""
    resume: Callable[[Services, Clients], Awaitable[None]] | None = None
    """Goes on, at a start, with what its listeners were doing when the process ended."""
    stop: MakeStop | None = None
    """Makes the command of its button *Stop*, for Slack's own button that does the same; None where it has none."""
    heard: "Callable[[Services, Clients], Listener] | None" = None
    """Makes who is told what has happened to its streams, once it is committed; nothing depends on them."""
    descriptions: Descriptions = PLAIN
    """Say how its events are told in the log, in metrics, on the demo's page and in replays."""
    policies: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """By name: what its streams can be decided by."""
    commands: Callable[[], "Sequence[Subcommand]"] = lambda: ()
    """What it adds to ``towow``; imported only when it is run."""
    why: "Callable[[], WhyPart] | None" = None
    """What it says to `towow why`; None where it knows no reasons."""
    demo: "Callable[[], DemoPart] | None" = None
    """What it adds to the demo."""
    evals: "Callable[[], EvalsPart] | None" = None
    """Its cases whose right outcome is known; None where it has none."""
    prompt_evals: "Callable[[], EvalsPart] | None" = None
    """Its cases of single prompts; None where no model is asked."""
    oracle: "Callable[[], OraclePart] | None" = None
    """How scenarios of it are played on the oracle bench; None where it has no part in it."""
    home: HomePart | None = None
    """What it adds to somebody's App Home."""
    story: StoryPart[Any] | None = None
    """What it adds to the page of one story; None where it has no part in any."""
    settings: SettingsPart | None = None
    """What admins may say about how its streams are decided."""
    api: "Callable[[], ApiPart] | None" = None
    """What it adds to the HTTP interface, whose libraries are imported only where something is served."""

    @property
    def name(self) -> str:
        return self.rulebook.protocol


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


def _negotiation_commands() -> "Sequence[Subcommand]":
    from bot.commands.negotiation import ask

    return (ask.COMMAND,)


def _negotiation_why() -> "WhyPart":
    from bot.commands.negotiation.why import PART

    return PART


def _deliberation_why() -> "WhyPart":
    from bot.commands.deliberation.why import PART

    return PART


def _delivery_why() -> "WhyPart":
    from bot.commands.delivery.why import PART

    return PART


def _negotiation_evals() -> "EvalsPart":
    from bot.demo.negotiation.evals.part import PART

    return PART


def _deliberation_evals() -> "EvalsPart":
    from bot.demo.deliberation.evals.part import PART

    return PART


def _negotiation_prompt_evals() -> "EvalsPart":
    from bot.demo.negotiation.evals.prompts import PART

    return PART


def _deliberation_prompt_evals() -> "EvalsPart":
    from bot.demo.deliberation.evals.prompts import PART

    return PART


def _delivery_prompt_evals() -> "EvalsPart":
    from bot.demo.delivery.evals.prompts import PART

    return PART


def _directory_prompt_evals() -> "EvalsPart":
    from bot.demo.directory.evals.prompts import PART

    return PART


def _negotiation_demo() -> "DemoPart":
    from bot.demo.negotiation.part import PART

    return PART


def _deliberation_commands() -> "Sequence[Subcommand]":
    from bot.commands.deliberation import plan

    return (plan.COMMAND,)


def _deliberation_demo() -> "DemoPart":
    from bot.demo.deliberation.part import PART

    return PART


def _delivery_demo() -> "DemoPart":
    from bot.demo.delivery.part import PART

    return PART


def _deliberation_computations() -> Mapping[str, Computation]:
    from engine.deliberation.meaning_comparison import COMPUTATIONS

    return COMPUTATIONS


def _negotiation_oracle() -> "OraclePart":
    from bot.demo.negotiation.oracle import PART

    return PART


def _deliberation_oracle() -> "OraclePart":
    from bot.demo.deliberation.oracle import PART

    return PART


def _delivery_oracle() -> "OraclePart":
    from bot.demo.delivery.oracle import PART

    return PART


NEGOTIATION: Final = Protocol(
    NEGOTIATION_RULES,
    negotiation_listeners.register,
    returns=RETURNS,
    answerers=ANSWERERS,
    asks=NegotiationAsks,
    presenter=NegotiationPresenter(),
    descriptions=NEGOTIATION_DESCRIPTIONS,
    policies=FOR_PEOPLE,
    conversation=CONVERSATION,
    refused=negotiation_notices.refused,
    resume=negotiation_listeners.resume,
    stop=stop_negotiation,
    heard=negotiation_heard,
    commands=_negotiation_commands,
    why=_negotiation_why,
    demo=_negotiation_demo,
    evals=_negotiation_evals,
    prompt_evals=_negotiation_prompt_evals,
    oracle=_negotiation_oracle,
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
    commands=_deliberation_commands,
    why=_deliberation_why,
    demo=_deliberation_demo,
    evals=_deliberation_evals,
    prompt_evals=_deliberation_prompt_evals,
    oracle=_deliberation_oracle,
    home=DELIBERATION_HOME,
    story=DeliberationStory(),
    api=_deliberation_api,
)


def _delivery_commands() -> "Sequence[Subcommand]":
    from bot.commands.delivery import deliver, logs

    return (deliver.COMMAND, logs.COMMAND)


def _delivery_work() -> WorkPort:
    from engine.delivery.work_orders import WORK

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
    commands=_delivery_commands,
    demo=_delivery_demo,
    prompt_evals=_delivery_prompt_evals,
    oracle=_delivery_oracle,
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


def policies(protocols: Sequence[Protocol]) -> Mapping[str, Any]:
    """Return all policies by name."""
    return {name: policy for each in protocols for name, policy in each.policies.items()}


def scheduling(protocols: Sequence[Protocol]) -> Sequence[type[Validated]]:
    """Return what ``scheduler_config.json`` has to be for each protocol whose work it schedules."""
    return tuple(each.scheduling for each in protocols if each.scheduling)
