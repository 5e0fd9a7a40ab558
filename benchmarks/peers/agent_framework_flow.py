"""The flow on Microsoft's agent-framework: a workflow with its file checkpoints, one after every superstep.

A workflow object runs one negotiation at a time, so each negotiation builds its own. A checkpoint is renamed into its
place and not synced: unlike the others, this one may lose its last steps with the machine's power.
"""

import asyncio
from pathlib import Path
from typing import Any

from agent_framework import FileCheckpointStorage, FunctionExecutor, Workflow, WorkflowBuilder, WorkflowContext

from benchmarks.cost import Cost, cost_of
from benchmarks.flow import AGENTS, ROUNDS
from benchmarks.peers import answers
from benchmarks.peers.answers import Said


async def cost(folder: Path, at_once: int) -> Cost:
    storage = FileCheckpointStorage(folder)

    async def negotiate(number: int) -> None:
        ended = await _workflow(f"collab-{number:08}", storage).run(answers.DEMAND)
        (found,) = ended.get_outputs()
        if len(found["votes"]) != ROUNDS * len(AGENTS):
            raise RuntimeError(f"negotiation {number} ended early; what it cost would mean nothing")

    return await cost_of(at_once, _all(negotiate, at_once))


async def _all(negotiate: Any, at_once: int) -> None:
    await asyncio.gather(*(negotiate(number) for number in range(at_once)))


def _workflow(name: str, storage: FileCheckpointStorage) -> Workflow:
    understand = FunctionExecutor(_understand, "understand", input=str, output=dict)
    shortlist = FunctionExecutor(_filter, "filter", input=dict, output=list)
    offers = [FunctionExecutor(_offer_of(each), f"offer-{each}", input=list, output=dict) for each in AGENTS]
    aggregate = FunctionExecutor(_aggregate, "aggregate", input=list, output=dict)
    votes = [FunctionExecutor(_vote_of(each), f"vote-{each}", input=dict, output=dict) for each in AGENTS]
    close = FunctionExecutor(_close, "close", input=list, output=dict)
    gaps = FunctionExecutor(_find_gaps, "gaps", input=dict, workflow_output=dict)
    by_id = [each.id for each in votes]
    return (
        WorkflowBuilder(name=name, start_executor=understand, checkpoint_storage=storage, output_from=[gaps])
        .add_edge(understand, shortlist)
        .add_fan_out_edges(shortlist, offers)
        .add_fan_in_edges(offers, aggregate)
        .add_fan_out_edges(aggregate, votes)
        .add_fan_in_edges(votes, close)
        .add_multi_selection_edge_group(
            close, [*votes, gaps], lambda sent, _: by_id if sent["round"] <= ROUNDS else [gaps.id]
        )
        .build()
    )


async def _understand(demand: str, context: WorkflowContext[Said]) -> None:
    context.set_state("demand", demand)
    await context.send_message(answers.understanding())


async def _filter(understanding: Said, context: WorkflowContext[list[Said]]) -> None:
    context.set_state("understanding", understanding)
    await context.send_message(answers.shortlist())


def _offer_of(agent: str) -> Any:
    async def offer(shortlist: list[Said], context: WorkflowContext[Said]) -> None:
        await context.send_message(answers.offer(agent))

    return offer


async def _aggregate(offers: list[Said], context: WorkflowContext[Said]) -> None:
    context.set_state("offers", offers)
    await context.send_message({"proposal": answers.plan(1), "round": 1})


def _vote_of(agent: str) -> Any:
    async def vote(asked: Said, context: WorkflowContext[Said]) -> None:
        await context.send_message(answers.vote(agent, asked["round"]))

    return vote


async def _close(votes: list[Said], context: WorkflowContext[Said]) -> None:
    """Adjusts the plan, or sends it on as it is when the last round is over."""
    context.set_state("votes", [*(context.get_state("votes") or []), *votes])
    number = votes[0]["round"] + 1
    proposal = answers.plan(number) if number <= ROUNDS else context.get_state("proposal")
    context.set_state("proposal", proposal)
    await context.send_message({"proposal": proposal, "round": number})


async def _find_gaps(agreed: Said, context: WorkflowContext[Any, Said]) -> None:
    await context.yield_output({"votes": context.get_state("votes"), "gaps": answers.gaps()})
