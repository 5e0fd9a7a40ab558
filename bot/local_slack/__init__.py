"""A local Slack-compatible workspace: Web API, Socket Mode, response_url, and people to act in it."""

from .admin import Admin, FaultHandle
from .faults import Fault
from .feed import VisibleChange
from .grants import Registration
from .installation import App, Team
from .local_api.admin import Status
from .local_slack import LocalSlack
from .model import Channel, File, Message, User, UserGroup, View
from .outcome import Outcome
from .panel import Panel, PanelEntry, Wait
from .person import Person
from .refusals import NotPossible, PortTaken, RealTokensPresent
from .server import LocalWorkspace

__all__ = [
    "Admin",
    "App",
    "Channel",
    "Fault",
    "FaultHandle",
    "File",
    "LocalSlack",
    "LocalWorkspace",
    "Message",
    "NotPossible",
    "Outcome",
    "Panel",
    "PanelEntry",
    "Person",
    "PortTaken",
    "RealTokensPresent",
    "Registration",
    "Status",
    "Team",
    "User",
    "UserGroup",
    "View",
    "VisibleChange",
    "Wait",
]
