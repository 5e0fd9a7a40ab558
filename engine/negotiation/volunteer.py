"""Somebody who was not asked and has offered their help, as the negotiation knows them."""

from collections.abc import Mapping

from msgspec import Struct

from engine.negotiation.events import HelpAnswered, HelpOffered
from engine.negotiation.terms import Asked


class Volunteer(Struct, frozen=True, gc=False):
    """Somebody who was not asked and has offered their help."""

    offered: HelpOffered
    answered: HelpAnswered | None = None
    """None while whoever asked has not decided, or has asked for something else since."""

    @property
    def person(self) -> Asked:
        offered = self.offered
        return Asked(
            agent_id=offered.agent_id,
            display_name=offered.display_name,
            user_id=offered.by,
            match_type="explicit",
            confidence=1.0,
            covers=offered.covers,
        )


def filling(volunteers: Mapping[str, Volunteer]) -> list[Volunteer]:
    """Return those who do what an agreed plan lacked."""
    return [each for each in volunteers.values() if each.answered is not None and each.answered.way == "plan"]


def twin_votes(volunteers: Mapping[str, Volunteer], agent_id: str) -> bool:
    """Whether somebody's twin votes for them: not for whoever has offered their help in person, or has none."""
    volunteer = volunteers.get(agent_id)
    if volunteer is None or volunteer.answered is None:
        return True
    return volunteer.offered.has_twin and volunteer.answered.way != "offer"
