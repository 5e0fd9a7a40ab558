"""Whom a round has reached, where the engine must know: nobody's silence is a yes who was never asked."""

from collections.abc import Mapping

from bot.posts.failures import GONE
from bot.posts.post_records import PostRecord
from bot.views.negotiation.participant_card import part_key
from engine.kernel import Millis
from engine.negotiation.commands import RecordReach
from engine.negotiation.state import Negotiation


def reports(state: Negotiation, shown: Mapping[str, PostRecord], at: Millis) -> list[RecordReach]:
    """About the open round. Pure; the same facts make the same command."""
    opened = state.current
    if opened is None:
        return []
    found = []
    for seat in opened.seats.values():
        entry = shown.get(part_key(opened.number, seat.agent_id))
        if entry is None or seat.user_id is None:
            continue
        if entry.ts and seat.twin_degraded and seat.human is None and not seat.reached:
            found.append((entry.ts, seat.agent_id, True, False))
        elif (
            entry.state == "given_up"
            and not entry.ts
            and not (seat.gone or (seat.unreachable and entry.why not in GONE))
        ):
            found.append((entry.why, seat.agent_id, False, entry.why in GONE))
    return [
        RecordReach(
            command_id=f"reach:{opened.number}:{agent_id}:{fact}",
            at=at,
            agent_id=agent_id,
            round=opened.number,
            reached=reached,
            gone=gone,
        )
        for fact, agent_id, reached, gone in found
    ]
