"""Whatever people and models write, with a model that obeys it: nobody's secrets are told, and everybody decides for
themselves.
"""

import logging
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from engine.directory.profile import Condition, Leave, Limits, Request, TwinTerms, Words
from engine.facts.quoting import letters
from engine.facts.shortening import visible
from engine.negotiation.state import Status

from .obedient import NEEDS, ObedientModel, prompt_of
from .stage import AYA, BO, CY, DEE, DEMAND, TALENTS, WHERE, WISH, Cast, Stage, negotiated, profile, secret

CASES: Final = yaml.safe_load(Path(__file__).with_name("corpus.yaml").read_text("utf-8"))
OTHERS: Final = (BO, CY, DEE)
SECRETS: Final = {secret(name, where): f"user_agent_{name}" for name in TALENTS for where in WHERE}


def cast_of(where: str, text: str) -> Cast:
    kind, _, name = where.partition(".")
    match kind:
        case "demand":
            return Cast(demand=f"{DEMAND}. {text}")
        case "name":
            return Cast(fields={"user_name": text})
        case "profile":
            return Cast(fields=written(name, text), model=ObedientModel(author=AYA))
        case "offer":
            return Cast(model=ObedientModel(author=AYA, says={"respond": text}))
        case "vote":
            return Cast(model=ObedientModel(author=AYA, says={"feedback": text}))
        case "answer":
            return Cast(model=ObedientModel(answers={name: text}))
    raise KeyError(where)


def written(name: str, text: str) -> Mapping[str, Any]:
    """The fields of Aya's profile in which this text stands."""
    own = profile("aya")
    words = Words(en=text)
    limits, preferences = own.limits, own.preferences
    match name:
        case "capabilities":
            return {"capabilities": {"planning": f"I plan the evening. {text}"}}
        case "tags":
            return {"tags": ("planning", text)}
        case "interests" | "languages":
            return {name: (text,)}
        case "never":
            return {"limits": limits.model_copy(update={"never": (*limits.never, text)})}
        case "busy":
            return {"limits": Limits(busy=words, never=limits.never)}
        case "condition":
            asked = (Condition(text=words),)
            return {"preferences": preferences.model_copy(update={"conditions": asked})}
        case "ask":
            return {"preferences": preferences.model_copy(update={"asks": (Request(change=words, because=words),)})}
        case "leaves_if":
            leave = Leave(plan_says=(secret("aya", "plan_says"),), because=words)
            return {"preferences": TwinTerms(leaves_if=(leave,))}
    return {name: text}


_BASELINE: Final[dict[str, Stage]] = {}


async def baseline(author: str) -> Stage:
    """What comes of it where nobody writes anything of the kind; Aya asks for something of her own, or does not."""
    if author not in _BASELINE:
        model = ObedientModel(author=AYA, says={"feedback": "Begin with the list of guests"}) if author else None
        _BASELINE[author] = await negotiated(Cast(model=model) if model else Cast())
    return _BASELINE[author]


@cache
def forms(text: str) -> tuple[str, str]:
    return letters(text), letters(text)[::-1]


def told(text: str) -> set[str]:
    """Whose secrets a text gives away, in whatever spelling."""
    said = letters(text)
    return {whose for each, whose in SECRETS.items() if any(form in said for form in forms(each))}


def marks(number: int) -> tuple[pytest.MarkDecorator, ...]:
    """One case of eight is tried whenever tests run, the others are exhaustive; of the two languages that stand one
    after the other, now this and now that.
    """
    return () if number % 8 == number // 8 % 2 else (pytest.mark.exhaustive,)


@pytest.mark.parametrize(
    "case", [pytest.param(each, id=each["id"], marks=marks(number)) for number, each in enumerate(CASES)]
)
async def test_nobody_is_talked_into_anything(case: Mapping[str, str], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    where = case["where"]
    stage = await negotiated(cast_of(where, case["text"]))

    # ── what is for one's own twin alone reaches nobody else ──
    for asked in stage.asked:
        whose = told(asked)
        prompt = prompt_of(asked)
        assert not whose or (prompt in ("respond", "feedback") and len(whose) == 1) or prompt == "verify"
    assert {each for event in stage.events for each in told(event)} == set()
    assert not told(caplog.text)
    # ── nobody else is left out, voted for or answered in their stead ──
    usual = await baseline("aya" if where.startswith("vote") else "")
    assert where != "profile.busy" or AYA not in stage.state.invited  # who says that they are busy is not asked
    left_out = ({*OTHERS} & {*usual.state.invited}) - {*stage.state.invited}
    if left_out:
        # Whom a model does not choose nobody is made to ask; then the plan says what it lacks, and is not called whole.
        final = stage.state.final
        assert final is not None
        assert stage.state.status is Status.FORCE_FINALIZED
        lacking = {NEEDS[TALENTS[each.removeprefix("user_agent_")][0]] for each in left_out}
        assert lacking <= {*final.uncovered_needs}
        return
    assert stage.state.status is usual.state.status
    assert stage.seated - {AYA} == usual.seated - {AYA}
    # Whoever asks for more makes another round, in which the others stay with what they have said.
    later = {(each, number): "accept" for each in OTHERS for number in range(1, 6) if number > usual.state.round}
    assert others(stage.votes).items() <= (others(usual.votes) | later).items()
    assert others(usual.votes).items() <= stage.votes.items()
    for agent_id in OTHERS:
        assert {how for how, _ in stage.answered(agent_id)} == {how for how, _ in usual.answered(agent_id)}
    # Its own twin may be made to say more, where all read the same; nobody puts words into its mouth otherwise.
    speaks_for_all = where == "demand" or where == "answer.feedback"
    assert all(text == WISH or (speaks_for_all and text.startswith(WISH)) for _, text in stage.answered(BO))
    # ── nobody promises what somebody else has written; what the demand or a plan asks for, they vote on ──
    plan = stage.state.final.final_proposal if stage.state.final else None
    assert plan is not None
    if where.startswith(("profile", "offer", "vote")):
        said = "\n".join(each.responsibility for each in plan.assignments if each.agent_id != AYA)
        assert "dinner" not in said
        assert "晚餐" not in said
    # ── and nothing that a model has written is hidden or turned around ──
    assert all(visible(each) == each for each in texts_of(plan))


def others(votes: Mapping[tuple[str, int], str]) -> dict[tuple[str, int], str]:
    return {key: vote for key, vote in votes.items() if key[0] != AYA}


def texts_of(plan: Any) -> list[str]:
    return [plan.summary, plan.objective, *(each.responsibility for each in plan.assignments)]
