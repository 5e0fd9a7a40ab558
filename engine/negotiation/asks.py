"""What models are asked in a negotiation, how their answers are read, and what stands in for one: the phases' rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.directory.profile import Profiles
from engine.errors import ModelError
from engine.kernel import Ask, Command, Millis
from engine.llm.port import Answer, AnswerClasses, Prompt, Question
from engine.negotiation.agreement import asks as agreement
from engine.negotiation.ask_rows import Asking, AskRow, AskRows, Busy
from engine.negotiation.demand import asks as demand
from engine.negotiation.offers import asks as offers
from engine.negotiation.plan import asks as plan
from engine.negotiation.plan.cleaning import cleaned
from engine.negotiation.search import asks as search
from engine.negotiation.state import Negotiation
from engine.negotiation.voting import asks as voting
from engine.times.availability import CalendarLookUp

ROWS: Final[AskRows] = {
    name: row for phase in (demand, offers, plan, voting, search, agreement) for name, row in phase.ASKS.items()
}

RETURNS: Final[AnswerClasses] = {name: row.returns for name, row in ROWS.items()}
"""What each prompt of prompts/negotiation must say that it returns."""


@dataclass(frozen=True, slots=True)
class NegotiationAsks:
    """Composes questions and reads answers."""

    prompts: Mapping[str, Prompt]
    """By name, e.g. ``negotiation/understand``."""
    profiles: Profiles
    busy: Busy = field(default_factory=dict)
    """By agent id, when somebody is busy, of those whose calendar is known."""

    at: Millis = 0
    """When they are asked; 0 where nobody has looked at a clock."""

    async def looked_up(
        self, state: Negotiation, ask: Ask, calendars: CalendarLookUp | None, at: Millis
    ) -> "NegotiationAsks":
        """Return the same questions, with when those are busy who take part, where a version is asked for."""
        if ask.prompt not in plan.ASKS:
            return self
        users = plan.whose_calendars(state, self.profiles)
        known = await calendars(users) if users and calendars is not None else {}
        return replace(self, at=at, busy={agent_id: known[user] for user, agent_id in users.items() if user in known})

    def compose(self, state: Negotiation, ask: Ask) -> Question[Any]:
        """Make the question that an effect stands for."""
        row, asking = self._row(state, ask)
        known = row.known(asking)
        return Question(
            self.prompts[f"negotiation/{ask.prompt}"],
            row.given(asking).values(),
            row.returns,
            asked_by=state.requester_id,
            charged_to=state.parent.channel_id if state.parent else "",
            language=(state.understanding.language if state.understanding else "") or None,
            known=known and Answer(known.value, known.model),
            check=row.check(asking),
            beside=row.beside(asking),
            until=row.until(asking),
        )

    def read(
        self, state: Negotiation, ask: Ask, prompt: Prompt, answer: Answer[Any], *, command_id: str, at: Millis
    ) -> Command:
        """Make a command of a model's answer."""
        row, asking = self._row(state, ask)
        value = row.held(asking, cleaned(state, ask.about, answer.value))
        return row.record(
            asking,
            value,
            {"command_id": command_id, "at": at, "model": answer.model, "prompt_hash": prompt.content_hash},
        )

    def fallback(self, state: Negotiation, ask: Ask, why: ModelError, *, command_id: str, at: Millis) -> Command:
        row, asking = self._row(state, ask)
        return row.record(asking, row.stand_in(asking), {"command_id": command_id, "at": at, "degraded": why.code})

    def _row(self, state: Negotiation, ask: Ask) -> tuple[AskRow, Asking]:
        return ROWS[ask.prompt], Asking.of(state, ask, self.profiles, self.busy, self.at)
