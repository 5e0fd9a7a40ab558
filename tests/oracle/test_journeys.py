"""The whole product, from a demand in Slack to a delivery: in cipher the posts have the same form as in clear."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest

from bot.demo.negotiation.oracle import profiles
from bot.demo.oracle.cipher import Cipher, enciphered, encoding, names_in
from bot.demo.oracle.playing import ScriptedModel
from bot.demo.oracle.scenarios import Scenario
from bot.local_slack import Message
from bot.views.kit.handover import CARRY_OUT, PLAN_IT
from bot.views.negotiation.button_values import PROCEED
from engine.llm.port import Answer, Question, Returns
from engine.store.memory import MemoryStore
from tests.bot.driver import ACCEPT, AYA, BO, EVERYBODY, NEGOTIATE, YOU, Driver, playing, shows

from .test_bench import PARTS

KEPT: Final = frozenset({"type", "action_id", "style", "callback_id", "visible_to", "key", "emoji", "verbatim"})
"""What of a post is no text."""
TEXTS: Final = frozenset({"text"})
_MADE: Final = re.compile(r"(?:collab|plan|run|d|demand|delivery)-[0-9a-z]{6,}|https?://[^\s|>]+|<!date[^>]*>")

DEMANDS: Final[Mapping[str, tuple[str, str, str]]] = {
    "en": ("Restore the crashed billing database.", "Backups and recovery.", "Rather in the evening, please."),
    "zh": ("谁能恢复崩溃的账务库", "备份与恢复。", "最好晚上。"),
    "de": ("Wer erneuert die Bohlen am Steg?", "Stege und Bootshäuser.", "Lieber am Abend."),
    "ja": ("けが人の手当てができる人を探しています", "応急処置の講習。", "夜がいいです。"),
    "ar": ("من يعلّم الأطفال الخطّ؟", "أكتب اللوحات.", "أفضّل المساء."),
}
"""By language: a demand, what somebody says of themselves, and a wish. A title drops a full stop."""


def journey(language: str) -> Scenario:
    demand, profile, wish = DEMANDS[language]
    return Scenario.model_validate(
        {
            "language": language,
            "demand": demand,
            "about": wish,
            "people": {
                "aya": {"name": "Aya", "user": AYA, "profile": profile},
                "bo": {"name": "Bo", "user": BO, "profile": wish},
            },
            "answers": {
                "understand": {
                    "needs": [
                        {"need_id": "need_1", "what": demand},
                        {"need_id": "need_2", "what": profile, "essential": False},
                    ]
                },
                "respond": {
                    "aya": {"contribution": profile, "covers": [{"need_id": "need_1", "quote": profile}]},
                    "bo": {"contribution": wish, "covers": ["need_2"]},
                },
                "adjust": {2: {"summary": f"{demand} {wish}"}},
            },
        }
    )


@dataclass
class Everything:
    """Answers the questions of all protocols, each as its own scenario says."""

    models: Mapping[str, ScriptedModel]

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        return await self.models[question.prompt.name.partition("/")[0]].answer(question)


def model(scenario: Scenario) -> Everything:
    plain = scenario.model_copy(update={"answers": {}})
    return Everything(
        {name: ScriptedModel(scenario if name == "negotiation" else plain, part) for name, part in PARTS.items()}
    )


def form(value: Any, name: str = "") -> Any:
    """A post as data: its texts, without the ids that are made anew each time, and of ids nothing."""
    match value:
        case dict():
            return {key: form(each, key) for key, each in value.items()}
        case list():
            return [form(each, name) for each in value]
        case str():
            return value if name in KEPT else _MADE.sub("...", value) if name in TEXTS else "..."
        case _:
            return value


def forms(messages: list[Message]) -> list[Any]:
    return [
        [each.visible_to, sorted(each.reactions), each.thread_ts is None, form(each.metadata), form(each.blocks)]
        for each in messages
    ]


def differing(one: Any, other: Any, cipher: Cipher, at: str = "") -> list[str]:
    """Where the second is not the first one, with what people and models said in cipher."""
    match one, other:
        case dict(), dict() if one.keys() == other.keys():
            return [said for key in one for said in differing(one[key], other[key], cipher, f"{at}.{key}")]
        case list(), list() if len(one) == len(other):
            pairs = enumerate(zip(one, other, strict=True))
            return [said for number, pair in pairs for said in differing(*pair, cipher, f"{at}.{number}")]
        case str(), str():
            return [] if cipher.is_same(one, other) else [f"{at} is {one!r} in clear, and {cipher.back(other)!r}"]
        case _:
            return [] if one == other else [f"{at} is {one!r} in clear, and {other!r}"]


async def seen(it: Driver) -> dict[str, Any]:
    """What each person sees: the channel, their direct messages, and their Home."""
    found: dict[str, Any] = {}
    for user in EVERYBODY:
        person = it.demo.person(user)
        home = await person.open_home()
        direct = await person.conversation((await person.dm()).id)
        found[user] = [forms(await it.everything(user)), forms(direct), form(home.blocks) if home else None]
    return found


async def travelled(scenario: Scenario) -> list[dict[str, Any]]:
    """A demand, a wish, an agreement, a plan that is argued out, and a delivery: what is seen after each step."""
    steps = []
    async with playing(MemoryStore(), said_by=profiles(scenario), model=lambda _: model(scenario)) as nobody:
        it = await nobody.asks(scenario.demand)
        steps.append(await seen(it))
        await it.says(BO, NEGOTIATE, scenario.about)
        await it.clicks(AYA, ACCEPT)
        await it.time_is_up()
        steps.append(await seen(it))
        await it.goes_on()
        steps.append(await seen(it))
        agreed = next(each for each in reversed(await it.thread()) if shows(each, PROCEED))
        await it.goes(YOU, PLAN_IT, card=agreed)
        steps.append(await seen(it))
        argued = next(each for each in reversed(await it.thread()) if shows(each, CARRY_OUT))
        await it.clicks(YOU, CARRY_OUT, card=argued)
        steps.append(await seen(it))
    return steps


@pytest.mark.parametrize("language", DEMANDS)
async def test_in_cipher_the_posts_have_the_same_form(language: str) -> None:
    scenario = journey(language)
    cipher = Cipher((*names_in(scenario), "Aya", "Bo", "You", "Eve", "Admin"))
    turned = enciphered(scenario.model_copy(update={"about": ""}), cipher).model_copy(
        update={"about": cipher.turned(scenario.about)}
    )

    with encoding():
        clear = await travelled(scenario)
    with encoding(cipher.back):
        in_cipher = await travelled(turned)

    assert len(clear) == len(in_cipher)
    for one, other in zip(clear, in_cipher, strict=True):
        assert differing(one, other, cipher) == []
