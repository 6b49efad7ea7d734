"""Make your own: pick what a turn may do, and play it, see its map, send it."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from numduel.board import Board
from numduel.errors import InvalidRule, NumduelError
from numduel.games import Game, OwnRule, all_games, keys, load
from numduel.games.amounts import WORDS
from numduel.games.own import own_rule, title
from numduel.games.own_text import SAID, RuleText, in_grammar, read_rule
from numduel.rooms.names import clean_name
from numduel.study.puzzles import CHOICES
from numduel.thinking.questions import position
from numduel.web.pages.errors import UNFIT
from numduel.web.pages.form import Form, Row, Unfit
from numduel.web.pages.rendering import address, page, router, start
from numduel.web.pages.study.explore import Found
from numduel.web.pages.study.learn import lesson
from numduel.web.state import limits_of, only_here, thinkers_of
from numduel.wording.rules import rule_in_short

AMOUNTS = tuple(map(str, range(1, 13)))
DIVISORS = {"2": "halve", "3": "divide by 3"}
_MOST_FIELDS = 40
"""Fields of one name that are looked at."""
_FIRST = ("subtract-1-3-4", "20")
"""The rule that the page begins with."""
_CELLS = 50
_NOTHING = "Choose at least one thing that a turn may do."


class Known(NamedTuple):
    name: str
    rule: str
    number: str
    says: str


GALLERY = (
    Known("21", "subtract-1-to-3", "21", "Take 1, 2 or 3. Most people's first strategy game."),
    Known("A Nim heap", "subtract-any", "21", "Take as much as you like. Two heaps make Nim."),
    Known("Bachet's game", "subtract-1-to-10", "100", "Take 1 to 10 from 100. In print in 1612."),
    Known("Take 1, 3 or 4", "subtract-1-3-4", "20", "Three amounts, and a pattern to find."),
    Known("Subtract a square", "subtract-square", "60", "Take 1, 4, 9, 16 and so on. Can you"
          " find a pattern in its traps?"),
    Known("Halve or take 1", "halve-or-subtract-1", "50", "Even numbers can be cut in half."),
    Known("Fibonacci numbers", "subtract-fibonacci", "58", "Take 1, 2, 3, 5, 8, 13 and so on."),
    Known("Powers of 2", "subtract-power-of-2", "50", "Take 1, 2, 4, 8 and so on."),
    Known("Triangular numbers", "subtract-triangular", "59", "Take 1, 3, 6, 10 and so on."),
    Known("A smaller divisor", "subtract-proper-divisor", "60", "Down to 1, where nothing is left"
          " to take."),
    Known("A digit or a divisor", "subtract-digit-or-subtract-proper-divisor", "60", "Two rules in"
          " one. The divisor is smaller than the number."),
    Known("Halves and thirds", "divide-by-2-3-or-subtract-1", "100", "Large steps or small ones."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Picked:
    """What was picked, as text; the grammar says what is wrong with it."""

    amounts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    divisors: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    """Parts of a rule for which there is no tile."""

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> "Picked":
        given: dict[str, list[str]] = {}
        for name, value in pairs:
            given.setdefault(name, []).append(in_grammar(value))

        def all_of(name: str) -> tuple[str, ...]:
            return tuple(filter(None, given.get(name, [])[:_MOST_FIELDS]))

        return cls(*map(all_of, ("take", "word", "divide", "rest")))

    @classmethod
    def of_rule(cls, rule: RuleText) -> "Picked":
        divisors = tuple(divisor for divisor in rule.divisors if str(divisor) not in DIVISORS)
        few = rule.amounts if max(rule.amounts, default=0) <= len(AMOUNTS) else ()
        rest = (RuleText(divisors, (), ()), RuleText((), () if few else rule.amounts, ()))
        return cls(
            amounts=tuple(map(str, few)),
            words=rule.words,
            divisors=tuple(str(divisor) for divisor in rule.divisors if str(divisor) in DIVISORS),
            rest=tuple(str(part) for part in rest if any(part)),
        )

    @property
    def text(self) -> str:
        """The rule's text, right or wrong; empty where nothing is picked."""
        clauses = [f"divide-by-{'-'.join(self.divisors)}"] if self.divisors else []
        clauses += [f"subtract-{'-'.join(self.amounts)}"] if self.amounts else []
        clauses += [f"subtract-{word}" for word in self.words]
        return "-or-".join([*clauses, *self.rest])

    @property
    def rest_in_words(self) -> list[tuple[str, str]]:
        """What has no tile, each with its words; what is no rule as it is."""
        return [(text, _said(text)) for text in self.rest]


def _said(text: str) -> str:
    try:
        return title(read_rule(text)).lower()
    except InvalidRule:
        return text


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for: what was picked, the rule as text, number and ending."""

    picked: Picked
    rule: str
    number: str
    misere: bool
    called: str = ""
    """The name that somebody gave the rule."""

    @classmethod
    def of(cls, request: Request) -> "Asked":
        """The text counts where it differs from what its field showed, else what was picked."""
        asked = request.query_params
        picked = Picked.of(asked.multi_items())
        typed = in_grammar(asked.get("rule", ""))
        number = asked.get("number", "").strip()
        if typed == in_grammar(asked.get("was", "")):
            typed = picked.text
        if not asked:
            typed, number = _FIRST
        typed, colon, told = typed.partition(":")
        called = clean_name(asked.get("called", ""))
        return cls(picked, typed, told if colon else number, bool(asked.get("misere")), called)

    def board(self, request: Request) -> Board:
        """The board. Raises `Unfit`."""
        try:
            game = load(self.rule) if self.rule in keys() else own_rule(self.rule)
        except NumduelError as error:
            raise Unfit("rule", error, None if self.rule else _NOTHING) from error
        form = Form(rows=(Row(game.key, self.number),), misere=self.misere)
        return form.terms(limits_of(request)).board


@router.get("/make")
async def make(request: Request) -> Response:
    asked = Asked.of(request)
    try:
        board = asked.board(request)
    except Unfit as unfit:
        return _page(request, asked, unfit=unfit)
    game, number = board.numbers[0]
    told = [("rule", game.key), ("number", str(number))]
    if board.misere:
        told.append(("misere", "1"))
    if asked.called:
        told.append(("called", asked.called))
    if request.query_params and request.query_params.multi_items() != told:
        return RedirectResponse(f"/make?{urlencode(told)}", 303)
    if isinstance(game, OwnRule):
        picked = Picked.of_rule(game.rule)
        asked = replace(asked, picked=picked, rule=game.key, number=str(number))
    least = str(Board.of(game, max(1, game.least), board.misere))  # the answers fit any number
    found = Found(board)
    seen = thinkers_of(request).ask(position.overview, board=least, to=_CELLS)
    found.map = drawn = await found.told("map", seen)
    return _page(request, asked, board, found=found, pattern=drawn and drawn["pattern"])


def _known(game: Game) -> Known:
    return Known(game.title, game.key, str(game.default_start), rule_in_short(start(game))[0])


def _page(
    request: Request,
    asked: Asked,
    board: Board | None = None,
    *,
    unfit: Unfit | None = None,
    found: Found | None = None,
    pattern: str | None = None,
) -> Response:
    wrong = defaultdict(str, {unfit.where: unfit.said} if unfit else {})
    error = unfit.error if unfit else None
    return page(
        request,
        "make.html",
        UNFIT if unfit else 200,
        asked=asked,
        picked=asked.picked,
        amounts=AMOUNTS,
        divisors=DIVISORS,
        words=[(word, SAID[word]) for word in WORDS],
        board=board,
        found=found,
        pattern=pattern,
        only_here=only_here(request),
        title=(asked.called or board.numbers[0].game.title) if board else "",
        link=address("", board=board, called=asked.called),
        wrong=wrong,
        has_puzzle=board is not None and _has_puzzle(board.numbers[0].game),
        has_lesson=board is not None and bool(lesson(board.numbers[0].game)),
        nearest=error.nearest if isinstance(error, InvalidRule) else None,
        gallery=[*GALLERY, *map(_known, all_games())],
    )


def _has_puzzle(game: Game) -> bool:
    """Does the rule ever allow as many moves as a puzzle needs?"""
    if not isinstance(game, OwnRule) or game.rule.words:
        return True
    return len(game.amounts) + len(game.divisors) >= CHOICES
