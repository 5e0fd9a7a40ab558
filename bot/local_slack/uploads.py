"""Files that a person gives to a form: sent when they are chosen, and named by their ids when the form is sent."""

from __future__ import annotations

from collections.abc import Sequence

from .model import File, Json, User
from .refusals import NotPossible
from .shapes import file_shape
from .workspace import Workspace

LONGEST_NAME = 255


def upload(workspace: Workspace, user: User, name: str, content: bytes) -> File:
    """Keep a file of this person's, which is shared with nobody but the app whose form it is given to."""
    called = name.replace("/", "_").strip()[:LONGEST_NAME]
    if not called or not content:
        raise NotPossible("A file has a name, and something in it.")
    created = int(workspace.now())
    return workspace.files.put(
        File(id=workspace.new_id("F"), name=called, length=len(content), user=user.id, created=created, content=content)
    )


def given_files(workspace: Workspace, user_id: str, value: object) -> list[Json]:
    """What a form says of the files with these ids."""
    ids = value if isinstance(value, Sequence) and not isinstance(value, str) else [value] if value else []
    files = [workspace.files.get(str(each)) for each in ids]
    if any(file is None or file.user != user_id for file in files):
        raise NotPossible(f"{user_id} has not uploaded all of these files.")
    return [file_shape(workspace, file) for file in files if file is not None]
