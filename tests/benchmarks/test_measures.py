"""The measures of the house count what they say, in a house that was made up."""

from pathlib import Path

import pytest

from benchmarks.measures import PRODUCT, circles, house, lines

FILES = {
    "mill/__init__.py": "",
    "mill/wheel.py": "from mill import (\n    stone,\n)\nimport os\n\n\ndef turn():\n    return stone, os\n",
    "mill/stone.py": "def grind():\n    import mill.wheel\n\n    return mill.wheel\n",
    "mill/sacks/__init__.py": "",
    "mill/sacks/flour.py": (
        "from typing import TYPE_CHECKING\nfrom mill.sacks import label\nif TYPE_CHECKING:\n    import mill.stone\n"
    ),
    "mill/sacks/label.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from mill.sacks import flour\n",
    "mill/sacks/names.yaml": "rye: 1\n",
    "mill/sacks/README.md": "It is not counted.\n",
    "tests/test_mill.py": "\n\n\n",
    "pyproject.toml": (
        "[[tool.importlinter.contracts]]\nignore_imports = ['mill.wheel -> **', 'mill.sacks.flour -> mill.stone']\n"
        "[[tool.importlinter.contracts]]\nname = 'another'\n"
    ),
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_a_house_is_measured(root: Path) -> None:
    found = house(root, ["mill"], ["mill"])

    assert found["product"] == {"lines": 19, "files": 6, "nodes": 44, "data_bytes": 7}
    assert found["product_folders"]["mill/sacks"] == {"lines": 7, "files": 3, "nodes": 19, "data_bytes": 7}
    assert found["product_folders"].keys() == {"mill", "mill/sacks"}
    assert (found["tests"]["lines"], found["tests"]["files"]) == (3, 1)
    assert found["flat_folders"] == {"mill": 3, "mill/sacks": 3}
    assert found["ignored_imports"] == 3
    assert found["longest_function"] == {"lines": 4, "where": "mill/stone.py:1 grind"}
    assert found["most_imports"] == {"lines": 4, "where": "mill/wheel.py"}


def test_an_import_within_a_function_closes_a_circle_and_one_for_types_does_not(root: Path) -> None:
    assert house(root, ["mill"], ["mill"])["circles"] == [["mill.stone", "mill.wheel"]]


def test_no_modules_of_the_product_import_each_other_in_a_circle() -> None:
    assert [*circles(PRODUCT)] == []


def test_each_figure_has_a_line(root: Path) -> None:
    told = list(lines(house(root, ["mill"], ["mill"])))

    assert "  mill/sacks: 7 lines of Python in 3 files, 19 nodes, 7 bytes of data" in told
    assert "  2 files: mill.stone, mill.wheel" in told
    assert "imports that contracts ignore: 3" in told
