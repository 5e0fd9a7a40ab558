"""The local server keeps and reads beginnings of requests as the API does."""

import asyncio
from typing import Any

import pytest
from anthropic import APIStatusError, AsyncAnthropic

from . import LocalAnthropic, Says, Status
from .prompt_cache import LASTING, LOOKS_BACK, SMALLEST, Counted, PromptCache, smallest

HAIKU = "claude-haiku-5-5"
LONG = "x" * 8 * SMALLEST[HAIKU]


class Now:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def now() -> Now:
    return Now()


@pytest.fixture
def cache(now: Now) -> PromptCache:
    return PromptCache(now)


def block(text: str, *, marked: bool = False) -> dict[str, Any]:
    return {"type": "text", "text": text, **({"cache_control": {"type": "ephemeral"}} if marked else {})}


def request(*blocks: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"model": HAIKU, "messages": [{"role": "user", "content": list(blocks)}], **fields}


def asks(cache: PromptCache, body: dict[str, Any]) -> Counted:
    counted = cache.counted(body)
    cache.keep(body)
    return counted


def test_what_is_marked_is_written_once_and_then_read(cache: PromptCache) -> None:
    first = asks(cache, request(block(LONG, marked=True), block("one")))
    second = asks(cache, request(block(LONG, marked=True), block("another")))
    assert first.written == second.read > SMALLEST[HAIKU]
    assert first.read == second.written == 0
    assert first.input < 20


def test_nothing_is_read_before_the_first_was_answered(cache: PromptCache) -> None:
    cache.counted(request(block(LONG, marked=True), block("one")))
    assert cache.counted(request(block(LONG, marked=True), block("two"))).read == 0


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"model": "claude-sonnet-5-5"}, id="another model"),
        pytest.param({"output_config": {"format": {"type": "json_schema", "schema": {}}}}, id="another schema"),
        pytest.param({"tools": [{"name": "get_now"}]}, id="another tool"),
        pytest.param({"tool_choice": {"type": "none"}}, id="another choice of tools"),
        pytest.param({"system": "Be kind."}, id="other words before it"),
    ],
)
def test_it_is_another_beginning_with(cache: PromptCache, other: dict[str, Any]) -> None:
    asks(cache, request(block(LONG, marked=True), block("one")))
    assert cache.counted({**request(block(LONG, marked=True), block("one")), **other}).read == 0


def test_one_other_character_is_enough(cache: PromptCache) -> None:
    asks(cache, request(block(LONG, marked=True), block("one")))
    assert cache.counted(request(block("y" + LONG[1:], marked=True), block("one"))).read == 0


def test_what_is_not_marked_is_not_kept(cache: PromptCache) -> None:
    asks(cache, request(block(LONG), block("one")))
    assert cache.counted(request(block(LONG, marked=True), block("one"))).read == 0


def test_what_is_short_is_not_kept(cache: PromptCache) -> None:
    assert asks(cache, request(block("short", marked=True), block(LONG))).written == 0
    assert asks(cache, request(block("short", marked=True), block(LONG))).read == 0


@pytest.mark.parametrize("model", [*SMALLEST, "claude-opus-4-1"])
def test_each_model_has_its_own_least(cache: PromptCache, model: str) -> None:
    enough = "x" * 4 * smallest(model)
    assert asks(cache, request(block(enough, marked=True), block("one"), model=model)).written > 0
    assert asks(cache, request(block(enough[200:], marked=True), block("one"), model=model)).written == 0


def test_another_choice_of_tools_leaves_what_is_kept_of_the_system(cache: PromptCache) -> None:
    system = [block(LONG, marked=True)]
    asks(cache, request(block("one"), system=system))
    assert cache.counted(request(block("one"), system=system, tool_choice={"type": "none"})).read > 0


def test_of_several_marks_the_longest_that_is_the_same_is_read(cache: PromptCache) -> None:
    asks(cache, request(block(LONG, marked=True), block(LONG, marked=True), block("one")))
    again = asks(cache, request(block(LONG, marked=True), block(LONG + "!", marked=True), block("one")))
    assert again.read > SMALLEST[HAIKU]
    assert again.written > SMALLEST[HAIKU]


def test_it_is_kept_for_five_minutes_from_its_last_use(cache: PromptCache, now: Now) -> None:
    body = request(block(LONG, marked=True), block("one"))
    asks(cache, body)
    for _ in range(3):
        now.seconds += LASTING - 1
        assert asks(cache, body).read > 0
    now.seconds += LASTING
    assert cache.counted(body).read == 0


@pytest.mark.parametrize(("between", "found"), [(LOOKS_BACK - 1, True), (LOOKS_BACK + 1, False)])
def test_it_looks_back_some_blocks_only(cache: PromptCache, between: int, found: bool) -> None:
    asks(cache, request(block(LONG, marked=True), block("one")))
    more = [block(f"{number}") for number in range(between)]
    assert bool(cache.counted(request(block(LONG), *more, block("end", marked=True))).read) is found


async def test_calls_beside_each_other_read_nothing_and_those_behind_them_do(
    server: LocalAnthropic, client: AsyncAnthropic
) -> None:
    server.always(Says("Well", after=0.05))
    body: dict[str, Any] = {"max_tokens": 10, **request(block(LONG, marked=True), block("one"))}
    beside = await asyncio.gather(*(client.messages.create(**body) for _ in range(3)))
    assert {each.usage.cache_read_input_tokens for each in beside} == {0}
    behind = await client.messages.create(**body)
    assert behind.usage.cache_read_input_tokens == beside[0].usage.cache_creation_input_tokens != 0
    assert behind.usage.cache_creation_input_tokens == 0


async def test_what_was_never_answered_is_not_kept(server: LocalAnthropic, client: AsyncAnthropic) -> None:
    server.then(Status(529), Says("Well"))
    body: dict[str, Any] = {"max_tokens": 10, **request(block(LONG, marked=True), block("one"))}
    with pytest.raises(APIStatusError):
        await client.messages.create(**body)
    assert (await client.messages.create(**body)).usage.cache_read_input_tokens == 0
