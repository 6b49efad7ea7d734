"""How the API describes its operations: their refusals, and who may ask; in /openapi.json, and on
a page at /api that walks this schema.
"""

import json
from collections.abc import Callable, Iterable
from shlex import quote
from typing import Any, TypeVar
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from numduel.web.api import shapes
from numduel.web.pages.rendering import TEMPLATES, page, router

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
Schema = dict[str, Any]

ABOUT = (
    "Play number duels, and study them, by program. Bodies and answers are JSON in UTF-8."
    ' A refusal is `{"error": ..., "message": ...}`: a word for programs, a sentence for people.'
)
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
LOOK = (422, 503)  # what any question may be refused with, and any change
CHANGE = (403, 408, 413, *LOOK)

SCHEME = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token that came with the room or the seat, or the one that you chose"
        " for it: 22 letters, digits, - or _.",
    }
}
WITH_TOKEN: Schema = {"security": [{"token": []}]}
MAYBE_TOKEN: Schema = {"security": [{}, {"token": []}]}


def _problems(statuses: Iterable[int]) -> dict[int | str, Schema]:
    """The refusals that an operation documents, with those of any request."""
    told: dict[int | str, Schema] = {
        status: {"model": shapes.Problem, "description": REFUSALS[status]}
        for status in sorted({*_ALWAYS, *statuses})
    }
    told[429]["headers"] = {"Retry-After": {"required": True, "schema": {"type": "integer"}}}
    return told


class Part(APIRouter):
    """Operations under one heading, each named after its function."""

    def __init__(self, heading: str) -> None:
        super().__init__(
            prefix="/api", tags=[heading], generate_unique_id_function=lambda route: route.name
        )

    def operation(
        self,
        called: str,
        summary: str,
        told: str,
        answer: Any = shapes.Room,
        refused: Iterable[int] = (*CHANGE, 404, 409),
        by: Schema | None = WITH_TOKEN,
        **more: Any,
    ) -> Callable[[Endpoint], Endpoint]:
        """Add what is called like "GET /games": what it is answered with, and refused with."""
        method, _, path = called.partition(" ")
        return self.api_route(
            path,
            methods=[method],
            response_model=answer,
            responses=_problems(refused),
            response_description=told,
            openapi_extra=by,
            summary=summary,
            **more,
        )


_TYPES = {"string": "text", "integer": "whole number", "boolean": "true or false"}
_EXAMPLES = {"code": "k3v9t2mq7d", "step": 1}


@router.get("/api")
async def reference(request: Request) -> HTMLResponse:
    schema = request.app.openapi()
    here = str(request.base_url).rstrip("/")
    sections: dict[str, list[tuple[str, str, Schema]]] = {}
    for path, methods in schema["paths"].items():
        for method, one in methods.items():
            sections.setdefault(one["tags"][0], []).append((path, method, one))
    told = {"schema": schema, "sections": sections, "refusals": REFUSALS, "here": here}
    return page(request, "api.html", **told)


def _shape_of(content: Schema) -> str:
    """The name of the shape that a body or an answer has; "" where there is none."""
    found = content.get("content", {}).get("application/json", {}).get("schema", {})
    return str(found.get("$ref", "")).rpartition("/")[2]


def type_of(told: Schema) -> tuple[str, str]:
    """A type in words, and the name of the shape in it, if there is one."""
    if "$ref" in told:
        name = str(told["$ref"]).rpartition("/")[2]
        return name, name
    if "anyOf" in told:
        said = [type_of(one) for one in told["anyOf"]]
        return " or ".join(words for words, _ in said), "".join(link for _, link in said)
    if told.get("type") == "array":
        words, link = type_of(told["items"])
        count = f"{told['minItems']} " if told.get("minItems") == told.get("maxItems", "") else ""
        return f"list of {count}({words})" if " " in words else f"list of {count}{words}", link
    if "enum" in told:
        return " or ".join(json.dumps(value) for value in told["enum"]), ""
    if told.get("format") == "date-time":
        return "moment, like 2026-11-15T09:30:00+00:00", ""
    kind = told.get("type", "object")
    words = str(_TYPES.get(kind, kind))
    if "maximum" in told:
        words += f" from {told['minimum']:,.0f} to {told['maximum']:,.0f}"
    elif "maxLength" in told:
        words += f", at most {told['maxLength']:,} characters"
    usual = told.get("default")
    return words if usual is None else f"{words}, by default {json.dumps(usual)}", ""


def _curl(schema: Schema, here: str, path: str, method: str, told: Schema) -> str:
    query = {}
    for one in told.get("parameters", []):
        value = one["schema"].get("examples", [_EXAMPLES.get(one["name"])])[0]
        if one["in"] == "path":
            path = path.replace(f"{{{one['name']}}}", str(value))
        elif one.get("required"):
            query[one["name"]] = value
    address = f"{here}{path}" + (f"?{urlencode(query, safe=':/')}" if query else "")
    parts = ["curl"] if method == "get" else ["curl", "-X", method.upper()]
    if told.get("security") == [{"token": []}]:
        parts += ["-H", '"Authorization: Bearer $TOKEN"']
    if body := _shape_of(told.get("requestBody", {})):
        shape = schema["components"]["schemas"][body]
        sent = json.dumps({name: _example(shape["properties"][name]) for name in shape["required"]})
        parts += ["-H", "'Content-Type: application/json'", "-d", quote(sent)]
    return " ".join([*parts, quote(address)])


def _example(told: Schema) -> Any:
    usual = {"integer": 0, "boolean": True}
    return told["examples"][0] if "examples" in told else usual[told["type"]]


TEMPLATES.globals |= {"type_of": type_of, "shape_of": _shape_of, "curl": _curl}
