"""How the API's operations are added and answered: their refusals, and who may ask."""

from collections.abc import Callable, Mapping
from json import JSONEncoder
from typing import Any, ClassVar, TypeVar

from fastapi import APIRouter, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from numduel.web.api import shapes

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])

REFUSALS = {
    400: "The request could not be read.",
    403: "You have no seat there, do not host it, or sent this from a page of another site.",
    404: "There is no such room or replay: it was never there, has expired, or was deleted.",
    408: "The body did not arrive in time.",
    409: "The room has changed since. Look at it again.",
    413: "The body is too large.",
    422: "What was sent cannot be used. The message says what is allowed.",
    429: "Too much at once. `Retry-After` says how many seconds to wait.",
    503: "The server is busy, or the question takes too long.",
}
_ALWAYS = (400, 429)
CHANGE = (403, 408, 413, 422)
"""What any change may be refused with."""

SCHEME = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token that came with the room or the seat, or the one that you chose"
        " for it: 22 letters, digits, - or _.",
    }
}
WITH_TOKEN: dict[str, Any] = {"security": [{"token": []}]}
MAYBE_TOKEN: dict[str, Any] = {"security": [{}, {"token": []}]}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The refusals that an operation documents, with those of any request."""
    told: dict[int | str, dict[str, Any]] = {
        status: {"model": shapes.Problem, "description": REFUSALS[status]}
        for status in sorted({*_ALWAYS, *statuses})
    }
    told[429]["headers"] = {"Retry-After": {"required": True, "schema": {"type": "integer"}}}
    return told


_encode = JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
).encode


def json_response(content: Mapping[str, object], status: int = 200) -> Response:
    """The content as JSON. Only the tests compare it with the documented shape."""
    return Response(_encode(content).encode(), status, media_type="application/json")


class Operation(APIRoute):
    """An operation, named after its function, that knows all methods of its address."""

    _methods: ClassVar[dict[str, set[str]]] = {}

    def __init__(self, path: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(path, *args, **kwargs)
        self.operation_id = self.name
        self._methods.setdefault(self.path, set()).update(self.methods or ())

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in (self.methods or ()):
            allowed = ", ".join(sorted(self._methods[self.path]))
            raise HTTPException(405, headers={"Allow": allowed})
        await super().handle(scope, receive, send)


class Part(APIRouter):
    def __init__(self, heading: str) -> None:
        super().__init__(prefix="/api", tags=[heading], route_class=Operation)

    def action(self, path: str, told: str, summary: str) -> Callable[[Endpoint], Endpoint]:
        return self.post(
            f"/rooms/{{code}}/{path}",
            response_model=shapes.Room,
            responses=problems(*CHANGE, 404, 409, 503),
            response_description=told,
            openapi_extra=WITH_TOKEN,
            summary=summary,
        )
