"""Who cannot any more is told to them and to whoever asked; that another time is looked for, to everybody."""

from collections.abc import Sequence

from msgspec.structs import replace

from bot.views.kit.post import Post
from bot.views.negotiation.button_values import AGREE_TO_TIME, FIND_TIME, GIVE_UP, KEEP_TIME, REFUSE_TIMES
from bot.views.negotiation.presenter import posts
from engine.facts.data import Days
from engine.negotiation.commands import EraseWords
from engine.negotiation.state import Negotiation
from tests.llm.prompt_cases import CHEN, LIN, ZHOU
from tests.negotiation.afterwards.test_conflicts import asking, away, looked, says, settled
from tests.negotiation.scenario import REQUESTER, Scenario
from tests.views.message_contents import buttons, whole

YEAR = Days(first="2027-01-01", last="2027-12-31", allowed=False)


def told(state: Negotiation) -> Sequence[Post]:
    return [each for each in posts(state) if each.key.startswith(("conflict-", "times-"))]


def by_key(state: Negotiation) -> dict[str, Post]:
    return {each.key: each for each in told(state)}


def as_chen(scenario: Scenario) -> Negotiation:
    """Whoever asked has Chen's part themselves."""
    invited = scenario.state.invited
    return replace(scenario.state, invited={**invited, CHEN: replace(invited[CHEN], user_id=REQUESTER)})


def test_each_of_the_two_has_a_message_with_what_is_theirs_to_do() -> None:
    found = by_key(away(settled()).state)
    own, asked = found[f"conflict-1/{CHEN}"], found[f"conflict-1-asked/{CHEN}"]
    assert {each.to for each in found.values()} == {"U_CHEN", REQUESTER}
    assert {FIND_TIME, KEEP_TIME, GIVE_UP} <= {*buttons(own)}
    assert {*buttons(asked)} & {FIND_TIME, KEEP_TIME, GIVE_UP} == {FIND_TIME}


def test_whoever_asked_and_has_the_part_themselves_has_one_message() -> None:
    state = as_chen(away(settled()))
    assert [(each.key, each.to) for each in told(state)] == [(f"conflict-1/{CHEN}", REQUESTER)]


def test_of_somebody_who_is_linked_to_nobody_whoever_asked_alone_is_told() -> None:
    state = looked(settled(), {ZHOU: (YEAR,)}).state
    assert [(each.key, each.to) for each in told(state)] == [(f"conflict-1-asked/{ZHOU}", REQUESTER)]


def test_whoever_asked_alone_reads_who_is_in_the_way_where_there_is_no_time() -> None:
    found = by_key(looked(settled(), {CHEN: (YEAR,), LIN: (YEAR,)}).state)
    assert "Who cannot at the nearest times" in whole(found[f"conflict-1-asked/{CHEN}"])
    assert "Who cannot at the nearest times" not in whole(found[f"conflict-1/{CHEN}"])
    assert FIND_TIME not in buttons(found[f"conflict-1-asked/{CHEN}"])


def test_each_is_asked_once_and_nobody_is_named() -> None:
    scenario = asking(away(settled()))
    found = {each.key: each for each in told(scenario.state) if each.key.startswith("times-1")}
    assert {each.to for each in found.values()} == {"", "U_CHEN", "U_LIN", REQUESTER}
    assert all("Chen" not in whole(each) for each in found.values())
    assert not buttons(found["times-1"])
    assert {AGREE_TO_TIME, REFUSE_TIMES} <= {*buttons(found["times-1/U_LIN"])}

    says(scenario, "U_LIN", 0)
    mine = by_key(scenario.state)["times-1/U_LIN"]
    assert "✓ You can then" in whole(mine)
    assert "1 of 3 have answered" in whole(mine)


def test_what_is_over_asks_nothing_and_is_not_sent_any_more() -> None:
    scenario = says(asking(away(settled())), "U_LIN", None)
    for each in told(scenario.state):
        assert not {AGREE_TO_TIME, REFUSE_TIMES} & {*buttons(each)}
        assert each.is_late or each.key == "times-1" or each.key.startswith("conflict-")


def test_nothing_is_told_of_it_once_its_words_were_erased() -> None:
    scenario = asking(away(settled())).does(EraseWords, whose="")
    assert told(scenario.state) == []
