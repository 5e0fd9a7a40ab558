"""What models are asked in a deliberation: what each is told, and what comes of its answer."""

from functools import cache, partial
from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.deliberation.answers import CriticReply, Critique, HostAnswer, PlannerAnswer, Risk
from engine.deliberation.asks import RETURNS, DeliberationAsks
from engine.deliberation.commands import RecordClosing, RecordHostWords, RecordPosition, RecordReply, RecordReport
from engine.deliberation.composing import MOST_CHARACTERS, characters
from engine.deliberation.given import CriticiseGiven, FactGiven, Instructions, ReviseGiven
from engine.deliberation.terms import MOST_FACTS, MOST_POINTS, Agent, Brief
from engine.directory.profile import Profiles
from engine.errors import InvalidAnswer, ModelTimeout
from engine.kernel import Ask, FactKind, HandedFact, HandedPerson, plain
from engine.kernel.encoding import with_texts
from engine.llm.port import Answer
from engine.llm.tools import ToolCall, ToolFault

from .good_answers import GOOD
from .prompts import PROMPTS
from .scenario import (
    ANN,
    BRIEF,
    CRITIC,
    PLANNER,
    QUIET,
    REQUESTER,
    SEQUENTIAL,
    Scenario,
    answering,
    criticised,
    drafted,
    in_round,
    opened,
    planned,
)

ASKS: Final = DeliberationAsks(PROMPTS, Profiles({}))
NONCE: Final = "0123456789abcdef"
FACTS: Final = tuple(
    HandedFact(fact_id=f"{kind.value}-{number}", kind=kind, text=f"{kind.value} number {number}", by=ANN)
    for kind in (FactKind.NEED, FactKind.LIMIT)
    for number in range(1, 5)
)
KNOWING: Final = replace(BRIEF, facts=FACTS)


def asked(scenario: Scenario, prompt: str, about: str = "") -> Ask:
    number = len(scenario.state.rounds)
    names = {"host": f"host-{about}", "close": f"close-{about}", "report": "report-1", "reply": about}
    speaker = "planner" if prompt in ("plan", "revise") else "critic"
    return Ask(name=names.get(prompt, f"{speaker}-{number}"), scope="any", prompt=prompt, about=about or speaker)


def given(scenario: Scenario, prompt: str, about: str = "") -> dict[str, Any]:
    return {**ASKS.compose(scenario.state, asked(scenario, prompt, about)).given}


def told(scenario: Scenario, prompt: str, about: str = "") -> str:
    question = ASKS.compose(scenario.state, asked(scenario, prompt, about))
    return question.prompt.render(question.given, NONCE)


def ids(facts: tuple[FactGiven, ...]) -> set[str]:
    return {each.fact_id for each in facts}


def new(scenario: Scenario) -> set[str]:
    """Return the ids of the facts that the Planner is told for the first time."""
    told: Instructions = given(scenario, "revise")["instructions"]
    return {*told.new_facts}


# ── facts ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_in_a_blind_first_round_each_is_told_half_of_the_facts_and_nothing_of_the_other() -> None:
    scenario = opened(brief=KNOWING)
    planner, critic = ids(given(scenario, "plan")["facts"]), ids(given(scenario, "draft")["facts"])
    assert planner | critic == {each.fact_id for each in FACTS}
    assert not planner & critic
    assert len(planner) == len(critic)


def test_from_the_second_round_on_everybody_is_told_all_and_what_is_new_to_them() -> None:
    scenario = in_round(2, brief=KNOWING)
    before = ids(given(opened(brief=KNOWING), "plan")["facts"])
    facts = given(scenario, "revise")["facts"]
    assert ids(facts) == {each.fact_id for each in FACTS}
    assert new(scenario) == ids(facts) - before


def test_a_fact_is_new_only_once() -> None:
    assert not new(in_round(3, brief=KNOWING))


def test_whoever_was_skipped_when_it_was_told_is_told_again_what_is_new() -> None:
    scenario = in_round(2, brief=KNOWING).says(PLANNER, None).says(CRITIC, criticised()).compared(0.8)
    assert new(scenario)


def test_in_turn_everybody_is_told_all_from_the_beginning() -> None:
    assert ids(given(opened(SEQUENTIAL, brief=KNOWING), "plan")["facts"]) == {each.fact_id for each in FACTS}
    turn = opened(SEQUENTIAL, brief=KNOWING).says(PLANNER, planned())
    assert not instructions(turn, "criticise").new_facts


def test_a_fact_says_whose_it_is_by_name_and_nobodys_user_id_is_told() -> None:
    scenario = in_round(2).objects().round(0.8)
    texts = [told(scenario, prompt) for prompt in ("revise", "criticise")]
    texts += [told(opened(), prompt) for prompt in ("plan", "draft")]
    assert given(scenario, "revise")["facts"][1].by == "Ann"
    assert given(scenario, "revise")["facts"][0].by == "whoever asked for the plan"
    assert not [each for each in texts if ANN in each or REQUESTER in each]


# ── what is to be addressed ───────────────────────────────────────────────────────────────────────────────────────


def instructions(scenario: Scenario, prompt: str) -> Instructions:
    said: Instructions = given(scenario, prompt)["instructions"]
    return said


def test_an_objection_is_told_to_both_with_the_name_of_whoever_raised_it_until_they_have_answered() -> None:
    scenario = in_round(2).objects("What about the children?").round(0.8)
    (point,) = scenario.state.points
    for prompt in ("revise", "criticise"):
        first = instructions(scenario, prompt).must_address[0]
        assert (first.argument, first.text, first.by) == (point.point_id, "What about the children?", "Ann")
    scenario.says(PLANNER, planned(answers=answering(point.point_id)))
    assert not [each for each in instructions(scenario, "revise").must_address if each.by]
    assert [each for each in instructions(scenario, "criticise").must_address if each.by]


def test_an_open_risk_is_told_with_its_id_and_each_thing_once() -> None:
    scenario = in_round(2).round(0.95, critic=criticised("The room is gone"))
    named = [each for each in instructions(scenario, "revise").must_address if each.text == "The room is gone"]
    assert [each.argument for each in named] == ["r2-risk-1"]


def test_the_other_sides_suggestions_and_risks_have_their_ids() -> None:
    scenario = in_round(2).round(0.8, critic=criticised("The room is gone", Risk(risk="It rains")))
    other = given(scenario, "revise")["other"]
    assert other.risk_ids == ("r2-risk-1", "r2-risk-2")
    assert {each.argument_id for each in given(scenario, "revise")["arguments"]} >= {*other.risk_ids}


def test_whoever_changed_something_without_an_argument_is_told_what() -> None:
    scenario = in_round(2).round(0.95, planner=planned(decision="no_go"))
    assert "decision" in instructions(scenario, "revise").unexplained[0]
    assert not instructions(scenario, "criticise").unexplained
    texts = [each.text for each in instructions(scenario, "revise").must_address]
    assert not [each for each in texts if each in instructions(scenario, "revise").unexplained]


def test_whoever_repeats_itself_is_told_to_move_and_whoever_opposes_to_oppose() -> None:
    repeats = {PLANNER: 0.99}
    scenario = in_round(2).round(0.8, repeats=repeats).round(0.85, repeats=repeats)
    assert instructions(scenario, "revise").must_move
    assert not instructions(scenario, "criticise").must_move
    opposing = opened().round(0.5)
    assert instructions(opposing, "criticise").opposes
    assert not instructions(opposing, "revise").opposes


def test_the_host_words_what_was_decided_after_the_round_that_it_is_about() -> None:
    scenario = opened(QUIET.model_copy(update={"host_speaks": True})).round(0.8).round(0.85)
    assert given(scenario, "host", "1")["level"] == 80
    assert given(scenario, "host", "2")["level"] == 85
    assert given(scenario, "host", "1")["action"] == "continue"


# ── bounds ────────────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def long_session() -> Scenario:
    facts = tuple(
        HandedFact(fact_id=f"need-{number}", kind=FactKind.NEED, text=f"need {number} " * 60, by=ANN)
        for number in range(MOST_FACTS)
    )
    people = tuple(
        HandedPerson(person_id=f"p{each}", name=f"Person {each}", brings="much " * 200) for each in range(60)
    )
    scenario = opened(brief=Brief(title="Long", goal="So much " * 400, facts=facts, people=people))
    answers = long_answers(scenario)
    for number in range(1, 5):
        # Each round says something new, so that the arguments of the rounds before are old.
        said = {name: with_texts(each, partial("{} {}".format, number)) for name, each in answers.items()}
        scenario.says(PLANNER, said["plan"]).says(CRITIC, said["draft" if number == 1 else "criticise"])
        for _ in range(MOST_POINTS // 4):
            scenario.objects("But what if it rains and nobody comes? " * 20, by=REQUESTER)
        scenario.compared(0.75 + 0.03 * number)
    assert len(scenario.state.rounds) == 5
    return scenario


def long_answers(scenario: Scenario) -> dict[str, Any]:
    """As long as an answer can be once it is read; its texts differ by what is behind them."""
    words = "as long as a text of this kind may be, and then some more of it; " * 100
    task = {
        "title": words, "owner": "p1", "estimated_hours": 8, "starts": "2027-01-11", "deadline": "2027-01-15",
        "tags": [words] * 5, "depends_on": [], "expected_output": words, "acceptance_criteria": [words, words + "2"],
        "because": [f"need-{each}" for each in range(12)],
    }  # fmt: skip
    phases = [
        {"phase_name": words, "duration": words, "tasks": [{**task, "task_id": f"task-{n}{m}"} for m in range(1, 9)]}
        for n in range(1, 5)
    ]
    risk = {**GOOD["criticise"]["critique"]["risks"][0]}
    suggestion = {**GOOD["criticise"]["critique"]["suggestions"][0]}
    changes = [{"slot": "deadline", "task_id": f"task-1{m}", "value": "2027-01-14"} for m in range(1, 9)]
    critique = {
        "risks": [{**risk, "risk": f"{each} {words}", "impact": words} for each in range(12)],
        "suggestions": [
            {**suggestion, "solution": f"{each} {words}", "issue": words, "changes": changes} for each in range(12)
        ],
        "validity_check": {"feasible": True, "realistic": True, "complete": False},
    }
    listed = [f"{each} {words}" for each in range(12)]
    position = {**GOOD["revise"]["position"], "key_reasons": listed, "assumptions": listed, "uncertainties": listed}
    common = {"content": words, "position": position, "moves": [], "answers": [], "flaws": []}
    plan = {"title": words, "goal": words, "phases": phases}
    found = {}
    for prompt in ("plan", "draft", "criticise"):
        said = RETURNS[prompt].checked({**common, "plan": plan, "critique": critique})
        ask = asked(scenario, prompt)
        command = ASKS.read(scenario.state, ask, PROMPTS["deliberation/plan"], Answer(said, "m"), command_id="c", at=0)
        assert isinstance(command, RecordPosition)
        found[prompt] = command.answer
    return found


@pytest.mark.parametrize("prompt", ["revise", "criticise"])
def test_a_long_session_stays_within_its_bound_and_the_oldest_is_left_out_first(prompt: str) -> None:
    scenario = long_session()
    values = given(scenario, prompt)
    kind = ReviseGiven if prompt == "revise" else CriticiseGiven
    assert characters(kind(**values)) <= MOST_CHARACTERS
    assert len(values["facts"]) == MOST_FACTS
    assert (
        len([each for each in values["instructions"].must_address if each.argument.startswith("point")]) == MOST_POINTS
    )
    assert {each.round for each in values["arguments"] if each.kind != "point"} == {4}
    assert values["own"].plan is None or len(values["own"].plan.tasks) == 30
    assert len(told(scenario, prompt)) <= MOST_CHARACTERS + 40_000


def test_a_short_session_is_told_whole() -> None:
    scenario = (
        opened().round(0.75, critic=drafted(critique=Critique(risks=(Risk(risk="It rains"),)))).round(0.8).round(0.85)
    )
    assert {each.round for each in given(scenario, "revise")["arguments"]} == {1}
    assert given(scenario, "revise")["own"].content == "My plan."


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────────


def read(scenario: Scenario, prompt: str, said: Any, about: str = "", **fields: Any) -> Any:
    ask = asked(scenario, prompt, about)
    answer: Answer[Any] = Answer(said, "claude", **fields)
    return ASKS.read(scenario.state, ask, PROMPTS[f"deliberation/{prompt}"], answer, command_id="c1", at=5)


def test_a_position_is_recorded_with_what_code_finds_wrong_with_its_plan() -> None:
    late = {**GOOD["plan"]["plan"]["phases"][0]["tasks"][0], "owner": "ann", "deadline": "2030-01-01"}
    plan = {**GOOD["plan"]["plan"], "phases": [{"phase_name": "All", "duration": "", "tasks": [late]}]}
    scenario = opened(brief=replace(BRIEF, today="2027-01-10", ends="2027-02-01"))
    command = read(scenario, "plan", PlannerAnswer.checked({**GOOD["plan"], "plan": plan}))
    assert isinstance(command, RecordPosition)
    assert (command.agent, command.round, command.model) == (Agent.PLANNER, 1, "claude")
    assert command.prompt_hash == PROMPTS["deliberation/plan"].content_hash
    assert [each for each in command.findings if each.task_id == "task-1"]


def test_what_may_not_be_shown_is_withheld_and_said_to_be() -> None:
    said = {**GOOD["plan"], "content": "Ask <!channel> at https://evil.example"}
    command = read(opened(), "plan", PlannerAnswer.checked(said))
    assert "evil" not in command.answer.content
    assert "channel" not in command.answer.content
    assert {(each.error, each.agent, each.detail) for each in command.tool_errors} == {
        ("content_withheld", "planner", "link"),
        ("content_withheld", "planner", "mention"),
    }


def test_a_key_is_found_where_a_text_is_cut() -> None:
    key = "sk-ant-api03-abcdefghijklmnop"
    said = {**GOOD["close"], "worst_case": f"{'x' * 385} {key}", "uncertainties": [f"{'x' * 5_985} {key}"]}
    command = read(in_round(2), "close", RETURNS["close"].checked(said), "critic")
    assert "sk-ant" not in f"{command.answer.worst_case}{command.answer.uncertainties}"


def test_a_tool_that_failed_is_said_to_have() -> None:
    calls = (ToolCall("get_now", ToolFault.FAILED), ToolCall("calculate_date"))
    command = read(opened(), "plan", PlannerAnswer.checked(GOOD["plan"]), tool_calls=calls)
    assert [(each.error, each.tool) for each in command.tool_errors] == [("tool_execution_failed", "get_now")]


def test_the_others_answers_are_recorded() -> None:
    scenario = in_round(2)
    assert read(scenario, "host", HostAnswer(content="On."), "1") == RecordHostWords(
        command_id="c1",
        at=5,
        round=1,
        answer=HostAnswer(content="On."),
        model="claude",
        prompt_hash=PROMPTS["deliberation/host"].content_hash,
    )
    closing = read(scenario, "close", RETURNS["close"].checked(GOOD["close"]), "critic")
    assert isinstance(closing, RecordClosing)
    assert closing.agent is Agent.CRITIC
    assert isinstance(read(scenario, "report", RETURNS["report"].checked(GOOD["report"]), "1"), RecordReport)
    reply = read(scenario, "reply", CriticReply(content="It is.", arguments=("need-1", "made-up")), "question-1")
    assert isinstance(reply, RecordReply)
    assert (reply.question_id, reply.answer and reply.answer.arguments) == ("question-1", ("need-1",))


@pytest.mark.parametrize(
    ("prompt", "about", "agent"),
    [
        ("plan", "planner", "planner"), ("draft", "critic", "critic"), ("revise", "planner", "planner"),
        ("criticise", "critic", "critic"), ("host", "1", "host"), ("close", "planner", "planner"),
        ("report", "1", "reporter"), ("reply", "question-1", "critic"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("why", "code"), [(ModelTimeout("late"), "agent_timeout"), (InvalidAnswer("no JSON"), "agent_failed")]
)
def test_without_an_answer_there_is_none_and_it_is_said_why(
    prompt: str, about: str, agent: str, why: Any, code: str
) -> None:
    scenario = in_round(2)
    command: Any = ASKS.fallback(scenario.state, asked(scenario, prompt, about), why, command_id="c1", at=5)
    assert command.answer is None
    assert (command.error.error, command.error.agent, command.error.round) == (code, agent, 2)
    assert "JSON" not in str(plain(command.error))


def test_an_agent_that_does_not_answer_is_skipped_and_its_last_output_stands() -> None:
    scenario = in_round(2)
    before = scenario.state.last_output(Agent.PLANNER)
    ask = asked(scenario, "revise")
    scenario.obeys(ASKS.fallback(scenario.state, ask, ModelTimeout("late"), command_id="c9", at=scenario.now))
    assert scenario.state.last_output(Agent.PLANNER) == before
    assert scenario.errors() == [("agent_timeout", "planner")]


@pytest.mark.parametrize("prompt", ["plan", "revise", "criticise"])
def test_whoever_plans_may_ask_for_the_time(prompt: str) -> None:
    scenario = in_round(2, brief=replace(BRIEF, time_zone="Asia/Shanghai"))
    tools = {each.name: each for each in ASKS.compose(scenario.state, asked(scenario, prompt)).tools}
    assert tools.keys() >= {"get_now", "calculate_date"}
    now = tools["get_now"]
    assert now.run(now.takes.checked({}))["timezone"] == "Asia/Shanghai"


@pytest.mark.parametrize("prompt", ["draft", "host", "close", "report", "reply"])
def test_nobody_else_has_tools(prompt: str) -> None:
    about = {"host": "1", "close": "critic", "reply": "question-1"}.get(prompt, "")
    assert not ASKS.compose(in_round(2).state, asked(in_round(2), prompt, about)).tools
