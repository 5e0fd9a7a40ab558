"""Compares the latest positions beside the rules, with the encoder of sentences: the computation ``compare``.

The texts say how near they are; their slots alone say whether they agree (`engine.deliberation.rounds.positions`).
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from engine.deliberation.commands import RecordComparison
from engine.deliberation.events import Score
from engine.deliberation.rounds.plans import previous_output, unexplained_by
from engine.deliberation.rounds.positions import analysed, kept_share, similarity
from engine.deliberation.state import Deliberation, Output
from engine.deliberation.terms import DEBATERS, Agent, Error
from engine.kernel import Computation, Compute, Millis
from engine.llm.encoder import Meaning, meaning


class Vectors:
    """The vectors of some texts, and how many of them had to be computed."""

    def __init__(self, encoder: Meaning, texts: Sequence[str]) -> None:
        """Encode the texts, each once."""
        said = [*dict.fromkeys(filter(None, texts))]
        unknown = encoder.unknown(said)
        found = encoder.vectors(said)
        self._of = dict(zip(said, found, strict=True)) if found else {}
        self.computed = unknown if found else 0
        self.dimension = len(found[0]) if found else 0

    def similarity(self, one: str, other: str) -> float | None:
        """Of two texts; None where there is no encoder."""
        mine, theirs = self._of.get(one), self._of.get(other)
        return None if mine is None or theirs is None else similarity(mine, theirs)


def compare(state: Deliberation, effect: Compute, *, command_id: str, at: Millis) -> RecordComparison:
    """Compare how near both positions are in meaning."""
    return compared(state, meaning(), command_id=command_id, at=at)


COMPUTATIONS: Final[Mapping[str, Computation]] = MappingProxyType({"compare": compare})
"""What runs each `Compute` of a deliberation, by the name of its function."""


def compared(state: Deliberation, encoder: Meaning, *, command_id: str, at: Millis) -> RecordComparison:
    number = len(state.rounds)
    outputs = [each for agent in DEBATERS for each in (state.last_output(agent), previous_output(state, agent)) if each]
    vectors = Vectors(encoder, [told(each) for each in outputs])
    level = _level(state, vectors)
    analysis, differences = analysed(
        state,
        level,
        self_similarity=tuple(_self_similarity(state, vectors)),
        dimension=vectors.dimension,
        vectors_computed=vectors.computed,
    )
    error = Error(error="tool_execution_failed", round=number, tool="compare_positions", detail="no_encoder")
    return RecordComparison(
        command_id=command_id,
        at=at,
        round=number,
        analysis=analysis,
        differences=differences,
        error=None if level is not None else error,
    )


def told(output: Output) -> str:
    """What of a position is compared in meaning: the conclusion and its reasons, as in seed 001, section 3.1."""
    return "\n".join((output.position.conclusion, *output.position.key_reasons)).strip()


def _level(state: Deliberation, vectors: Vectors) -> float | None:
    """How near both are. What an agent changed without an argument makes it no nearer than what it said before."""
    latest = {agent: said for agent in DEBATERS if (said := state.last_output(agent))}
    planner, critic = latest[Agent.PLANNER], latest[Agent.CRITIC]
    levels = [vectors.similarity(told(planner), told(critic))]
    for agent, other in ((Agent.PLANNER, critic), (Agent.CRITIC, planner)):
        before = previous_output(state, agent)
        if before is not None and unexplained_by(state, agent):
            levels.append(vectors.similarity(told(before), told(other)))
    known = [each for each in levels if each is not None]
    return min(known) if known else None


def _self_similarity(state: Deliberation, vectors: Vectors) -> Iterator[Score]:
    """Whoever changes its data repeats itself only in part, whatever its sentences say."""
    for agent in DEBATERS:
        before, now = previous_output(state, agent), state.current.outputs.get(agent)
        if before is not None and now is not None:
            near = vectors.similarity(told(before), told(now))
            kept = kept_share(state, agent)
            yield Score(name=agent.value, level=round(kept if near is None else min(near, kept), 4))
