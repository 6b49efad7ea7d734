"""What is answered when something cannot be done: a page for people, JSON for programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Match
from starlette.types import Scope

from numduel import errors
from numduel.web.pages.form import Unfit
from numduel.web.pages.rendering import page
from numduel.web.state import Refusal
from numduel.wording import problem

UNFIT = 422
_UNKNOWN = (errors.UnknownRoom, errors.UnknownClass)
_STORE = "The rooms cannot be read or written right now. Nothing is lost. Try again in a moment."
_STATUS: dict[type[errors.NumduelError], int] = {
    errors.NotSeated: 403,
    errors.UnknownRoom: 404,
    errors.UnknownClass: 404,
    errors.UnknownMatch: 404,
    errors.NotAllowed: 409,
    errors.TooManyRequests: 429,
    errors.TooBusy: 503,
    errors.TookTooLong: 503,
    errors.StoreError: 503,
}
_SENTENCES = {
    400: "What was sent could not be read.",
    404: "There is no page at this address. It may be mistyped, or the page is gone.",
    405: "This address does not accept that request.",
}


def add_error_pages(app: FastAPI) -> None:
    """Answer every error of the application in words, but those that the guard answers."""
    app.add_exception_handler(errors.NumduelError, _known)
    app.add_exception_handler(HTTPException, _plain)
    app.add_exception_handler(RequestValidationError, _invalid)


def status_of(error: errors.NumduelError) -> int:
    """The HTTP status of the error; what is not named here is input that cannot be used."""
    return next((_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS), UNFIT)


def sentence(error: errors.NumduelError) -> str:
    """The error in words that tell nothing about the server."""
    return _STORE if isinstance(error, errors.StoreError) else problem(error)


def refusal(error: errors.NumduelError, status: int | None = None) -> Refusal:
    """One of numduel's own errors as a refusal; who asks too much is told how long to wait."""
    waits = isinstance(error, errors.TooManyRequests)
    headers = {"Retry-After": str(error.fields["seconds"])} if waits else {}
    return Refusal(status or status_of(error), error.word, sentence(error), headers)


@dataclass(frozen=True, slots=True)
class Trying:
    """What is refused in the block is said by the page that is shown next, with its status: at the
    field that was wrong, or at this one. An unknown room or class has a page of its own.
    """

    request: Request
    where: str = ""
    form: Mapping[str, str] = field(default_factory=dict)  # what was filled in

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        if isinstance(error, Unfit):
            cause, status, said, where = error.error, UNFIT, error.said, error.where
        elif isinstance(error, errors.NumduelError) and not isinstance(error, _UNKNOWN):
            cause, status, said, where = error, status_of(error), sentence(error), self.where
        else:
            return False
        why = Refusal(status, cause.word, said, {}, where, self.form, cause)
        self.request.state.refused = why
        return True


def answer(refused: Refusal, scope: Scope) -> Response:
    """The refusal as JSON under /api and on live connections, as a page elsewhere."""
    status, headers = refused.status, dict(refused.headers)
    if scope["type"] == "websocket" or _is_for_programs(scope):
        return JSONResponse({"error": refused.error, "message": refused.message}, status, headers)
    again = status in (429, 503) and scope["method"] == "GET"
    request = Request(scope)
    request.state.refused = refused
    response = page(request, "error.html", phrase=HTTPStatus(status).phrase, again=again)
    response.headers.update(headers)
    return response


def _is_for_programs(scope: Scope) -> bool:
    return bool(scope["path"] == "/openapi.json" or scope["path"].startswith("/api/"))


async def _known(request: Request, error: Exception) -> Response:
    assert isinstance(error, errors.NumduelError)
    if isinstance(error, _UNKNOWN) and not _is_for_programs(request.scope):
        request.state.refused = Refusal()  # whatever was refused before, this page tells nothing of
        return page(request, "gone.html", 404, is_class=isinstance(error, errors.UnknownClass))
    return answer(refusal(error), request.scope)


async def _plain(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    phrase = HTTPStatus(error.status_code).phrase
    message = _SENTENCES.get(error.status_code, f"{phrase}.")
    if error.detail and error.detail != phrase and error.status_code != 400:  # FastAPI's own words
        message = str(error.detail)
    kind = phrase.title().replace(" ", "").replace("-", "")
    headers = dict(error.headers or {})
    if "Allow" in headers:  # a route names its own methods alone
        there = (one for one in request.app.routes if one.matches(request.scope)[0] != Match.NONE)
        headers["Allow"] = ", ".join(sorted({name for one in there for name in one.methods}))
    return answer(Refusal(error.status_code, kind, message, headers), request.scope)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    told = " ".join(map(_told, error.errors()[:5]))
    return answer(Refusal(UNFIT, "InvalidRequest", told), request.scope)


def _told(one: dict[str, Any]) -> str:
    """Which field was wrong, by name alone: what was sent is not sent back."""
    if one["type"] == "json_invalid":
        return "The body is not JSON."
    names = [str(part) for part in one["loc"] if part not in ("body", "query", "path")]
    return f"{'.'.join(names)[:80] or 'The request'}: {one['msg']}."
