"""Names the steps that a model does, in words that a stranger understands."""

from collections.abc import Mapping

from bot.texts import Texts


def step_names(texts: Texts) -> Mapping[str, str]:
    """Return the name of each step that concerns everybody, by its prompt."""
    return {
        "understand": texts.say("reading the demand"),
        "filter": texts.say("choosing whom to ask"),
        "aggregate": texts.say("weaving the proposal"),
        "adjust": texts.say("adjusting the proposal"),
        "verify": texts.say("looking at the plan once more"),
        "read_request": texts.say("reading a wish"),
        "gaps": texts.say("looking for what the plan lacks"),
        "recurse": texts.say("deciding whether others are asked for it"),
        "compromise": texts.say("looking for a way out"),
    }
