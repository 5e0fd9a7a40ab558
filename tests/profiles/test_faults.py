"""All faults of a profile are reported at once, each with file and line."""

from pathlib import Path

import pytest
import yaml

from engine.directory.profile import Profile
from engine.errors import Misconfigured
from engine.facts.data import Days, Hours
from engine.files.profile_table import to_yaml
from engine.files.profiles import load_profiles
from tests.profiles.profile_files import SUMMARY, VALID, folder_with

FAULTS = [
    pytest.param(VALID.replace("Berlin", "[Berlin"), 5, "this is not YAML", id="a syntax error"),
    pytest.param(VALID.replace("location: Berlin\n", ""), 1, "`location` is missing", id="a field is missing"),
    pytest.param(VALID.replace("location:", "locaton:"), 4, "did you mean `location`?", id="a field is misspelt"),
    pytest.param(VALID + "location: Paris\n", 10, "is here twice (first on line 4)", id="a field is there twice"),
    pytest.param(VALID + "limits:\n  max_atendees: 3\n", 11, "did you mean `max_attendees`?", id="misspelt inside"),
    pytest.param(VALID + "limits:\n  max_attendees: many\n", 11, "found 'many'", id="not a number"),
    pytest.param(VALID + "limits:\n  paid_only: maybe\n", 11, "found 'maybe'", id="neither yes nor no"),
    pytest.param(VALID.replace("[venue, catering]", "venue"), 5, "`tags`", id="one tag without brackets"),
    pytest.param(VALID.replace("[venue, catering]", "[venue, 7]"), 5, "`tags.1`", id="a tag that is a number"),
    pytest.param(VALID.replace("[venue, catering]", "[]"), 5, "`tags`", id="no tags"),
    pytest.param(VALID.replace(SUMMARY, "Bo bakes."), 3, "has 9 characters", id="a summary too short"),
    pytest.param(VALID.replace(SUMMARY, SUMMARY * 3), 3, "at most 500", id="a summary too long"),
    pytest.param(VALID.replace("user_agent_bo", "bo"), 1, "`agent_id`", id="an id that is no agent's"),
    pytest.param(VALID.replace("user_agent_bo", "user_agent_eve"), 1, "belongs in eve.yaml", id="another file's id"),
    pytest.param(VALID.replace("  venue:", "  choir:"), 7, "'choir' is not among the tags", id="no such tag"),
    pytest.param(
        VALID + "preferences:\n  asks:\n    - change: more time\n      because: I am slow\n      about: choir\n",
        14,
        "'choir' is not among the tags",
        id="an ask about no tag of theirs",
    ),
    pytest.param(
        VALID + "preferences:\n  conditions:\n    - text: tell me\n      if_declined: shout\n",
        13,
        "found 'shout'",
        id="a reaction nobody knows",
    ),
    pytest.param(
        VALID + "limits:\n  min_attendees: 9\n  max_attendees: 3\n", 10, "9 is more than", id="a range upside down"
    ),
    pytest.param(VALID + "limits:\n  busy: ''\n", 11, "no words in it", id="a reason without words"),
    pytest.param(
        VALID + "limits:\n  data:\n    - {kind: dyas}\n",
        12,
        "its kind is 'dyas'; there are: days",
        id="no kind of data",
    ),
    pytest.param(
        VALID + "limits:\n  data:\n    - {kind: days, weekday: [mon]}\n",
        12,
        "days has no 'weekday'",
        id="misspelt data",
    ),
    pytest.param(
        VALID + "limits:\n  data:\n    - {kind: days, weekdays: [moon]}\n", 12, "no weekdays", id="no day of the week"
    ),
    pytest.param(VALID + "limits:\n  data:\n    - {kind: hours}\n", 12, "demands nothing", id="data without data"),
    pytest.param(
        VALID + "limits:\n  data:\n    - {kind: people, at_most: 3, scope: all}\n", 12, "'all'", id="no scope"
    ),
    pytest.param(
        VALID + "limit_data:\n  - {words: no music, source: never, state: on}\n",
        11,
        "no such line in never",
        id="what is said of a line that is not there",
    ),
    pytest.param("- Bo\n", 1, "found a list", id="a list"),
    pytest.param("Bo\n", 1, "found a single value", id="a single word"),
    pytest.param("", 1, "found nothing", id="an empty file"),
    pytest.param(VALID.replace("Berlin", "2026-13-45"), 1, "cannot be read", id="a date that does not exist"),
    pytest.param(VALID.replace("Berlin", "Ber\x00lin"), 4, "cannot be printed", id="a character that is none"),
    pytest.param(VALID.replace("Berlin", '"Ber\\ud83dlin"'), 4, "half of a character", id="half of a character"),
    pytest.param(VALID.replace("Berlin", "!!python/name:os.system"), 4, "this is not YAML", id="a piece of code"),
]


@pytest.mark.parametrize(("text", "line", "message"), FAULTS)
def test_a_fault_names_its_file_and_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        load_profiles(folder_with(tmp_path, bo=text))
    assert any(
        fault.startswith(f"{tmp_path / 'bo.yaml'}:{line}:") and message in fault for fault in caught.value.faults
    )


def test_every_fault_of_every_file_is_told_at_once(tmp_path: Path) -> None:
    bo = VALID.replace("location:", "locaton:").replace(SUMMARY, "short")
    with pytest.raises(Misconfigured) as caught:
        load_profiles(folder_with(tmp_path, bo=bo, eve="- no\n"))
    assert len(caught.value.faults) == 4
    assert {fault.split(":")[0].rsplit("/")[-1] for fault in caught.value.faults} == {"bo.yaml", "eve.yaml"}


def test_two_people_cannot_share_an_id(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match=r"'user_agent_bo' is already the agent_id in ada\.yaml"):
        load_profiles(folder_with(tmp_path, ada=VALID, bo=VALID))


def test_a_folder_without_profiles_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="there is no profile"):
        load_profiles(tmp_path)


def test_a_file_that_is_not_text_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "bo.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Misconfigured, match="not UTF-8"):
        load_profiles(tmp_path)


def test_an_alias_that_contains_itself_is_a_fault_and_not_the_end(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured):
        load_profiles(folder_with(tmp_path, bo=VALID.replace("[venue, catering]", "&a [*a]")))


def test_limits_are_stated_as_data_and_dates_and_times_need_no_quotes(tmp_path: Path) -> None:
    said = """limits:
  never: [no music]
  data:
    - {kind: days, weekdays: [mon], allowed: false}
    - {kind: days, first: 2026-12-01, last: 2026-12-31, allowed: false, scope: whole}
    - {kind: hours, start: 22:00, end: 06:30, allowed: false}
limit_data:
  - {words: no music, source: never, state: off}
"""
    profile = load_profiles(folder_with(tmp_path, bo=VALID + said))["user_agent_bo"]

    assert [(each.data, each.scope) for each in profile.data_limits] == [
        (Days(weekdays=("mon",), allowed=False), "own"),
        (Days(first="2026-12-01", last="2026-12-31", allowed=False), "whole"),
        (Hours(start="22:00", end="06:30", allowed=False), "own"),
    ]
    assert profile.worded_limits == ()
    assert Profile.model_validate(yaml.safe_load(to_yaml(profile))) == profile


def test_a_valid_profile_is_read(tmp_path: Path) -> None:
    assert load_profiles(folder_with(tmp_path, bo=VALID))["user_agent_bo"].user_name == "Bo"
