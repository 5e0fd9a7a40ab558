"""How a delivery begins, and how a change of the registry or of the scheduler's figures reaches it."""

from msgspec.structs import replace

from engine.delivery.commands import ChangeRoles, OpenDelivery
from engine.delivery.drafting import DeliveryDraft
from engine.delivery.errors import InvalidBrief, InvalidPlan
from engine.delivery.events import DeliveryOpened, RolesChanged
from engine.delivery.ids import PROTOCOL
from engine.delivery.planning import planning
from engine.delivery.planning.planning import faults_of
from engine.delivery.state import Delivery
from engine.delivery.terms import LONGEST_GOAL, Brief, PlannedBy
from engine.errors import IllegalStep
from engine.facts.language import catalogue_of
from engine.facts.visible import without_surrogates
from engine.kernel import CommandDelivered, HandoverTaken, Millis, SendCommand, tell_origin


def opened(draft: DeliveryDraft, command: OpenDelivery) -> None:
    """Begin a delivery, of a goal or of a plan."""
    if draft.state.exists:
        raise IllegalStep("This delivery has begun already.")
    brief = _checked(command.brief)
    tasks = command.tasks or planning.tasks_of(brief, command.roles, command.by)
    tasks = tuple(planning.completed(each, catalogue_of(brief.spoken)) for each in tasks)
    if tasks and (faults := faults_of(tasks)):
        raise InvalidPlan(" ".join(faults))
    planning.check_checkers(tasks)
    draft.happens(
        DeliveryOpened(
            session_id=command.session_id,
            requester_id=command.by,
            brief=brief,
            policy=command.policy,
            roles=command.roles,
            place=command.place,
            is_planned=bool(tasks),
            at=command.at,
            conversation_id=command.conversation_id,
        )
    )
    if command.brief.origin_protocol:
        draft.owes(tell_origin(command.brief.origin, command.brief.origin_protocol))
    if tasks:
        by = PlannedBy.FILE if command.tasks else PlannedBy.HANDOVER
        planning.receive(draft, tasks, by, command.at)


def _checked(brief: Brief) -> Brief:
    goal, title = without_surrogates(brief.goal).strip(), without_surrogates(brief.title).strip()
    if not goal:
        raise InvalidBrief("There is nothing to carry out in it. Say what is to be done, in a sentence.")
    if len(goal) > LONGEST_GOAL:
        raise InvalidBrief(f"That has {len(goal)} characters; {LONGEST_GOAL} are the most. Say it in fewer words.")
    return replace(brief, goal=goal, title=title or goal.splitlines()[0][:200])


def roles_changed(draft: DeliveryDraft, command: ChangeRoles) -> None:
    state = draft.state
    is_new = tuple(state.roles.values()) != command.roles or state.policy != command.policy
    if state.is_open and is_new:
        draft.happens(RolesChanged(**draft.ids, roles=command.roles, policy=command.policy, at=command.at))


def compose_command(state: Delivery, effect: SendCommand, *, command_id: str, at: Millis) -> HandoverTaken:
    return HandoverTaken(command_id=command_id, at=at, stream=state.session_id, protocol=PROTOCOL)


def origin_told(draft: DeliveryDraft, command: CommandDelivered) -> None:
    """Nothing follows from it."""
