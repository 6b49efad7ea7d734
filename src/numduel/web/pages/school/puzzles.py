"""A puzzle set: everybody's first answers, in a grid that fills as they come."""

from dataclasses import dataclass
from secrets import token_hex

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from numduel.board import Board
from numduel.classes import SchoolClass, Stage
from numduel.classes.actions import FEWEST, MOST, SetPuzzles
from numduel.classes.parts import Posed
from numduel.errors import NumduelError, UnknownClass
from numduel.games import all_games
from numduel.study.puzzles import RATINGS, SEVERAL
from numduel.thinking.questions import learning
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.board import Shown, choices, numbers
from numduel.web.pages.errors import sentence, status_of
from numduel.web.pages.rendering import fields, router, whole
from numduel.web.pages.school.page import refuse, show, wall_for
from numduel.web.pages.school.round_form import OWN, rule_of
from numduel.web.state import classes_of, thinkers_of, token_of
from numduel.wording import brief

_LEVELS = [("600", "Easy"), ("1000", "Medium"), ("1400", "Hard"), ("", "Any")]
_COUNTS = [(str(count), str(count)) for count in (5, 8, 10, 12, 15, 20)]
_SIGNS = {True: "✓", False: "✗", None: ""}
_SAID = {True: "right", False: "not right", None: "no answer yet"}
_BLOCK, _WIDE = 15, 12  # more pupils than this stand in two columns, unless puzzles are many


@dataclass(frozen=True, slots=True)
class GridRow:
    name: str
    marks: list[tuple[str, str]]
    """A sign for each puzzle, and the same in words."""
    right: int


@dataclass(frozen=True, slots=True)
class Grid:
    columns: list[str]
    blocks: list[list[GridRow]]
    right: list[int]
    """How many solved each puzzle."""
    answered: int
    of: int


def grid_of(school_class: SchoolClass) -> Grid | None:
    """The answers to the last puzzle set; None before the first."""
    posed = school_class.puzzles
    if not posed:
        return None
    said = {(one.number, one.pupil): one.right for one in school_class.answers}
    rows = []
    for pupil in school_class.pupils:
        own = [said.get((one.number, pupil.number)) for one in posed]
        marks = [(_SIGNS[one], _SAID[one]) for one in own]
        rows.append(GridRow(pupil.name, marks, sum(one is True for one in own)))
    split = len(posed) <= _WIDE and len(rows) > _BLOCK
    block = -(-len(rows) // 2) if split else max(1, len(rows))
    return Grid(
        columns=[" + ".join(brief(n.value) for n in one.board.numbers) for one in posed],
        blocks=[rows[at : at + block] for at in range(0, len(rows), block)],
        right=[sum(right for (n, _), right in said.items() if n == one.number) for one in posed],
        answered=len(said),
        of=len(posed) * len(school_class.pupils),
    )


@dataclass(frozen=True, slots=True)
class PuzzleView:
    """What a pupil sees: the puzzle to answer now, and how the others went."""

    posed: Posed | None
    """None once all are answered."""
    numbers: list[Shown]
    marks: list[tuple[str, str]]
    right: int


async def puzzle_of(school_class: SchoolClass, thinkers: Thinkers) -> PuzzleView:
    """For a pupil, whose answers alone are in the class."""
    said = {one.number: one.right for one in school_class.answers}
    posed = next((one for one in school_class.puzzles if one.number not in said), None)
    shown: list[Shown] = []
    if posed is not None:
        asks_move = posed.asks == "move"
        shown = await choices(posed.board, thinkers) if asks_move else numbers(posed.board)
    marks = [(_SIGNS[own], _SAID[own]) for one in school_class.puzzles
             for own in [said.get(one.number)]]  # fmt: skip
    return PuzzleView(posed, shown, marks, sum(said.values()))


@router.get("/class/{code}/puzzles")
async def puzzles_page(request: Request, code: str) -> Response:
    wall = await wall_for(request, code, boards=False)
    school_class = wall.school_class
    played = school_class.round.plan.board.numbers[0].game.key if school_class.round else ""
    games = [(game.key, game.title) for game in all_games()]
    own = played not in {"", *(key for key, _ in games)}
    usual = {"game": OWN if own else played, "own": played if own else "", "rating": "600"}
    return show(
        request,
        "class_puzzles.html",
        wall,
        grid=grid_of(school_class),
        open=school_class.stage is Stage.PUZZLES,
        games=[("", "Any game"), *games, (SEVERAL, "Several numbers"), (OWN, "Your own rule")],
        levels=_LEVELS,
        counts=_COUNTS,
        form={"count": "8", "seed": "", "positions": "", **usual,
              **(getattr(request.state, "filled", None) or {})},
    )  # fmt: skip


@router.post("/class/{code}/teacher/set-puzzles")
async def set_puzzles(request: Request, code: str) -> Response:
    form, classes, token = await fields(request), classes_of(request), token_of(request)
    await wall_for(request, code, boards=False)
    try:
        made = await _made(form, thinkers_of(request))
        puzzles = tuple(
            (Board.parse(one["board"]), one["asks"], tuple(one["right"])) for one in made
        )
        seen = whole(form.get("seen"), 0, 0, 10**9)
        await classes.act(code, token, seen, SetPuzzles(puzzles))
    except UnknownClass:
        raise
    except NumduelError as error:
        refuse(request, "puzzles", sentence(error), status_of(error), form)
        return await puzzles_page(request, code)
    return RedirectResponse(f"/class/{code}/puzzles", 303)


async def _made(form: dict[str, str], thinkers: Thinkers) -> list[learning.PosedPuzzle]:
    """By game, rating and seed; or the positions that were picked."""
    game = form.get("game", "")
    kind = rule_of(form.get("own", "")) if game == OWN else game.lower()
    picked = form.get("positions", "").replace(",", " ").split()[: MOST + 1]
    told = await thinkers.ask(
        learning.puzzle_set,
        seed=form.get("seed", "")[:40] or token_hex(4),
        kind=kind or None,
        rating=whole(form.get("rating"), 0, *RATINGS) or None,
        count=whole(form.get("count"), FEWEST, FEWEST, MOST),
        boards=[one if ":" in one else f"{kind}:{one}" for one in picked],
    )
    return told["puzzles"]
