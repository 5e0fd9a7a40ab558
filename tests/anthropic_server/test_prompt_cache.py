"""The local server keeps and reads beginnings of requests as the API does."""

from typing import Any

import pytest

from .prompt_cache import LASTING, LOOKS_BACK, SMALLEST, Counted, PromptCache

LONG = "x" * 8 * SMALLEST


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
    return {"model": "claude-haiku-5-5", "messages": [{"role": "user", "content": list(blocks)}], **fields}


def asks(cache: PromptCache, body: dict[str, Any]) -> Counted:
    counted = cache.counted(body)
    cache.keep(body)
    return counted


def test_what_is_marked_is_written_once_and_then_read(cache: PromptCache) -> None:
    first = asks(cache, request(block(LONG, marked=True), block("one")))
    second = asks(cache, request(block(LONG, marked=True), block("another")))
    assert first.written == second.read > SMALLEST
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


def test_of_several_marks_the_longest_that_is_the_same_is_read(cache: PromptCache) -> None:
    asks(cache, request(block(LONG, marked=True), block(LONG, marked=True), block("one")))
    again = asks(cache, request(block(LONG, marked=True), block(LONG + "!", marked=True), block("one")))
    assert again.read > SMALLEST
    assert again.written > SMALLEST


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
