"""Where an app is installed: in one workspace, or in an organisation as a whole."""

from typing import NamedTuple

from slack_sdk.oauth.installation_store import Installation

from engine.kernel import Millis, Tenant


class Place(NamedTuple):
    enterprise_id: str
    """Empty for a workspace of no organisation."""
    team_id: str
    """Empty for a whole organisation."""

    @property
    def sql(self) -> dict[str, str | None]:
        """As the SDK's store asks for it."""
        return {"enterprise_id": self.enterprise_id or None, "team_id": self.team_id or None}

    def has(self, tenant: Tenant) -> bool:
        """Whether what is installed here is good for a workspace, unless that has installed the app itself."""
        return self.enterprise_id == tenant.enterprise_id and self.team_id in ("", tenant.team_id)


def places_of(tenant: Tenant) -> tuple[Place, ...]:
    """Return where an app may be installed that a workspace has: there, or else in its organisation."""
    own = Place(tenant.enterprise_id, tenant.team_id)
    return (own, Place(tenant.enterprise_id, "")) if tenant.enterprise_id else (own,)


class Installed(NamedTuple):
    """An installation as it is used."""

    place: Place
    stored: Installation
    expires_at: Millis | None
    """None for a token that does not expire."""

    @property
    def token(self) -> str:
        return str(self.stored.bot_token)

    def __repr__(self) -> str:
        return f"Installed({self.place})"

    @classmethod
    def of(cls, stored: Installation) -> "Installed":
        team_id = "" if stored.is_enterprise_install else stored.team_id or ""
        expires = stored.bot_token_expires_at
        return cls(Place(stored.enterprise_id or "", team_id), stored, expires * 1000 if expires else None)
