"""Modals and Home tabs."""

from __future__ import annotations

from ..model import Json, View
from ..workspace import Workspace


def view_shape(workspace: Workspace, view: View) -> Json:
    return {
        "id": view.id,
        "team_id": workspace.team_of(view.user),
        "type": view.type,
        "blocks": view.blocks,
        "private_metadata": view.private_metadata,
        "callback_id": view.callback_id,
        "state": {"values": view.values},
        "hash": view.hash,
        "title": view.title or {"type": "plain_text", "text": "View Title", "emoji": True},
        "clear_on_close": view.clear_on_close,
        "notify_on_close": view.notify_on_close,
        "close": view.close,
        "submit": view.submit,
        "previous_view_id": view.previous_view_id,
        "root_view_id": view.root_view_id,
        "app_id": workspace.app.id,
        "external_id": view.external_id,
        "app_installed_team_id": workspace.team.id,
        "bot_id": workspace.app.bot_id,
    }
