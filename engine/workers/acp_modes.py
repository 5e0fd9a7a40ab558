"""In which of its modes an agent asks people before it acts; nothing runs where nobody knows.

What a mode is called is up to each agent, and what begins in one is not what people want: of late agents begin in modes
in which a model decides in people's place.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.workers.acp import AgentTrouble
from engine.workers.registry import OWN_MODE

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
