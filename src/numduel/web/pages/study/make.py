"""Make your own: pick what a turn may do, and play it, see its map, send it."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from numduel.board import Board
from numduel.errors import InvalidRule, NumduelError
from numduel.games import Game, OwnRule, keys, load
from numduel.games.own import own_rule, title
from numduel.games.own_text import SAID, RuleText, in_grammar, read_rule
from numduel.rooms import Bounds
from numduel.rooms.names import clean_name
from numduel.study.puzzles import CHOICES
from numduel.thinking.questions import position
from numduel.web.pages.errors import Trying
from numduel.web.pages.form import Form, Row, Unfit
from numduel.web.pages.rendering import page, router
from numduel.web.pages.study.explore import Found
from numduel.web.state import lobby_of, thinkers_of

AMOUNTS = tuple(map(str, range(1, 13)))
DIVISORS = {"2": "halve", "3": "divide by 3"}
_MOST_FIELDS = 40  # fields of one name that are looked at
_FIRST = ("subtract-1-3-4", "20")  # the rule that the page begins with
_CELLS = 50
_NOTHING = "Choose at least one thing that a turn may do."


class Picked(NamedTuple):
    """The tiles that a rule lights, and its parts for which there is no tile, with their words."""

    amounts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    divisors: tuple[str, ...] = ()
    rest: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, text: str) -> "Picked":
        """Nothing where the text is no rule."""
        try:
            rule = read_rule(text)
        except InvalidRule:
            return cls()
        few = rule.amounts if max(rule.amounts, default=0) <= len(AMOUNTS) else ()
        others = tuple(divisor for divisor in rule.divisors if str(divisor) not in DIVISORS)
        parts = (RuleText(others, (), ()), RuleText((), () if few else rule.amounts, ()))
        return cls(
            tuple(map(str, few)),
            rule.words,
            tuple(filter(DIVISORS.get, map(str, rule.divisors))),
            tuple((str(part), title(part).lower()) for part in parts if any(part)),
        )


def _text(pairs: Iterable[tuple[str, str]]) -> str:
    """The rule of the tiles that were pressed, right or wrong; empty where there are none."""
    given: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in pairs:
        if len(given[name]) < _MOST_FIELDS and (part := in_grammar(value)):
            given[name].append(part)
    clauses = [f"divide-by-{'-'.join(given['divide'])}"] if given["divide"] else []
    clauses += [f"subtract-{'-'.join(given['take'])}"] if given["take"] else []
    return "-or-".join([*clauses, *(f"subtract-{word}" for word in given["word"]), *given["rest"]])


class Asked(NamedTuple):
    rule: str
    number: str
    misere: bool
    called: str  # the name that somebody gave the rule

    @classmethod
    def of(cls, request: Request) -> "Asked":
        """The text counts where it differs from what its field showed, else what was picked."""
        asked = request.query_params
        typed = in_grammar(asked.get("rule", ""))
        number = asked.get("number", "").strip()
        if typed == in_grammar(asked.get("was", "")):
            typed = _text(asked.multi_items())
        if not asked:
            typed, number = _FIRST
        typed, colon, told = typed.partition(":")
        called = clean_name(asked.get("called", ""))
        return cls(typed, told if colon else number, bool(asked.get("misere")), called)

    def board(self, bounds: Bounds) -> Board:
        """The board. Raises `Unfit`."""
        try:
            game = load(self.rule) if self.rule in keys() else own_rule(self.rule)
        except NumduelError as error:
            raise Unfit("rule", error, None if self.rule else _NOTHING) from error
        return Form(rows=(Row(game.key, self.number),), misere=self.misere).terms(bounds).board


@router.get("/make")
async def make(request: Request) -> Response:
    asked = Asked.of(request)
    board = game = found = None
    with Trying(request):
        board = asked.board(lobby_of(request).bounds)
    if board is not None:
        game, number = board.numbers[0]
        misere = "1" if board.misere else ""
        told = {"rule": game.key, "number": str(number), "misere": misere, "called": asked.called}
        said = [(name, value) for name, value in told.items() if value]
        if request.query_params and request.query_params.multi_items() != said:
            return RedirectResponse(f"/make?{urlencode(said)}", 303)
        if isinstance(game, OwnRule):
            asked = asked._replace(rule=game.key, number=str(number))
        found = Found(board)
        least = str(Board.of(game, max(1, game.least), board.misere))  # the answers fit any number
        seen = thinkers_of(request).ask(position.overview, board=least, to=_CELLS)
        found.map = await found.told("map", seen)
    return page(
        request,
        "make.html",
        asked=asked,
        picked=Picked.of(asked.rule),
        amounts=AMOUNTS,
        divisors=DIVISORS,
        words=SAID,
        board=board,
        found=found,
        title=(asked.called or game.title) if game else "",
        has_puzzle=game is not None and _has_puzzle(game),
    )


def _has_puzzle(game: Game) -> bool:
    """Does the rule ever allow as many moves as a puzzle needs?"""
    if not isinstance(game, OwnRule) or game.rule.words:
        return True
    return len(game.amounts) + len(game.divisors) >= CHOICES
