"""What a negotiation, a deliberation and a delivery cost at the provider's prices, by prompt and by kind of token.

Keys: ``cost_negotiation`` (10 seats, 3 rounds), ``cost_deliberation`` (5 rounds), ``cost_delivery`` (100 tickets, 8 at
once). Each has:

| key | what |
| --- | --- |
| ``usd`` | US dollars |
| ``usd_uncached`` | of the same calls, if the provider kept nothing |
| ``cache_share`` | of all tokens of prompts, the part that was read from the provider's cache |
| ``by_prompt`` | for each prompt its calls, its tokens by kind, and its US dollars by kind |

The questions go to a Messages API on localhost that keeps beginnings by the provider's rules, and counts a token for
each Chinese character and for four of other letters. In the negotiation, the people are those of ``profiles/``, and the
answers are those of `benchmarks/guests.py`; in the others they are as short as `benchmarks/deliberation.py` and
`benchmarks/delivery.py` have them. Claude's are longer, and its thinking is billed as well.
"""

import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from benchmarks import deliberation, delivery, engine
from benchmarks.cost import Figures
from benchmarks.guests import TenGuests
from engine.deliberation.asks import RETURNS as DELIBERATION
from engine.delivery.asks import RETURNS as DELIVERY
from engine.files.profiles import load_profiles
from engine.files.prompts import load_prompts
from engine.llm.ledger import Call, Outcome
from engine.llm.port import AnswerClasses, Model
from engine.llm.spending import Tokens, cost
from engine.negotiation.asks import RETURNS as NEGOTIATION
from engine.store.sqlite import SqliteStore

Plays = Callable[[Path, Model], Awaitable[None]]
"""One of them to its end, on a new database."""

KINDS: Final = ("input", "cache_write", "cache_read", "output")
WANTED: Final = (
    "I want to organise an AI meetup for 50 people in Beijing on 2027-03-20: a venue, three speakers, somebody who"
    " designs the poster, somebody who takes photos, and somebody who plans the evening."
)


async def measure() -> Figures:
    return {
        "cost_negotiation": await _cost("negotiation", NEGOTIATION, TenGuests(), _negotiate),
        "cost_deliberation": await _cost("deliberation", DELIBERATION, deliberation.StubDebaters(), _deliberate),
        "cost_delivery": await _cost("delivery", DELIVERY, delivery.StubManager(), _deliver),
    }


async def _cost(protocol: str, returns: AnswerClasses, thinks: Model, plays: Plays) -> Figures:
    from benchmarks.over_the_wire import over_the_wire  # only this part needs the tests

    with tempfile.TemporaryDirectory() as folder:
        async with over_the_wire(thinks, load_prompts({protocol: returns})) as (model, calls):
            await plays(Path(folder) / "towow.db", model)
    return figures(calls)


async def _negotiate(path: Path, model: Model) -> None:
    async with engine.engine(path, profiles=load_profiles(), model=model) as runtime:
        await engine.demand(runtime, 0, raw_input=WANTED)
        await runtime.activity.idle()
        await engine.check(runtime, [0])


async def _deliberate(path: Path, model: Model) -> None:
    async with deliberation.engine(SqliteStore(path), model) as runtime:
        await deliberation.argue(runtime, [0])
        deliberation.checked((await runtime.read(deliberation.key_of(0)))[0])


async def _deliver(path: Path, model: Model) -> None:
    async with delivery.engine(SqliteStore(path), model, delivery.StubWorkers(seconds=0)) as runtime:
        await delivery.carry_out(runtime, 1)
        delivery.check((await runtime.read(delivery.key_of(0)))[0], delivery.AT_ONCE)


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
        for kind, tokens in call.tokens.items():
            row["tokens"][kind] += tokens
            row["usd"][kind] += float(cost(call.model, Tokens(**{kind: tokens})) or 0)
        uncached += float(whole + (cost(call.model, Tokens(output=call.output_tokens)) or 0))
    sent = sum(row["tokens"][kind] for row in by_prompt.values() for kind in KINDS if kind != "output")
    return {
        "usd": sum(sum(row["usd"].values()) for row in by_prompt.values()),
        "usd_uncached": uncached,
        "cache_share": sum(row["tokens"]["cache_read"] for row in by_prompt.values()) / sent,
        "by_prompt": by_prompt,
    }


def tell(found: Figures, console: Console) -> None:
    for name in found:
        _tell(name.removeprefix("cost_"), found[name], console)


def _tell(protocol: str, found: Figures, console: Console) -> None:
    table = Table(
        "prompt", "calls", "sent", "kept", "read", "written", "US cents", title=f"Tokens and price of a {protocol}"
    )
    for name, row in sorted(found["by_prompt"].items(), key=lambda each: -sum(each[1]["usd"].values())):
        tokens = [f"{row['tokens'][kind]:,}" for kind in KINDS]
        table.add_row(name.partition("/")[2], str(row["calls"]), *tokens, f"{100 * sum(row['usd'].values()):.2f}")
    usd = {kind: sum(row["usd"][kind] for row in found["by_prompt"].values()) for kind in KINDS}
    table.add_section()
    table.add_row("US cents", "", *(f"{100 * usd[kind]:.2f}" for kind in KINDS), f"{100 * found['usd']:.2f}")
    console.print(table)
    console.print(
        f"{found['cache_share']:.0%} of the tokens of prompts are read from the cache;"
        f" without it, all of it would cost {100 * found['usd_uncached']:.2f} US cents."
    )
