"""People of one name are told apart wherever they stand: on cards, in questions to models, in plans."""

from engine.negotiation.demand.asks import told_apart
from engine.negotiation.terms import Person

ALEX = Person(agent_id="user_agent_alex", display_name="Alex Kim", user_id="U_ALEX")
ALSO_ALEX = Person(agent_id="user_agent_alex_2", display_name="alex kim", user_id="U_ALEX2")
BO = Person(agent_id="bo", display_name="Bo")


def named(*among: Person) -> list[str]:
    people = told_apart([ALEX, ALSO_ALEX, BO], {each.agent_id for each in among})
    return [each.display_name for each in people]


def test_two_of_one_name_have_what_they_are_called_besides() -> None:
    assert named(ALEX, ALSO_ALEX, BO) == ["Alex Kim (alex)", "alex kim (alex_2)", "Bo"]


def test_one_whose_namesake_is_not_among_them_keeps_the_name() -> None:
    assert named(ALEX, BO) == ["Alex Kim", "alex kim", "Bo"]
