"""Ten people of ``profiles/`` who take part, and what is said of them and by them: the negotiation that is priced.

The answers stand in ``guests.json``, so that what is paid for depends on how is asked, and on nothing else: they are as
long whatever stands in for a model, and were as long before. A field that is not there is empty.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.llm.port import Answer, Question, Returns


class TenGuests:
    """A `Model`. All ten take part, and four ask for changes twice."""

    def __init__(self) -> None:
        self._said = json.loads(Path(__file__).with_name("guests.json").read_text("utf-8"))

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        said = self._answer(question.prompt.name.removeprefix("negotiation/"), question.given)
        return Answer(question.returns.checked(said), "recorded")

    def _answer(self, prompt: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        said: Mapping[str, Any] = self._said.get(prompt, {})
        match prompt:
            case "respond":
                return {**said[given["profile"].agent_id], "limits": _kept(given)}
            case "feedback":
                return {**said[str(given["round"])][given["profile"].agent_id], "limits": _kept(given)}
            case "adjust":
                return {**said[str(given["round"])]}
            case "verify":
                claims = [{"number": each.number, "verdict": "yes", "quote": each.quote} for each in given["claims"]]
                return {"claims": claims, "limits": _kept(given)}
        return said


def _kept(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"number": each.number, "verdict": "kept"} for each in given["limits"]]
