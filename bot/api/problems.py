"""Every refusal in one shape: problem details (RFC 9457) with the seeds' `error_code`."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from aiohttp import web
from pydantic import ValidationError

from bot.api.schemas import Fault, Problem
from bot.posts.failures import CallFailed
from engine.errors import InvalidInput, ModelError, ModelTimeout, Refusal, StoreError, TooMuchOpen

log = logging.getLogger(__name__)

CONTENT_TYPE: Final = "application/problem+json"
TITLES: Final[Mapping[str, str]] = {
    "E001": "It is not in the form that is needed",
    "E002": "There is no such demand",
    "E003": "No model can be reached",
    "E004": "The model took too long",
    "E005": "Nobody could help",
    "E006": "The negotiation ran out of time",
    "E007": "There is no such channel",
    "E008": "There is no such agent",
    "E009": "Events cannot be sent",
    "E010": "It is not the time for that",
    "E011": "It was done before",
    "E012": "It is not yours to do",
    "E013": "What the model answered cannot be read",
    "E014": "The budget for models is spent",
    "E015": "Too much is under way in this workspace",
}
"""By the seeds' codes, which all protocols share. The detail says what happened, to what, and what would work."""

NOT_NOW: Final = "It cannot be read or written just now, and may or may not be done. Try again in a moment."
BROKEN: Final = "Something went wrong here. It is in the log; nothing else is known to have changed."
A_MOMENT: Final = {"Retry-After": "2"}
LATER: Final = {"Retry-After": "600"}
MOST_FAULTS: Final = 20


class RequestRefused(Exception):
    """A request that is refused before it reaches the engine, with the seeds' code where there is one."""

    def __init__(
        self,
        status: HTTPStatus,
        detail: str,
        headers: Mapping[str, str] | None = None,
        *,
        code: str | None = None,
        demand_id: str | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = dict(headers or {})
        self.code = code
        self.demand_id = demand_id


class EventsUnavailable(Exception):
    """E009: the events of a stream cannot be read, so that they cannot be sent."""


def title_of(code: str | None, status: int) -> str:
    """Return what a refusal is called: by its code, or by HTTP where the seeds have no code for it."""
    return TITLES.get(code or "", HTTPStatus(status).phrase)


def problem(
    status: int,
    detail: str,
    code: str | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    errors: tuple[Fault, ...] = (),
    demand_id: str | None = None,
) -> web.Response:
    said = Problem(
        title=title_of(code, status),
        status=status,
        detail=detail,
        error_code=code,
        errors=errors,
        demand_id=demand_id,
    )
    response = web.Response(status=status, body=said.model_dump_json().encode(), content_type=CONTENT_TYPE)
    response.headers.update(headers or {})
    return response


def problem_of(error: Exception, where: str) -> web.Response:
    """Return the answer to a call that failed. Unexpected exceptions go to the log, and are never shown to callers."""
    match error:
        case ValidationError():
            return _invalid(error)
        case TooMuchOpen():
            return problem(error.http_status, error.message, error.code, headers=LATER)
        case Refusal():
            return problem(error.http_status, error.message, error.code)
        case RequestRefused():
            return problem(error.status, error.detail, error.code, headers=error.headers, demand_id=error.demand_id)
        case EventsUnavailable():
            log.error("%s: %s", where, error.__cause__)
            return problem(HTTPStatus.INTERNAL_SERVER_ERROR, "The events cannot be read just now.", "E009",
                           headers=A_MOMENT)  # fmt: skip
        case ModelTimeout():
            return problem(error.http_status, "The model took too long; try again later.", error.code)
        case ModelError():
            return problem(error.http_status, "No model can be reached; try again later.", error.code)
        case web.HTTPException():
            return _of_http(error)
        case StoreError() | TimeoutError() | CallFailed():
            log.error("%s could not be handled: %s", where, error)
            return problem(HTTPStatus.SERVICE_UNAVAILABLE, NOT_NOW, headers=A_MOMENT)
        case _:
            log.error("%s could not be handled", where, exc_info=error)
            return problem(HTTPStatus.INTERNAL_SERVER_ERROR, BROKEN)


def _invalid(error: ValidationError) -> web.Response:
    """Name what is wrong without repeating what was sent: it may be long, or a secret."""
    found = error.errors(include_url=False, include_context=False, include_input=False)[:MOST_FAULTS]
    faults = tuple(Fault(field=".".join(map(str, each["loc"])), what=each["msg"]) for each in found)
    detail = "; ".join(f"{each.field or 'the body'}: {each.what}" for each in faults)
    return problem(InvalidInput.http_status, detail, InvalidInput.code, errors=faults)


def _of_http(error: web.HTTPException) -> web.Response:
    detail = {
        HTTPStatus.NOT_FOUND: "There is nothing here; /api/v1/openapi.json says what there is.",
        HTTPStatus.METHOD_NOT_ALLOWED: "That cannot be done here; the Allow header says what can.",
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is too large; 64 KiB are read.",
    }.get(HTTPStatus(error.status), HTTPStatus(error.status).phrase)
    headers = {name: error.headers[name] for name in ("Allow",) if name in error.headers}
    return problem(error.status, detail, headers=headers)
