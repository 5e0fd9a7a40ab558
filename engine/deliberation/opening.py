"""How a deliberation begins."""

from collections import Counter

from msgspec.structs import replace

from engine.deliberation import rounds
from engine.deliberation.commands import OpenDeliberation
from engine.deliberation.drafting import END, DeliberationDraft, later
from engine.deliberation.errors import InvalidBrief
from engine.deliberation.events import DeliberationOpened
from engine.deliberation.terms import LONGEST_GOAL, MOST_FACTS, Brief
from engine.errors import IllegalStep
from engine.facts.visible import without_surrogates


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


def _checked(brief: Brief) -> Brief:
    goal, title = without_surrogates(brief.goal).strip(), without_surrogates(brief.title).strip()
    if not goal:
        raise InvalidBrief("There is nothing to plan in it. Say what is to be planned, in a sentence.")
    if len(goal) > LONGEST_GOAL:
        raise InvalidBrief(f"That has {len(goal)} characters; {LONGEST_GOAL} are the most. Say it in fewer words.")
    counted = Counter(each.fact_id for each in brief.facts)
    if twice := [fact_id for fact_id, times in counted.items() if times > 1]:
        raise InvalidBrief(f"Several facts are called {twice[0]!r}. Give every fact an id of its own.")
    return replace(brief, goal=goal, title=title or goal.splitlines()[0][:200], facts=brief.facts[:MOST_FACTS])
