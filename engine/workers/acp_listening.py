"""What an agent says while it works: its words, what it has used, and what it asks leave for."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from acp import RequestError

from engine.kernel import Millis
from engine.runtime.clock import Clock
from engine.workers.acp_lines import note
from engine.workers.acp_permissions import UnreadableQuestion, asked, choose
from engine.workers.port import AnsweredPermission, AskedPermission, Fault, Limits

MOST_TEXT: Final = 64_000
"""Characters of its words that are kept: the last ones."""
MOST_CALLS: Final = 1_000
"""Calls of tools that are remembered until it asks about one of them."""
CANCELLED: Final = {"outcome": {"outcome": "cancelled"}}


@dataclass(slots=True)
class Used:
    """What an agent says that it has used. It counts a whole session, of which earlier attempts may be a part."""

    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    context: int = 0
    """Tokens in its memory: all that some agents tell while they work."""

    @property
    def tokens(self) -> int:
        return max(self.input_tokens + self.output_tokens, self.context)


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a turn is ended from outside: a question that nobody has answered yet, or else the budget."""

    question: AskedPermission | None = None


@dataclass(slots=True)
class Listening:
    """Takes what an agent sends in one session.

    Args:
        permissions: what has been answered already; an answer that holds once is used up by the first question.
        limits: of which the budget is watched.
        may_ask: whether a question can be answered later; else each is refused at once.
    """

    clock: Clock
    limits: Limits
    permissions: Iterable[AnsweredPermission] = ()
    may_ask: bool = True
    session_id: str = ""
    is_working: bool = False
    """False while the session is opened, and what happened in it before may be told once more."""
    stopped: asyncio.Future[Stop] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    told_to_stop: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the agent was told that its turn is over."""
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    """Set with each update."""
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What people should know of how questions were answered."""
    _used: Used = field(default_factory=Used)
    _before: Used = field(default_factory=Used)
    _whole: str = ""
    _last: str = ""
    _calls: dict[str, dict[str, Any]] = field(default_factory=dict)
    _answers: dict[str, AnsweredPermission] = field(init=False)

    def __post_init__(self) -> None:
        self._answers = {each.digest: each for each in self.permissions}

    async def handle(self, method: str, params: Any, is_notification: bool) -> dict[str, Any] | None:
        """Answer one message; the library's `MethodHandler`."""
        if method == "session/update":
            self._heard(params)
            self.heard.set()
        elif method == "session/request_permission" and not is_notification:
            answer = self._asked(params)
            if answer is CANCELLED and self.stopped.done():
                # It has to know first that its turn is over, or it goes on without leave.
                await self.told_to_stop.wait()
            return answer
        elif not is_notification:
            raise RequestError.method_not_found(method)
        return None

    @property
    def words(self) -> str:
        """What it said since it last used a tool; where that is nothing, all that it said."""
        return self._last.strip() or self._whole.strip()

    @property
    def used(self) -> Used:
        """In this attempt, as far as it told. Where its count has begun anew, nothing is taken off."""
        now, before = self._used, self._before
        usd = now.usd - before.usd if now.usd >= before.usd else now.usd
        context = now.context - before.context if now.context >= before.context else now.context
        return Used(now.input_tokens, now.output_tokens, usd, context)

    def begins(self) -> None:
        """From now on it works: what came before belongs to what it did before."""
        self.is_working = True
        self._before = Used(usd=self._used.usd, context=self._used.context)
        self._whole = self._last = ""

    def counted(self, usage: Any) -> None:
        """Take the ``usage`` of the answer to a prompt."""
        if isinstance(usage, Mapping):
            cached = _count(usage.get("cachedReadTokens")) + _count(usage.get("cachedWriteTokens"))
            self._used.input_tokens = _count(usage.get("inputTokens")) + cached
            self._used.output_tokens = _count(usage.get("outputTokens"))

    def _heard(self, params: Any) -> None:
        match params:
            case {"sessionId": self.session_id, "update": {"sessionUpdate": str()}}:
                self._updated(params["update"])
            case {"sessionId": str(), "update": {"sessionUpdate": str()}}:
                if self.is_working:
                    self._fault("session/update", "sessionId: has to be the session that was opened")
            case _:
                self._fault("session/update", "needs sessionId, and update with sessionUpdate")

    def _updated(self, update: dict[str, Any]) -> None:
        """Take an update; a kind that nobody knows moves nothing."""
        said: object = update
        match said:
            case {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": str(text)}}:
                self._whole = (self._whole + text)[-MOST_TEXT:]
                self._last = (self._last + text)[-MOST_TEXT:]
            case {"sessionUpdate": "tool_call", "toolCallId": str(call_id)}:
                self._last = ""
                self._remember(call_id, update)
            case {"sessionUpdate": "tool_call_update", "toolCallId": str(call_id)}:
                self._remember(call_id, update)
            case {"sessionUpdate": "usage_update"}:
                self._spent(update)

    def _remember(self, call_id: str, update: Mapping[str, Any]) -> None:
        known = self._calls.setdefault(call_id, {})
        known |= {name: each for name, each in update.items() if each is not None}
        if update.get("status") in ("completed", "failed") or len(self._calls) > MOST_CALLS:
            del self._calls[call_id]

    def _spent(self, update: Mapping[str, Any]) -> None:
        self._used.context = max(self._used.context, _count(update.get("used")))
        match update.get("cost"):
            case {"amount": int() | float() as amount, "currency": "USD"} if 0 <= amount < 1e9:
                self._used.usd = max(self._used.usd, float(amount))
        if self.is_working:
            used = self.used
            over_tokens = 0 < self.limits.tokens < used.tokens
            over_usd = 0 < self.limits.usd < used.usd
            if over_tokens or over_usd:
                self._stop(Stop())

    def _asked(self, params: Any) -> dict[str, Any]:
        match params:
            case {"sessionId": self.session_id, "toolCall": {"toolCallId": str(call_id)}, "options": [*options]}:
                call: dict[str, Any] = params["toolCall"]
            case _:
                raise RequestError.invalid_params()
        if self.stopped.done() or not self.is_working:
            return CANCELLED
        whole = self._calls.get(call_id, {}) | {name: each for name, each in call.items() if each is not None}
        try:
            question = asked(whole, (call_id, self.session_id))
        except UnreadableQuestion as unreadable:
            self._fault("session/request_permission", str(unreadable))
            return self._answer(options, is_allowed=False)
        if not self.may_ask:
            return self._answer(options, is_allowed=False)
        answer = self._answered(question.digest, self.clock.now())
        if answer is None:
            self._stop(Stop(question))
            return CANCELLED
        return self._answer(options, is_allowed=answer.is_allowed)

    def _answered(self, digest: str, now: Millis) -> AnsweredPermission | None:
        answer = self._answers.get(digest)
        if answer is None or answer.expires == 0:
            return self._answers.pop(digest, None)
        return answer if now < answer.expires else None

    def _answer(self, options: list[Any], *, is_allowed: bool) -> dict[str, Any]:
        choice = choose(options, is_allowed=is_allowed)
        if choice is None:
            self._fault("session/request_permission", "options: has to have one that says what was decided")
            return CANCELLED
        if choice.is_for_good and is_allowed:
            self.notes.append("The agent offered only to be allowed for good, so what was allowed held until it ended.")
        return {"outcome": {"outcome": "selected", "optionId": choice.option_id}}

    def _stop(self, stop: Stop) -> None:
        if not self.stopped.done():
            self.stopped.set_result(stop)

    def _fault(self, payload_type: str, message: str) -> None:
        note(self.faults, Fault(payload_type=payload_type, message=message))


def _count(value: Any) -> int:
    return value if isinstance(value, int) and 0 <= value < 10**12 else 0
