"""The tests' agent behind the library's agent side: ``python -m tests.workers.acp.library_agent HOW``."""

import asyncio
import os
import sys
from typing import Any

import pydantic

# Of the library's models it needs few, and building all of them is half of its start.
pydantic.BaseModel.model_config["defer_build"] = True

from acp import RequestError, run_agent  # noqa: E402
from acp.schema import (  # noqa: E402
    InitializeResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PermissionOption,
    PromptResponse,
    SessionNotification,
    SetSessionModeResponse,
    ToolCallUpdate,
)

from tests.workers.acp.agent import Agent, Params  # noqa: E402
from tests.workers.acp.behaviours import Refused, note  # noqa: E402


class LibraryAgent:
    """What the library calls, and how the agent calls it."""

    def __init__(self, how: str) -> None:
        self._agent = Agent(how, self)
        self._client: Any = None

    def on_connect(self, client: Any) -> None:
        self._client = client

    async def initialize(self, protocol_version: int, **_: Any) -> InitializeResponse:
        return InitializeResponse.model_validate(await self._answer("initialize", protocolVersion=protocol_version))

    async def new_session(self, cwd: str, **_: Any) -> NewSessionResponse:
        return NewSessionResponse.model_validate(await self._answer("session/new"))

    async def load_session(self, session_id: str, **_: Any) -> LoadSessionResponse:
        return LoadSessionResponse.model_validate(await self._answer("session/load", sessionId=session_id))

    async def set_session_mode(self, session_id: str, mode_id: str, **_: Any) -> SetSessionModeResponse:
        return SetSessionModeResponse.model_validate(await self._answer("session/set_mode", modeId=mode_id))

    async def cancel(self, session_id: str, **_: Any) -> None:
        await self._answer("session/cancel", sessionId=session_id)

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> PromptResponse:
        said = await self._answer("session/prompt", prompt=[{"text": prompt[0].text}])
        return PromptResponse.model_validate(said)

    async def _answer(self, method: str, **params: Any) -> Params:
        try:
            return await self._agent.answer(method, params)
        except Refused as refused:
            raise RequestError(refused.code, "refused") from None

    async def notify(self, method: str, params: Params) -> None:
        told = SessionNotification.model_validate(params)
        await self._client.session_update(told.session_id, told.update)

    async def request(self, method: str, params: Params) -> Any:
        call = ToolCallUpdate.model_validate(params["toolCall"])
        options = [PermissionOption.model_validate(each) for each in params["options"]]
        answer = await self._client.request_permission(params["sessionId"], call, options)
        return answer.model_dump(by_alias=True)


async def main(how: str) -> None:
    note("pids", os.getpid())
    agent: Any = LibraryAgent(how)
    await run_agent(agent)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
