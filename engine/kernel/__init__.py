"""The law: a command asks, an event happened, an effect is owed.

Pure. Every protocol stands on these words; none of them is known here.
"""

from engine.kernel.actions import Action, Field, FieldKind, Who
from engine.kernel.commands import AlarmRang, Command, CommandDelivered, EffectFailed, HandoverTaken, Recover
from engine.kernel.decisions import Decision, Draft, Outstanding, SetAlarm
from engine.kernel.effects import (
    Ask,
    Computation,
    Compute,
    Effect,
    FindRecords,
    OnRestart,
    RegisterOutputs,
    RunWorker,
    SendCommand,
)
from engine.kernel.encoding import convert, decode, encode, plain, plain_texts
from engine.kernel.events import Event, events_in, payload
from engine.kernel.forgetting import OPERATOR, Forgetter, Link, Part, Whose
from engine.kernel.handover import FactKind, HandedFact, HandedPerson, HandedTask, Handover, tell_origin
from engine.kernel.ids import Millis, StreamKey, Tenant, is_id, iso
from engine.kernel.message import PRIVATE, SPARSE, Message, Validated, values_of
from engine.kernel.model_answer import ModelAnswer
from engine.kernel.place import ChangePlace, Place
from engine.kernel.projections import Handled, KeyRange, Projection, Record
from engine.kernel.rulebook import ComposeCommand, Rulebook, Search
from engine.kernel.transitions import Transitions

__all__ = [
    "OPERATOR",
    "PRIVATE",
    "SPARSE",
    "Action",
    "AlarmRang",
    "Ask",
    "ChangePlace",
    "Command",
    "CommandDelivered",
    "ComposeCommand",
    "Computation",
    "Compute",
    "Decision",
    "Draft",
    "Effect",
    "EffectFailed",
    "Event",
    "FactKind",
    "Field",
    "FieldKind",
    "FindRecords",
    "Forgetter",
    "HandedFact",
    "HandedPerson",
    "HandedTask",
    "Handled",
    "Handover",
    "HandoverTaken",
    "KeyRange",
    "Link",
    "Message",
    "Millis",
    "ModelAnswer",
    "OnRestart",
    "Outstanding",
    "Part",
    "Place",
    "Projection",
    "Record",
    "Recover",
    "RegisterOutputs",
    "Rulebook",
    "RunWorker",
    "Search",
    "SendCommand",
    "SetAlarm",
    "StreamKey",
    "Tenant",
    "Transitions",
    "Validated",
    "Who",
    "Whose",
    "convert",
    "decode",
    "encode",
    "events_in",
    "is_id",
    "iso",
    "payload",
    "plain",
    "plain_texts",
    "tell_origin",
    "values_of",
]
