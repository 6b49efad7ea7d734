"""The class map: what the class has seen of a game, what it guesses, and at last the truth."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from fastapi import Request
from fastapi.responses import Response

from numduel.board import Board
from numduel.classes import SchoolClass, Stage
from numduel.classes.learned import Seen, class_map
from numduel.games import Game, load
from numduel.thinking.questions import position
from numduel.web.pages.board import Cell
from numduel.web.pages.rendering import router
from numduel.web.pages.school.page import show, wall_for
from numduel.web.state import classes_of, thinkers_of, token_of

_SIZES = (30, 50, 100)
_AHEAD = 10
"""This many numbers beyond the largest start are to be guessed, at least."""

TRAP, NO_TRAP, NO_GUESS = "trap", "no-trap", "none"
_NEXT = {None: TRAP, True: NO_TRAP, False: NO_GUESS}
"""What another tap says, by what a pupil says now."""
_MINE = {
    None: ("", "", ", not guessed"),
    True: ("says-trap", "trap", ", you say: a trap"),
    False: ("says-no-trap", "no", ", you say: no trap"),
}


@dataclass(frozen=True, slots=True)
class ClassMapView:
    title: str
    size: int
    cells: list[Cell]
    unveiled: bool
    teaches: bool
    found: int
    traps: int
    guessed_wrongly: int
    """Numbers that the class guessed to be traps, and that are none."""
    pattern: str
    met: int
    guesses: int


@router.get("/class/{code}/map")
async def map_page(request: Request, code: str) -> Response:
    wall = await wall_for(request, code, boards=False)
    school_class = wall.school_class
    played = [each.plan.board.numbers[0].game for each in school_class.rounds]
    games = {game.key: game for game in played}
    # The game that all look at, else the one that is asked for, else that of the last round.
    game = games.get(request.query_params.get("game", ""), played[-1] if played else None)
    is_open = school_class.stage is Stage.MAP
    if is_open and school_class.map_game:
        game = load(school_class.map_game)
    drawn = await map_for(request, school_class, game) if game else None
    return show(
        request,
        "class_map.html",
        wall,
        heading="The true map" if drawn and drawn.unveiled else "What we have seen",
        map=drawn,
        game=game.key if game else "",
        games=games,
        open=is_open,
    )


async def map_for(
    request: Request, school_class: SchoolClass, game: Game | None = None
) -> ClassMapView:
    """The map of this game, or of the one that all look at, as far as the class has made it."""
    game = game or load(school_class.map_game or "")
    played = await classes_of(request).records(school_class.code, token_of(request))
    seen = class_map((one.record for one in played), game)
    starts = [each.plan.board.numbers[0] for each in school_class.rounds]
    largest = max((start.value for start in starts if start.game == game), default=0)
    size = next((size for size in _SIZES if largest + _AHEAD <= size), _SIZES[-1])
    least = str(Board.of(game, max(1, game.least)))
    truth = await thinkers_of(request).ask(position.overview, board=least, to=size)
    is_shown, me = school_class.map_game == game.key, school_class.me
    unveiled = school_class.unveiled and is_shown
    guesses = school_class.guesses if is_shown else ()
    tally = Counter((one.value, one.trap) for one in guesses)
    mine = {one.value: one.trap for one in guesses if me and one.pupil == me.number}
    numbers, lost = truth["numbers"], set(truth["lost"])
    guessed = {n for n, _ in tally if n not in seen and tally[n, True] > tally[n, False]}
    found = lost & (guessed | {n for n, known in seen.items() if known.lost > known.won})

    def cell(number: int) -> Cell:
        known = seen.get(number)
        kind, counts, says = _met(known) if known else _guessed(tally, number, me is None)
        if unveiled:
            true, says = ("lost", ", a trap") if number in lost else ("plain", ", no trap")
            kind = f"{true} was-{kind}" if kind else true
            return Cell(number, f"{kind} found" if number in found else kind, says=says)
        if known is not None or me is None:
            return Cell(number, kind, small=counts, says=says)
        own = mine.get(number)
        kind, counts, says = _MINE[own]
        return Cell(number, kind, small=counts, says=says, guess=f"{number}:{_NEXT[own]}")

    return ClassMapView(
        title=truth["title"],
        size=size,
        cells=[cell(number) for number in numbers],
        unveiled=unveiled,
        teaches=me is None,
        found=len(found),
        traps=len(lost),
        guessed_wrongly=len(guessed.intersection(numbers) - lost),
        pattern=truth["pattern"] or "",
        met=sum(number in seen for number in numbers),
        guesses=sum(count for (n, _), count in tally.items() if n not in seen),
    )


def _met(seen: Seen) -> tuple[str, str, str]:
    """The colour of a number that the class has met, what was counted, and that in words."""
    says = f", the player to move won {seen.won} and lost {seen.lost} times"
    kind = "both" if seen.won == seen.lost else "won" if seen.won > seen.lost else "lost"
    return f"seen-{kind}", f"{seen.won}:{seen.lost}", says


def _guessed(tally: Counter[tuple[int, bool]], number: int, teaches: bool) -> tuple[str, str, str]:
    """The same of a number that it has not met: how many say trap and no trap, for a teacher."""
    trap, no_trap = tally[number, True], tally[number, False]
    if not (trap or no_trap):
        return "", "", ", not met yet"
    says = f", not met yet, {trap} say trap, {no_trap} say no trap"
    return "", f"◆{trap} ○{no_trap}" if teaches else "", says
