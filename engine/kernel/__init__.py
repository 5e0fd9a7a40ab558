"""The law: a command asks, an event happened, an effect is owed.

Pure. Every protocol stands on these words; none of them is known here.
"""

from engine.kernel.commands import Command, Failed, Recover, Ring, Told
from engine.kernel.decisions import Decision, Draft, SetAlarm
from engine.kernel.effects import Ask, Effect, OnRestart, Tell
from engine.kernel.events import Event, payload
from engine.kernel.ids import Millis, StreamKey, Tenant, iso
from engine.kernel.message import PRIVATE, Message
from engine.kernel.projections import Handled, Projection, Record
from engine.kernel.rulebook import Letter, Rulebook
from engine.kernel.transitions import Transitions

__all__ = [
    "PRIVATE",
    "Ask",
    "Command",
    "Decision",
    "Draft",
    "Effect",
    "Event",
    "Failed",
    "Handled",
    "Letter",
    "Message",
    "Millis",
    "OnRestart",
    "Projection",
    "Record",
    "Recover",
    "Ring",
    "Rulebook",
    "SetAlarm",
    "StreamKey",
    "Tell",
    "Tenant",
    "Told",
    "Transitions",
    "iso",
    "payload",
]
