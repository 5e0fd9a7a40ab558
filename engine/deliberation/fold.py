"""How each event changes what a deliberation knows. The table of `rules` says which status may follow."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.deliberation.closing.reporting import next_number
from engine.deliberation.drafting import later
from engine.deliberation.events import (
    AgentSkipped,
    BriefRead,
    ClosingBegun,
    ClosingStated,
    CriticAsked,
    CriticReplied,
    DeliberationEnded,
    DeliberationOpened,
    DeliberationReopened,
    HostDecided,
    HostSpoke,
    PlaceChanged,
    PlanCarriedOut,
    PlanChecked,
    PointRaised,
    PositionChosen,
    PositionsCompared,
    PositionTaken,
    ReportWritten,
    StopRequested,
    TimeGiven,
    WordsErased,
)
from engine.deliberation.rounds.plans import judged
from engine.deliberation.rounds.turns import is_parallel, speaking
from engine.deliberation.state import (
    Argument,
    AskedCritic,
    Choice,
    Closing,
    Deliberation,
    Output,
    Point,
    Report,
    Round,
    Status,
)
from engine.deliberation.terms import Action, Agent, ArgumentKind, Reason
from engine.kernel import Event, Millis


def apply(state: Deliberation, event: Event) -> Deliberation:
    changed = _CHANGES[type(event)](state, event)
    at = getattr(event, "at", 0)
    return replace(changed, updated_at=at) if at else changed


def _in_turn(state: Deliberation, at: Millis) -> Deliberation:
    """Whoever is asked next is waited for from now on."""
    return replace(state, turn_due=later(at, state.policy.turn_timeout))


def _in_round(state: Deliberation, number: int, **changes: Any) -> Deliberation:
    rounds = list(state.rounds)
    rounds[number - 1] = replace(rounds[number - 1], **changes)
    return replace(state, rounds=tuple(rounds))


def _opened(state: Deliberation, event: DeliberationOpened) -> Deliberation:
    facts = (
        Argument(argument_id=each.fact_id, kind=ArgumentKind.FACT, text=each.text, by=each.by, round=0)
        for each in event.brief.facts
    )
    return _in_turn(
        replace(
            state,
            status=Status.ARGUING,
            session_id=event.session_id,
            requester_id=event.requester_id,
            conversation_id=event.conversation_id,
            brief=event.brief,
            policy=event.policy,
            place=event.place,
            opened_at=event.asked_at,
            updated_at=event.asked_at,
            until=event.until,
            rounds=(Round(number=1),),
            arguments={each.argument_id: each for each in facts},
        ),
        event.asked_at,
    )


def _read(state: Deliberation, event: BriefRead) -> Deliberation:
    return replace(state, read=event)


# ── what the agents say ───────────────────────────────────────────────────────────────────────────────────────────


def _position(state: Deliberation, event: PositionTaken) -> Deliberation:
    output, arguments = _with_arguments(state, event)
    answered = {each.argument: each.answer for each in event.answers if each.answer.strip()}
    points = tuple(
        replace(point, answers={**point.answers, event.agent: answered[point.point_id]})
        if point.point_id in answered
        else point
        for point in state.points
    )
    state = replace(state, arguments=arguments, points=points, errors=(*state.errors, *event.errors))
    outputs = {**state.rounds[event.round - 1].outputs, event.agent: output}
    return _after_turn(_in_round(state, event.round, outputs=outputs), event.at)


def _with_arguments(state: Deliberation, event: PositionTaken) -> tuple[Output, Mapping[str, Argument]]:
    """Give every new reason, risk, suggestion and finding an id; what repeats an earlier one keeps the earlier id."""
    found = _Arguments(state.arguments, event.agent, event.round)
    critique = event.critique
    own = f"{event.agent}-" if event.agent is Agent.CRITIC else ""
    output = Output(
        agent=event.agent,
        round=event.round,
        at=event.at,
        content=event.content,
        position=event.position,
        plan=event.plan,
        critique=critique,
        moves=event.moves,
        answers=event.answers,
        flaws=event.flaws,
        findings=event.findings,
        model=event.model,
        reason_ids=found.added(
            ArgumentKind.REASON, f"{event.agent}-reason", [(each, "medium", "") for each in event.position.key_reasons]
        ),
        risk_ids=found.added(
            ArgumentKind.RISK, "risk", [(each.risk, each.severity, each.repeats) for each in critique.risks]
        )
        if critique
        else (),
        suggestion_ids=found.added(
            ArgumentKind.SUGGESTION,
            "suggestion",
            [(each.solution, each.priority, each.repeats) for each in critique.suggestions],
        )
        if critique
        else (),
        finding_ids=found.added(
            ArgumentKind.FINDING, f"{own}finding", [(each.text, each.severity, "") for each in event.findings]
        ),
    )
    return output, found.all


def _checked(state: Deliberation, event: PlanChecked) -> Deliberation:
    """What is found later is numbered after what was found before."""
    output = state.rounds[event.round - 1].outputs[event.agent]
    found = _Arguments(state.arguments, event.agent, event.round)
    own = f"{event.agent}-" if event.agent is Agent.CRITIC else ""
    ids = found.added(
        ArgumentKind.FINDING,
        f"{own}finding",
        [(each.text, each.severity, "") for each in event.findings],
        first=len(output.findings) + 1,
    )
    output = replace(output, findings=(*output.findings, *event.findings), finding_ids=(*output.finding_ids, *ids))
    outputs = {**state.rounds[event.round - 1].outputs, event.agent: output}
    return _in_round(replace(state, arguments=found.all), event.round, outputs=outputs)


class _Arguments:
    """The arguments so far, to which an output adds."""

    def __init__(self, before: Mapping[str, Argument], agent: Agent, number: int) -> None:
        self.all = dict(before)
        self._agent, self._round = agent, number
        self._said = {(each.kind, each.by, each.text): each.argument_id for each in before.values()}

    def added(
        self, kind: ArgumentKind, word: str, said: Iterable[tuple[str, str, str]], *, first: int = 1
    ) -> tuple[str, ...]:
        """
        Args:
            said: text, severity, and the id of what it repeats.
            first: the number that the first one gets.
        """
        return tuple(self._add(kind, f"r{self._round}-{word}-{place}", *each) for place, each in enumerate(said, first))

    def _add(self, kind: ArgumentKind, new_id: str, text: str, severity: str, repeats: str) -> str:
        # What code has found is nobody's argument.
        by = "" if kind is ArgumentKind.FINDING else self._agent
        known = self.all.get(repeats)
        same = known.argument_id if known and known.kind is kind else self._said.get((kind, by, text), "")
        if same:
            self.all[same] = replace(self.all[same], severity=severity)
            return same
        self._said[kind, by, text] = new_id
        self.all[new_id] = Argument(
            argument_id=new_id, kind=kind, text=text, by=by, round=self._round, severity=severity
        )
        return new_id


def _skipped(state: Deliberation, event: AgentSkipped) -> Deliberation:
    state = replace(state, errors=(*state.errors, event.error))
    if state.status is Status.CLOSING and state.closing is not None:
        return _closed_by(state, replace(state.closing, skipped=(*state.closing.skipped, event.agent)), event.at)
    skipped = {**state.rounds[event.round - 1].skipped, event.agent: event.error}
    return _after_turn(_in_round(state, event.round, skipped=skipped), event.at)


def _after_turn(state: Deliberation, at: Millis) -> Deliberation:
    """Where both speak at the same time, the other one is waited for as long as before."""
    return state if is_parallel(state) and speaking(state) else _in_turn(state, at)


def _time_given(state: Deliberation, event: TimeGiven) -> Deliberation:
    return _in_turn(replace(state, until=event.until, extensions=state.extensions + 1), event.at)


# ── what the Host makes of it ─────────────────────────────────────────────────────────────────────────────────────


def _compared(state: Deliberation, event: PositionsCompared) -> Deliberation:
    state = _in_round(state, event.round, analysis=event.analysis, differences=event.differences)
    return judged(replace(state, errors=(*state.errors, *event.errors)))


def _decided(state: Deliberation, event: HostDecided) -> Deliberation:
    state = _in_round(state, event.round, decision=event)
    if event.reasons[0] is Reason.EARLY_AGREEMENT:
        return replace(state, best=event.round, best_open=0)
    if event.action in (Action.CONTINUE, Action.FORCE_OPPOSITION):
        return _in_turn(replace(state, rounds=(*state.rounds, Round(number=event.round + 1))), event.at)
    return state


def _host_spoke(state: Deliberation, event: HostSpoke) -> Deliberation:
    if state.rounds[event.round - 1].decision is None:
        return _in_round(state, event.round, host_words=event.content, is_laid_out=True, pairs=event.pairs)
    return _in_round(state, event.round, host_words=event.content)


# ── what people do ────────────────────────────────────────────────────────────────────────────────────────────────


def _point(state: Deliberation, event: PointRaised) -> Deliberation:
    argument = Argument(
        argument_id=event.point_id,
        kind=ArgumentKind.POINT,
        text=event.text,
        by=event.by,
        round=len(state.rounds),
        severity="high",
    )
    return replace(
        state,
        points=(*state.points, Point(point_id=event.point_id, by=event.by, text=event.text, at=event.at)),
        arguments={**state.arguments, event.point_id: argument},
    )


def _reopened(state: Deliberation, event: DeliberationReopened) -> Deliberation:
    """What was said stays; a choice between two positions is open again, since they may become others."""
    rounds = state.rounds if event.round == len(state.rounds) else (*state.rounds, Round(number=event.round))
    former = (replace(state.choice, reopened_by=event.by),) if state.choice is not None else ()
    return _in_turn(
        replace(
            state,
            status=Status.ARGUING,
            rounds=rounds,
            reports=next_number(state) if state.status is Status.REPORTING else state.reports,
            reopened_rounds=max(state.most_rounds, event.round),
            until=event.until,
            extensions=0,
            choice=None,
            former_choices=(*state.former_choices, *former),
            stopped_by="",
            reason=None,
            ended_at=0,
        ),
        event.at,
    )


def _asked_critic(state: Deliberation, event: CriticAsked) -> Deliberation:
    asked = AskedCritic(question_id=event.question_id, by=event.by, text=event.text, at=event.at)
    return replace(state, questions=(*state.questions, asked))


def _replied(state: Deliberation, event: CriticReplied) -> Deliberation:
    questions = (
        replace(each, reply=event.content, arguments=event.arguments) if each.question_id == event.question_id else each
        for each in state.questions
    )
    return replace(state, questions=tuple(questions))


def _chosen(state: Deliberation, event: PositionChosen) -> Deliberation:
    state = replace(state, choice=Choice(by=event.by, chosen=event.chosen, why=event.why, at=event.at))
    if state.closing is None:
        return state
    return replace(state, closing=replace(state.closing, reason=Reason.USER_DECIDED, is_divergent=False))


def _stop(state: Deliberation, event: StopRequested) -> Deliberation:
    return replace(state, stopped_by=event.by)


# ── the end ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _closing(state: Deliberation, event: ClosingBegun) -> Deliberation:
    """What was stated before stays: a deliberation may be closed again where somebody decides after its end."""
    before = state.closing
    stated, skipped = (before.stated, before.skipped) if before else ({}, ())
    closing = Closing(
        reason=event.reason,
        is_divergent=event.is_divergent,
        asks=event.asks,
        at=before.at if before else event.at,
        stated=stated,
        skipped=skipped,
    )
    return _closed_by(state, closing, event.at)


def _stated(state: Deliberation, event: ClosingStated) -> Deliberation:
    if state.closing is None:
        return state
    closing = state.closing
    stated = {**closing.stated, event.agent: (event.uncertainties, event.worst_case)}
    state = replace(state, errors=(*state.errors, *event.errors))
    return _closed_by(state, replace(closing, stated=stated), event.at)


def _closed_by(state: Deliberation, closing: Closing, at: Millis) -> Deliberation:
    """Both are asked at the same time: the Reporter's turn begins once nobody is awaited any more."""
    if closing.awaited:
        begins = state.status is not Status.CLOSING
        state = replace(state, closing=closing, status=Status.CLOSING)
        return _in_turn(state, at) if begins else state
    return _in_turn(replace(state, closing=closing, status=Status.REPORTING), at)


def _reported(state: Deliberation, event: ReportWritten) -> Deliberation:
    report = Report(
        content=event.content,
        summary=event.summary,
        is_divergent=event.is_divergent,
        at=event.at,
        model=event.model,
        number=next_number(state),
    )
    return replace(state, report=report, reports=report.number, errors=(*state.errors, *event.errors))


def _ended(state: Deliberation, event: DeliberationEnded) -> Deliberation:
    status = Status.CONVERGED if event.is_converged else Status.TERMINATED
    return replace(state, status=status, reason=event.reason, ended_at=event.at)


def _erased(state: Deliberation, event: WordsErased) -> Deliberation:
    return replace(state, erased=event.whose or "*")


def _place_changed(state: Deliberation, event: PlaceChanged) -> Deliberation:
    return replace(state, place=replace(state.place, channel=event.channel, shared=event.shared))


_CHANGES: Final[Mapping[type[Event], Callable[[Deliberation, Any], Deliberation]]] = {
    DeliberationOpened: _opened,
    BriefRead: _read,
    PositionTaken: _position,
    PlanChecked: _checked,
    AgentSkipped: _skipped,
    TimeGiven: _time_given,
    PositionsCompared: _compared,
    HostDecided: _decided,
    HostSpoke: _host_spoke,
    PointRaised: _point,
    CriticAsked: _asked_critic,
    CriticReplied: _replied,
    DeliberationReopened: _reopened,
    PositionChosen: _chosen,
    StopRequested: _stop,
    ClosingBegun: _closing,
    ClosingStated: _stated,
    ReportWritten: _reported,
    DeliberationEnded: _ended,
    PlanCarriedOut: lambda state, event: replace(state, carried_out_in=event.stream),
    WordsErased: _erased,
    PlaceChanged: _place_changed,
}
