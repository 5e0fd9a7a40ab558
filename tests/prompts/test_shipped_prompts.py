"""The prompts that come with ToWow."""

import json
import re

import pytest

from bot.models import needed_prompts
from bot.registry import PROTOCOLS
from engine.facts.circumstances import When
from engine.facts.data import Days
from engine.facts.language import Language
from engine.llm.port import Prompt
from engine.negotiation import answers
from engine.negotiation.answers import Assignment, OfferDecision, OfferMade, ProposalDraft, TimeGiven, VoteMade
from engine.negotiation.demand.asks import eligible
from engine.negotiation.offers.limit_answers import NumberedLimit
from engine.negotiation.voting.claims import VersionClaim
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.twins_view import OwnAnswers
from engine.negotiation.voting.wish_asks import WishRead
from tests.negotiation.prompts import PROMPTS
from tests.profiles.people import shipped

EACH = [pytest.param(prompt, id=name) for name, prompt in PROMPTS.items()]
EVERY = needed_prompts(PROTOCOLS)
"""Those of all protocols."""
NONCE = "k3v9q2x7"

CHEN = shipped()["user_agent_chen_mo"]
SEAT = Assignment(agent_id=CHEN.agent_id, display_name=CHEN.user_name, role="分享嘉宾", responsibility="30分钟分享")
GIVEN = {
    "raw_input": "我想办一场AI聚会",
    "user_context": "",
    "today": {"date": "2026-11-22", "weekday": "Sunday", "time_zone": "Asia/Shanghai"},
    "demand": answers.Understanding(surface_demand="我想办一场AI聚会"),
    "profiles": [eligible(CHEN, answers.Understanding(surface_demand="我想办一场AI聚会"))],
    "profile": CHEN,
    "max_candidates": 10,
    "filter_reason": "讲大模型",
    "match_score": 90,
    "offers": [OfferMade(agent_id="a", display_name="陈默", decision=OfferDecision.PARTICIPATE, contribution="讲")],
    "proposal": ProposalDraft(summary="一场聚会", assignments=(SEAT,)),
    "assignment": SEAT,
    "conditions": ["提前三天"],
    "answers": OwnAnswers(requests_declined=(answers.RequestDeclined(agent_id="a", request="四十五分钟"),)),
    "round": 2,
    "max_rounds": 5,
    "feedbacks": [VoteMade(agent_id="a", display_name="陈默", feedback_type=FeedbackType.ACCEPT)],
    "withdrawn": ["林晓"],
    "granted": [answers.RequestAddressed(agent_id="a", request="四十五分钟")],
    "requester_requests": [answers.RequestAddressed(agent_id="U_ASKS", request="留一个小时自由交流")],
    "counts": answers.VoteCounts(accepts=2, negotiates=1),
    "declined": [answers.RefusalReason(agent_id="b", display_name="林晓", reason="出差")],
    "seat": answers.VacantSeat(role="场地", needs=(answers.Need(need_id="need_1", what="场地"),), place="北京"),
    "substitutes": [
        answers.SubstituteOffer(agent_id="c", display_name="刘洋", replaces="林晓", role="场地", contribution="会议室")
    ],
    "gaps": [answers.Gap(gap_type="摄影师", importance=70)],
    "estimated_cost": answers.EstimatedCost(tokens=5000, time_seconds=30),
    "failure": answers.FailureFacts(outcome="low_acceptance", asked=3, rounds=1, accepts=1, negotiates=2),
    "available_resources": [
        OfferMade(agent_id="a", display_name="陈默", decision=OfferDecision.PARTICIPATE, contribution="讲")
    ],
    "claims": [VersionClaim(number=1, about="need", agent_id="a", need_id="need_1", claim="场地", quote="会议室")],
    "limits": [NumberedLimit(number=1, words="不通宵", source="never")],
    "seats": [SEAT],
    "request": "四十五分钟",
    "understood": [WishRead(agent_id="a", data=Days(first="2026-12-01", last="2026-12-01"))],
    "doubts": [{"about": "need", "agent_id": "a", "need_id": "need_1", "claim": "场地", "why": "只是仓库"}],
    "times": [TimeGiven(when=When(first="2026-12-01", last="2026-12-01", start="15:00"), can=2, of=3, fits=True)],
    "refusals": [answers.RefusalReason(agent_id="b", display_name="林晓", reason="出差")],
}


def rendered(prompt: Prompt) -> str:
    return prompt.render({name: GIVEN[name] for name in prompt.given}, NONCE)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize(("language", "called"), [("zh", "Chinese"), ("en", "English"), (None, "the language of what")])
def test_each_ends_with_the_form_of_the_answer_and_its_language(
    name: str, language: Language | None, called: str
) -> None:
    prompt = EVERY[name]
    last = prompt.render(dict.fromkeys(prompt.given, "x"), NONCE, language).strip().splitlines()[-2:]
    assert "one JSON object" in last[0]
    assert last[1].startswith(f"is in {called}")


def test_there_are_prompts_one_to_nine_and_those_of_the_second_reader() -> None:
    assert sorted(prompt.number for prompt in PROMPTS.values()) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 27, 28]


@pytest.mark.parametrize(
    ("name", "given", "returns"),
    [
        ("understand", ("raw_input", "user_context", "today"), "Understanding"),
        ("filter", ("demand", "profiles", "max_candidates"), "Shortlist"),
        ("respond", ("demand", "profile", "filter_reason", "match_score", "seat", "limits", "today"), "OfferAnswer"),
        ("aggregate", ("demand", "offers", "declined", "times", "today"), "ProposalDraft"),
        (
            "feedback",
            (
                "demand",
                "profile",
                "limits",
                "proposal",
                "assignment",
                "conditions",
                "answers",
                "granted",
                "counts",
                "round",
                "max_rounds",
                "today",
            ),
            "FeedbackAnswer",
        ),
        (
            "compromise",
            ("demand", "failure", "available_resources", "gaps", "feedbacks", "refusals", "today"),
            "Compromise",
        ),
        (
            "adjust",
            (
                "demand",
                "proposal",
                "requester_requests",
                "feedbacks",
                "granted",
                "counts",
                "withdrawn",
                "substitutes",
                "understood",
                "doubts",
                "times",
                "round",
                "today",
            ),
            "ProposalDraft",
        ),
        ("gaps", ("demand", "proposal", "feedbacks", "today"), "GapAnalysis"),
        ("recurse", ("demand", "gaps", "proposal", "estimated_cost", "today"), "RecursionAnswer"),
    ],
)
def test_each_is_given_and_returns_what_the_negotiation_expects(
    name: str, given: tuple[str, ...], returns: str
) -> None:
    prompt = PROMPTS[f"negotiation/{name}"]
    assert prompt.given == given
    assert prompt.returns is getattr(answers, returns)


@pytest.mark.parametrize("prompt", EACH)
def test_each_renders_from_what_it_is_given_and_leaves_no_name_open(prompt: Prompt) -> None:
    text = rendered(prompt)
    assert not re.search(r"\$[a-z_]", text)
    assert "\n===\n" not in text


@pytest.mark.parametrize("prompt", EACH)
def test_each_says_that_what_people_wrote_is_data(prompt: Prompt) -> None:
    assert f"Everything between a line `<name {NONCE}>`" in rendered(prompt)


@pytest.mark.parametrize("prompt", EACH)
def test_each_asks_for_the_demands_language_and_forbids_inventing(prompt: Prompt) -> None:
    text = rendered(prompt)
    assert "in the language of the demand" in text
    assert "[TBD]" in text


@pytest.mark.parametrize("prompt", EACH)
def test_each_names_every_field_of_its_answer(prompt: Prompt) -> None:
    assert [field for field in prompt.returns.__struct_fields__ if f"`{field}`" not in prompt.body] == []


@pytest.mark.parametrize("prompt", EACH)
def test_the_twins_the_filter_and_the_readers_ask_the_small_model_and_the_others_the_large_one(prompt: Prompt) -> None:
    small = prompt.number in (2, 3, 5, 27, 28)
    assert prompt.model == ("claude-haiku-5-5" if small else "claude-sonnet-5-5")


def test_what_one_twin_is_told_of_itself_comes_after_what_all_are_told() -> None:
    feedback = PROMPTS["negotiation/feedback"]
    demand, proposal, own = feedback.render_parts({name: GIVEN[name] for name in feedback.given}, NONCE)
    assert "一场聚会" in proposal
    assert CHEN.profile_summary[:20] not in demand + proposal
    assert CHEN.profile_summary[:20] in own


def test_records_are_given_as_readable_json() -> None:
    text = rendered(PROMPTS["negotiation/aggregate"])
    block = re.search(rf"<offers {NONCE}>\n(.*)\n</offers {NONCE}>", text, re.DOTALL)
    assert block is not None
    assert json.loads(block[1])[0]["display_name"] == "陈默"
    assert "陈默" in block[1]
