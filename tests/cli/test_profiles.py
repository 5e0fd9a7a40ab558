"""``towow profiles``: begins a profile, checks a folder, takes many from a table."""

from pathlib import Path

from engine.files.profiles import load_profiles

from .conftest import Towow

SUMMARY = "I look after the machines on the second floor and I like it when they hum. " * 3
HEAD = "agent_id,user_name,profile_summary,location,tags,capabilities,availability,languages"


def row(name: str, capabilities: str = "repair: small motors", summary: str = SUMMARY) -> str:
    return f'user_agent_{name},{name},"{summary}",Bonn,repair;维修,"{capabilities}",evenings,English;Deutsch'


def table(folder: Path, *rows: str, head: str = HEAD) -> Path:
    path = folder / "people.csv"
    path.write_text("\n".join((head, *rows)), "utf-8")
    return path


def test_ours_are_fine(towow: Towow) -> None:
    done = towow("profiles", "check")
    assert (done.code, done.out.strip().endswith("profiles are fine.")) == (0, True)


def test_a_new_one_is_a_file_to_fill_in_that_the_check_finds_wanting(towow: Towow, tmp_path: Path) -> None:
    assert towow("profiles", "new", "Bo Ek", tmp_path).code == 0
    assert (tmp_path / "bo_ek.yaml").exists()
    checked = towow("profiles", "check", tmp_path)
    assert checked.code == 2
    assert "bo_ek.yaml:" in checked.out
    assert "profile_summary" in checked.out
    assert "is there already" in towow("profiles", "new", "Bo Ek", tmp_path).err
    assert towow("profiles", "new", "Bo Ek", tmp_path / "other" / "people").code == 0


def test_a_name_in_other_letters_needs_a_stem(towow: Towow, tmp_path: Path) -> None:
    assert "--stem" in towow("profiles", "new", "林晓", tmp_path).err
    assert towow("profiles", "new", "林晓", tmp_path, "--stem", "lin_xiao").code == 0


def test_a_table_becomes_files_that_are_profiles(towow: Towow, tmp_path: Path) -> None:
    done = towow("profiles", "import", table(tmp_path, row("bo"), row("eve")), tmp_path / "people")
    assert done.code == 0
    people = load_profiles(tmp_path / "people")
    assert sorted(people) == ["user_agent_bo", "user_agent_eve"]
    assert people["user_agent_bo"].capabilities == {"repair": "small motors"}
    assert people["user_agent_bo"].languages == ("English", "Deutsch")


def test_a_table_says_how_far_each_twin_goes(towow: Towow, tmp_path: Path) -> None:
    rows = (row("bo") + ",prepares", row("eve") + ",votes", row("ann") + ",")
    assert towow("profiles", "import", table(tmp_path, *rows, head=HEAD + ",twin"), tmp_path / "people").code == 0
    people = load_profiles(tmp_path / "people")
    assert {name: each.twin for name, each in people.items()} == {
        "user_agent_ann": "votes",
        "user_agent_bo": "prepares",
        "user_agent_eve": "votes",
    }
    other = table(tmp_path, row("bo") + ",listens", head=HEAD + ",twin")
    assert ":2: `twin`" in towow("profiles", "import", other, tmp_path / "other").err


def test_every_fault_of_a_table_is_told_with_line_and_field_and_nothing_is_written(
    towow: Towow, tmp_path: Path
) -> None:
    wrong = (row("bo"), row("bo"), row("eve", capabilities="motors"), row("ann", summary="short"))
    done = towow("profiles", "import", table(tmp_path, *wrong), tmp_path / "people")
    assert done.code == 2
    for said in (":3: `agent_id`", ":4: `capabilities`", ":5: `profile_summary`"):
        assert said in done.err
    assert not (tmp_path / "people").exists()


def test_a_table_with_other_columns_is_refused(towow: Towow, tmp_path: Path) -> None:
    done = towow("profiles", "import", table(tmp_path, head="agent_id,nickname"), tmp_path / "people")
    assert done.code == 2
    assert "the column user_name is missing" in done.err
    assert "'nickname'" in done.err


def test_files_that_are_there_are_not_written_over_unless_told(towow: Towow, tmp_path: Path) -> None:
    people = table(tmp_path, row("bo"))
    assert towow("profiles", "import", people, tmp_path).code == 0
    assert "--replace" in towow("profiles", "import", people, tmp_path).err
    assert towow("profiles", "import", people, tmp_path, "--replace").code == 0


def test_profiles_from_one_template_are_told(towow: Towow, tmp_path: Path) -> None:
    assert towow("profiles", "import", table(tmp_path, row("bo"), row("eve")), tmp_path / "people").code == 0
    done = towow("profiles", "check", tmp_path / "people")
    assert done.code == 2
    assert "user_agent_eve" in done.out
    assert "their own words" in done.out


def test_what_each_holds_to_is_said_as_data_and_in_words(towow: Towow, tmp_path: Path) -> None:
    towow("profiles", "import", table(tmp_path, row("bo")), tmp_path / "people")
    held = """limits:
  max_attendees: 20
  never: ["night & fog"]
  data: [{kind: days, weekdays: [mon], allowed: false}]
"""
    path = tmp_path / "people" / "bo.yaml"
    path.write_text(path.read_text("utf-8") + held, "utf-8")

    done = towow("profiles", "limits", tmp_path / "people")

    assert done.code == 0
    assert done.out.splitlines() == [
        "user_agent_bo (bo)",
        "  ✓ at most 20 people · the whole",
        "  ○ never: “night & fog” · in words",
        "  ✓ not on Mondays · own part",
    ]
    assert "no folder" in towow("profiles", "limits", tmp_path / "nowhere").err
