"""What the directory adds to the HTTP interface."""

from typing import Final

from bot.api.directory import profiles
from bot.api.directory.schemas import (
    ChangedProfile,
    LimitsTold,
    OwnTwin,
    ProfileGone,
    ProfilesTold,
    ProfileTold,
    Reach,
    SaidOfLimit,
)
from bot.api.part import ApiPart
from bot.api.route import PREFIX, Route
from bot.api.tokens import Scope
from engine.directory.errors import InvalidProfile
from engine.directory.profile import Profile
from engine.errors import NotAllowed, Outdated, UnknownAgent

_PROFILES: Final = f"{PREFIX}/admin/profiles"
_PROFILE: Final = f"{_PROFILES}/{{agent_id}}"
_OWN_TWIN: Final = f"{PREFIX}/twin"
_OWN_LIMITS: Final = f"{PREFIX}/twin/limits"

ROUTES: Final = (
    Route("GET", _PROFILES, profiles.profiles, "Everybody of whom there is a profile", Scope.ADMIN, (ProfilesTold,)),
    Route(
        "POST", _PROFILES, profiles.add, "Add somebody", Scope.ADMIN, (ProfileTold,), Profile,
        refusals=(InvalidProfile, Outdated), status=201, is_repeatable=True,
    ),
    Route("GET", _PROFILE, profiles.profile, "One profile", Scope.ADMIN, (ProfileTold,), refusals=(UnknownAgent,)),
    Route(
        "PUT", _PROFILE, profiles.change, "Change a profile", Scope.ADMIN, (ProfileTold,), ChangedProfile,
        refusals=(InvalidProfile, Outdated, UnknownAgent), is_repeatable=True,
    ),
    Route(
        "POST", f"{_PROFILE}/disable", profiles.disable, "Ask this twin nothing any more", Scope.ADMIN, (ProfileTold,),
        refusals=(UnknownAgent,), is_repeatable=True,
    ),
    Route(
        "POST", f"{_PROFILE}/enable", profiles.enable, "Ask this twin again", Scope.ADMIN, (ProfileTold,),
        refusals=(UnknownAgent,), is_repeatable=True,
    ),
    Route(
        "POST", f"{_PROFILE}/reset", profiles.reset, "Discard what was edited: the file's words hold again",
        Scope.ADMIN, (ProfileTold, ProfileGone), refusals=(UnknownAgent,), is_repeatable=True,
    ),
    Route(
        "GET", f"{_PROFILE}/limits", profiles.limits, "What a twin holds to that nobody is linked to", Scope.ADMIN,
        (LimitsTold,), refusals=(NotAllowed, UnknownAgent),
    ),
    Route(
        "PUT", f"{_PROFILE}/limits/{{key}}", profiles.say_of_limit,
        "Say what of a limit holds, of a twin that nobody is linked to", Scope.ADMIN, (LimitsTold,), SaidOfLimit,
        refusals=(NotAllowed, Outdated, UnknownAgent), is_repeatable=True,
    ),
    Route(
        "GET", _OWN_TWIN, profiles.own_twin, "How far the twin of the person goes whom the token is bound to",
        Scope.VOTE, (OwnTwin,), refusals=(UnknownAgent,),
    ),
    Route(
        "PUT", _OWN_TWIN, profiles.choose_reach, "Say how far one's own twin goes", Scope.VOTE, (OwnTwin,), Reach,
        refusals=(NotAllowed, UnknownAgent), is_repeatable=True,
    ),
    Route(
        "GET", _OWN_LIMITS, profiles.own_limits, "What the person holds to whom the token is bound to", Scope.VOTE,
        (LimitsTold,), refusals=(UnknownAgent,),
    ),
    Route(
        "PUT", f"{_OWN_LIMITS}/{{key}}", profiles.say_of_own_limit,
        "Say what of a limit holds, as the person the token is bound to", Scope.VOTE, (LimitsTold,), SaidOfLimit,
        refusals=(NotAllowed, Outdated, UnknownAgent), is_repeatable=True,
    ),
)  # fmt: skip

PART: Final = ApiPart(ROUTES)
