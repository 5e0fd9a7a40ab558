"""All faults of a prompt are reported at once, each with file and line."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.errors import Misconfigured
from engine.files.prompts import load_prompts
from engine.llm.port import AnswerClasses
from engine.negotiation.answers import ProposalDraft, Shortlist, Understanding

Returns = Mapping[str, AnswerClasses]
RETURNS: Returns = {"negotiation": {"weave": ProposalDraft}}
MORE: Returns = {"negotiation": {"weave": ProposalDraft, "understand": Understanding}}
ANOTHER: Returns = {"negotiation": {"weave": Shortlist, "adjust": ProposalDraft}}

VALID = """\
---
number: 1
purpose: To test.
given: [demand, offers]
returns: ProposalDraft
model: claude-sonnet-5-5
effort: low
max_tokens: 100
fallback: Nothing happens.
---
$shared_rule
Weave $demand and ${offers} for $$5.
"""

FAULTS = [
    pytest.param(VALID.replace("${offers}", "$offer and $offers"), 12, "`$offer` is not among", id="a name not given"),
    pytest.param(VALID.replace("${offers}", "them"), 4, "`$offers` is nowhere in the text", id="given and not used"),
    pytest.param(VALID.replace("$$5", "$5"), 12, "is written `$$`", id="a lonely dollar sign"),
    pytest.param(VALID.replace("$shared_rule", "$shared_law"), 11, "there are: $shared_rule", id="no such passage"),
    pytest.param(VALID.replace("purpose: To test.\n", ""), 2, "`purpose` is missing", id="no purpose"),
    pytest.param(VALID.replace("fallback:", "falback:"), 9, "did you mean `fallback`?", id="a misspelt field"),
    pytest.param(
        VALID.replace("ProposalDraft", "Poem"),
        5,
        "has no answer 'Poem'; there are: ProposalDraft",
        id="an unknown answer",
    ),
    pytest.param(VALID.replace("effort: low", "effort: heroic"), 7, "found 'heroic'", id="an unknown effort"),
    pytest.param(VALID.replace("100", "lots"), 8, "found 'lots'", id="not a number"),
    pytest.param(VALID.replace("purpose: To", "name: x/y\npurpose: To"), 3, "the file says", id="another file's name"),
    pytest.param(VALID.replace("given: [", "given: [["), 5, "from line 4", id="a header that is not YAML"),
    pytest.param("Weave $demand.\n", 1, "starts with a header", id="no header"),
    pytest.param(VALID + "===\nMore.\n" * 4, 11, "stands here more than 3 times", id="more cuts than are cached"),
    pytest.param(VALID[: VALID.index("$shared")], 11, "no text under the header", id="no text"),
]


def folder_with(folder: Path, text: str, rule: str = "Be $$ kind, $nonce.") -> Path:
    for path, content in {"negotiation/weave.md": text, "shared/rule.md": rule}.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(content, "utf-8")
    return folder


@pytest.mark.parametrize(("text", "line", "message"), FAULTS)
def test_a_fault_names_its_file_and_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        load_prompts(RETURNS, folder_with(tmp_path, text))
    path = tmp_path / "negotiation" / "weave.md"
    assert any(fault.startswith(f"{path}:{line}:") and message in fault for fault in caught.value.faults)


def test_every_fault_is_told_at_once(tmp_path: Path) -> None:
    text = VALID.replace("$$5", "$5 $you").replace("ProposalDraft", "Poem")
    with pytest.raises(Misconfigured) as caught:
        load_prompts(MORE, folder_with(tmp_path, text))
    assert len(caught.value.faults) == 4


def test_a_fault_in_a_shared_passage_is_told_where_the_passage_is(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match=r"shared/rule\.md:2:4: `\$you` is not among"):
        load_prompts(RETURNS, folder_with(tmp_path, VALID, rule="Be kind\nto $you."))


def test_a_passage_includes_no_other_passage(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match=r"shared/rule\.md:1:1: there is no shared passage"):
        load_prompts(RETURNS, folder_with(tmp_path, VALID, rule="$shared_rule"))


def test_a_prompt_somebody_needs_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match=r"understand\.md:1:1: this prompt is needed and not there"):
        load_prompts(MORE, folder_with(tmp_path, VALID))


def test_a_prompt_returns_what_is_read(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match=r"weave\.md:5:\d+: .*this says 'ProposalDraft', but 'Shortlist' is read"):
        load_prompts(ANOTHER, folder_with(tmp_path, VALID))


def test_a_prompt_of_a_protocol_that_nobody_asks_for_is_not_read(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, VALID)
    (folder / "delivery").mkdir()
    (folder / "delivery" / "weave.md").write_text("nothing that could be read", "utf-8")
    assert [*load_prompts(RETURNS, folder)] == ["negotiation/weave"]


def test_a_folder_without_prompts_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="there is no prompt"):
        load_prompts(RETURNS, tmp_path)


def test_a_valid_prompt_is_read(tmp_path: Path) -> None:
    prompt = load_prompts(RETURNS, folder_with(tmp_path, VALID))["negotiation/weave"]
    text = prompt.render({"demand": "a party", "offers": []}, "12345678")
    assert text.startswith("Be $ kind, 12345678.\nWeave <demand 12345678>\na party\n</demand 12345678>")
    assert "for $5." in text
