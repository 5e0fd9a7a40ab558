"""Which variables say how Claude, or another model, is reached and what it may cost; `bot.config` reads them all."""

import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.environment import check_proxy, dollars, is_address, seconds, secret, whole_number
from engine.errors import Misconfigured
from engine.llm.address import PUBLIC_URL
from engine.llm.breaker import RECOVERY, THRESHOLD
from engine.llm.budget import Caps
from engine.llm.warming import WORTH_WAITING

LEDGER_DAYS: Final = 30


@dataclass(frozen=True, slots=True)
class ClaudeAccess:
    """How Claude is reached, or another model behind a server that speaks the same API."""

    api_key: str = field(repr=False)
    """Empty where the server wants none."""
    base_url: str | None = None
    model: str | None = None
    """Answers every prompt, whatever its header says."""
    timeout: float | None = None
    """Seconds for each call; None: what the prompt's header says."""
    failure_threshold: int = THRESHOLD
    """Failed questions in a row after which Claude is not asked for a while."""
    recovery_timeout: float = RECOVERY
    """Seconds until one question tries again."""
    warm_first: int = WORTH_WAITING
    """Tokens to be read from the cache, for which one question is asked before others; 0: never."""
    caps: Caps = field(default_factory=Caps)
    """What may be spent."""
    ledger_days: int = LEDGER_DAYS
    """For how many days each call has a row of its own in the ledger."""


def read_claude(environ: Mapping[str, str]) -> ClaudeAccess | None:
    """Return how the models are reached; None without a key and without an address."""
    faults: list[str] = []
    claude = claude_access(environ, faults)
    if faults:
        raise Misconfigured(faults)
    return claude


def claude_access(environ: Mapping[str, str], faults: list[str]) -> ClaudeAccess | None:
    base_url = environ.get("ANTHROPIC_BASE_URL") or None
    if base_url is not None and not is_address(base_url):
        faults.append(f"ANTHROPIC_BASE_URL is {base_url!r}, which is no address; leave it out to use Anthropic's own")
    timeout = seconds(environ, "LLM_TIMEOUT", 20.0, faults) if environ.get("LLM_TIMEOUT") else None
    threshold = whole_number(environ, "LLM_FAILURE_THRESHOLD", THRESHOLD, "failures", faults)
    recovery = seconds(environ, "LLM_RECOVERY_TIMEOUT", RECOVERY, faults)
    warm_first = environ.get("TOWOW_WARM_FIRST") or str(WORTH_WAITING)
    if not warm_first.isdecimal():
        faults.append(f"TOWOW_WARM_FIRST is {warm_first!r}; it is a number of tokens, such as {WORTH_WAITING}, or 0")
        warm_first = "0"
    key, model = secret(environ, "ANTHROPIC_API_KEY", faults), environ.get("LLM_MODEL") or None
    for name, kind in (("SSL_CERT_FILE", "file"), ("SSL_CERT_DIR", "folder")):
        said = environ.get(name, "")
        if said and not (Path(said).is_file() if kind == "file" else Path(said).is_dir()):
            faults.append(f"{name} is {said!r}, which is no {kind} that can be read; leave it out for the usual ones")
        elif said and kind == "file" and not _has_certificates(said):
            faults.append(f"{name} is {said!r}, which has no certificates (PEM); leave it out for the usual ones")
    days = whole_number(environ, "TOWOW_LEDGER_DAYS", LEDGER_DAYS, "days", faults)
    caps = Caps(
        *(dollars(environ, f"TOWOW_BUDGET_{each}", faults) for each in ("DEMAND", "PERSON", "WORKSPACE", "DAY"))
    )
    if not key and base_url is None:
        return None
    check_proxy(base_url or PUBLIC_URL, faults)
    return ClaudeAccess(key, base_url, model, timeout, threshold, recovery, int(warm_first), caps, days)


def _has_certificates(file: str) -> bool:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file)
    except OSError:  # what OpenSSL says is one
        return False
    return True
