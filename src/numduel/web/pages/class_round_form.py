"""The form of a round: what was filled in, and the plan that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from numduel.board import Board
from numduel.classes import Pupil, RoundPlan
from numduel.games import OwnRule, all_games
from numduel.players import COMPUTERS, LADDER, PERSON
from numduel.web.pages.forms import whole
from numduel.web.pages.new_room_form import FRIEND, USUAL_GAME, Form, Row
from numduel.web.pages.rule_view import rule_of
from numduel.web.settings import Limits
from numduel.wording import brief
from numduel.wording.players import offered

OPPONENTS = [
    (PERSON, "Each other, in pairs"),
    *((word, offered(word)) for word in dict.fromkeys((*LADDER, "perfect", *COMPUTERS))),
]
PAIRINGS = [
    ("random", "at random"),
    ("winners", "winners with winners"),
    ("same", "the same, the other player begins"),
    ("hand", "by hand"),
]
_FIRST = ("random", "hand")
"""How a first round can be paired: there is none before it."""
_PLACE = "place-"


def games() -> list[tuple[str, str]]:
    """The games to choose from."""
    return [(game.key, game.title) for game in all_games()]


def rules() -> list[tuple[str, str, str]]:
    """Each game, its rule in short, and from which number it is usually played."""
    boards = [Board.of(game, game.default_start) for game in all_games()]
    return [
        (board.numbers[0].game.title, " ".join(rule_of(board).says), brief(board.numbers[0].value))
        for board in boards
    ]


def pairings(first: bool) -> list[tuple[str, str]]:
    """How pairs can be made, in the first round or a later one."""
    return [each for each in PAIRINGS if not first or each[0] in _FIRST]


@dataclass(frozen=True, slots=True)
class RoundForm:
    """What was filled in, as text."""

    game: str = USUAL_GAME
    rule: str = ""
    """An own rule, instead of the game."""
    text: str = ""
    """A whole board as text, instead of game and number."""
    number: str = ""
    opponent: str = PERSON
    pairing: str = "random"
    minutes: str = ""
    hints: bool = False
    takeback: bool = False
    places: Mapping[int, int] = field(default_factory=dict)
    """The board of each pupil, by hand."""

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> RoundForm:
        """The form of these fields."""
        once = dict(pairs)
        places = {
            whole(name.removeprefix(_PLACE), 0, 0, 10**6): whole(value, 0, 0, 10**6)
            for name, value in once.items()
            if name.startswith(_PLACE)
        }
        return cls(
            game=once.get("game", "") or USUAL_GAME,
            rule=once.get("own", ""),
            text=once.get("board", ""),
            number=once.get("number", ""),
            opponent=once.get("opponent", "") or PERSON,
            pairing=once.get("pairing", "") or "random",
            minutes=once.get("minutes", ""),
            hints=bool(once.get("hints")),
            takeback=bool(once.get("takeback")),
            places=places,
        )

    @classmethod
    def after(cls, plan: RoundPlan) -> RoundForm:
        """The form filled in as in the round before."""
        game, number = plan.board.numbers[0]
        own = isinstance(game, OwnRule)
        return cls(
            game=USUAL_GAME if own else game.key,
            rule=game.key if own else "",
            number=str(number),
            opponent=plan.opponent,
            pairing="random",
            minutes="" if plan.seconds is None else f"{plan.seconds / 60:g}",
            hints=plan.hints,
            takeback=plan.takebacks,
        )

    def board(self, limits: Limits) -> Board:
        """The board. Raises `Unfit`."""
        return self._form().terms(limits).board

    def plan(self, limits: Limits) -> RoundPlan:
        """The plan. Raises `Unfit`."""
        terms = self._form().terms(limits)
        pairing = self.pairing if self.pairing in dict(PAIRINGS) else "random"
        return RoundPlan(
            board=terms.board,
            opponent=self.opponent,
            hints=self.hints,
            takebacks=self.takeback,
            seconds=terms.seconds,
            pairing=pairing,
            pairs=self._pairs() if pairing == "hand" else (),
        )

    def placed(self, pupils: Sequence[Pupil]) -> RoundForm:
        """The form with a board for each pupil who has none yet, in order."""
        places = dict(self.places)
        for at, pupil in enumerate(pupils):
            places.setdefault(pupil.number, at // 2 + 1)
        return replace(self, places=places)

    def _form(self) -> Form:
        row = Row(self.rule.lower() or self.game.lower(), self.number)
        opponent = FRIEND if self.opponent == PERSON else self.opponent
        return Form(
            (row,), self.text, opponent=opponent, takeback=self.takeback, minutes=self.minutes
        )

    def _pairs(self) -> tuple[tuple[int, int], ...]:
        """Two and two of those who share a board; whoever is left over stands alone."""
        at: dict[int, list[int]] = {}
        for pupil, place in self.places.items():
            at.setdefault(place, []).append(pupil)
        return tuple(
            (two[0], two[1])
            for _, together in sorted(at.items())
            for two in zip(together[::2], together[1::2], strict=False)
        )
