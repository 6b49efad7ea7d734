"""The class map: what the class has seen of a game, what it guesses, and at last the truth."""

from collections import Counter
from dataclasses import dataclass

from fastapi import Request
from fastapi.responses import Response

from numduel.classes import SchoolClass, Stage
from numduel.classes.learned import Seen
from numduel.classes.parts import LARGEST, board_of, rules_of
from numduel.thinking.questions import position
from numduel.web.pages.board import Cell
from numduel.web.pages.rendering import router
from numduel.web.pages.school.page import show, wall_for
from numduel.web.state import classes_of, thinkers_of, token_of
from numduel.wording.rules import titled

_SIZES = (30, 50, LARGEST)
_AHEAD = 10
"""This many numbers beyond the largest start are to be guessed, at least."""

TRAP, NO_TRAP, NO_GUESS = "trap", "no-trap", "none"
_NEXT = {None: TRAP, True: NO_TRAP, False: NO_GUESS}
"""What another tap says, by what a pupil says now."""
_MINE = {
    None: ("", "", ", not guessed"),
    True: (" says-trap", "trap", ", you say: a trap"),
    False: (" says-no-trap", "no", ", you say: no trap"),
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
    misled: int
    """Numbers where most matches ended otherwise than best play does."""
    against: int
    """Guesses that went against the matches there, and were right; for a pupil, their own."""
    pattern: str
    met: int
    guesses: int


@router.get("/class/{code}/map")
async def map_page(request: Request, code: str) -> Response:
    wall = await wall_for(request, code, boards=False)
    school_class = wall.school_class
    boards = [each.plan.board for each in school_class.rounds if len(each.plan.board.numbers) == 1]
    games = {rules_of(board): titled(board.numbers[0].game) for board in boards}
    # The game that all look at, else the one that is asked for, else that of the last round.
    rules = request.query_params.get("game", "")
    if rules not in games:
        rules = rules_of(boards[-1]) if boards else ""
    is_open = school_class.stage is Stage.MAP
    if is_open and school_class.map_game:
        rules = school_class.map_game
    drawn = await map_for(request, school_class, rules) if rules else None
    return show(
        request,
        "class_map.html",
        wall,
        heading="The true map" if drawn and drawn.unveiled else "What we have seen",
        map=drawn,
        game=rules,
        games=games,
        open=is_open,
    )


async def map_for(
    request: Request, school_class: SchoolClass, rules: str = "", token: str | None = None
) -> ClassMapView:
    """The map of this game, or of the one that all look at, as far as the class has made it."""
    rules = rules or school_class.map_game or ""
    asks = token or token_of(request)
    seen = await classes_of(request).seen(school_class.code, asks, rules)
    starts = [each.plan.board for each in school_class.rounds]
    values = [one.numbers[0].value for one in starts if rules_of(one) == rules]
    size = next((size for size in _SIZES if max(values, default=0) + _AHEAD <= size), LARGEST)
    least = str(board_of(rules))
    truth = await thinkers_of(request).ask(position.overview, board=least, to=size)
    is_shown, me = school_class.map_game == rules, school_class.me
    unveiled = school_class.unveiled and is_shown
    numbers, lost = truth["numbers"], set(truth["lost"])
    guesses = [one for one in school_class.guesses if one.value in numbers] if is_shown else []
    tally = Counter((one.value, one.trap) for one in guesses)
    mine = {one.value: one.trap for one in guesses if me and one.pupil == me.number}
    says = {n: one.lost > one.won for n, one in seen.items() if one.won != one.lost}
    guessed = {n: tally[n, True] > tally[n, False] for n, _ in tally
               if tally[n, True] != tally[n, False]}  # fmt: skip
    found = lost & {n for n, trap in (says | guessed).items() if trap}
    misled = {n for n in numbers if n in says and says[n] != (n in lost)}
    braver = [one for one in guesses if one.value in misled and one.trap != says[one.value]]
    right = {one.value for one in braver}

    def cell(number: int) -> Cell:
        kind, counts, words = _met(seen[number]) if number in seen else ("", "", ", not met yet")
        if unveiled:
            true, words = ("lost", ", a trap") if number in lost else ("plain", ", no trap")
            marks = ((number in found, "found", ""), (number in misled, "misled", _MISLED),
                     (number in right, "right", _RIGHT))  # fmt: skip
            kind = " ".join([true, f"was-{kind}" if kind else "", *(m for on, m, _ in marks if on)])
            return Cell(number, kind, says=words + "".join(said for on, _, said in marks if on))
        if me is None:
            trap, no_trap = tally[number, True], tally[number, False]
            signs = " ".join(f"{sign}{n}" for sign, n in (("◆", trap), ("○", no_trap)) if n)
            words += f", {trap} say trap, {no_trap} say no trap" if signs else ""
            return Cell(number, kind, small=signs or counts, says=words)
        own = mine.get(number)
        mark, word, said = _MINE[own]
        return Cell(number, kind + mark, small=word or counts, says=words + said,
                    guess=f"{number}:{_NEXT[own]}", met=(counts, words))  # fmt: skip

    return ClassMapView(
        title=truth["title"],
        size=size,
        cells=[cell(number) for number in numbers],
        unveiled=unveiled,
        teaches=me is None,
        found=len(found),
        traps=len(lost),
        guessed_wrongly=sum(trap and n not in lost for n, trap in guessed.items()),
        misled=len(misled),
        against=sum(not me or one.pupil == me.number for one in braver),
        pattern=truth["pattern"] or "",
        met=sum(number in seen for number in numbers),
        guesses=len(guesses),
    )


_MISLED = ", where our matches misled us"
_RIGHT = ", guessed rightly against them"


def _met(seen: Seen) -> tuple[str, str, str]:
    """The colour of a number that the class has met, what was counted, and that in words."""
    says = f", the player to move won {seen.won} and lost {seen.lost} times"
    kind = "both" if seen.won == seen.lost else "won" if seen.won > seen.lost else "lost"
    return f"seen-{kind}", f"{seen.won}:{seen.lost}", says
