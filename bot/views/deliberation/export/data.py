"""Exports a deliberation as JSON."""

import json

from engine.deliberation.decision_record import decision_record
from engine.deliberation.plans import final_plan
from engine.deliberation.state import Deliberation
from engine.kernel import plain


def as_json(state: Deliberation) -> str:
    final = final_plan(state)
    said = {
        "session_id": state.session_id,
        "plan": plain(final.plan) if final else None,
        "report": plain(state.report.summary) if state.report else None,
        "decision_record": decision_record(state).model_dump(mode="json"),
    }
    return json.dumps(said, ensure_ascii=False, indent=2) + "\n"
