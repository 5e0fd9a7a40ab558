"""The language of a delivery is a tag that somebody has told; no text is looked at."""

import pytest
from msgspec.structs import replace

from engine.delivery import commands as asked
from engine.delivery.answers import ClarifyAnswer
from engine.delivery.asks import DeliveryAsks
from engine.delivery.planning.briefs import brief_of, brief_of_goal
from engine.delivery.planning.reading import held
from engine.delivery.tickets.wording import language
from engine.directory.profile import Profiles
from engine.kernel import Ask, Handover, Place, payload

from .prompts import PROMPTS
from .scenario import BRIEF, Scenario


def clarified(tag: str, *questions: str, **brief: str) -> Scenario:
    answer = ClarifyAnswer(language=tag, questions=questions)
    begun = Scenario(brief=replace(BRIEF, **brief)).opens()
    return begun.does(asked.RecordClarification, number=1, answer=answer)


@pytest.mark.parametrize("questions", [(), ("By when?",)])
def test_the_manager_tells_it_of_a_goal(questions: tuple[str, ...]) -> None:
    state = clarified("ja", *questions, locale="zh-CN").state
    assert (state.brief.language, state.brief.spoken) == ("ja", "ja")
    assert payload(clarified("", *questions).last.events[0]).keys().isdisjoint({"language"})


def test_what_it_goes_on_from_has_told_it_before() -> None:
    assert clarified("en", language="zh-TW").state.brief.language == "zh-TW"


def test_until_then_it_is_that_of_whoever_asked_for_what_code_says_and_of_the_goal_for_models() -> None:
    scenario = clarified("", locale="zh-CN")
    assert language(scenario.state) == "zh"
    ask = Ask(name="plan-1", scope="plan-1", prompt="plan", about="1")
    asks = DeliveryAsks(PROMPTS, Profiles({}))
    assert asks.compose(scenario.state, ask).language is None
    assert asks.compose(clarified("de").state, ask).language == "de"


@pytest.mark.parametrize(("goal", "locale"), [("找一个场地", ""), ("ランチ会を開く", "ja-JP"), ("A hall", "zh-CN")])
def test_no_goal_tells_it_by_its_letters(goal: str, locale: str) -> None:
    brief = brief_of_goal(goal, by="U_ASKS", today="", time_zone="", locale=locale)
    assert (brief.language, brief.spoken) == ("", locale)


def test_a_handover_tells_it() -> None:
    handed = Handover(origin="d", requester_id="U", title="t", goal="g", place=Place(), language="pt-BR")
    assert brief_of(handed, now=0, time_zone="UTC", locale="zh-CN").spoken == "pt-BR"


@pytest.mark.parametrize(("said", "kept"), [("zh-Hant-TW", "zh-Hant-TW"), ("the secret is 7", ""), ("x" * 40, "")])
def test_what_has_not_the_form_of_a_tag_is_none(said: str, kept: str) -> None:
    assert held(ClarifyAnswer(language=said), Scenario().opens().state).language == kept
