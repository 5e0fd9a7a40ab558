"""What a negotiation costs at the provider's prices, by prompt and by kind of token.

| key | what |
| --- | --- |
| ``cost_usd`` | US dollars of a negotiation of 10 seats and 3 rounds |
| ``cost_usd_uncached`` | of the same calls, if the provider kept nothing |
| ``cost_cache_share`` | of all tokens of prompts, the part that was read from the provider's cache |
| ``cost_by_prompt`` | for each prompt its calls, its tokens by kind, and its US dollars by kind |

The questions go to a Messages API on localhost that keeps beginnings by the provider's rules, and counts a token for
each Chinese character and for four of other letters. The people are those of ``profiles/``. The answers are the offline
model's; Claude's are longer, and its thinking is billed as well.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from benchmarks import engine
from benchmarks.cost import Figures
from benchmarks.flow import ROUNDS, SEATS
from engine.files.profiles import load_profiles
from engine.kernel import plain
from engine.llm.ledger import Call, Outcome
from engine.llm.offline import OfflineModel
from engine.llm.offline.negotiation.answerers import ANSWERERS
from engine.llm.port import Answer, Question, Returns
from engine.llm.prices import Tokens, cost
from engine.llm.prompts import load_prompts
from engine.negotiation.asks import RETURNS
from engine.negotiation.rules import RULEBOOK

KINDS: Final = ("input", "cache_write", "cache_read", "output")
WANTED: Final = (
    "I want to organise an AI meetup for 50 people in Beijing on 2027-03-20: a venue, three speakers, somebody who"
    " designs the poster, somebody who takes photos, and somebody who plans the evening."
)


ASKERS: Final = 4
"""Who want something else in every round but the last."""


class TenGuests:
    """A `Model`: the offline one, but ten are asked, all of them take part, and four ask for changes twice."""

    def __init__(self) -> None:
        self._offline = OfflineModel({"negotiation": ANSWERERS})
        self._want_more: Sequence[str] = ()

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        answer = await self._offline.answer(question)
        said = {**plain(answer.value), **self._instead(question, plain(answer.value))}
        return Answer(question.returns.checked(said), "offline")

    def _instead(self, question: Question[Any], said: dict[str, Any]) -> dict[str, Any]:
        """Return the fields that are said otherwise than the offline model does."""
        given = question.given
        match question.prompt.name:
            case "negotiation/filter":
                found = [*said["definitely_related"], *said["possibly_related"]]
                known = {each["agent_id"] for each in found}
                more = [{"agent_id": each.agent_id} for each in given["profiles"] if each.agent_id not in known]
                asked = [*found, *more][:SEATS]
                self._want_more = [each["agent_id"] for each in asked[:ASKERS]]
                return {"definitely_related": asked, "possibly_related": []}
            case "negotiation/respond":
                contribution = said["contribution"] or given["profile"].profile_summary
                return {"decision": "participate", "contribution": contribution, "conditions": []}
            case "negotiation/feedback":
                wants = given["round"] < ROUNDS and given["profile"].agent_id in self._want_more
                wish = f"Could {given['profile'].user_name} begin later than in version {given['round']}?"
                return {
                    "feedback_type": "negotiate" if wants else "accept",
                    "adjustment_request": wish if wants else "",
                }
            case _:
                return {}


async def measure() -> Figures:
    from benchmarks.over_the_wire import over_the_wire  # only this part needs the tests

    prompts = load_prompts({RULEBOOK.protocol: RETURNS})
    with tempfile.TemporaryDirectory() as folder:
        path, people = Path(folder) / "towow.db", load_profiles()
        async with (
            over_the_wire(TenGuests(), prompts) as (model, calls),
            engine.engine(path, profiles=people, model=model) as runtime,
        ):
            await engine.demand(runtime, 0, raw_input=WANTED)
            await runtime.activity.idle()
            await engine.check(runtime, [0])
    return figures(calls)


def figures(calls: Sequence[Call]) -> Figures:
    """Return what these calls cost.

    Raises:
        RuntimeError: a model has no price, or a call was not answered; the sum would mean nothing.
    """
    by_prompt: dict[str, Figures] = {}
    uncached = 0.0
    for call in calls:
        whole = cost(call.model, Tokens(call.input_tokens + call.cache_write_tokens + call.cache_read_tokens))
        if whole is None or call.outcome is not Outcome.ANSWERED:
            raise RuntimeError(f"{call.prompt}, asked of {call.model}, is {call.outcome}; a sum would mean nothing")
        none = {"calls": 0, "tokens": dict.fromkeys(KINDS, 0), "usd": dict.fromkeys(KINDS, 0.0)}
        row = by_prompt.setdefault(call.prompt, none)
        row["calls"] += 1
        for kind, tokens in _tokens(call).items():
            row["tokens"][kind] += tokens
            row["usd"][kind] += float(cost(call.model, Tokens(**{kind: tokens})) or 0)
        uncached += float(whole + (cost(call.model, Tokens(output=call.output_tokens)) or 0))
    sent = sum(row["tokens"][kind] for row in by_prompt.values() for kind in KINDS if kind != "output")
    return {
        "cost_usd": sum(sum(row["usd"].values()) for row in by_prompt.values()),
        "cost_usd_uncached": uncached,
        "cost_cache_share": sum(row["tokens"]["cache_read"] for row in by_prompt.values()) / sent,
        "cost_by_prompt": by_prompt,
    }


def _tokens(call: Call) -> dict[str, int]:
    return {kind: getattr(call, f"{kind}_tokens") for kind in KINDS}


def tell(found: Figures, console: Console) -> None:
    table = Table(
        "prompt", "calls", "sent", "kept", "read", "written", "US cents", title="A negotiation's tokens and price"
    )
    for name, row in sorted(found["cost_by_prompt"].items(), key=lambda each: -sum(each[1]["usd"].values())):
        tokens = [f"{row['tokens'][kind]:,}" for kind in KINDS]
        table.add_row(name.partition("/")[2], str(row["calls"]), *tokens, f"{100 * sum(row['usd'].values()):.2f}")
    usd = {kind: sum(row["usd"][kind] for row in found["cost_by_prompt"].values()) for kind in KINDS}
    table.add_section()
    table.add_row("US cents", "", *(f"{100 * usd[kind]:.2f}" for kind in KINDS), f"{100 * found['cost_usd']:.2f}")
    console.print(table)
    console.print(
        f"{found['cost_cache_share']:.0%} of the tokens of prompts are read from the cache;"
        f" without it, all of it would cost {100 * found['cost_usd_uncached']:.2f} US cents."
    )
