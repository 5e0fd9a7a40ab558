"""Uploaded files."""

from __future__ import annotations

import mimetypes

from ..model import File, Json
from ..workspace import Workspace


def file_shape(workspace: Workspace, file: File) -> Json:
    url = f"{workspace.app_url}/files/{file.id}/{file.name}"
    kind = file.name.rpartition(".")[2].lower() if "." in file.name else "text"
    return {
        "id": file.id,
        "created": file.created,
        "timestamp": file.created,
        "name": file.name,
        "title": file.title or file.name,
        "mimetype": mimetypes.guess_type(file.name)[0] or "text/plain",
        "filetype": kind,
        "pretty_type": kind.upper(),
        "user": file.user,
        "user_team": workspace.team_of(file.user),
        "editable": False,
        "size": len(file.content or b""),
        "mode": "hosted",
        "is_external": False,
        "external_type": "",
        "is_public": True,
        "public_url_shared": False,
        "display_as_bot": False,
        "username": "",
        "url_private": url,
        "url_private_download": url,
        "permalink": url,
        "permalink_public": url,
        "is_starred": False,
        "media_display_type": "unknown",
        "has_rich_preview": False,
        "file_access": "visible",
        "channels": file.channels,
        "groups": [],
        "ims": [],
    }
