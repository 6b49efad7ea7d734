"""Pages as HTML: one environment for all templates, and the addresses of static files."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from numduel.drawing.square import in_a_cell
from numduel.web.links import base_of
from numduel.wording import brief

FOLDER = Path(__file__).parent.parent
STATIC = FOLDER / "static"

_FOREVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"


def page(request: Request, name: str, status: int = 200, **values: object) -> HTMLResponse:
    """The template with these values. Whatever they hold is shown as text, never as markup."""
    told = {"path": request.url.path, "base": base_of(request), **values}
    text = _environment().get_template(name).render(told)
    return HTMLResponse(text, status)


@cache
def static(name: str) -> str:
    """The address of a file in static/, which changes when the file does."""
    mark = sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?v={mark}"


def encoded(text: object) -> str:
    """The text as a value in the query of an address."""
    return quote(str(text), safe=":,=~/")


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["static"] = static
    made.globals["in_a_cell"] = in_a_cell
    made.filters["encoded"] = encoded
    made.filters["brief"] = brief
    return made


class KeptFiles(StaticFiles):
    """Static files: kept for long under their marked address, otherwise checked each time."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        """The file, with how long it may be kept."""
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        scope: Scope = kwargs.get("scope") or args[2]  # type: ignore[assignment]
        marked = b"v=" in scope.get("query_string", b"")
        response.headers["Cache-Control"] = _FOREVER if marked else _ASK_AGAIN
        return response
