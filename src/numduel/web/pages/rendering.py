"""Pages as HTML, forms as text, files and QR codes: one router and one environment of templates."""

import csv
from asyncio import get_running_loop
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache, lru_cache
from hashlib import sha256
from io import BytesIO, StringIO
from mimetypes import guess_type
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode

import segno
from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import Response

from numduel.board import Board, Number
from numduel.games import Game, all_games
from numduel.players import COMPUTERS, LADDER, next_rung
from numduel.thinking.meter import VISIT
from numduel.thinking.turns import Turns
from numduel.web.state import base_of, only_here, refused
from numduel.wording import brief, summary
from numduel.wording.players import computer_name, how_it_plays, says
from numduel.wording.rules import choices, label, paragraphs, rule_in_short, titled, unusual, ways
from numduel.wording.text import said_move
from numduel.wording.why import shown

FOLDER = Path(__file__).parent.parent
STATIC = FOLDER / "static"

_FOREVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_PLAIN = ":,=~/"  # what stands as it is in an address

_LONGEST = 2_000  # characters of an address that still fit into a code
_DRAWING = ThreadPoolExecutor(1, "qr")
_TURNS = Turns(1)  # one at a time, and not in the loop: the longest takes a fifth of a second

router = APIRouter(include_in_schema=False)  # every page adds its routes here


def page(request: Request, name: str, status: int = 200, /, **values: object) -> HTMLResponse:
    """The template with these values. Whatever they hold is shown as text, never as markup.

    What was refused is told by its status and as `refused`.
    """
    why = refused(request)
    here = {"path": request.url.path, "base": base_of(request), "only_here": only_here(request)}
    told = {**here, "refused": why, **values}
    status = why.status if why.message else status
    return HTMLResponse(TEMPLATES.get_template(name).render(told), status)


async def pairs(request: Request) -> list[tuple[str, str]]:
    """The fields of an urlencoded form in order, without blanks around."""
    body = (await request.body()).decode("utf-8", "replace")
    read = parse_qsl(body, keep_blank_values=True)  # a body is short: the guard makes sure
    return [(name, value.strip()) for name, value in read]


async def fields(request: Request) -> dict[str, str]:
    """The fields of an urlencoded form, each once: the last counts."""
    return dict(await pairs(request))


def whole(text: str | None, usual: int, least: int, most: int) -> int:
    """The number in the text, kept within the limits; the usual one for anything else."""
    if text is None or not (text.isascii() and text.isdigit() and len(text) < 10):
        return usual
    return min(max(int(text), least), most)


def remember(response: Response, request: Request, name: str, value: str, path: str) -> None:
    """Have the browser keep a cookie for the pages below this path, until it is closed."""
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, path=path, secure=secure, httponly=True, samesite="lax")


def download(text: str, kind: str, name: str) -> Response:
    kept = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=kind, headers=kept)


def table_file(rows: Iterable[Iterable[object]], name: str, line_end: str = "\r\n") -> Response:
    out = StringIO()
    csv.writer(out, lineterminator=line_end).writerows(rows)
    return download(out.getvalue(), "text/csv", name)


class Kept(NamedTuple):
    """A file of static/ in memory: from the disk, threads would read it that others keep busy."""

    body: bytes
    kind: str | None
    mark: str


@cache
def _kept() -> dict[str, Kept]:
    kept = {}
    for file in STATIC.rglob("*.*"):
        body = file.read_bytes()
        mark = sha256(body).hexdigest()[:12]
        kept[file.relative_to(STATIC).as_posix()] = Kept(body, guess_type(file)[0], mark)
    return kept


def static(name: str) -> str:
    """The address of a file in static/, which changes when the file does."""
    return f"/static/{name}?v={_kept()[name].mark}"


@router.get("/static/{name:path}")
async def static_file(request: Request, name: str) -> Response:
    """Kept by browsers for long under its marked address, otherwise asked for each time."""
    kept = _kept().get(name)
    if kept is None:
        raise HTTPException(404)
    marked = "v" in request.query_params
    headers = {"ETag": f'"{kept.mark}"', "Cache-Control": _FOREVER if marked else _ASK_AGAIN}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(kept.body, media_type=kept.kind, headers=headers)


def qr_text(text: str) -> str:
    """Lines of half blocks, two rows of the code in each: light on a dark ground."""
    out = StringIO()
    _code(text).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


@router.get("/qr.svg")
async def qr_picture(
    request: Request, to: Annotated[str, Query(max_length=_LONGEST)] = ""
) -> Response:
    """The code of an address of this server, as others reach it."""
    address = f"{base_of(request)}{quote(to, safe='/?=&:,~+%')[:_LONGEST]}"
    visit, loop = VISIT.get(), get_running_loop()
    await _TURNS.wait(visit.account)
    try:
        drawn = await loop.run_in_executor(_DRAWING, visit.paid(qr_svg), address)
    finally:
        _TURNS.leave(visit.account)
    return Response(drawn, media_type="image/svg+xml")


@lru_cache(maxsize=32)
def qr_svg(text: str) -> str:
    """A picture of the code, black on white, without any style: the page sets its size."""
    out = BytesIO()
    plain = {"xmldecl": False, "svgclass": None, "lineclass": None}
    _code(text).save(out, kind="svg", border=4, light="#fff", omitsize=True, title=text, **plain)
    return out.getvalue().decode()


def _code(text: str) -> segno.QRCode:
    return segno.make(text, error="m", micro=False)


def encoded(text: object) -> str:
    return quote(str(text), safe=_PLAIN)


def address(path: str, **asked: object) -> str:
    """The address of a page that is asked for this, but for what is empty."""
    told = {name: value for name, value in asked.items() if value is not None and value != ""}
    return f"{path}?{urlencode(told, safe=_PLAIN, quote_via=quote)}" if told else path


def game_and_start(board: Board) -> str:
    """What is played: "Divisor Duel from 24, misère", or the games of several numbers."""
    game, value = board.numbers[0]
    if len(board.numbers) == 1:
        return f"{titled(game)} from {brief(value)}{', misère' if board.misere else ''}"
    return ", ".join(dict.fromkeys(number.game.title for number in board.numbers))


def start(game: Game) -> Board:
    return Board.of(game, game.default_start)


def example(board: Board) -> str:
    """An example of the rule, that of its game or from other numbers; "" where it is unusual."""
    games = [number.game for number in board.numbers]
    usual = not board.misere and not any(map(unusual, games))
    if usual and len(games) > 1:
        board = Board(tuple(Number(game, game.default_start) for game in games))
        move = next(iter(board.moves()))
        left = shown(board.play(move))
        return f"From {shown(board)}, play {said_move(board, move)} to leave {left}."
    examples = paragraphs(games[0])[1] if usual else []
    return examples[0] if examples else ""


def compile_templates() -> None:
    """Some take a fifth of a second: a server does it before anybody asks."""
    for name in TEMPLATES.list_templates(["html"]):
        TEMPLATES.get_template(name)


TEMPLATES = Environment(
    loader=FileSystemLoader(FOLDER / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)
"""Modules of pages add to its filters what their templates ask for."""
TEMPLATES.globals |= {
    "static": static,
    "address": address,
    "said_move": said_move,
    "all_games": all_games,
    "ladder": LADDER,
}
TEMPLATES.filters |= {
    "encoded": encoded,
    "game_and_start": game_and_start,
    "start": start,
    "rule": rule_in_short,
    "example": example,
    "summary": summary,
    "paragraphs": paragraphs,
    "ways": ways,
    "label": label,
    "choices": choices,
    "name": computer_name,
    "plays": how_it_plays,
    "says": says,
    "next_rung": next_rung,
    "never_errs": lambda word: COMPUTERS[word].keeps == 1,
    "key_and_title": lambda game: (game.key, game.title),
    "two_weeks": lambda day: [day - timedelta(13 - back) for back in range(14)],
}
