"""People are chosen by the message as it stands, beside the reading of what it needs."""

from collections.abc import Mapping

import pytest

from engine.directory.profile import Profile, Profiles
from engine.facts.data import Place
from engine.kernel import Ask, Recover
from engine.llm.asker import checked_answer
from engine.llm.port import Answer, Question, Returns
from engine.negotiation.answers import Candidate, Circumstances, Need, Shortlist, Understanding
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import EditDemand, RecordEarlyShortlist, RecordShortlist, SubmitDemand
from engine.negotiation.events import DemandUnderstood, FilterCompleted, RecoveryAttempted, ShortlistDrafted
from engine.negotiation.policy import FOR_PEOPLE, Policy
from engine.negotiation.state import Status
from engine.negotiation.terms import Parent
from engine.shortlist import WHOLE
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario
from tests.profiles.people import person

EARLY = ALONE.model_copy(update={"asks_early": True})
TEXT = "A room in Berlin for fifty, and two speakers"
ROOM = Need(need_id="need_1", what="a room", quote="A room in Berlin")
TALK = Need(need_id="need_2", what="speakers", quote="two speakers")
LIN, CHEN = "user_agent_lin", "user_agent_chen"
BOTH = {LIN: ("room",), CHEN: ("speakers",)}


def begun(policy: Policy = EARLY) -> Scenario:
    return Scenario(policy=policy).demand(TEXT)


def drafted(scenario: Scenario, quotes: Mapping[str, tuple[str, ...]] = BOTH) -> Scenario:
    listed = tuple(Candidate(agent_id=who, reason="fits", quotes=said) for who, said in quotes.items())
    return scenario.does(RecordEarlyShortlist, shortlist=Shortlist(definitely_related=listed), model="m")


def asks(*people: Profile) -> NegotiationAsks:
    found = people or (person("lin"), person("chen"))
    return NegotiationAsks(PROMPTS, Profiles({each.agent_id: each for each in found}))


def question(scenario: Scenario, *people: Profile, name: str = "filter") -> Question[Shortlist]:
    return asks(*people).compose(scenario.state, Ask(name=name, scope="filter", prompt="filter"))


def test_who_could_help_is_asked_beside_what_is_needed() -> None:
    begun().owing("understand", "filter")
    assert all(each.asks_early for each in FOR_PEOPLE.values())


def test_a_negotiation_of_before_asks_one_after_the_other() -> None:
    begun(ALONE).owing("understand")
    begun(ALONE).understood().then(DemandUnderstood).owing("filter")


def test_what_a_plan_lacks_is_known_so_nothing_is_asked_beside_it() -> None:
    Scenario(policy=EARLY).does(
        SubmitDemand,
        demand_id="d-00000001",
        channel_id="collab-00000001",
        requester_id=REQUESTER,
        raw_input=TEXT,
        policy=EARLY,
        parent=Parent(channel_id="collab-00000009", demand_id="d-00000009", demand="A party", gap_type="a room"),
        understanding=Understanding(surface_demand=TEXT),
    ).owing("filter")


@pytest.mark.parametrize("is_first", [True, False], ids=["the shortlist first", "the needs first"])
def test_people_are_asked_once_both_are_there(is_first: bool) -> None:
    scenario = begun()
    if is_first:
        drafted(scenario).then(ShortlistDrafted).owing()
        scenario.understood(needs=(ROOM, TALK)).then(DemandUnderstood).owing("filter")
    else:
        scenario.understood(needs=(ROOM, TALK)).then(DemandUnderstood).owing()
        drafted(scenario).then(ShortlistDrafted).owing("filter")


async def test_no_model_is_asked_again_where_everything_has_somebody() -> None:
    class Nobody:
        async def answer(self, question: Question[Returns]) -> Answer[Returns]:
            raise AssertionError("it is known already")

    scenario = drafted(begun()).understood(needs=(ROOM, TALK))
    answer = await checked_answer(Nobody(), question(scenario))
    command = asks().read(
        scenario.state,
        Ask(name="filter", scope="filter", prompt="filter"),
        PROMPTS["negotiation/filter"],
        answer,
        command_id="c",
        at=scenario.now,
    )

    assert isinstance(command, RecordShortlist)
    assert (command.model, dict(command.covers)) == ("m", {LIN: ("need_1",), CHEN: ("need_2",)})
    scenario.does(RecordShortlist, shortlist=command.shortlist, people=command.people, covers=command.covers)
    assert [each.covers for each in scenario.event(FilterCompleted).candidates] == [("need_1",), ("need_2",)]


@pytest.mark.parametrize(
    "quotes",
    [
        pytest.param({LIN: ("room",)}, id="nobody for a need"),
        pytest.param({LIN: (TEXT,), CHEN: (TEXT,)}, id="words that several needs rest on"),
        pytest.param({LIN: ("room",), CHEN: ("a cake",)}, id="words that no need rests on"),
        pytest.param({LIN: ("room",), "someone": ("speakers",)}, id="somebody whom nobody knows"),
        pytest.param({}, id="nobody at all"),
    ],
)
def test_what_nobody_was_found_for_is_looked_up_once_more(quotes: Mapping[str, tuple[str, ...]]) -> None:
    assert question(drafted(begun(), quotes).understood(needs=(ROOM, TALK))).known is None


def test_whoever_cannot_be_asked_counts_for_nobody() -> None:
    state = drafted(begun()).understood(needs=(ROOM, TALK))
    requester = person("chen", slack_user=REQUESTER)
    assert question(state, person("lin"), person("chen")).known is not None
    assert question(state, person("lin"), requester).known is None


def test_who_cannot_be_there_is_judged_by_a_model_that_knows_it() -> None:
    context = Circumstances(place=Place(city="Berlin"))
    state = drafted(begun()).understood(needs=(ROOM, TALK), context=context)
    far = person("chen", limits={"locations": ["Shenzhen"]})
    assert question(state, person("lin"), far).known is None


def test_of_many_people_nobody_is_chosen_before_the_needs_are_known() -> None:
    many = [person(f"p{number}") for number in range(WHOLE + 1)]
    early = question(begun(), *many, name="filter/early")
    assert early.known is not None
    assert early.known.value == Shortlist(definitely_related=())
    assert question(begun(), *many[:-1], name="filter/early").known is None


def test_another_wording_is_chosen_for_anew() -> None:
    scenario = drafted(begun()).does(EditDemand, by=REQUESTER, raw_input="A cake")
    scenario.owing("understand", "filter")
    assert scenario.state.early is None


def test_a_greeting_takes_back_what_was_asked_beside_it() -> None:
    scenario = begun().understood(kind="other", reply="Hello!").stands(Status.CANCELLED)
    assert "filter/early" in scenario.last.drop


def test_a_shortlist_that_comes_too_late_changes_nothing() -> None:
    drafted(begun().understood(kind="other", reply="Hello!")).then()
    drafted(drafted(begun())).then()


def test_a_shortlist_that_never_comes_is_asked_for_again() -> None:
    begun().understood().later(30).does(Recover).then(RecoveryAttempted).owing("filter")
