"""What a model is asked about somebody's limits, and what is made of its answer."""

from typing import Any

import pytest

from bot.models import needed_prompts, offline_model
from bot.registry import PROTOCOLS
from engine.directory.asks import READ_WITHIN, DirectoryAsks, LimitRead, ProfileRead
from engine.directory.messages import LoadProfiles, ReadProfiles, RecordReading
from engine.directory.profile import Limits, Profile, Profiles, Request, TwinTerms, Words
from engine.directory.rules import RULEBOOK
from engine.directory.state import Directory
from engine.errors import ModelTimeout
from engine.facts.data import Days
from engine.kernel import Ask, Command, plain
from engine.llm.port import Answer
from engine.llm.schema import answer_schema
from tests.profiles.people import person

NONCE = "k3v9q2x7"
AT = 1_795_745_000_000
AYAS = "user_agent_aya"
AYA = person(
    "aya",
    slack_user="U_AYA",
    location="Lisboa",
    profile_summary="quokkasummary " * 20,
    limits=Limits(never=("durante la noche",), busy=Words(said="quokkabusy"), max_attendees=41),
    preferences=TwinTerms(asks=(Request(change=Words(said="quokkaask"), because=Words(said="quokkawhy")),)),
    from_now_on=("não às segundas",),
)
BO = person("bo", from_now_on=("quokkaother",))
ASKS = DirectoryAsks(needed_prompts(PROTOCOLS), Profiles({}))


def asked(*people: Profile) -> tuple[Directory, Ask]:
    state: Any = RULEBOOK.initial
    commands: tuple[Command, ...] = (
        LoadProfiles(command_id="1", at=AT, profiles=people),
        ReadProfiles(command_id="2", at=AT, agent_ids=(AYAS,), with_model=True),
    )
    decision = None
    for each in commands:
        decision = RULEBOOK.decide(state, each)
        for event in decision.events:
            state = RULEBOOK.evolve(state, event)
    assert decision is not None
    [ask] = decision.effects
    assert isinstance(ask, Ask)
    return state, ask


def recorded(*limits: Any) -> RecordReading:
    state, ask = asked(AYA, BO)
    question = ASKS.compose(state, ask)
    answer = Answer(ProfileRead.checked({"limits": limits}), "claude")
    found = ASKS.read(state, ask, question.prompt, answer, command_id="3", at=AT)
    assert isinstance(found, RecordReading)
    return found


def test_it_is_given_the_lines_and_where_the_person_is_and_nothing_else() -> None:
    question = ASKS.compose(*asked(AYA, BO))

    assert plain(question.given["lines"]) == [
        {"number": 1, "said_as": "never", "words": "durante la noche"},
        {"number": 2, "said_as": "from_now_on", "words": "não às segundas"},
    ]
    assert question.given["location"] == "Lisboa"
    assert question.until == AT + READ_WITHIN
    assert plain(question.given["today"]) == {"date": "2026-11-27", "weekday": "Friday"}
    text = question.prompt.render(question.given, NONCE)
    assert "quokka" not in text
    assert "41" not in text


def test_a_line_becomes_data_by_its_number_and_others_stay_in_words() -> None:
    found = recorded({"number": 2, "data": {"kind": "days", "weekdays": ["mon"], "allowed": False}, "scope": "own"})

    assert [(each.words, each.data, each.state) for each in found.limits] == [
        ("durante la noche", None, "read"),
        ("não às segundas", Days(weekdays=("mon",), allowed=False), "read"),
    ]


@pytest.mark.parametrize(
    "limit",
    [
        pytest.param({"number": 7, "data": {"kind": "people", "at_most": 3}}, id="no such line"),
        pytest.param({"number": 1, "data": {"kind": "mood", "at_most": 3}}, id="no such kind"),
        pytest.param({"number": 1, "data": {"kind": "people"}}, id="it demands nothing"),
        pytest.param({"number": 1, "data": None}, id="no data"),
        pytest.param({"number": 1}, id="left out"),
    ],
)
def test_what_is_no_datum_of_a_line_is_nothing(limit: Any) -> None:
    assert [each.data for each in recorded(limit).limits] == [None, None]


def test_of_two_answers_about_one_line_the_first_counts() -> None:
    few, many = ({"number": 1, "data": {"kind": "people", "at_most": each}} for each in (3, 30))
    [first, _] = recorded(few, many).limits
    assert first.data == LimitRead.checked(few).data


def test_without_an_answer_nothing_is_read() -> None:
    state, ask = asked(AYA)
    found = ASKS.fallback(state, ask, ModelTimeout("too slow"), command_id="3", at=AT)
    assert found == RecordReading(command_id="3", at=AT, agent_id=AYAS, error="ModelTimeout")


def test_its_schema_is_within_the_bounds_of_the_interface() -> None:
    assert answer_schema(ProfileRead)


async def test_rules_leave_every_line_in_words_until_a_model_reads_it() -> None:
    state, ask = asked(AYA)
    question = ASKS.compose(state, ask)

    answer = await offline_model(PROTOCOLS).answer(question)

    found = ASKS.read(state, ask, question.prompt, answer, command_id="3", at=AT)
    for event in RULEBOOK.decide(state, found).events:
        state = RULEBOOK.evolve(state, event)
    entry = state.entry(AYAS)
    assert [each.words for each in entry.unread(with_model=True)] == ["durante la noche", "não às segundas"]
    assert entry.unread(with_model=False) == ()
