"""What a protocol brings: everything by which the rest of the bot knows it.

A row is filled in `bot/registry.py`. Whatever needs the rows is given them as an argument.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from slack_bolt.async_app import AsyncApp

from bot.descriptions import PLAIN, Descriptions
from bot.listeners.conversation import Conversation
from bot.listeners.interaction import Wording
from bot.listeners.native_stop import MakeStop
from bot.listeners.services import Services, SessionFollower
from bot.posts.slack_calls import Clients
from bot.presence import Accounts
from bot.texts import Texts
from bot.views.kit import notices
from bot.views.kit.home_part import HomePart
from bot.views.kit.presenter import Presenter
from bot.views.kit.settings_part import SettingsPart
from bot.views.kit.story.model import StoryPart
from engine.directory.profile import Profile, Profiles
from engine.kernel import Computation, ModelAnswer, Rulebook, Tenant, Validated
from engine.llm.asker import Asks
from engine.llm.port import AnswerClasses, Prompt
from engine.runtime.runtime import Listener
from engine.store.port import Store
from engine.workers.port import WorkPort

if TYPE_CHECKING:
    from bot.api.part import ApiPart
    from bot.commands.why import WhyPart
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
    answerers: Mapping[str, Callable[..., ModelAnswer]] = field(default_factory=lambda: MappingProxyType({}))
    """What answers each of its prompts where there is no model."""
    rehearse: Callable[[Mapping[str, Callable[..., ModelAnswer]], Sequence[Profile], Iterable[str]], None] | None = None
    """Has these load, in a thread, what they would load when they are first asked; None where that is nothing."""
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
    accounts: Accounts | None = None
    """Says who has to have an account, and what a stream is told where one was closed; None where nobody has to."""
    stop: MakeStop | None = None
    """Makes the command of its button *Stop*, for Slack's own button that does the same; None where it has none."""
    heard: "Callable[[Services, Clients], Listener] | None" = None
    """Makes who is told what has happened to its streams, once it is committed; nothing depends on them."""
    availability: "Callable[[Services], Callable[[Tenant, str], None]] | None" = None
    """Makes who is told that something may be known anew of when a user can; None where that says nothing to it."""
    descriptions: Descriptions = PLAIN
    """Say how its events are told in the log, in metrics, on the demo's page and in replays."""
    policies: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """By name: what its streams can be decided by."""
    why: "Callable[[], WhyPart] | None" = None
    """What it says to `towow why`; None where it knows no reasons."""
    demo: "Callable[[], DemoPart] | None" = None
    """What it adds to the demo."""
    evals: "Callable[[Protocol], EvalsPart] | None" = None
    """Makes, of its row, its cases whose right outcome is known; None where it has none."""
    prompt_evals: "Callable[[Protocol], EvalsPart] | None" = None
    """Makes, of its row, its cases of single prompts; None where no model is asked."""
    oracle: "Callable[[Protocol], OraclePart] | None" = None
    """Says, of its row, how scenarios of it are played on the oracle bench; None where it has no part in it."""
    forms: Callable[[Any, Texts], Iterator[Mapping[str, Any]]] | None = None
    """Draws its forms and modals as they open for a state, so that Slack can check each; None where it has none."""
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


def policies(protocols: Sequence[Protocol]) -> Mapping[str, Any]:
    """Return all policies by name."""
    return {name: policy for each in protocols for name, policy in each.policies.items()}


def scheduling(protocols: Sequence[Protocol]) -> Sequence[type[Validated]]:
    """Return what ``scheduler_config.json`` has to be for each protocol whose work it schedules."""
    return tuple(each.scheduling for each in protocols if each.scheduling)
