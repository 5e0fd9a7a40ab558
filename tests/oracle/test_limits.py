"""Limits in words: no twin's accept stands against *broken*, against two readings that differ, nor by silence."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from bot.demo.negotiation.oracle import part
from bot.demo.oracle.cipher import encoding
from bot.demo.oracle.part import Played
from bot.demo.oracle.playing import play
from bot.demo.oracle.scenarios import Scenario
from bot.models import needed_prompts
from bot.registry import NEGOTIATION, PROTOCOLS

LIMITS: Final[list[dict[str, Any]]] = yaml.safe_load((Path(__file__).parent / "limits.yaml").read_text("utf-8"))[
    "limits"
]
every_limit: Final = pytest.mark.parametrize(
    "told", [pytest.param(each, id=f"{each['language']}-{number}") for number, each in enumerate(LIMITS)]
)
every_preset: Final = pytest.mark.parametrize("preset", ["balanced", "story05", "tech-v3", "t05-v4"])


def scenario(told: Mapping[str, Any], twin: str, reader: str, **fields: Any) -> Scenario:
    """Vera has the limit, and Hugo has a hall.

    Args:
        twin: what her twin says of the limit, of the demand and of the plan.
        reader: what the second reader says of it.
    """
    limit, demand = told["limit"], " ".join(filter(None, (told["demand"], told.get("bait"))))
    said = [{"claim": limit, "verdict": twin}]
    needs = [{"need_id": "need_1", "what": told["demand"]}, {"need_id": "need_2", "what": "hall"}]
    written = {
        "language": told["language"],
        "demand": demand,
        "people": {
            "vera": {"name": "Vera Quist", "user": "U_VERA", "profile": "An artist.", "from_now_on": [limit]},
            "hugo": {"name": "Hugo Ball", "user": "U_HUGO", "profile": "A hall."},
        },
        "answers": {
            "understand": {"surface_demand": told["demand"], "needs": needs},
            "respond": {
                "vera": {"covers": ["need_1"], "limits": said},
                "hugo": {"covers": ["need_2"]},
            },
            "feedback": {"vera": {"limits": said}},
            "verify": {"limits": [{"claim": limit, "verdict": reader}]},
        },
    }
    return Scenario.model_validate(written | fields)


async def played(written: Scenario) -> Played:
    with encoding():
        return await play(written, part(NEGOTIATION), needed_prompts(PROTOCOLS))


def votes(of: Played) -> list[str]:
    return [each["vera"] for each in of.seen["votes"].values() if "vera" in each]


@every_limit
async def test_a_model_that_reads_rightly_keeps_the_limit_and_holds_nobody_up(told: dict[str, Any]) -> None:
    verdict = "broken" if told["broken"] else "kept"

    of = await played(scenario(told, verdict, verdict))

    if told["broken"]:
        assert of.seen["offers"]["vera"] == "decline"
        assert "vera" not in (*of.seen["members"], *of.seen["confirmed"])
    else:
        assert votes(of) == ["accept"]
        assert of.seen["confirmed"] == ["hugo", "vera"]


@every_limit
async def test_a_twin_that_is_unsure_casts_no_vote(told: dict[str, Any]) -> None:
    of = await played(scenario(told, "unsure", "kept"))

    assert of.seen["offers"]["vera"] == "participate"
    assert votes(of)
    assert set(votes(of)) == {"silent"}
    assert "vera" not in of.seen["confirmed"]


@every_limit
async def test_the_accept_of_a_twin_that_was_talked_round_waits_for_its_person(told: dict[str, Any]) -> None:
    if not told["broken"]:
        return

    of = await played(scenario(told, "kept", "broken"))

    assert votes(of)
    assert not any(each.startswith("accept") for each in votes(of))
    assert "vera" not in of.seen["confirmed"]


@every_limit
async def test_the_accept_waits_where_the_second_reader_is_not_sure(told: dict[str, Any]) -> None:
    of = await played(scenario(told, "kept", "unsure"))

    assert votes(of)
    assert not any(each.startswith("accept") for each in votes(of))
    assert "vera" not in of.seen["confirmed"]


async def test_with_a_model_that_answers_rightly_at_most_one_right_accept_in_ten_waits() -> None:
    right = [each for each in LIMITS if not each["broken"]]
    waiting = [each for each in right if votes(await played(scenario(each, "kept", "kept"))) != ["accept"]]

    assert len(waiting) * 10 <= len(right)


async def test_a_reader_who_fails_doubts_nothing() -> None:
    right = next(each for each in LIMITS if not each["broken"])

    of = await played(scenario(right, "kept", "kept", answers=_with_reader(right, "unavailable")))

    assert votes(of) == ["accept"]


def _with_reader(told: Mapping[str, Any], said: Any) -> dict[str, Any]:
    return {**scenario(told, "kept", "kept").answers, "verify": said}


@every_preset
async def test_silence_agrees_under_no_preset(preset: str) -> None:
    for twin, reader in (("kept", "broken"), ("kept", "unsure"), ("unsure", "kept"), ("unsure", "unavailable")):
        of = await played(scenario(LIMITS[0], twin, reader, policy={"preset": preset, "human_window": 60}))

        assert not any(each.startswith("accept") for each in votes(of))
        assert "vera" not in of.seen["confirmed"]


@every_limit
async def test_the_owners_own_words_in_the_demand_cost_one_question(told: dict[str, Any]) -> None:
    """Somebody wrote exactly these words as what they never do, and a model says that it is kept."""
    word = told["demand"].split()[0]
    written = scenario(told, "kept", "kept")
    people = {"vera": written.people["vera"].model_copy(update={"from_now_on": (), "limits": {"never": [word]}})}
    answers = {
        "feedback": {},
        "verify": {},
        "respond": {"vera": {"covers": ["need_1"]}, "hugo": {"covers": ["need_2"]}},
    }

    of = await played(
        written.model_copy(update={"people": {**written.people, **people}, "answers": {**written.answers, **answers}})
    )

    assert not any(each == "accept" for each in votes(of))
    assert "vera" not in of.seen["confirmed"]


async def test_nothing_of_a_limit_is_read_by_others_than_its_owner() -> None:
    canary = "No velvet umbrellas, ever."
    told = {"language": "en", "limit": canary, "demand": "An evening."}
    for twin, reader in (
        ("kept", "kept"),
        ("kept", "unsure"),
        ("kept", "broken"),
        ("unsure", "kept"),
        ("broken", "broken"),
    ):
        of = await played(scenario(told, twin, reader))

        assert not any("umbrellas" in each for each in of.public)
        assert not any("umbrellas" in str(each) for each in of.seen["marks"])
