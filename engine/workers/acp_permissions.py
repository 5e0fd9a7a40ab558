"""What an agent asks leave for, told whole to people and named by a digest; and which of its options is taken."""

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from engine.errors import EngineError
from engine.workers.acp import AgentTrouble
from engine.workers.port import AskedPermission, PermissionKind
from engine.workers.registry import OWN_MODE

# ── permissions ───────────────────────────────────────────────────────────────────────────────────────────────────────


LARGEST_QUESTION: Final = 12_000
"""Characters of the title and the detail together: what people can be shown of it in one message. A question that is
larger is refused, since nobody should allow what they have not seen."""

_TOLD: Final = ("kind", "title", "rawInput", "content", "locations")
_IDS: Final = frozenset({"_meta", "toolCallId", "terminalId"})
_OF_A_RECORD: Final = frozenset(
    {"turn_id", "item_id", "message_id", "messageID", "thread_id", "approval_id", "started_at_ms"}
)
"""Further fields that change from run to run in a raw input that names this very call: such an input is a record of
the agent's, not what a tool is given. (Codex: ``call_id``, ``turn_id``, ``started_at_ms``.)"""


class UnreadableQuestion(EngineError):
    """A question that nobody can be asked: it is too large, or none."""


def asked(call: Mapping[str, Any], run_ids: Iterable[str]) -> AskedPermission:
    """Read a request for permission.

    Args:
        call: the ``toolCall`` of ``session/request_permission``, completed with what was told of this call before.
        run_ids: of the session and of this call; where they are a value, it is left out of the digest.

    Raises:
        UnreadableQuestion: it is larger than `LARGEST_QUESTION`, nested too deeply, or says nothing.
    """
    if not _is_well_formed(call):
        raise UnreadableQuestion("a question of the wrong form was refused")
    try:
        told = {name: call[name] for name in _TOLD if call.get(name) not in (None, "", [], {})}
        told = _without_ids(told, frozenset(run_ids))
        canonical = json.dumps(told, sort_keys=True, separators=(",", ":"))
        title, detail = _title(told), _detail(told)
    except (RecursionError, ValueError) as error:
        raise UnreadableQuestion("a question that is nested too deeply was refused") from error
    if not told.keys() - {"kind"}:
        raise UnreadableQuestion("a question that does not say what it is about was refused")
    if (size := len(title) + len(detail)) > LARGEST_QUESTION:
        raise UnreadableQuestion(
            f"a question of {size} characters was refused, since people can be shown {LARGEST_QUESTION} at most"
        )
    kind = told.get("kind")
    return AskedPermission(
        digest=f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}",
        kind=kind if kind in get_args(PermissionKind) else "other",
        title=title,
        detail=detail,
    )


def _is_well_formed(call: Mapping[str, Any]) -> bool:
    return all(isinstance(call.get(name), str | None) for name in ("kind", "title")) and all(
        isinstance(call.get(name), list | None) and all(isinstance(each, dict) for each in call.get(name) or ())
        for name in ("content", "locations")
    )


def spelled_out(text: str) -> str:
    """Return the text with everything that nobody would see written as an escape: people decide by what they see."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(each if _is_seen(each) else f"\\u{{{ord(each):x}}}" for each in text)


def _is_seen(letter: str) -> bool:
    return letter in "\n\t" or unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _without_ids(value: Any, run_ids: frozenset[str]) -> Any:
    match value:
        case dict():
            kept = {name: each for name, each in value.items() if name not in _IDS and not _is_one_of(run_ids, each)}
            is_record = any(_is_one_of(run_ids, each) for each in value.values())
            return {
                name: _without_ids(each, run_ids)
                for name, each in kept.items()
                if not (is_record and name in _OF_A_RECORD)
            }
        case list():
            return [_without_ids(each, run_ids) for each in value]
        case _:
            return value


def _is_one_of(ids: frozenset[str], value: Any) -> bool:
    return isinstance(value, str) and value in ids


def _title(told: Mapping[str, Any]) -> str:
    return spelled_out(told.get("title") or "")


def _detail(told: Mapping[str, Any]) -> str:
    """The command, the differences and the texts; then every field of the raw input that none of them shows."""
    raw = told.get("rawInput")
    shown: set[str] = set()
    parts: list[str] = []
    if isinstance(raw, dict) and isinstance(raw.get("command"), str):
        parts.append(raw["command"])
        shown.add(raw["command"])
    parts.extend(_content(each, shown) for each in told.get("content") or ())
    if isinstance(raw, dict):
        parts += [
            f"{name}: {each if isinstance(each, str) else json.dumps(each, ensure_ascii=False)}"
            for name, each in raw.items()
            if not (isinstance(each, str) and each in shown)
        ]
        shown |= {each for each in raw.values() if isinstance(each, str)}
    elif raw is not None:
        parts.append(raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False))
    paths = (each.get("path") for each in told.get("locations") or ())
    parts += [path for path in paths if isinstance(path, str) and path not in shown]
    return "\n".join(spelled_out(part) for part in parts if part)


def _content(block: Any, shown: set[str]) -> str:
    """One part of what a call shows; what it says goes to ``shown``."""
    match block:
        case {"type": "diff", "path": str(path), "newText": str(new)}:
            old = block.get("oldText")
            old = old if isinstance(old, str) else ""
            shown |= {path, new, old}
            return f"--- {path}\n{_difference(old, new)}"
        case {"type": "content", "content": {"type": "text", "text": str(text)}}:
            shown.add(text)
            return text
        case _:
            return json.dumps(block, ensure_ascii=False)


def _difference(old: str, new: str) -> str:
    """The lines that go and the lines that come, without those that both begin and end with."""
    before, after = old.split("\n") if old else [], new.split("\n") if new else []
    shortest = min(len(before), len(after))
    start = 0
    while start < shortest and before[start] == after[start]:
        start += 1
    end = 0
    while end < shortest - start and before[-1 - end] == after[-1 - end]:
        end += 1
    gone, come = before[start : len(before) - end], after[start : len(after) - end]
    place = [f"@@ line {start + 1} @@"] if start else []
    return "\n".join([*place, *(f"-{line}" for line in gone), *(f"+{line}" for line in come)])


@dataclass(frozen=True, slots=True)
class Choice:
    option_id: str
    is_for_good: bool = False
    """The agent offers nothing that holds once, so what was answered once holds for as long as it lives."""


def choose(options: Sequence[Mapping[str, Any]], *, is_allowed: bool) -> Choice | None:
    """The agent's option that says this answer, rather once than for good; None where none does."""
    once, for_good = ("allow_once", "allow_always") if is_allowed else ("reject_once", "reject_always")
    by_kind: dict[Any, str] = {}
    for each in options:
        if isinstance(each, Mapping) and isinstance(each.get("optionId"), str) and isinstance(each.get("kind"), str):
            by_kind.setdefault(each["kind"], each["optionId"])
    if once in by_kind:
        return Choice(by_kind[once])
    if for_good in by_kind:
        return Choice(by_kind[for_good], is_for_good=True)
    return None


# ── modes ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
# In which of its modes an agent asks people before it acts; nothing runs where nobody knows.
#
# What a mode is called is up to each agent, and what begins in one is not what people want: of late agents begin in
# modes in which a model decides in people's place.


CLAUDE: Final = "@agentclientprotocol/claude-agent-acp"
CODEX: Final = "@agentclientprotocol/codex-acp"
OPENCODE: Final = "OpenCode"
"""Agents by the names that they greet with."""
ASKING: Final[Mapping[str, str]] = {CLAUDE: "default", CODEX: "read-only"}
"""The mode of each in which it asks people; OpenCode has none: its configuration says what it asks for."""
OPENCODE_CONFIG: Final = "OPENCODE_CONFIG_CONTENT"
ACTING: Final = ("edit", "bash")
"""OpenCode's permissions without which it would change something, or run something, unasked."""
ASKS_OR_REFUSES: Final = frozenset({"ask", "deny"})
MOST_NAMED: Final = 12


@dataclass(frozen=True, slots=True)
class Modes:
    """What a session offers.

    Attributes:
        option: id of the configuration option that sets the mode; empty where ``session/set_mode`` does.
    """

    ids: tuple[str, ...] = ()
    current: str = ""
    option: str = ""


def modes_of(session: Any) -> Modes:
    """Read what an agent answers when it opens a session: its option for the mode, else its modes."""
    if not isinstance(session, dict):
        return Modes()
    options = session.get("configOptions")
    for each in options if isinstance(options, list) else ():
        match each:
            case {"type": "select", "id": str(option), "currentValue": str(current), "options": [*values]} if each.get(
                "category"
            ) == "mode" or (each.get("category") is None and option == "mode"):
                return Modes(tuple(_values(values)), current, option)
    match session.get("modes"):
        case {"currentModeId": str(current), "availableModes": [*modes]}:
            ids = (each.get("id") for each in modes if isinstance(each, dict))
            return Modes(tuple(each for each in ids if isinstance(each, str)), current)
        case _:
            return Modes()


def _values(options: list[Any]) -> Iterator[str]:
    """The values of an option, whether they are in groups or not."""
    for each in options:
        match each:
            case {"group": str(), "options": [*grouped]}:
                yield from _values(grouped)
            case {"value": str(value)}:
                yield value


def wanted_mode(agent: str, said: str, environment: Mapping[str, str], offered: Modes) -> str:
    """Return the mode that the session has to be in; empty where the agent's own configuration says when it asks.

    Args:
        agent: as it names itself.
        said: ``session_mode`` of the role.
        environment: of its process.

    Raises:
        AgentTrouble: nobody knows in which mode it asks.
    """
    if said == OWN_MODE:
        return ""
    if said:
        return said
    if agent in ASKING:
        return ASKING[agent]
    if agent == OPENCODE:
        if opencode_asks(environment):
            return ""
        raise AgentTrouble(
            "misconfigured",
            f'OpenCode acts without asking: give {OPENCODE_CONFIG} in settings a "permission" that asks for edit and '
            "bash, as in docs/delivery.md, or say in session_mode which mode is meant.",
        )
    named = f"its modes are {', '.join(offered.ids[:MOST_NAMED])}" if offered.ids else "it has no modes"
    raise AgentTrouble(
        "misconfigured",
        f"Nobody knows how this agent asks before it acts; {named}. Say in session_mode which one asks, or "
        f'"{OWN_MODE}" where its own configuration says that it asks.',
    )


def opencode_asks(environment: Mapping[str, str]) -> bool:
    """Whether OpenCode's configuration, as it is given it, lets nothing be changed or run unasked."""
    try:
        configured = json.loads(environment.get(OPENCODE_CONFIG, ""))
    except ValueError:
        return False
    match configured:
        case {"permission": str(rule)}:
            rules: dict[str, Any] = {"*": rule}
        case {"permission": dict(rules)}:
            pass
        case _:
            return False
    if any(configured.get(each) for each in ("agent", "mode")):
        return False  # which may have permissions of their own
    names = list(rules)
    if "*" in names[1:]:
        return False  # the last rule that fits holds, and this fits everything
    return all(_asks(rules.get(each, rules.get("*"))) for each in ACTING)


def _asks(rule: Any) -> bool:
    if isinstance(rule, dict):
        return bool(rule) and "*" in rule and all(_asks(each) for each in rule.values())
    return isinstance(rule, str) and rule in ASKS_OR_REFUSES
