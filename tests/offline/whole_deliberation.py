"""A whole deliberation by the rules, with the offline model as Planner, Critic, Host and Reporter, and no engine."""

from typing import Final

from engine.deliberation.answers import Plan, PlanTask
from engine.deliberation.asks import RETURNS, DeliberationAsks
from engine.deliberation.brief_reading import read_brief
from engine.deliberation.commands import RecordComparison
from engine.deliberation.comparing import by_slots
from engine.deliberation.plans import final_plan
from engine.deliberation.policy import Policy
from engine.deliberation.terms import Brief
from engine.directory.profile import Profiles
from engine.kernel import Ask, Compute, plain
from engine.llm.port import OFFLINE, Answer
from engine.offline.deliberation.answerers import ANSWERERS
from tests.deliberation.prompts import PROMPTS
from tests.deliberation.scenario import Scenario

TODAY: Final = "2026-11-23"
"""A Monday."""
_ASKS: Final = DeliberationAsks(PROMPTS, Profiles({}))


def asked(text: str, **fields: object) -> Brief:
    return read_brief(text, today=TODAY, time_zone="Asia/Shanghai", **fields)  # type: ignore[arg-type]


class Session(Scenario):
    """Everything that is owed is answered until nothing is owed any more."""

    def runs(self) -> "Session":
        self.opens()
        owed = [*self.last.effects]
        while owed:
            effect = owed.pop(0)
            if isinstance(effect, Ask):
                self._answers(effect)
            elif isinstance(effect, Compute):
                analysis, differences = by_slots(self.state)
                self.does(RecordComparison, round=int(effect.about), analysis=analysis, differences=differences)
            owed += self.last.effects
        return self

    def _answers(self, ask: Ask) -> None:
        question = _ASKS.compose(self.state, ask)
        said = ANSWERERS[ask.prompt](**question.given)
        value = RETURNS[ask.prompt].checked(plain(said))
        self._ids += 1
        prompt = PROMPTS[f"deliberation/{ask.prompt}"]
        self.obeys(_ASKS.read(self.state, ask, prompt, Answer(value, OFFLINE), command_id=f"a{self._ids}", at=self.now))

    # ── what came of it ───────────────────────────────────────────────────────────────────────────────────────────

    @property
    def plan(self) -> Plan:
        final = final_plan(self.state)
        assert final is not None
        return final.plan

    @property
    def rounds(self) -> int:
        return len(self.state.rounds)

    @property
    def event(self) -> PlanTask:  # type: ignore[override]
        """The task that all of it is about."""
        return next(each for each in self.plan.tasks if "event" in each.tags)

    def task(self, *words: str) -> PlanTask:
        """The one task whose title has all of these words."""
        found = [each for each in self.plan.tasks if all(word.lower() in each.title.lower() for word in words)]
        assert len(found) == 1, [each.title for each in self.plan.tasks]
        return found[0]


def deliberated(text: str, **fields: object) -> Session:
    return Session(policy=Policy(), brief=asked(text, **fields)).runs()
