"""The flow on LangGraph: a graph with its SQLite checkpointer, every step on disk before the next begins."""

import asyncio
import operator
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from benchmarks.cost import Cost, cost_of
from benchmarks.flow import AGENTS, ROUNDS
from benchmarks.peers import answers
from benchmarks.peers.answers import Said


class State(TypedDict, total=False):
    demand: str
    understanding: Said
    shortlist: list[Said]
    offers: Annotated[list[Said], operator.add]
    proposal: Said
    round: int
    votes: Annotated[list[Said], operator.add]
    gaps: Said


class Seat(TypedDict):
    """What one twin is asked with."""

    agent: str
    round: int


async def cost(folder: Path, at_once: int) -> Cost:
    async with AsyncSqliteSaver.from_conn_string(str(folder / "checkpoints.db")) as saver:
        graph = _graph().compile(checkpointer=saver)

        async def negotiate(number: int) -> None:
            thread = {"configurable": {"thread_id": f"collab-{number:08}"}}
            ended = await graph.ainvoke({"demand": answers.DEMAND}, thread, durability="sync")
            if len(ended["votes"]) != ROUNDS * len(AGENTS) or "gaps" not in ended:
                raise RuntimeError(f"negotiation {number} ended early; what it cost would mean nothing")

        await saver.setup()
        return await cost_of(at_once, _all(negotiate, at_once))


async def _all(negotiate: Any, at_once: int) -> None:
    await asyncio.gather(*(negotiate(number) for number in range(at_once)))


def _graph() -> Any:
    graph = StateGraph(State)
    for name, node in {
        "understand": _understand,
        "filter": _filter,
        "offer": _offer,
        "aggregate": _aggregate,
        "vote": _vote,
        "adjust": _adjust,
        "find_gaps": _find_gaps,
    }.items():
        graph.add_node(name, node)
    graph.add_edge(START, "understand")
    graph.add_edge("understand", "filter")
    graph.add_conditional_edges("filter", _ask_for_offers, ["offer"])
    graph.add_edge("offer", "aggregate")
    graph.add_conditional_edges("aggregate", _ask_for_votes, ["vote"])
    graph.add_conditional_edges("vote", _after_votes, ["adjust", "find_gaps"])
    graph.add_conditional_edges("adjust", _ask_for_votes, ["vote"])
    graph.add_edge("find_gaps", END)
    return graph


async def _understand(state: State) -> State:
    return {"understanding": answers.understanding()}


async def _filter(state: State) -> State:
    return {"shortlist": answers.shortlist()}


def _ask_for_offers(state: State) -> list[Send]:
    return [Send("offer", {"agent": each["agent_id"], "round": 0}) for each in state["shortlist"]]


async def _offer(seat: Seat) -> State:
    return {"offers": [answers.offer(seat["agent"])]}


async def _aggregate(state: State) -> State:
    return {"proposal": answers.plan(1), "round": 1}


def _ask_for_votes(state: State) -> list[Send]:
    return [Send("vote", {"agent": each["agent_id"], "round": state["round"]}) for each in state["offers"]]


async def _vote(seat: Seat) -> State:
    return {"votes": [answers.vote(seat["agent"], seat["round"])]}


def _after_votes(state: State) -> str:
    return "adjust" if state["round"] < ROUNDS else "find_gaps"


async def _adjust(state: State) -> State:
    number = state["round"] + 1
    return {"proposal": answers.plan(number), "round": number}


async def _find_gaps(state: State) -> State:
    return {"gaps": answers.gaps()}
