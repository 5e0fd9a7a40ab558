"""How much of many people prompt 2 holds."""

from bot.models import needed_prompts
from bot.registry import PROTOCOLS
from engine.files.profiles import load_company
from engine.negotiation.answers import Understanding
from engine.negotiation.demand.asks import eligible, fitting
from engine.negotiation.given import FilterGiven

MOST_TOKENS = 12_000
DEMAND = Understanding(surface_demand="上海办一场五十人的聚会 / a meetup in Shanghai")


def tokens_at_most(text: str) -> float:
    """More than tokenizers make of a text in these languages."""
    chinese = sum("\u3400" <= each <= "\u9fff" for each in text)
    return 1.2 * chinese + (len(text) - chinese) / 3.2


def test_forty_people_fit_into_the_prompt_and_none_is_left_out() -> None:
    everybody = [eligible(each, DEMAND) for each in load_company().values()]
    for start in range(0, len(everybody) - 40, 20):
        people = fitting(everybody[start : start + 40])
        given = FilterGiven(DEMAND, people, 10).values()
        said = "".join(
            map(str, needed_prompts(PROTOCOLS)["negotiation/filter"].render_parts(given, "0123456789abcdef"))
        )
        assert len(people) == 40
        assert tokens_at_most(said) < MOST_TOKENS


def test_a_few_are_given_whole() -> None:
    few = [eligible(each, DEMAND) for each in load_company().values()][:5]
    assert fitting(few) == tuple(few)
