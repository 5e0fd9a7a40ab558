"""What libyaml reads is what Python alone reads of it, and where."""

from typing import Any

import pytest
import yaml
from hypothesis import given

from engine.files import kept_folder
from engine.files.bounded_yaml import BoundedLoader, FastLoader
from engine.files.profiles import COMPANY
from tests.profiles.test_bombs import PIECED

pytestmark = pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML came without libyaml")


def test_profiles_are_read_by_libyaml() -> None:
    folder = kept_folder.folder("profiles")
    texts = [each.read_text("utf-8") for each in (*folder.glob("*.yaml"), *(folder / COMPANY).glob("*.yaml"))]

    assert FastLoader is not BoundedLoader
    for text in texts:
        assert _read(FastLoader, text) == _read(BoundedLoader, text)


@given(PIECED)
def test_no_text_is_read_as_anything_else(text: str) -> None:
    """Either may read what the other one refuses: libyaml takes a tab within a value."""
    try:
        fast, slow = _read(FastLoader, text), _read(BoundedLoader, text)
    except (yaml.YAMLError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
        return
    assert (fast and fast[0]) == (slow and slow[0])


def _read(kind: Any, text: str) -> Any:
    loader = kind(text)
    node = loader.get_single_node()
    return node and (repr(loader.construct_document(node)), [*_places(node)])


def _places(node: yaml.Node) -> Any:
    yield node.tag, node.start_mark.line, node.start_mark.column
    for each in node.value if isinstance(node, yaml.CollectionNode) else ():
        for child in each if isinstance(each, tuple) else (each,):
            yield from _places(child)
