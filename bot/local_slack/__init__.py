"""A local Slack-compatible workspace: Web API, Socket Mode, response_url, and people to act in it."""

from .clients import Admin, FaultHandle, Person
from .faults import Fault
from .feed import Panel, PanelEntry, VisibleChange, Wait
from .installation import App, Registration, Team
from .limits import NotPossible, PortTaken, RealTokensPresent
from .local_api.admin import Status
from .local_slack import LocalSlack
from .model import Channel, File, Message, User, UserGroup, View
from .requests import Outcome
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
