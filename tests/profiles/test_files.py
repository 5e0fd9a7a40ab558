"""Where prompts and profiles are found."""

from pathlib import Path

import pytest

from engine.errors import Misconfigured
from engine.files import kept_folder


def test_in_a_checkout_they_are_beside_the_code() -> None:
    assert (kept_folder.folder("profiles") / "chen_mo.yaml").is_file()
    assert (kept_folder.folder("prompts") / "negotiation" / "understand.md").is_file()


def test_in_a_wheel_they_are_inside_the_package(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "engine"
    (package / "_files" / "prompts").mkdir(parents=True)
    assert kept_folder.folder("prompts", package) == package / "_files" / "prompts"


def test_in_neither_place_is_a_fault_that_names_both(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match=r"neither at .*_files.* nor at"):
        kept_folder.folder("prompts", tmp_path / "engine")
