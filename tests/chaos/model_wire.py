"""A model on the other wire: it answers sensibly, each time by the dice, unless the siege has other plans."""

import re
from random import Random
from typing import Final

from tests.anthropic_server import Drops, Garbled, Received, Refuses, Says, Stalls, Status, Step, Truncated

FAULTS: Final[dict[str, Step]] = {
    "400": Status(400),
    "429": Status(429, retry_after="1"),
    "500": Status(500),
    "529": Status(529),
    "stall": Stalls(),
    "garbage": Garbled(),
    "truncated": Truncated('{"surface_demand": "an A'),
    "reset": Drops("after"),
    "refusal": Refuses(),
}
INTERNAL: Final = "Between us"
"""How everything begins that twins and people say for their own company alone."""
NAMED: Final = re.compile(r"user_agent_\w+")


class SensibleModel:
    def __init__(self, seed: int) -> None:
        self._rng = Random(f"{seed} model")

    def __call__(self, request: Received) -> Step:
        """Answer what the schema asks for; whoever is named in the prompt may be meant."""
        rng, fields = self._rng, set(request.schema["properties"])
        named = sorted(set(NAMED.findall(request.said())))
        if "surface_demand" in fields:
            tags = ["venue", "speakers"]
            return Says({"surface_demand": "What was asked for", "capability_tags": tags, "confidence": "high"})
        if "definitely_related" in fields:
            chosen = rng.sample(named, min(len(named), rng.randint(2, 6)))
            return Says({"definitely_related": [{"agent_id": each} for each in [*chosen, "user_agent_nobody"]]})
        if "decision" in fields:
            decision = rng.choice(("participate", "participate", "participate", "conditional", "decline"))
            conditions = {"conditions": ["Nobody smokes"]} if decision == "conditional" else {}
            return Says({"decision": decision, "contribution": "I help", **conditions})
        if "gaps" in fields and "is_complete" in fields:
            return Says({"is_complete": True, "gaps": []})
        if "assignments" in fields:
            seats = [{"agent_id": each, "role": "helper", "responsibility": "helps"} for each in named]
            return Says({"summary": f"Plan {rng.randint(1, 999)}", "assignments": seats})
        if "feedback_type" in fields:
            if rng.random() < 0.8:
                return Says({"feedback_type": "accept", "reasoning": f"{INTERNAL}: gladly"})
            return Says(
                {
                    "feedback_type": "negotiate",
                    "reasoning": f"{INTERNAL}: too late",
                    "adjustment_request": "An hour earlier",
                }
            )
        return Status(400)
