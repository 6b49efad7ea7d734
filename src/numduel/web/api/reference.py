"""/api: the API on a page that walks the schema of /openapi.json."""

import json
from functools import cache, partial
from shlex import quote
from typing import Any
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response

from numduel.web.api.routes import REFUSALS, SCHEME
from numduel.web.pages.rendering import page, router

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
_EXAMPLES = {"code": "k3v9t2mq7d", "step": 1}

Schema = dict[str, Any]


def describe(app: FastAPI) -> None:
    """Say in the application's schema what all operations share, and serve it."""
    app.description = ABOUT
    standard = app.openapi

    def openapi() -> Schema:
        schema = standard()
        schema["components"]["securitySchemes"] = SCHEME
        return schema

    app.openapi = openapi  # type: ignore[method-assign]

    @cache
    def body() -> bytes:  # written once: it is the longest answer that anybody can ask for
        return json.dumps(openapi(), ensure_ascii=False, separators=(",", ":")).encode()

    @app.get("/openapi.json", include_in_schema=False)
    async def schema() -> Response:
        return Response(body(), media_type="application/json")


@router.get("/api")
async def reference(request: Request) -> HTMLResponse:
    schema = request.app.openapi()
    here = str(request.base_url).rstrip("/")
    sections: dict[str, list[tuple[str, str, Schema]]] = {}
    for path, methods in schema["paths"].items():
        for method, told in methods.items():
            sections.setdefault(told["tags"][0], []).append((path, method, told))
    return page(
        request,
        "api.html",
        sections=sections,
        shapes=schema["components"]["schemas"],
        refusals=REFUSALS,
        here=here,
        type_of=type_of,
        shape_of=_shape_of,
        curl=partial(_curl, schema, here),
    )


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
    words = _TYPES[told.get("type", "object")]
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
