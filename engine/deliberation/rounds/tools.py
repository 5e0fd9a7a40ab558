"""What the Planner and the Critic may call before they answer. The moment and the time zone are the session's."""

from typing import Annotated, Any, Final

from pydantic import Field

from engine.deliberation.rounds.positions import compare
from engine.deliberation.state import Deliberation
from engine.facts.answer_fields import Texts
from engine.kernel import ModelAnswer
from engine.llm.encoder import Meaning, meaning
from engine.llm.tools import Tool, ToolRefused, ToolUnavailable, time_tools

MOST_TEXTS: Final = 4
"""Each has a vector of some hundred numbers, which a model pays for as it reads them."""
DIGITS: Final = 2
"""Of each number of a vector, as in seed 001, section 3.1."""


class TextsToCompare(ModelAnswer):
    texts: Annotated[
        Texts,
        Field(description=f"Two to {MOST_TEXTS} positions: each a conclusion and its reasons, in a sentence or two."),
    ]


def compare_positions(texts: tuple[str, ...], encoder: Meaning) -> dict[str, Any]:
    """Compare positions as the Host does (seed 001, section 3.1).

    Raises:
        ToolRefused: there are too few texts, or too many.
        ToolUnavailable: there is no encoder of sentences.
        NotKnownYet: within `engine.llm.encoder.only_known`.
    """
    if not 2 <= len(texts) <= MOST_TEXTS:
        raise ToolRefused(f"Give two to {MOST_TEXTS} texts.")
    vectors = encoder.vectors(texts)
    if not vectors:
        raise ToolUnavailable("There is nothing here that could compare meanings.")
    found = compare(vectors)
    return {
        "embeddings": [[round(number, DIGITS) for number in vector] for vector in found.embeddings],
        "similarity_matrix": [[round(level, 4) for level in row] for row in found.similarity_matrix],
        "mean_similarity": round(found.mean_similarity, 4),
        "most_different_pair": [*(found.most_different_pair or (0, 1))],
        "most_different_similarity": round(found.most_different_similarity, 4),
    }


def tools_for(state: Deliberation, encoder: Meaning | None = None) -> tuple[Tool[Any], ...]:
    """Now is when something last happened in the session, so that the same question is told the same."""
    return (
        *time_tools(state.brief.time_zone or "UTC", state.updated_at),
        Tool(
            name="compare_positions",
            description=(
                "Returns how near positions are in meaning, from 0 to 1, as the Host measures it: for every pair, on"
                " average, and which two are the most different. Texts that are near may still say opposite things:"
                " what agrees is your decision, choice, days, owners and numbers."
            ),
            takes=TextsToCompare,
            run=lambda asked: compare_positions(asked.texts, encoder or meaning()),
        ),
    )
