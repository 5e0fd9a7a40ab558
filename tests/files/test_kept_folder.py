"""A folder that is kept equal to what it should be: whole files, for nobody else to read, and nothing left over."""

import stat
from pathlib import Path

import pytest

from engine.files.kept_folder import HALF, keep_folder, put_files

FILES = {"000001-plan.json": b"{}\n", "events.log": b"[..] one\n"}


def there(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir()}


def test_it_has_what_it_is_given_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "logs" / "deliver-1"
    assert keep_folder(folder, FILES) == 2
    (folder / "000002-old.json").write_text("of an earlier time")
    (folder / f"{HALF}x1").write_text("half of what a killed process wrote")

    assert keep_folder(folder, FILES) == 1

    assert there(folder) == FILES
    assert keep_folder(folder, FILES) == 0


def test_only_what_is_new_is_put(tmp_path: Path) -> None:
    folder = tmp_path / "deliver-1"
    keep_folder(folder, FILES)
    (folder / "000001-plan.json").write_text("changed by hand")

    put_files(folder, {"events.log": b"[..] one\n[..] two\n", "000002-ticket.json": b"{}\n"})

    assert there(folder) == {
        "000001-plan.json": b"changed by hand", "000002-ticket.json": b"{}\n", "events.log": b"[..] one\n[..] two\n",
    }  # fmt: skip
    assert {stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()} == {0o600}


@pytest.mark.parametrize("write", [keep_folder, put_files])
def test_a_folder_that_is_a_link_is_not_followed(tmp_path: Path, write: object) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "deliver-1").symlink_to(elsewhere)

    assert callable(write)
    with pytest.raises(OSError, match="not followed"):
        write(tmp_path / "deliver-1", FILES)
    assert not [*elsewhere.iterdir()]
