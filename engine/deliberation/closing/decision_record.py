"""The decision record: what was decided, by whom, on which arguments, what was not taken up and why, on which
assumptions, and who holds otherwise. Worked out of the state; no model writes it."""

from typing import Literal

from engine.deliberation.answers import Move
from engine.deliberation.closing.reporting import Outcome, disagreements, outcome_of, still_open
from engine.deliberation.rounds.plans import changed_slots, final_plan
from engine.deliberation.state import Argument, Deliberation, Output
from engine.deliberation.terms import DEBATERS, Agent, ArgumentKind
from engine.kernel import Validated

WhoDecided = Literal["agents", "requester", "nobody"]


class ArgumentTold(Validated):
    argument_id: str
    text: str
    by: str
    """An agent, or a user's id."""
    round: int


class ChangeDecided(Validated):
    """One thing of the plan that changed on the way, and what moved whoever changed it."""

    round: int
    by: str
    slot: str
    task_id: str
    before: str
    after: str
    argument: ArgumentTold | None
    """None where no argument was named."""


class Rejected(Validated):
    """A suggestion or a point that the plan did not take up."""

    argument: ArgumentTold
    why: str
    """What was answered to it; empty where nothing was."""


class DisagreedOn(Validated):
    """One slot in which both positions differed at the end."""

    slot: str
    about: str
    planner: str
    critic: str


class DecisionRecord(Validated):
    how: Outcome = "open"
    disagreed_on: tuple[DisagreedOn, ...] = ()
    """Where they disagreed: on what, as the report lists it."""
    still_open: tuple[str, ...] = ()
    """Where it came to no agreement: what speaks against the plan besides, such as a high risk."""
    decided: str
    """The conclusion that stands."""
    by: WhoDecided
    decided_by: str
    """The user, where the requester decided."""
    reason: str
    """Why it ended (`engine.deliberation.terms.Reason`); empty while it goes on."""
    because: tuple[ArgumentTold, ...]
    """What the conclusion rests on."""
    changes: tuple[ChangeDecided, ...]
    rejected: tuple[Rejected, ...]
    assumptions: tuple[str, ...]
    dissent: tuple[str, ...]
    rounds: int
    model_calls: int
    """Outputs that a model or rules gave, the reports among them."""
    models: tuple[str, ...]


def decision_record(state: Deliberation) -> DecisionRecord:
    final = final_plan(state)
    standing = _output_of(state, final.round, final.by) if final else None
    position = standing.position if standing else None
    outputs = [output for each in state.rounds for output in each.outputs.values()]
    report = [state.report] if state.report else []
    models = [each.model for each in outputs] + [each.model for each in report]
    how = outcome_of(state)
    differ = disagreements(state) if how == "disagreed" else ()
    against = still_open(state) if how in ("disagreed", "not_settled") else ()
    return DecisionRecord(
        how=how,
        disagreed_on=tuple(
            DisagreedOn(slot=each.slot, about=each.about, planner=each.planner, critic=each.critic) for each in differ
        ),
        still_open=tuple(each.text for each in against),
        decided=position.conclusion if position else "",
        by="requester" if state.choice else "agents" if state.status == "converged" else "nobody",
        decided_by=state.choice.by if state.choice else "",
        reason=state.reason or "",
        because=tuple(
            _argument_told(state.arguments[each]) for each in _rests_on(state, standing) if each in state.arguments
        ),
        changes=tuple(change for output in outputs for change in _changes(state, output)),
        rejected=tuple(_rejected(state, outputs)),
        assumptions=position.assumptions if position else (),
        dissent=state.report.summary.dissent if state.report else (),
        rounds=state.spoken_rounds,
        model_calls=len(outputs) + len(report) + (len(state.closing.stated) if state.closing else 0),
        models=tuple(dict.fromkeys(each for each in models if each)),
    )


def _output_of(state: Deliberation, number: int, agent: str) -> Output | None:
    return state.rounds[number - 1].outputs.get(agent)


def _rests_on(state: Deliberation, standing: Output | None) -> list[str]:
    """The facts and arguments that the position and its tasks name."""
    if standing is None:
        return []
    tasks = standing.plan.tasks if standing.plan else ()
    return [*dict.fromkeys((*standing.position.because, *(each for task in tasks for each in task.because)))]


def _changes(state: Deliberation, output: Output) -> list[ChangeDecided]:
    said = (each.outputs.get(output.agent) for each in reversed(state.rounds[: output.round - 1]))
    before = next((each for each in said if each is not None), None)
    if before is None:
        return []
    return [
        ChangeDecided(
            round=output.round,
            by=output.agent,
            slot=change.slot,
            task_id=change.task_id,
            before=change.before,
            after=change.after,
            argument=_argument_of(state, output.moves, change.slot, change.task_id),
        )
        for change in changed_slots(before, output)
    ]


def _argument_of(state: Deliberation, moves: tuple[Move, ...], slot: str, task_id: str) -> ArgumentTold | None:
    named = [each for each in moves if each.task_id == task_id and each.slot in (slot, "task")]
    exact = next((each for each in named if each.slot == slot), next(iter(named), None))
    found = state.arguments.get(exact.argument) if exact else None
    return _argument_told(found) if found else None


def _rejected(state: Deliberation, outputs: list[Output]) -> list[Rejected]:
    """Suggestions that moved nobody and that the Critic still makes, and points that are not settled by both."""
    moved = {each.argument for output in outputs for each in output.moves}
    answers = {each.argument: each.answer for output in outputs for each in output.answers}
    critic = state.last_output(Agent.CRITIC)
    open_ids = set(critic.suggestion_ids) if critic else set()
    unsettled = {each.point_id for each in state.points if len(each.answers) < len(DEBATERS)}
    return [
        Rejected(argument=_argument_told(each), why=answers.get(argument_id, ""))
        for argument_id, each in state.arguments.items()
        if argument_id not in moved
        and (argument_id in unsettled or (each.kind is ArgumentKind.SUGGESTION and argument_id in open_ids))
    ]


def _argument_told(argument: Argument) -> ArgumentTold:
    return ArgumentTold(argument_id=argument.argument_id, text=argument.text, by=argument.by, round=argument.round)
