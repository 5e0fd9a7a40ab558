"""What the benchmark of calls compares gets the same answer in each way."""

from contextlib import AsyncExitStack

from anthropic.types import Message

from benchmarks.calls import ASKED, WAYS, served, ways_to_ask
from engine.llm.messages_api import Reply
from engine.llm.port import Answer


async def test_each_way_of_asking_is_answered() -> None:
    async with served() as url, AsyncExitStack() as stack:
        for asked in ASKED.values():
            ways = await ways_to_ask(asked, url, stack)
            assert tuple(ways) == WAYS
            said = {name: await call() for name, call in ways.items()}
            message, answer = said["message"], said["question"]
            assert isinstance(message, Reply)
            assert isinstance(answer, Answer)
            assert answer.value == asked.question.returns.checked(asked.good)
            for by in ("httpx2", "aiohttp"):
                theirs = said[by]
                assert isinstance(theirs, Message)
                assert [each.text for each in theirs.content if each.type == "text"] == [message.text]
