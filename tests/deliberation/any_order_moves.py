"""What models, people and the clock may do to a deliberation at any moment, also twice, late or without the right."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from msgspec.structs import replace

from engine.deliberation.answers import (
    BriefAnswer,
    ClosingAnswer,
    CriticReply,
    HostAnswer,
    Move,
    ReportAnswer,
    Risk,
    SlotPair,
)
from engine.deliberation.audit import trail
from engine.deliberation.commands import (
    AskCritic,
    RecordBrief,
    RecordClosing,
    RecordComparison,
    RecordHostWords,
    RecordPosition,
    RecordReply,
    RecordReport,
)
from engine.deliberation.events import Analysis, Difference, Finding, Score
from engine.deliberation.own_plans import plans
from engine.deliberation.policy import Policy
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import DEBATERS, Agent
from engine.errors import Refusal
from engine.kernel import AlarmRang, Ask, Command, Compute, EffectFailed, Handled, Part, Recover, Whose
from tests.owing import Owing

from .scenario import ANN, CRITIC, EVE, PLANNER, REQUESTER, Scenario, answering, criticised, drafted, plan, planned

LEVELS = [0.3, 0.65, 0.66, 0.7, 0.75, 0.8, 0.8, 0.81, 0.85, 0.9, 0.91, 0.95, 0.95, 1.0]
SELDOM = st.integers(0, 3)
OFTEN = st.sampled_from([True] * 4 + [False])
RARELY = st.sampled_from([False] * 4 + [True])
PEOPLE = st.sampled_from([REQUESTER, REQUESTER, ANN, EVE, ""])
WORKS = st.sampled_from([True] * 7 + [False])


class AnyMoves(Owing, RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__(Ask, Compute)
        self.answered: list[Any] = []
        """What was answered or is not wanted any more."""
        self.names: set[str] = set()
        """Of all effects that were ever owed."""

    @initialize(
        start=st.sampled_from(["blind", "blind", "sequential"]),
        most=st.sampled_from([1, 2, *[5] * 6]),
        host_speaks=st.booleans(),
        lasts=st.sampled_from([1_800, 1_800, 300]),
    )
    def begin(self, start: Any, most: int, host_speaks: bool, lasts: float) -> None:
        policy = Policy(name="any", start=start, max_rounds=most, host_speaks=host_speaks, max_duration=lasts)
        self.scenario = Scenario(policy=policy)
        self.scenario.opens()
        self._take(Deliberation())

    # ── models ────────────────────────────────────────────────────────────────────────────────────────────────────

    @precondition(lambda self: self.owed)
    @rule(data=st.data(), works=WORKS)
    def something_owed_comes(self, data: st.DataObject, works: bool) -> None:
        self._pay(data.draw(st.sampled_from(sorted(self.owed))), data, works=works)

    @precondition(lambda self: self.owed)
    @rule(data=st.data(), steps=st.integers(1, 4))
    def all_that_is_owed_comes(self, data: st.DataObject, steps: int) -> None:
        for _ in range(steps):
            for name in sorted(self.owed):
                if name in self.owed:  # what came before may have voided it
                    self._pay(name, data, works=True)

    @precondition(lambda self: self.owed)
    @rule(data=st.data(), seldom=SELDOM)
    def something_owed_fails_for_good(self, data: st.DataObject, seldom: int) -> None:
        if seldom:
            return
        name = data.draw(st.sampled_from(sorted(self.owed)))
        self.answered.append(self.owed.pop(name))
        self._does(EffectFailed, name=name, why="the line is dead")

    @precondition(lambda self: self.answered)
    @rule(data=st.data(), fails=st.booleans())
    def something_comes_twice_or_too_late(self, data: st.DataObject, fails: bool) -> None:
        before, late = self._state, data.draw(st.sampled_from(self.answered))
        if fails:
            self._does(EffectFailed, name=late.name, why="the line is dead")
        else:
            self._outcome(late, data, works=True)
        # The Host's words may come after it was said that there are none.
        assert [replace(each, host_words="") for each in self._state.rounds] == [
            replace(each, host_words="") for each in before.rounds
        ]
        assert self._state.status is before.status

    def _pay(self, name: str, data: st.DataObject, *, works: bool) -> None:
        effect = self.owed.pop(name)
        self.answered.append(effect)
        self._outcome(effect, data, works=works)

    def _outcome(self, effect: Any, data: st.DataObject, *, works: bool) -> None:
        if isinstance(effect, Compute):
            self._compared(int(effect.about), data)
            return
        match effect.prompt:
            case "plan" | "revise" | "draft" | "criticise":
                number = int(effect.name.rpartition("-")[2])
                answer = self._position(effect.prompt, data) if works else None
                findings = (Finding(code="load", severity="high", text="too much"),) if data.draw(RARELY) else ()
                self._does(RecordPosition, agent=effect.about, round=number, answer=answer, findings=findings)
            case "brief":
                self._does(RecordBrief, answer=BriefAnswer(language="en") if works else None)
            case "host":
                pairs = (SlotPair(planner="p2", critic="c2"),) if data.draw(OFTEN) else ()
                answer = HostAnswer(content="So it is.", pairs=pairs) if works else None
                self._does(RecordHostWords, round=int(effect.about), answer=answer)
            case "close":
                stated = ClosingAnswer(uncertainties=("the weather",), worst_case="rain") if works else None
                self._does(RecordClosing, agent=effect.about, answer=stated)
            case "report":
                report = ReportAnswer(content="# The plan") if works else None
                self._does(RecordReport, answer=report, number=int(effect.about))
            case "reply":
                reply = CriticReply(content="Because.") if works else None
                self._does(RecordReply, question_id=effect.about, answer=reply)

    def _position(self, prompt: str, data: st.DataObject) -> Any:
        made = plan(*data.draw(st.sampled_from([("room",), ("room",), ("room", "talk"), ("talk",)])))
        fields: dict[str, Any] = {
            "answers": tuple(each for point in self._state.points for each in answering(point.point_id))
            if data.draw(OFTEN)
            else (),
            "confidence": data.draw(st.sampled_from([0.5, 0.8])),
        }
        if prompt in ("plan", "revise"):
            why = data.draw(st.sampled_from(["need-1", "r1-risk-1", "nothing"]))
            return planned(made, moves=[Move(slot="task", task_id=each, argument=why) for each in ("room", "talk")],
                           **fields)  # fmt: skip
        if prompt == "draft":
            return drafted(made, **fields)
        risks = [Risk(risk="it rains", severity="high", repeats=data.draw(st.sampled_from(["", "r2-risk-1", "?"])))]
        return criticised(
            *(risks if data.draw(RARELY) else ()), no=("feasible",) if data.draw(RARELY) else (), **fields
        )

    def _compared(self, number: int, data: st.DataObject) -> None:
        level = data.draw(st.sampled_from(LEVELS))
        repeats = data.draw(st.sampled_from([0.5, 0.99]))
        analysis = Analysis(
            consensus_level=level,
            matrix=((1.0, level), (level, 1.0)),
            self_similarity=tuple(Score(name=each, level=repeats) for each in DEBATERS),
            moved_away=(CRITIC,) if data.draw(RARELY) else (),
        )
        differences = () if level > 0.9 else (Difference(slot="owner", about="room", planner="Ann", critic="Bo"),)
        self._does(RecordComparison, round=number, analysis=analysis, differences=differences)

    # ── people ────────────────────────────────────────────────────────────────────────────────────────────────────

    @rule(by=PEOPLE, text=st.sampled_from(["What about the children?", "Too loud.", " ", "x" * 1_001]))
    def somebody_objects(self, by: str, text: str) -> None:
        self._acts(lambda: self.scenario.objects(text, by))

    @rule(by=PEOPLE, reopens=RARELY)
    def somebody_asks_the_critic(self, by: str, reopens: bool) -> None:
        self._acts(lambda: self.scenario.does(AskCritic, by=by, text="Why?", reopens=reopens))

    @rule(
        by=PEOPLE, chosen=st.sampled_from([PLANNER, CRITIC, Agent.HOST]), admin=st.booleans(), seldom=st.integers(0, 2)
    )
    def somebody_chooses(self, by: str, chosen: Agent, admin: bool, seldom: int) -> None:
        if seldom == 0 or not self._state.is_open:
            self._acts(lambda: self.scenario.chooses(chosen, by, as_admin=admin))

    @rule(by=PEOPLE, seldom=st.integers(0, 9))
    def somebody_stops_it(self, by: str, seldom: int) -> None:
        if seldom == 0:
            self._acts(lambda: self.scenario.stops(by))

    @rule(whose=st.sampled_from([ANN, REQUESTER]), seldom=st.integers(0, 29))
    def somebody_is_forgotten(self, whose: str, seldom: int) -> None:
        forgetter = RULEBOOK.forgetter
        assert forgetter is not None
        known = Whose(user_id=whose)
        if seldom or self._state.erased or (part := forgetter.part_of(self._state, known)) is None:
            return
        for compose in (forgetter.leave, forgetter.erase):
            for command in compose(self._state, part, known, command_id="forget", at=self.scenario.now):
                self._acts(lambda command=command: self.scenario.obeys(command))
        assert part is Part.WHOLE or whose == ANN

    # ── the clock ─────────────────────────────────────────────────────────────────────────────────────────────────

    @precondition(lambda self: self.alarms)
    @rule(late=st.sampled_from([0, 0, 0, 0, 100_000, 10_000_000]), seldom=SELDOM)
    def the_next_alarm_rings(self, late: int, seldom: int) -> None:
        """``late``: ToWow was not there when it was due."""
        if seldom:
            return
        name = min(self.alarms, key=lambda each: self.alarms[each])
        self.scenario.now = max(self.scenario.now, self.alarms.pop(name) + late)
        self._does(AlarmRang, name=name)

    @rule(name=st.sampled_from(["turn", "end"]))
    def a_ring_comes_too_early(self, name: str) -> None:
        before = self._state
        if self.scenario.now < self.alarms.get(name, 0):
            self._does(AlarmRang, name=name)
            assert self._state is before

    @rule(seconds=st.sampled_from([1, 50]))
    def time_passes(self, seconds: int) -> None:
        due = min(self.alarms.values(), default=None)
        if due is None or self.scenario.now + seconds * 1000 < due:
            self.scenario.later(seconds)

    @rule()
    def it_is_found_though_it_has_not_stalled(self) -> None:
        before = self._state
        if before.is_open and self.scenario.now < before.turn_due:
            self._does(Recover, running=tuple(self.owed))
            assert self._state is before

    # ── how it is driven ──────────────────────────────────────────────────────────────────────────────────────────

    @property
    def _state(self) -> Deliberation:
        return self.scenario.state if hasattr(self, "scenario") else RULEBOOK.initial

    def _does(self, command: type[Command], **fields: Any) -> None:
        self._acts(lambda: self.scenario.does(command, **fields))
        assert self.scenario.refused is None, "no outcome and no ring is refused to anybody"

    def _acts(self, act: Any) -> None:
        before = self._state
        act()
        if isinstance(self.scenario.refused, Refusal):
            assert self._state is before
        self._take(before)

    def _take(self, before: Deliberation) -> None:
        decision = self.scenario.last
        for each in decision.effects:
            assert each.name not in self.names, "the outcome of a second one would be taken for the first one's"
            self.names.add(each.name)
        self.answered += self._keep(decision)
        command = Command(command_id="", at=self.scenario.now)
        handled = Handled(self._state.session_id, 0, command, before, self._state, decision.events)
        self._file(plans(handled))
        assert trail(handled) == ()
