"""A JSON file that a pydantic model describes, read anew whenever it has changed."""

import json
import logging
from pathlib import Path
from typing import Final, Generic, TypeVar

from pydantic import ValidationError

from engine.errors import Misconfigured
from engine.files.yaml_locations import Fault, InvalidFile, Position, read_yaml
from engine.kernel import Validated

log = logging.getLogger(__name__)

Content = TypeVar("Content", bound=Validated)
Signature = tuple[int, int, int]
"""Nanoseconds of the last change, the file's number, and its size in bytes."""

LARGEST: Final = 1_000_000
"""Bytes of a file that is opened at all."""


class ValidatedFile(Generic[Content]):
    """What a file says now.

    What it said last without a fault holds while it has one, or is gone.

    Args:
        path: None where there is no file.
        without: what holds until something without a fault was read.
    """

    def __init__(self, path: Path | None, model: type[Content], without: Content) -> None:
        self.path = path
        self._model = model
        self._content = without
        self._read: Signature | None = None
        self._faults: tuple[str, ...] = ()

    @property
    def faults(self) -> tuple[str, ...]:
        """What was wrong with it when it was last looked at, with line and column; nothing where all is well."""
        return self._faults

    def load(self) -> Content:
        """Read the file, and check it."""
        content = self.current()
        if self._faults:
            raise Misconfigured(self._faults)
        return content

    def current(self) -> Content:
        """Return what holds now. Only a file that has changed since is read; new faults are logged once."""
        if self.path is None:
            return self._content
        try:
            status = self.path.stat()
            signature = (status.st_mtime_ns, status.st_ino, status.st_size)
            if signature == self._read:
                return self._content
            self._read = signature
            self._content = read_json_file(self.path, self._model)
            self._faults = ()
        except InvalidFile as error:
            self._hold_on([str(each) for each in sorted(error.faults)])
        except OSError as error:
            self._read = None
            self._hold_on([f"{self.path} cannot be read: {error.strerror}"])
        return self._content

    def _hold_on(self, faults: list[str]) -> None:
        if (found := tuple(faults)) != self._faults:
            log.error("%s is not used as it is now: %s", self.path, "; ".join(found))
        self._faults = found


def read_json_file(path: Path, model: type[Content]) -> Content:
    """Read a JSON file, and check it against a model."""
    if path.stat().st_size > LARGEST:
        raise InvalidFile([Fault(path, Position(), f"this is larger than {LARGEST:,} bytes")])
    try:
        text = path.read_bytes().decode("utf-8-sig")
        data = json.loads(text)
    except UnicodeDecodeError as error:
        raise InvalidFile([Fault(path, Position(), "this is not UTF-8 text")]) from error
    except json.JSONDecodeError as error:
        place = Position(error.lineno, error.colno)
        raise InvalidFile([Fault(path, place, f"this is not JSON: {error.msg}")]) from error
    except (RecursionError, ValueError) as error:
        raise InvalidFile([Fault(path, Position(), "this is nested too deeply, or has a number too long")]) from error
    # JSON is YAML but for tabs, which it has only between values. Read as such, it tells where everything stands.
    located = read_yaml(path, text.replace("\t", " "))
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise InvalidFile(located.faults(error, model)) from error
