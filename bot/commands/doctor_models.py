"""What ``towow doctor`` finds of models: each that is configured is asked one tiny question, as ToWow asks."""

import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

from bot.claude_config import ClaudeAccess
from bot.commands.findings import CERTIFICATES, Finding, Health, why_unreached
from bot.models import needed_prompts
from bot.protocol_row import Protocol
from engine.errors import InvalidAnswer, Misconfigured
from engine.kernel import ModelAnswer
from engine.llm.reading import read_answer

ABOUT: Final = "model"
OWN_MODEL: Final = "ANTHROPIC_BASE_URL=http://127.0.0.1:11434 LLM_MODEL=qwen3:8b"
"""An example of a server on one's own machine that speaks the Messages API: Ollama."""
SECONDS: Final = 20.0
"""For one answer of a few words, where no setting says how long a call may take."""
QUESTION: Final = "Answer with the JSON object that is asked for, in which `ready` is true."
LONGEST_ANSWER: Final = 200
"""Tokens."""


class Ready(ModelAnswer):
    """What the tiny question is answered with."""

    ready: bool


async def models(access: ClaudeAccess | None, protocols: Sequence[Protocol]) -> list[Finding]:
    """Ask each model once; what is true of all of them is said once."""
    if access is None:
        advice = f"set ANTHROPIC_API_KEY for Claude, or for a model on your own machine: {OWN_MODEL}"
        return [Finding(ABOUT, Health.DOUBTFUL, "no model: simple rules answer for the twins", advice)]
    names = [access.model] if access.model else _named_in_prompts(protocols)
    found = await asyncio.gather(*(_tried(access, name) for name in names))
    return [*dict.fromkeys(found)]


def tell_troubles(access: ClaudeAccess, protocols: Sequence[Protocol]) -> None:
    """Ask each model once, and say on stderr what is wrong and what to do about it."""
    print("towow: asking the model once more, to say what is wrong with it", file=sys.stderr, flush=True)
    for each in asyncio.run(models(access, protocols)):
        if each.health is not Health.FINE:
            print(f"towow: {each.said}; {each.advice}", file=sys.stderr)


def _named_in_prompts(protocols: Sequence[Protocol]) -> list[str]:
    try:
        return sorted({each.model for each in needed_prompts(protocols).values()})
    except Misconfigured:
        return []  # what is wrong with them is a finding of its own


async def _tried(access: ClaudeAccess, model: str) -> Finding:
    # Only where there is a model: it takes long.
    from engine.llm.messages_api import CallFailed, MessagesApi, Request, user
    from engine.llm.schema import answer_schema
    from engine.llm.spending import cost

    api, began = MessagesApi(access.api_key, access.base_url), time.perf_counter()
    try:
        request = Request(model, LONGEST_ANSWER, "low", answer_schema(Ready), [user(QUESTION)])
        reply = await api.send(request, access.timeout or SECONDS)
        if access.base_url and not _is_ready(reply.text):
            api.dialect.was_read(is_form_kept=False)  # told in words, the form may be kept after all
            reply = await api.send(request, access.timeout or SECONDS)
    except CallFailed as failure:
        return _failed(access, model, failure)
    finally:
        await api.close()
    took = time.perf_counter() - began
    known = _known(api)
    if reply.stop_reason != "end_turn" or not _is_ready(reply.text):
        said = f"{model} answers, but not in the form that it was asked for"
        advice = "choose another with LLM_MODEL: with this one, most steps are degraded"
        return Finding(ABOUT, Health.BROKEN, said, advice)
    paid = cost(reply.model, reply.tokens)
    price = "its price is not known" if paid is None else f"US$ {paid:.6f}"
    return Finding(ABOUT, Health.FINE, f"{model} has answered a question in {took:.1f} s ({price}{known})")


def _known(api: Any) -> str:
    """Say what the server does not take, where that is anything."""
    left_out = ", ".join(sorted(each.value for each in api.dialect.left_out))
    return f"; its server does not take {left_out}, which is left out" if left_out else ""


def _is_ready(text: str) -> bool:
    """Whether the answer can be read, as answers of every other question are."""
    try:
        read_answer(text, Ready)
    except InvalidAnswer:
        return False
    return True


def _failed(access: ClaudeAccess, model: str, failure: Any) -> Finding:
    health, said, advice = next(_explained(access, model, failure))
    return Finding(ABOUT, health, said, advice)


def _explained(access: ClaudeAccess, model: str, failure: Any) -> Iterator[tuple[Health, str, str]]:
    """Yield what is wrong and what to do, the most exact first."""
    from engine.llm.address import PUBLIC_URL
    from engine.llm.ledger import Outcome

    where = "ANTHROPIC_BASE_URL" if access.base_url else "Anthropic's API"
    match failure.outcome, failure.status:
        case Outcome.REFUSED, 401 | 403:
            if access.api_key:
                yield Health.BROKEN, "Anthropic refuses the key", "copy ANTHROPIC_API_KEY anew"
            yield Health.BROKEN, f"what answers at {where} wants a key", "set ANTHROPIC_API_KEY"
        case Outcome.REFUSED, 404:
            advice = "set LLM_MODEL, or the model in the prompts' headers, to one that there is"
            yield Health.BROKEN, f"there is no model {model}", advice
        case Outcome.REFUSED, 429 if failure.is_retryable:
            yield Health.DOUBTFUL, f"{model} is asked too often now (429)", "steps wait for their turn; try again later"
        case Outcome.REFUSED, 429:
            yield Health.BROKEN, "no more may be spent with this key (429)", "raise its limit in Anthropic's console"
        case Outcome.REFUSED, status if status is not None and status >= 500:
            advice = "try again; until it works, steps wait and are then degraded"
            yield Health.DOUBTFUL, f"{model} is out of order ({status})", advice
        case Outcome.REFUSED, 400 if "effort" in failure.said:
            advice = "choose a model that knows effort, or none of Anthropic's own: other servers are asked without it"
            yield Health.BROKEN, f"{model} does not know `effort`, which our questions name (400)", advice
        case Outcome.REFUSED, status:
            advice = f"look whether {where} and this model take structured output"
            yield Health.BROKEN, f"{model} does not take our questions ({status})", advice
        case Outcome.TIMEOUT, _:
            advice = "try again, or set LLM_TIMEOUT higher for a slow model"
            yield Health.DOUBTFUL, f"{model} gave no answer within {access.timeout or SECONDS:g} s", advice
        case Outcome.UNREACHABLE, _:
            who = "the server of ANTHROPIC_BASE_URL" if access.base_url else "Anthropic"
            why, advice = why_unreached(failure, access.base_url or PUBLIC_URL)
            if advice == CERTIFICATES:
                yield Health.BROKEN, f"{who} cannot be reached: {why}", advice
            yield Health.DOUBTFUL, f"{who} cannot be reached: {why}", f"{advice}; then look at ANTHROPIC_BASE_URL"
    yield Health.BROKEN, f"what answers at {where} is not the Messages API", "look at ANTHROPIC_BASE_URL and any proxy"
