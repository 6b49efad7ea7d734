"""What is answered when something cannot be done: a page for people, JSON for programs."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from numduel.errors import NumduelError, StoreError
from numduel.web.pages.rendering import page
from numduel.web.problems import status_of
from numduel.wording import problem

UNEXPECTED = "Something went wrong on our side. It is not your fault, and it was logged."
_STORE = "The rooms cannot be read or written right now. Nothing is lost. Try again in a moment."
_NO_JSON = "The body is not JSON."
_HEADINGS = {
    400: "We could not read that",
    403: "You cannot do that",
    404: "There is nothing here",
    405: "That cannot be done here",
    408: "That took too long to arrive",
    409: "Too late",
    413: "That is too large",
    422: "We could not use that",
    429: "One moment, please",
    500: "That was our mistake",
    503: "Not right now",
}
_SENTENCES = {
    400: "What was sent could not be read.",
    403: "You cannot do this from here. Open the page again and retry.",
    404: "There is no page at this address. It may be mistyped, or the page is gone.",
    405: "This address does not accept that request.",
    413: "What was sent is too large.",
    422: "What was sent could not be used. Go back and check what you entered.",
    429: "That was too many requests at once. Wait a moment, then try again.",
    503: "The server is busy. Wait a moment, then try again.",
}


def add_error_pages(app: FastAPI) -> None:
    """Answer every error of the application in words."""
    app.add_exception_handler(NumduelError, _known)
    app.add_exception_handler(HTTPException, _plain)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Exception, _unexpected)


def answer(
    request: Request, status: int, kind: str, message: str, headers: dict[str, str] | None = None
) -> Response:
    """The error as JSON under /api, as a page elsewhere."""
    if request.url.path == "/openapi.json" or request.url.path.startswith("/api/"):
        return JSONResponse({"error": kind, "message": message}, status, headers)
    heading = _HEADINGS.get(status, HTTPStatus(status).phrase)
    response = page(
        request, "error.html", status, heading=heading, message=message, code=status,
        again=status in (429, 503) and request.method == "GET",
    )  # fmt: skip
    response.headers.update(headers or {})
    return response


def sentence(error: NumduelError) -> str:
    """The error in words that tell nothing about the server."""
    return _STORE if isinstance(error, StoreError) else problem(error)


async def _known(request: Request, error: Exception) -> Response:
    assert isinstance(error, NumduelError)
    seconds = error.fields.get("seconds") if status_of(error) == 429 else None
    headers = {"Retry-After": str(seconds)} if seconds else None
    return answer(request, status_of(error), error.word, sentence(error), headers)


async def _plain(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    phrase = HTTPStatus(error.status_code).phrase
    message = _SENTENCES.get(error.status_code, f"{phrase}.")
    if error.detail and error.detail != phrase and error.status_code != 400:  # FastAPI's own words
        message = str(error.detail)
    kind = phrase.title().replace(" ", "").replace("-", "")
    return answer(request, error.status_code, kind, message, dict(error.headers or {}))


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    told = [_told(one) for one in error.errors()[:5]]
    return answer(request, 422, "InvalidRequest", " ".join(told) or _SENTENCES[422])


def _told(one: dict[str, Any]) -> str:
    return _NO_JSON if one["type"] == "json_invalid" else f"{_place(one)}: {one['msg']}."


def _place(one: dict[str, Any]) -> str:
    """Which field it was, by name alone: what was sent is not sent back."""
    names = [str(part) for part in one["loc"] if part not in ("body", "query", "path")]
    return ".".join(names)[:80] or "The request"


async def _unexpected(request: Request, _: Exception) -> Response:
    return answer(request, 500, "ServerError", UNEXPECTED)
