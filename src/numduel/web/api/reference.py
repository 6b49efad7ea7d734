"""/api: the API on a page, made from the schema that /openapi.json gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from shlex import quote
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse

from numduel.web.api.routes import REFUSALS, SCHEME
from numduel.web.pages.rendering import page

router = APIRouter(include_in_schema=False)

ABOUT = (
    "Play number duels, and study them, by program. Bodies and answers are JSON in UTF-8."
    ' A refusal is `{"error": ..., "message": ...}`: a word for programs, a sentence for people.'
)
_TYPES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "null": "null",
}
_METHODS = ("get", "post", "delete")
_EXAMPLES = {"code": "k3v9t2mq7d", "step": 1}

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter, or a field of a body or an answer."""

    name: str
    type: str
    link: str
    """The shape that its type names, or ""."""
    required: bool
    words: str


@dataclass(frozen=True, slots=True)
class OperationReference:
    """One method of one address."""

    id: str
    method: str
    path: str
    summary: str
    paragraphs: list[str]
    token: str
    """"needed", "taken" or ""."""
    parameters: list[Field]
    body: str
    answer: str
    status: str
    told: str
    refusals: list[str]
    curl: str


def describe(app: FastAPI) -> None:
    """Say in the application's schema what all operations share."""
    app.description = ABOUT
    standard = app.openapi

    def openapi() -> Schema:
        schema = standard()
        schema["components"]["securitySchemes"] = SCHEME
        return schema

    app.openapi = openapi  # type: ignore[method-assign]


@router.get("/api")
async def reference(request: Request) -> HTMLResponse:
    """Every operation, what it takes, and what it answers."""
    schema = request.app.openapi()
    here = str(request.base_url).rstrip("/")
    sections: dict[str, list[OperationReference]] = {}
    for operation, tag in _operations(schema, here):
        sections.setdefault(tag, []).append(operation)
    shapes = {
        name: (shape.get("description", ""), list(_fields(shape)))
        for name, shape in schema["components"]["schemas"].items()
    }
    return page(request, "api.html", sections=sections, shapes=shapes, refusals=REFUSALS, here=here)


def _operations(schema: Schema, here: str) -> Iterator[tuple[OperationReference, str]]:
    for path, methods in schema["paths"].items():
        for method in _METHODS:
            if method in methods:
                told = methods[method]
                yield _operation(schema, here, path, method, told), told["tags"][0]


def _operation(
    schema: Schema, here: str, path: str, method: str, told: Schema
) -> OperationReference:
    status = next(iter(told["responses"]))
    security = told.get("security", [])
    return OperationReference(
        id=told["operationId"],
        method=method.upper(),
        path=path,
        summary=told["summary"],
        paragraphs=[" ".join(part.split()) for part in told["description"].split("\n\n")],
        token="" if not security else "taken" if {} in security else "needed",
        parameters=[_parameter(one) for one in told.get("parameters", [])],
        body=_shape_of(told.get("requestBody", {})),
        answer=_shape_of(told["responses"][status]),
        status=status,
        told=told["responses"][status]["description"],
        refusals=[code for code in told["responses"] if code != status],
        curl=_curl(schema, here, path, method, told),
    )


def _shape_of(content: Schema) -> str:
    found = content.get("content", {}).get("application/json", {}).get("schema", {})
    return _name(found)


def _name(schema: Schema) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _parameter(told: Schema) -> Field:
    said, link = type_of(told["schema"])
    words = told.get("description", "")
    return Field(told["name"], said, link, told.get("required", False), words)


def _fields(shape: Schema) -> Iterator[Field]:
    for name, told in shape.get("properties", {}).items():
        said, link = type_of(told)
        words = told.get("description", "")
        yield Field(name, said, link, name in shape.get("required", ()), words)


def type_of(told: Schema) -> tuple[str, str]:
    """A type in words, and the name of the shape in it, if there is one."""
    if "$ref" in told:
        return _name(told), _name(told)
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
    return _TYPES[told.get("type", "object")] + _bounds(told) + _default(told), ""


def _bounds(told: Schema) -> str:
    if "maximum" in told:
        return f" from {told['minimum']:,.0f} to {told['maximum']:,.0f}"
    return f", at most {told['maxLength']:,} characters" if "maxLength" in told else ""


def _default(told: Schema) -> str:
    return f", usually {json.dumps(told['default'])}" if told.get("default") is not None else ""


def _curl(schema: Schema, here: str, path: str, method: str, told: Schema) -> str:
    """A line for a shell, with an example of all that is required."""
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
    return (
        told["examples"][0] if "examples" in told else {"integer": 0, "boolean": True}[told["type"]]
    )
