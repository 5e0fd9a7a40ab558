"""Cards and Home say of a model that it is not asked just now, in words that name the machine and nobody else."""

from collections.abc import Mapping
from typing import Final

import pytest

from bot.texts import texts_in
from bot.views.deliberation import thread as argued
from bot.views.delivery import thread as carried_out
from bot.views.kit.fit import LONGEST_MESSAGE, size
from bot.views.kit.heading import model_line, paused_line
from bot.views.kit.post import Post
from bot.views.negotiation import presenter
from engine.facts.language import Language
from engine.llm.port import ModelStanding, Pause, PauseCause
from tests.deliberation import scenario as deliberation
from tests.delivery import scenario as delivery
from tests.views.message_contents import shown
from tests.views.stories import voting

NOON: Final = 1_800_000_000_000
TIME: Final = f"<!date^{NOON // 1000}^{{date_short_pretty}}, {{time}}|2027-01-15 08:00 UTC>"
BUSY, SILENT = Pause(PauseCause.BUSY, NOON), Pause(PauseCause.SILENT, NOON)
SAID: Final[Mapping[tuple[Language, Pause], str]] = {
    ("en", BUSY): f"⏸️ The model is busy; going on at about {TIME}. Deadlines are put off for as long",
    ("en", SILENT): f"⏸️ The model does not answer just now; it is asked again at about {TIME}",
    ("zh", BUSY): f"⏸️ 模型繁忙，大约 {TIME} 继续；截止时间相应顺延".replace("pretty}, ", "pretty} "),
    ("zh", SILENT): f"⏸️ 模型暂时没有回应，大约 {TIME} 再试".replace("pretty}, ", "pretty} "),
}


def cards(language: Language, pause: Pause | None) -> dict[str, list[Post]]:
    """The posts of a thread, by protocol; the first is the card that stays."""
    texts = texts_in(language)
    demand = {"en": "An AI meetup for 50 people", "zh": "办一场五十人的聚会"}[language]
    return {
        "negotiation": [*presenter.posts(voting("aya", "bo", demand=demand).state, pause=pause)],
        "deliberation": argued.posts(deliberation.opened().state, texts, pause),
        "delivery": carried_out.posts(delivery.opened().state, texts, pause),
    }


@pytest.mark.parametrize("protocol", ["negotiation", "deliberation", "delivery"])
@pytest.mark.parametrize(("language", "pause"), SAID)
def test_the_card_says_it_and_no_other_post(protocol: str, language: Language, pause: Pause) -> None:
    card, *others = cards(language, pause)[protocol]
    usual, *those = cards(language, None)[protocol]
    assert SAID[language, pause] in shown(card)
    assert shown(usual) in shown(card).replace(f"\n{SAID[language, pause]}", "")
    assert "⏸️" not in shown(usual)
    assert [each.digest for each in others] == [each.digest for each in those]
    assert card.text == usual.text, "which is what notifies"
    assert size(card.blocks) <= LONGEST_MESSAGE


def test_where_it_goes_on_nothing_is_said() -> None:
    assert paused_line(None, texts_in("en")) == ""


@pytest.mark.parametrize(
    ("standing", "english", "chinese"),
    [
        pytest.param(ModelStanding(0, False, 0), "• No question waits for the model", "没有问题在等待模型", id="well"),
        pytest.param(
            ModelStanding(3, False, NOON),
            "• The model is busy; 3 questions wait, and are asked by about <!date",
            "模型繁忙，3 个问题在等待，大约 <!date",
            id="busy",
        ),
        pytest.param(
            ModelStanding(1, False, 0), "• The model is busy; 1 question waits", "模型繁忙，1 个问题", id="not known"
        ),
        pytest.param(
            ModelStanding(0, True, NOON),
            "• ⚠️ The model has not answered and is asked again at about <!date",
            "模型没有回应，大约 <!date",
            id="silent",
        ),
    ],
)
def test_admins_are_told_how_the_model_stands(standing: ModelStanding, english: str, chinese: str) -> None:
    assert model_line(standing, texts_in("en")).startswith(english)
    assert chinese in model_line(standing, texts_in("zh"))
