"""Somebody of the reserve is asked themselves, since their twin cannot answer: they hear of it, and can answer."""

from collections.abc import AsyncIterator

import pytest

from bot.demo.oracle.playing import ScriptedModel
from bot.demo.oracle.scenarios import Scenario
from bot.views.negotiation.button_values import CORRECT
from engine.negotiation.policy import PRESETS
from engine.negotiation.state import Status
from engine.store.memory import MemoryStore
from tests.oracle.test_bench import PARTS

from . import home
from .driver import AYA, Driver, playing, text_of
from .test_direct import clicks, direct

DEMAND = {
    "demand": "A party with music and a cake",
    "people": {
        "mo": {"name": "Mo", "profile": "plays music"},
        "kim": {"name": "Kim", "profile": "bakes cakes"},
        "rita": {"name": "Rita", "user": AYA, "profile": "plays music as well"},
    },
    "answers": {
        "understand": {
            "surface_demand": "A party",
            "needs": [{"need_id": "need_1", "what": "music"}, {"need_id": "need_2", "what": "a cake"}],
        },
        "filter": {
            "definitely_related": [{"agent_id": "mo"}, {"agent_id": "kim"}],
            "possibly_related": [{"agent_id": "rita", "covers": ["need_1"]}],
        },
        "respond": {
            "mo": {"contribution": "plays", "covers": ["need_1"]},
            "kim": {"contribution": "bakes", "covers": ["need_2"]},
            "rita": "unavailable",
        },
        "feedback": {"mo": {"feedback_type": "withdraw", "reasoning": "I am ill"}},
    },
}


@pytest.fixture
async def it() -> AsyncIterator[Driver]:
    """Mo has left, Rita's twin is out of reach, and Rita herself is waited for."""
    scenario = Scenario.model_validate({"protocol": "negotiation"} | DEMAND)
    part = PARTS["negotiation"]
    policy = PRESETS["balanced"].model_copy(update={"human_window": 3600, "override_window": 30})
    async with playing(
        MemoryStore(),
        said_by=part.profiles(scenario),
        model=lambda _: ScriptedModel(scenario, part),
        policy=policy,
    ) as demo:
        it = await demo.asks(scenario.demand)
        await it.passes()
        assert (await it.state()).vacancies
        yield it


async def test_they_are_told_and_take_the_seat(it: Driver) -> None:
    [message] = await direct(it, AYA)
    assert "nobody covers music, and your twin could not answer" in text_of(message)
    page = await home.opens(it, AYA)
    assert "Asked for: music" in home.says(page)
    assert CORRECT in home.buttons(page)

    form = await clicks(it, AYA, CORRECT, message)
    assert form.modal is not None
    values = {"decision": {"decision": "participate"}, "contribution": {"contribution": "I bring my guitar"}}
    assert not (await it.demo.person(AYA).submit(form.modal, values)).errors
    await it.settles()

    state = await it.state()
    assert [each.agent_id for each in state.proposals[-1].assignments] == ["user_agent_rita", "user_agent_kim"]
    assert state.current is not None
    assert "user_agent_rita" in state.current.seats
    [told, *_] = await direct(it, AYA)
    assert "Answer…" not in text_of(told)
    assert CORRECT not in home.buttons(await home.opens(it, AYA))


async def test_who_does_not_answer_is_not_told_any_longer_that_they_could(it: Driver) -> None:
    while (await it.state()).awaits_decision is False and (await it.state()).is_open:
        await it.passes()

    state = await it.state()
    assert state.status is not Status.FINALIZED
    [told] = await direct(it, AYA)
    assert "Answer…" not in text_of(told)
    assert CORRECT not in home.buttons(await home.opens(it, AYA))
