"""Records a history of each outcome once: ``python -m tests.negotiation.record_histories``.

What is recorded is never written again: a history must stay readable, whatever the code becomes.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.envelope import Envelope, event_id
from engine.kernel import StreamKey, Tenant, iso
from engine.negotiation.messages import Cancel
from engine.negotiation.policy import PRESETS, Policy

from .scenario import ALONE, REQUESTER, Scenario, voting
from .test_core_seats import venue_leaves, with_reserve

FOLDER = Path(__file__).parent.parent / "histories"


def _quick(name: str) -> Policy:
    return PRESETS[name].model_copy(update={"human_window": 0, "override_window": 0})


def _rounds(policy: str, votes: dict[str, str], number: int) -> Scenario:
    scenario = voting(*votes, policy=_quick(policy))
    for each in range(number):
        if each:
            scenario.drafted(*votes, summary=f"version {each + 1}")
        scenario.twins(votes)
    return scenario


def _no_feedback() -> Scenario:
    scenario = voting("a", policy=ALONE.model_copy(update={"max_rounds": 2}))
    return scenario.twin_fails("a").twin_fails("a", "E004")


def _collecting(*agents: str) -> Scenario:
    return Scenario(policy=ALONE).demand("一场50人的AI聚会").understood().shortlisted(*agents)


OUTCOMES: dict[str, Callable[[], Scenario]] = {
    "consensus": lambda: _rounds("t05-v4", {"a": "accept", "b": "accept"}, 1),
    "consensus_after_a_substitute": lambda: (
        venue_leaves(with_reserve(("loft", 0.9), ("hall", 0.4)))
        .offers("loft", "decline")
        .offers("hall")
        .drafted("hall", "talk", "host")
        .twins({"hall": "accept", "talk": "accept", "host": "accept"})
    ),
    "partial_consensus": lambda: _rounds("t05-v4", {"a": "accept", "b": "negotiate"}, 5),
    "no_candidates": lambda: _collecting(),
    "no_participants": lambda: _collecting("a").offers("a", "decline"),
    "low_acceptance": lambda: _rounds("t05-v4", {"a": "accept", "b": "negotiate", "c": "withdraw"}, 1),
    "majority_reject": lambda: _rounds("balanced", {"a": "accept", "b": "withdraw"}, 1),
    "core_withdrawn": lambda: venue_leaves(with_reserve(("loft", 0.9))).offers("loft", "decline"),
    "no_feedback": _no_feedback,
    "negotiation_timeout": lambda: _rounds("story05", {"a": "accept", "b": "negotiate"}, 3),
    "cancelled": lambda: voting("a", "b").does(Cancel, by=REQUESTER, reason="not needed any more"),
}


def lines(scenario: Scenario) -> list[str]:
    """The events as envelopes, then what they must fold to."""
    key = StreamKey(Tenant("T_HISTORY"), scenario.state.channel_id)
    envelopes = [
        Envelope(
            event_id=event_id(key, seq),
            seq=seq,
            event_type=event.event_type,
            timestamp=iso(scenario.now),
            payload=event.model_dump(mode="json"),
        ).model_dump_json()
        for seq, event in enumerate(scenario.history, 1)
    ]
    return [*envelopes, json.dumps({"folds_to": ending(scenario)})]


def ending(scenario: Scenario) -> dict[str, Any]:
    state = scenario.state
    return {
        "status": state.status.value,
        "outcome": state.outcome.value if state.outcome else None,
        "round": state.round,
        "versions": [each.digest for each in state.proposals],
        "confirmed": list(state.final.confirmed_participants) if state.final else [],
        "optional": list(state.final.optional_participants) if state.final else [],
        "withdrawn": list(state.withdrawn),
        "degraded": len(state.degraded),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, play in OUTCOMES.items():
        path = FOLDER / f"{name}.jsonl"
        if not path.exists():
            path.write_text("\n".join(lines(play())) + "\n", encoding="utf-8")
