"""Asks Claude: at the pace that the API allows, with a bounded number of retries and at most one repair of an answer.

Each question has a window, which is that of its step. Within it, it waits for its turn where many are asked, and for
the API where calls are suspended. Only a window that ends, or an API that fails again and again, leaves it unanswered.
Every call is recorded.
"""

import hashlib
import hmac
import json
import logging
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Final, Generic, cast

import msgspec
from anthropic.types import MessageParam
from msgspec.structs import replace

from engine.errors import InvalidAnswer, ModelTimeout, ModelUnavailable
from engine.kernel import Millis, StreamKey, encode, plain
from engine.llm.breaker import CallResult, CallsSuspended, CircuitBreaker, demand_of
from engine.llm.budget import Account, Budget, Reservation, charged
from engine.llm.conversation import Conversation
from engine.llm.examples import repeated_example
from engine.llm.ledger import FailureCause, Ledger, Outcome
from engine.llm.messages_api import CallFailed, MessagesApi, Reply
from engine.llm.pacing import Cost, Pace, TooSlow, Turn
from engine.llm.pauses import Patience, Pauses, Tell
from engine.llm.port import Answer, ModelStanding, Pause, PauseCause, Prompt, Question, Returns, without
from engine.llm.reading import read_answer
from engine.llm.repairing import Repairing
from engine.llm.schema import answer_schema, check_answer_schemas
from engine.llm.silences import Silences
from engine.llm.spending import most_cost
from engine.llm.warming import Warming
from engine.runtime.clock import Clock, Monotonic

log = logging.getLogger(__name__)

TRIES: Final = 3
"""Calls in a row, at most, while the API fails: the first and two retries."""

WINDOW: Final = 120.0
"""Seconds for a question whose step has no end of its own: for all its calls, and for waiting until they are made."""

LONGEST_WINDOW: Final = 300.0
"""Seconds for any question, so that the steps behind it have some time left."""

IN_TIME: Final = 1.0
"""Seconds before a step's end when its question ends, so that what became of it is still taken."""

TIMEOUT: Final = 10.0
"""Seconds for one call, where neither a setting nor the prompt's header says otherwise."""

FIRST_PAUSE: Final = 0.5
"""Seconds before the second try, doubled before the third; of them a random part, at least half."""

LONGEST_PAUSE: Final = 30.0
"""Seconds, whatever ``retry-after`` says."""

CHARACTERS_A_TOKEN: Final = 3
"""About; what the API has counted is known only afterwards."""

BYTES_A_TOKEN: Final = 2
"""At least, in UTF-8: English has four or more, Chinese about three."""

SHARE_OF_WINDOW: Final = 1 / 3
"""In which a question may wait for another that begins alike."""

NONCE_LENGTH: Final = 16
"""Hexadecimal digits."""

FINISHED: Final = "end_turn"
"""The stop reason of an answer that is whole."""

ENDED: Final = frozenset({Outcome.ANSWERED, Outcome.TOOL_USE, Outcome.INVALID, Outcome.STOPPED, Outcome.TIMEOUT})
"""Outcomes that tell how long a model takes."""


class ClaudeModel:
    """A `Model` (engine/llm/port.py).

    Args:
        prompts: all that will be asked; their answers' schemas are checked here.
        base_url: where the Messages API is; the public one when left out.
        model_override: answers every prompt, whatever its header says.
        timeout: seconds for each call of any prompt; when left out, what the prompt's header says, else 10, and more
            where the model was seen to take longer.
        window: seconds for a question whose step has no end of its own.
        breaker: stops questions to an API that does not answer; one of its own, when left out. A question counts once,
            however often it is tried.
        pace: says when it is a call's turn; one of its own, when left out.
        warming: sends one of those that begin alike ahead; one of its own, when left out.
        budget: says what calls may cost; without bounds, when left out.

    Raises:
        Misconfigured: an answer's schema breaks the API's limits, or the wording of the repair is broken.
    """

    def __init__(
        self,
        api_key: str,
        prompts: Iterable[Prompt],
        ledger: Ledger,
        clock: Clock,
        *,
        base_url: str | None = None,
        model_override: str | None = None,
        timeout: float | None = None,
        window: float = WINDOW,
        breaker: CircuitBreaker | None = None,
        pace: Pace | None = None,
        warming: Warming | None = None,
        budget: Budget | None = None,
    ) -> None:
        check_answer_schemas(prompts)
        self._repairing = Repairing()
        self._ledger = ledger
        self._clock = clock
        self._model_override = model_override
        self._patience = Patience(timeout)
        self._window = window
        self._api = MessagesApi(api_key, base_url)
        self._fences = hmac.new(api_key.encode() or secrets.token_bytes(), b"fence", hashlib.sha256)
        self.breaker = breaker or CircuitBreaker(clock)
        self.pace = pace or Pace(clock)
        self.warming = warming or Warming(clock)
        self._pauses = Pauses(clock, self.pace, self.breaker)
        self._silences = Silences(clock)
        self.budget = budget or Budget(clock)
        self.tokens: Counter[tuple[str, str]] = Counter()
        """Of all calls since this process started, by prompt and kind (`engine.llm.ledger.Call.tokens`)."""
        self.failures: dict[FailureCause, int] = dict.fromkeys(FailureCause, 0)
        """Calls that failed since this process started, by what for."""

    def held_up(self, key: StreamKey) -> Millis:
        """Return for how long questions of a stream have waited for their turn, altogether."""
        return self.pace.held_up.millis(demand_of(key))

    def paused(self, key: StreamKey) -> Pause | None:
        """Return why a stream waits now; None where it does not, or not for long."""
        return self._pauses.of(key)

    def standing(self) -> ModelStanding:
        return self._pauses.standing()

    def listen(self, tell: Tell) -> None:
        """Let somebody know of each stream of which `paused` says something else than before."""
        self._pauses.listen(tell)

    async def close(self) -> None:
        """Close the connections, after the last question and before the ledger is closed."""
        await self._api.close()

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        """Ask Claude, and return an answer that can be used."""
        talk = Conversation(
            question,
            self._model_override or question.prompt.model,
            answer_schema(question.returns),
            self._nonce(question),
        )
        asking = _Asking(question, talk, self._clock.after(1000 * self._window_of(question)))
        answer = await self._ask_and_repair(asking)
        return replace(answer, tool_calls=tuple(talk.tool_calls))

    def _nonce(self, question: Question[Any]) -> str:
        """Return what fences off people's words: one for all questions of a stream, since a cache wants the same text.

        Only who has the API key can tell it. The model knows it; people do not read it in its answers, and a fence
        would hold though it were known (`engine.llm.port.fenced`).
        """
        if question.key is None:
            return secrets.token_hex(8)
        fence = self._fences.copy()
        fence.update(f"\0{question.key.tenant}\0{question.key.stream}".encode())
        return fence.hexdigest()[:NONCE_LENGTH]

    def _window_of(self, question: Question[Any]) -> float:
        if not question.until:
            return self._window
        left = self._clock.seconds_until(question.until) - IN_TIME
        return min(max(IN_TIME, left), LONGEST_WINDOW)

    async def _ask_and_repair(self, asking: "_Asking[Returns]") -> Answer[Returns]:
        known = asking.question.fault
        if known is not None:
            return await self._repaired(asking, encode(plain(known.answer)), known.what)
        try:
            return await self._ask_with_tools(asking)
        except _UnusableReply as misread:
            log.info("%s", misread)
            self._api.dialect.was_read(is_form_kept=False)
            answer = await self._repaired(asking, misread.text, misread.fault)
            return replace(answer, is_final=True)

    async def _repaired(self, asking: "_Asking[Returns]", said: str, fault: str) -> Answer[Returns]:
        """Ask again, showing the model what it said and what is wrong with it."""
        asking.talk.repair(said, self._repairing.wording(fault, asking.talk.schema))
        try:
            answer = await self._ask_with_tools(asking)
        except _UnusableReply as misread:
            raise InvalidAnswer(str(misread)) from misread  # what failed is told by its class
        if self._repairing.is_repeated(plain(answer.value), fault):
            name = asking.question.prompt.name
            raise InvalidAnswer(f"{answer.model} answered {name} in the words by which it was asked to put it right.")
        return answer

    async def _ask_with_tools(self, asking: "_Asking[Returns]") -> Answer[Returns]:
        """Ask, and carry out what the model calls, until it answers."""
        while True:
            said = await self._ask_until_reached(asking)
            if isinstance(said, Answer):
                return said
            await asking.talk.use_tools(said, lambda: min(self._seconds(asking), self._seconds_left(asking)))

    async def _ask_until_reached(self, asking: "_Asking[Returns]") -> Answer[Returns] | Reply:
        """Call until there is a reply. While calls are suspended, wait, and go on once the API answers again."""
        while True:
            try:
                if self.breaker.is_open or asking.question.key in self._silences:
                    self._hears_nothing(asking, self._clock.monotonic())
                waiting = self._pauses.waiting(asking.question.key, PauseCause.SILENT)
                async with self.breaker.call(asking.ends, waiting) as result:
                    return await self._ask_with_retries(asking, result)
            except CallsSuspended as suspended:
                raise ModelUnavailable(f"{asking.talk.model} is not asked: {suspended}.") from suspended
            except CallFailed as failure:
                if not (failure.is_outage and self.breaker.is_open):
                    raise failure.as_model_error() from failure
                log.info("%s waits until calls are made again: %s", asking.question.prompt.name, failure)

    async def _ask_with_retries(self, asking: "_Asking[Returns]", result: CallResult) -> Answer[Returns] | Reply:
        """Call until there is a reply, or no call is left. A question that tests the API is not tried again."""
        tries, most, again = 0, 1 if result.is_probe else TRIES, False
        while True:
            try:
                return await self._send_in_turn(asking, result, again=again)
            except CallFailed as failure:
                again = failure.is_too_fast
                if again:
                    continue  # its next turn comes when the API wants to be asked again
                tries += 1
                next_try = self._clock.after(_pause(tries, failure.retry_after))
                if not failure.is_retryable or tries == most or next_try >= asking.ends:
                    raise
                log.info("%s is asked again: %s", asking.question.prompt.name, failure)
                with self._pauses.waiting(asking.question.key, PauseCause.SILENT, next_try):
                    await self._clock.until(next_try)

    async def _send_in_turn(
        self, asking: "_Asking[Returns]", result: CallResult, *, again: bool
    ) -> Answer[Returns] | Reply:
        """Make one call once it is its turn."""
        talk, key = asking.talk, asking.question.key
        demand, waiting = demand_of(key) if key else "", self._pauses.waiting(key, PauseCause.BUSY)
        paid = self.budget.reserved(_account(asking.question), _most_cost(talk), asking.ends)
        ready = self.warming.turn(talk.model, talk.schema, talk.shared, self._ready_by(asking))
        tenant = str(key.tenant) if key else ""
        in_turn = self.pace.turn(talk.model, demand, _about(talk), asking.ends, waiting, tenant, again=again)
        try:
            async with paid as reservation, ready as begins, in_turn as turn:
                asking.window_ends = Monotonic(asking.window_ends + turn.waited)  # in which nobody could ask
                return await self._send(asking, result, turn, reservation, begins)
        except TooSlow:
            name = asking.question.prompt.name
            raise ModelUnavailable(f"{talk.model} could not be asked {name} in time: too much is asked.") from None

    def _ready_by(self, asking: "_Asking[Returns]") -> Monotonic:
        """Return until when a call may wait for another's: for as long as one takes, within a part of its window."""
        left = 1000 * self._seconds_left(asking)
        return self._clock.after(min(1000 * self._seconds(asking), left * SHARE_OF_WINDOW))

    async def _send(
        self,
        asking: "_Asking[Returns]",
        result: CallResult,
        turn: Turn,
        reservation: Reservation,
        begins: Callable[[], None] | None,
    ) -> Answer[Returns] | Reply:
        """Make one call, unless no time is left; return the answer, or the reply that calls tools first."""
        talk, name, at, started = asking.talk, asking.question.prompt.name, self._clock.now(), time.perf_counter()
        began = self._clock.monotonic()
        left, seconds = self._seconds_left(asking), self._seconds(asking)
        if left <= 0:
            raise ModelTimeout(f"{talk.model} had no time left to answer {name} again.")
        talk.calls += 1
        reply: Reply | None = None
        failure: CallFailed | None = None
        outcome = Outcome.CANCELLED
        try:
            window = (asking.window_ends - began) / 1000
            reply = await self._api.send(talk.request, min(left, seconds), self._patience.longest(window), begins)
            result.failed = False
            self._hears(asking)
            turn.answered(reply.headers, Cost(reply.tokens.input + reply.tokens.cache_write, reply.tokens.output))
            if talk.is_tool_step(reply):
                outcome = Outcome.TOOL_USE
                return reply
            outcome = Outcome.INVALID if reply.stop_reason == FINISHED else Outcome.STOPPED
            value = _read(reply, asking.question, talk.nonce)
            self._api.dialect.was_read(is_form_kept=True)
            outcome = Outcome.ANSWERED
            return Answer(value, reply.model)
        except CallFailed as error:
            failure, outcome = error, error.outcome
            self.failures[error.cause] += 1
            result.failed = error.is_outage
            if error.is_outage:
                self._hears_nothing(asking, began)
            else:
                self._hears(asking)
            if error.is_too_fast:
                turn.refused(error.headers, min(error.retry_after, LONGEST_PAUSE))
            raise
        finally:
            took = time.perf_counter() - started
            if outcome in ENDED:
                self._patience.took(talk.model, name, took, is_answered=outcome is not Outcome.TIMEOUT)
            row = talk.ledger_row(at, round(1000 * took), outcome, reply, failure)
            self.tokens.update({(name, kind): count for kind, count in row.tokens.items()})
            reservation.cost = charged(row.entry.spent)
            self._ledger.record(row)

    def _hears(self, asking: "_Asking[Returns]") -> None:
        asking.gives_up = None
        if asking.question.key is not None:
            self._silences.ended(asking.question.key)

    def _hears_nothing(self, asking: "_Asking[Returns]", since: Monotonic) -> None:
        """Shorten the window of a question that people wait for, so that its stream waits in vain for so long only."""
        key, prompt = asking.question.key, asking.question.prompt
        if key is None or not asking.question.until or asking.gives_up is not None:
            return
        asking.gives_up = self._silences.lasts(key, since, prompt.timeout or TIMEOUT)

    def _seconds(self, asking: "_Asking[Returns]") -> float:
        prompt = asking.question.prompt
        return self._patience.seconds(asking.talk.model, prompt.name, prompt.timeout or TIMEOUT)

    def _seconds_left(self, asking: "_Asking[Returns]") -> float:
        """Until it ends; at most 0 where it is over."""
        return (asking.ends - self._clock.monotonic()) / 1000


class _Asking(msgspec.Struct, Generic[Returns]):
    """One question that is being asked."""

    question: Question[Returns]
    talk: Conversation
    window_ends: Monotonic
    gives_up: Monotonic | None = None
    """When its stream has waited enough for a model that says nothing; None while it answers."""

    @property
    def ends(self) -> Monotonic:
        """When nobody waits any more for an answer of which nothing has come."""
        return self.window_ends if self.gives_up is None else min(self.window_ends, self.gives_up)


class _UnusableReply(InvalidAnswer):
    """The answer is whole, but cannot be read: what is repaired."""

    def __init__(self, reply: Reply, prompt: str, fault: str) -> None:
        super().__init__(f"{reply.model} answered {prompt} in no usable form: {fault}")
        self.fault = fault
        self.text = reply.text


def _read(reply: Reply, question: Question[Returns], nonce: str) -> Returns:
    """Return the answer without the nonce, since people read it.

    Raises:
        InvalidAnswer: it ended early; a repeated question would end the same way.
        _UnusableReply: it is whole, but not what was asked for, or it repeats an example of the prompt.
    """
    name = question.prompt.name
    if reply.stop_reason != FINISHED:
        raise InvalidAnswer(
            f"{reply.model} ended its answer to {name} early: {reply.stop_reason or 'nobody knows why'}."
        )
    try:
        value = read_answer(without(nonce, reply.text), question.returns)
    except InvalidAnswer as error:
        raise _UnusableReply(reply, name, str(error)) from error
    if example := repeated_example(question.prompt.body, question.given, plain(value)):
        raise _UnusableReply(reply, name, f"'{example}' is an example of the instructions, and nobody has said it")
    return value


def _account(question: Question[Any]) -> Account:
    if question.key is None:
        return Account()
    return Account(question.key.tenant, question.charged_to or question.key.stream, question.asked_by)


def _most_cost(talk: Conversation) -> Decimal:
    """Return the US dollars that a call may cost: with an answer as long as it may be, and nothing cached."""
    said = sum(len(each.encode()) for each in _texts(talk)) + len(json.dumps(talk.schema))
    return most_cost(talk.model, said // BYTES_A_TOKEN, talk.question.prompt.max_tokens)


def _about(talk: Conversation) -> Cost:
    """What a call will count towards the limits, before anybody has counted."""
    said = sum(map(len, _texts(talk)))
    return Cost(said // CHARACTERS_A_TOKEN, talk.question.prompt.max_tokens // 4)


def _texts(talk: Conversation) -> Iterator[str]:
    for each in talk.messages:
        for block in _blocks(each):
            yield str(block.get("text", block.get("content", "")))


def _blocks(message: MessageParam) -> Iterable[Mapping[str, Any]]:
    content = message["content"]
    return [{"text": content}] if isinstance(content, str) else cast(Iterable[Mapping[str, Any]], content)


def _pause(tries: int, asked: float) -> Millis:
    """How long to wait after this many tries, at least the ``asked`` seconds of the API."""
    share = random.uniform(0.5, 1.0)  # noqa: S311 - it spreads load and keeps no secret
    backoff = FIRST_PAUSE * 2.0 ** (tries - 1) * share
    return round(1000 * max(backoff, min(asked, LONGEST_PAUSE)))
