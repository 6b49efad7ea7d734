"""Looking back: a match turn by turn, and where it was decided."""

import asyncio
import json
from typing import NamedTuple

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from numduel.analysis import read_json
from numduel.board import Board
from numduel.errors import NumduelError, TooBusy, TooManyRequests, Unanswerable, UnknownRoom
from numduel.match import Turn, write_notation
from numduel.players import COMPUTERS
from numduel.thinking.questions import looking_back
from numduel.thinking.thinkers import KnownAnswers
from numduel.web.pages.board import after, is_playable, lines_of, shown_move
from numduel.web.pages.errors import sentence, status_of
from numduel.web.pages.play.ending import Verdicts, verdicts
from numduel.web.pages.rendering import address, fields, page, router, whole
from numduel.web.state import lobby_of, thinkers_of, token_of
from numduel.wording.analysis import by_name, decided, without_choice

_MOST_TURNS = 10**8
_LONGEST = 1 << 20  # bytes of a match and its verdicts that are kept: enough for 10,000 turns
_TOGETHER = 50  # turns of an analysis on one page: each links to the match, which may be long
_SECONDS = 1.5  # nobody waits longer than this for the verdicts beside the turns

_GONE = (
    "There is no match at this address. It is deleted with its room. A match's notation can be"
    " replayed for ever."
)

_known = KnownAnswers(longest=_LONGEST)  # verdicts by notation: the next turn then costs little


class Source(NamedTuple):
    """The match that an address names: by the code of its replay, or by its notation."""

    notation: str
    names: str | None
    code: str | None = None
    rival: str = "perfect"  # the computer's player that was met there, for whoever tries again
    you: int | None = None  # the number of the player who looks back; None for others
    room: str = ""  # the room of the match, for that player

    def page(self, kind: str, turn: int | None = None) -> str:
        if self.code:
            return address(f"/{kind}/{self.code}", turn=turn)
        return address(f"/{kind}", match=self.notation, turn=turn)


async def _source(request: Request, code: str | None) -> Source:
    """The match of this code on this server, else the one whose notation the address gives."""
    if not code:
        return Source(request.query_params.get("match", "").strip(), None)
    lobby, token = lobby_of(request), token_of(request)
    try:
        record = await lobby.replay(code)
        mine = await lobby.read(lambda rooms: rooms.seat_in_replay(code, token)) if token else None
    except UnknownRoom as error:
        raise HTTPException(404, _GONE) from error
    rival = next((word for word in record.players if word in COMPUTERS), "perfect")
    room, you = (mine[0], mine[1] + 1) if mine else ("", None)
    return Source(write_notation(record), ",".join(record.setup.names), code, rival, you, room)


@router.get("/replay")
@router.get("/replay/{code}")
async def replay_page(request: Request) -> HTMLResponse:
    source = await _source(request, request.path_params.get("code"))
    if not source.notation:
        return _form(request)
    turn = whole(request.query_params.get("turn"), 0, 0, _MOST_TURNS)
    try:
        told = await thinkers_of(request).ask(
            looking_back.replay, source.notation, turn, source.names, source.you
        )
    except Unanswerable as error:
        return _form(request, source.notation, error)
    board, start = Board.parse(told["board"]), Board.parse(told["match"].partition("/")[0])
    at_end = told["turn"] == told["count"]
    first = told["turns"][0]["turn"] if told["turns"] else 1
    turns = [Turn(one["player"] - 1, None, Board.parse(one["board"])) for one in told["turns"]]
    return page(
        request,
        "replay.html",
        source=source,
        told=told,
        who=by_name(told["names"], source.you and source.you - 1),
        lines=lines_of(start, turns[: told["turn"] - first + 1], (source.you or 1) - 1, first),
        board=board,
        at_end=at_end,
        playable=not (at_end and told["end"]) and is_playable(board, lobby_of(request).bounds),
        judged=await _judged(request, told["match"]),
    )


@router.post("/replay")
async def replay_text(request: Request) -> Response:
    """From a notation or a record that somebody pasted, to the address of its replay."""
    text = (await fields(request)).get("match", "")
    try:
        told = await thinkers_of(request).ask(looking_back.replay, match=text)
    except NumduelError as error:
        return _form(request, text, error)
    return RedirectResponse(address("/replay", match=told["match"]), 303)


@router.get("/analysis")
@router.get("/analysis/{code}")
async def analysis_page(request: Request) -> Response:
    source = await _source(request, request.path_params.get("code"))
    if not source.notation:
        return RedirectResponse("/replay", 303)
    try:
        told = await _analysis(request, source)
    except Unanswerable as error:
        return _form(request, source.notation, error)
    analysis = read_json(told)
    point, who = analysis.turning_point, by_name(told["names"], source.you and source.you - 1)
    turn = whole(request.query_params.get("turn"), 1, 1, max(1, len(analysis.moves)))
    first = (turn - 1) // _TOGETHER * _TOGETHER
    moves, last = analysis.moves[first : first + _TOGETHER], analysis.moves[-_TOGETHER:]
    left = [after(one.board, one.move) if one.move else one.board for one in last]
    turns = [Turn(one.player, None, board) for one, board in zip(last, left, strict=True)]
    return page(
        request,
        "analysis.html",
        source=source,
        told=told,
        who=who,
        lines=lines_of(analysis.board, turns, (source.you or 1) - 1, last[0].turn if last else 1),
        decided=[*decided(analysis, who), *without_choice(analysis)],
        rows=told["rows"][first : first + _TOGETHER],
        shown=[one.move and shown_move(one.board, one.move) for one in moves],
        point=point,
        retry=point and point.move and is_playable(point.board, lobby_of(request).bounds),
    )


@router.get("/path.svg")
async def path_picture(request: Request) -> Response:
    told = await _analysis(request, await _source(request, request.query_params.get("code")))
    return Response(told["svg"], media_type="image/svg+xml")


async def _analysis(request: Request, source: Source) -> looking_back.MatchAnalysis:
    match, names, you = source.notation, source.names, source.you
    return await thinkers_of(request).ask(looking_back.analysis, match=match, names=names, you=you)


def _form(request: Request, text: str = "", error: NumduelError | None = None) -> HTMLResponse:
    status, wrong = (status_of(error), sentence(error)) if error else (200, "")
    return page(request, "replay_form.html", status, text=text, wrong=wrong)


async def _judged(request: Request, notation: str) -> Verdicts:
    """What each turn did; nothing where that takes too long, which is not tried again."""
    match = notation.encode()
    if (known := _known.get(match)) is not None:
        return {turn: (said, mistake) for turn, said, mistake in json.loads(known)}
    found: Verdicts = {}
    try:
        async with asyncio.timeout(_SECONDS):
            told = await thinkers_of(request).ask(looking_back.analysis, match=notation)
    except (TooBusy, TooManyRequests):
        return found
    except (NumduelError, TimeoutError):
        pass
    else:
        found = verdicts(read_json(told))
    _known.add(match, json.dumps([(turn, *said) for turn, said in found.items()]).encode())
    return found
