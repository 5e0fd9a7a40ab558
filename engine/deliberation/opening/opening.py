"""How a deliberation begins."""

from collections import Counter

from msgspec.structs import replace

from engine.deliberation.commands import OpenDeliberation, RecordBrief
from engine.deliberation.drafting import END, DeliberationDraft, later
from engine.deliberation.errors import InvalidBrief
from engine.deliberation.events import BriefRead, DeliberationOpened
from engine.deliberation.policy import PROTOCOL
from engine.deliberation.rounds import rounds
from engine.deliberation.rounds.plan_check import check_again
from engine.deliberation.rounds.turns import brief_scope
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import LONGEST_GOAL, LONGEST_TITLE, MOST_FACTS, Brief
from engine.errors import IllegalStep
from engine.facts.shortening import without_surrogates
from engine.kernel import Ask, CommandDelivered, HandoverTaken, Millis, SendCommand, tell_origin


def opened(draft: DeliberationDraft, command: OpenDeliberation) -> None:
    if draft.state.exists:
        raise IllegalStep("This deliberation has begun already.")
    until = later(command.at, command.policy.max_duration)
    draft.happens(
        DeliberationOpened(
            session_id=command.session_id,
            requester_id=command.by,
            brief=_checked(command.brief),
            policy=command.policy,
            place=command.place,
            until=until,
            asked_at=command.at,
            conversation_id=command.conversation_id,
        )
    )
    draft.sets(END, until)
    rounds.ask(draft)
    if not command.brief.origin:  # what was agreed elsewhere comes as data
        draft.owes(Ask(name=brief_scope(), scope=brief_scope(), prompt="brief"))
    if command.brief.origin_protocol:
        draft.owes(tell_origin(command.brief.origin, command.brief.origin_protocol))


def compose_command(state: Deliberation, effect: SendCommand, *, command_id: str, at: Millis) -> HandoverTaken:
    return HandoverTaken(command_id=command_id, at=at, stream=state.session_id, protocol=PROTOCOL)


def origin_told(draft: DeliberationDraft, command: CommandDelivered) -> None:
    """Nothing follows from it."""


def brief_read(draft: DeliberationDraft, command: RecordBrief) -> None:
    """Keep what was read beside the first drafts. Without an answer, or too late, all stays as it was said."""
    state, answer = draft.state, command.answer
    if answer is None or state.read is not None or not state.is_open:
        return
    draft.happens(
        BriefRead(
            **draft.ids,
            language=answer.language,
            options=() if state.brief.options else tuple(each.label for each in answer.options),
            facts=answer.facts,
            at=command.at,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )
    check_again(draft, command.at)


def _checked(brief: Brief) -> Brief:
    goal, title = without_surrogates(brief.goal).strip(), without_surrogates(brief.title).strip()
    if not goal:
        raise InvalidBrief("There is nothing to plan in it. Say what is to be planned, in a sentence.")
    if len(goal) > LONGEST_GOAL:
        raise InvalidBrief(f"That has {len(goal)} characters; {LONGEST_GOAL} are the most. Say it in fewer words.")
    counted = Counter(each.fact_id for each in brief.facts)
    if twice := [fact_id for fact_id, times in counted.items() if times > 1]:
        raise InvalidBrief(f"Several facts are called {twice[0]!r}. Give every fact an id of its own.")
    return replace(
        brief, goal=goal, title=title or goal.splitlines()[0][:LONGEST_TITLE], facts=brief.facts[:MOST_FACTS]
    )
