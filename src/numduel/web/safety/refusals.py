"""Refusals: a sentence, as a page for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fastapi import Request
from fastapi.responses import JSONResponse, Response
from starlette.types import Scope

from numduel.errors import NumduelError
from numduel.web.pages.errors import answer
from numduel.wording import problem


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request goes no further."""

    status: int
    error: str
    """One word for programs."""
    message: str
    """A sentence for people."""
    headers: Mapping[str, str] = field(default_factory=dict)


def refusal(status: int, error: NumduelError, headers: Mapping[str, str]) -> Refusal:
    """One of numduel's own errors as a refusal."""
    return Refusal(status, error.word, problem(error), headers)


def response_of(refused: Refusal, scope: Scope) -> Response:
    """The answer: JSON for programs and on live connections, a page elsewhere."""
    headers = dict(refused.headers)
    if scope["type"] == "websocket":
        content = {"error": refused.error, "message": refused.message}
        return JSONResponse(content, refused.status, headers)
    return answer(Request(scope), refused.status, refused.error, refused.message, headers)
