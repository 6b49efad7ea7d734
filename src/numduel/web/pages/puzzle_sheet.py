"""A sheet of puzzles to print, as a page that stands alone: its style is in it."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from secrets import token_hex

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from numduel.running.puzzle_sheet import COUNT, MOST, STYLE
from numduel.study.puzzles import RATINGS
from numduel.thinking.questions import learning
from numduel.web.links import base_of
from numduel.web.pages.forms import whole
from numduel.web.pages.puzzle import SEED
from numduel.web.pages.rendering import encoded
from numduel.web.state import thinkers_of

router = APIRouter(include_in_schema=False)

_HASH = b64encode(sha256(STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; img-src 'self'; form-action 'none';"
    " base-uri 'none'; frame-ancestors 'none'"
)
"""Its own style and nothing else."""


@router.get("/puzzle/sheet")
async def puzzle_sheet(request: Request) -> Response:
    """The sheet that the address asks for; one without a seed is given one."""
    asked = request.query_params
    kind = asked.get("kind") or None
    rating = whole(asked.get("rating"), 0, *RATINGS) or None
    count = whole(asked.get("count"), COUNT, 1, MOST)
    seed = asked.get("seed", "")[:SEED]
    about = f"kind={encoded(kind)}&" if kind else ""
    rated = f"rating={rating}&" if rating else ""
    address = f"puzzle/sheet?{about}{rated}count={count}&seed={encoded(seed or token_hex(4))}"
    if not seed:
        return RedirectResponse(f"/{address}", 303)
    again = f"{base_of(request)}{address}"
    made = await thinkers_of(request).ask(learning.sheet, seed, kind, rating, count, again)
    return HTMLResponse(made["page"], headers={"Content-Security-Policy": _POLICY})
