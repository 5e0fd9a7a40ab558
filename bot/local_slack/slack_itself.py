"""What several workspaces share: the app that any of them can install, and how it is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .faults import Faults
from .installation import Grant, Grants, Registration
from .journal import Activity, LateCalls
from .limits import Limits
from .model import Json, Now
from .sockets import Sockets

if TYPE_CHECKING:
    from .workspace import Workspace


class SlackItself:
    """Slack, of which each workspace is a part. `faults` are of the calls that concern no workspace."""

    def __init__(self, registration: Registration, now: Now, ack_timeout: float) -> None:
        self.registration = registration
        self.now = now
        self.url = ""  # known once the server listens
        self.grants = Grants(registration, now)
        self.activity = Activity()
        self.faults = Faults()
        self.limits = Limits(now)
        self.late_calls = LateCalls()
        self.sockets = Sockets(registration.app.id, self.faults, self.activity, ack_timeout)
        self.workspaces: list[Workspace] = []

    def workspaces_of(self, grant: Grant) -> list[Workspace]:
        """Where a grant is good for."""
        return [each for each in self.workspaces if self.grants.of(each.team) is grant]

    def workspace(self, team_id: str) -> Workspace:
        return next(each for each in self.workspaces if each.team.id == team_id)

    def installed(self, grant: Grant) -> None:
        for each in self.workspaces_of(grant):
            each.publish_installation()

    def remove(self, grant: Grant, *kinds: str) -> None:
        """Revoke the tokens; the app hears of it, as its manifest says, once for all workspaces."""
        for where in self.workspaces_of(grant)[:1]:
            for kind in kinds or ("tokens_revoked", "app_uninstalled"):
                self._tell(where, kind)
        gone = self.workspaces_of(grant)
        grant.is_revoked = True
        for each in gone:
            each.publish_installation()

    def shut_out(self, team_id: str) -> None:
        """Take the app out of one workspace of an organisation that has it as a whole."""
        where = self.workspace(team_id)
        grant = self.grants.of(where.team)
        assert grant is not None  # noqa: S101 - a test's mistake
        assert grant.place.team_id is None  # noqa: S101 - the same
        where.announce_now({"type": "team_access_revoked", "team_ids": [team_id]})
        grant.without.add(team_id)

    def let_in(self, team_id: str) -> None:
        """Put it back there."""
        where = self.workspace(team_id)
        for each in self.workspaces:
            grant = self.grants.of(each.team)
            if (
                grant is not None
                and grant.place.team_id is None
                and each.team.enterprise_id == where.team.enterprise_id
            ):
                grant.without.discard(team_id)
                where.announce_now({"type": "team_access_granted", "team_ids": [team_id]})
                return

    def _tell(self, where: Workspace, kind: str) -> None:
        event: Json = {"type": kind}
        if kind == "tokens_revoked":
            event["tokens"] = {"oauth": [], "bot": [self.registration.app.bot_user_id]}
        where.announce_now(event)
