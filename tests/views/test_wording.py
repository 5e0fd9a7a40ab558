"""One word for one thing, and nothing in a sentence that only the code knows."""

import re
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.texts import texts_in
from bot.views.deliberation.thread import posts as deliberation_posts
from bot.views.delivery.thread import posts as delivery_posts
from bot.views.kit.post import Post
from bot.views.kit.settings_part import fields
from bot.views.negotiation.presenter import posts
from bot.views.negotiation.settings import NegotiationSettings
from engine.deliberation.state import Deliberation
from engine.delivery.state import Delivery
from engine.directory.messages import Settings
from engine.facts.language import Language
from engine.negotiation.policy import PRESETS
from engine.negotiation.state import Negotiation
from tests.examples import examples
from tests.views.corpus import negotiations
from tests.views.deliberations import deliberations
from tests.views.deliveries import deliveries
from tests.views.message_contents import shown
from tests.views.test_texts import chinese

few = settings(
    max_examples=examples(10), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
HOUSE_WORDS: Final = re.compile(
    r"\bseats?\b|\bstreams?\b|\bsubnets?\b|\bpayload|\bdegraded\b|\bE0\d\d\b|\bneed_\d|席位|子网|降级", re.IGNORECASE
)
"""What people call otherwise: a seat is somebody's part, a stream is a negotiation, a plan or a delivery."""
RETIRED: Final = re.compile(r"asks? for leave|消息列|评审|希望修改|提出者|表态")
"""Second words for what has a name: a permission, 讨论串, 批评家 or 审核, 希望调整, 发起人, 投票."""
IDS: Final = re.compile(r"need_\d|collab-\w{8}|\bd-\d{8}|prop_\d|plan-\d{8}|deliver-\d{8}|\bE0\d\d\b|t05-v4")


@pytest.mark.parametrize("side", ["English", "Chinese"])
def test_no_sentence_speaks_the_words_of_the_code(side: str) -> None:
    said = chinese()
    texts = list(said) if side == "English" else [text for forms in said.values() for text in forms]
    assert [each for each in texts if HOUSE_WORDS.search(re.sub(r"{[^}]*}", "", each))] == []


def test_one_thing_has_one_word() -> None:
    said = chinese()
    texts = [*said, *(text for forms in said.values() for text in forms)]
    assert [each for each in texts if RETIRED.search(each)] == []


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_admins_read_rules_and_not_the_names_that_the_code_has_for_them(name: str, language: Language) -> None:
    part, texts = NegotiationSettings(), texts_in(language)
    drawn = [each.to_dict() for each in fields(part.rows, Settings(policy=name), PRESETS[name], texts)]
    options = [option["text"]["text"] for each in drawn for option in each.get("element", {}).get("options", ())]
    said = "\n".join([*part.lines(PRESETS[name], texts), *options])
    assert len(options) > len(PRESETS)
    assert [each for each in PRESETS if each in said] == []


def is_plain(post: Post) -> None:
    """Whether nothing in it is for code alone. A mention and a date are for Slack, which shows a name and a day."""
    found = IDS.search(re.sub(r"<[!@#][^>]*>", "", shown(post)))
    assert found is None, (post.key, found)


@few
@given(negotiations(8))
def test_no_message_of_a_negotiation_shows_an_id_or_a_code(state: Negotiation) -> None:
    for each in posts(state):
        is_plain(each)


@few
@given(deliberations(), st.sampled_from(["en", "zh"]))
def test_no_message_of_a_deliberation_shows_an_id_or_a_code(state: Deliberation, language: Language) -> None:
    for each in deliberation_posts(state, texts_in(language)):
        is_plain(each)


@few
@given(deliveries(), st.sampled_from(["en", "zh"]))
def test_no_message_of_a_delivery_shows_an_id_or_a_code(state: Delivery, language: Language) -> None:
    for each in delivery_posts(state, texts_in(language)):
        is_plain(each)
