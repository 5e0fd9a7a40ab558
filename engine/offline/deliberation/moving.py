"""What an agent does that is told to move: it is less sure, and names a flaw of the other's, if there is one."""

from msgspec.structs import replace

from engine.deliberation.answers import Flaw, Position
from engine.deliberation.given import OwnOutput
from engine.deliberation.situation import Situation
from engine.offline.deliberation.phrasing import phrase

STEP = 0.1


def less_sure(position: Position) -> Position:
    return replace(position, confidence=round(max(0.1, position.confidence - STEP), 2))


def flaw_of(other: OwnOutput | None, situation: Situation) -> tuple[Flaw, ...]:
    argument = next((each for each in (*other.risk_ids, *other.suggestion_ids) if each), "") if other else ""
    return (Flaw(argument=argument, flaw=phrase("flaw.weight", situation.language)),) if argument else ()
