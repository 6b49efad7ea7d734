"""Who meets whom on which boards, seats paired in a round robin; and what models will be asked."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, islice
from random import Random
from typing import Any, NamedTuple

from numduel.arguments import checked
from numduel.arithmetic import MAX_DIGITS
from numduel.board import Board, Move
from numduel.errors import InvalidSetup, NumduelError
from numduel.games import Game, load
from numduel.players import PERSON, Limits, View, make_computer
from numduel.players.language import prompt
from numduel.players.player import CHARACTERS

_DRAWS = 200  # a start is drawn anew so often, where the last one was no start
_SAMPLED = 12


class Pairing(NamedTuple):
    number: int
    board: Board
    first: int
    second: int


class DrawnStart(NamedTuple):
    game: Game
    digits: int

    def __str__(self) -> str:
        return f"{self.game.key}:{self.digits}"

    def board(self, random: Random) -> Board:
        """A start of this many digits, from which the first player can move."""
        low = 10 ** (self.digits - 1)
        for _ in range(_DRAWS):
            number = random.randrange(low, 10 * low)
            with suppress(NumduelError):
                if self.game.is_start(number) and not self.game.is_over(number):
                    next(iter(self.game.moves(number)))
                    return Board.of(self.game, number)
        raise InvalidSetup(problem="draw", text=str(self))


@checked
def read_drawn_start(text: str) -> DrawnStart:
    """A game and a number of digits, as in `divisor-duel:20`. Raises `InvalidSetup`."""
    key, colon, digits = text.strip().lower().partition(":")
    count = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 5 else 0
    if not colon or not 1 <= count <= MAX_DIGITS:
        raise InvalidSetup(problem="draw", text=text)
    return DrawnStart(load(key), count)


@dataclass(frozen=True)
class Plan:
    """Every match of an arena, in order; the same plan gives the same matches.

    In each round, on each board, every two players meet twice, and each begins
    once. Drawn boards differ from round to round; all players meet on the same.
    """

    players: tuple[str, ...]
    boards: tuple[Board, ...]
    draws: tuple[DrawnStart, ...] = ()
    rounds: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if not all(isinstance(word, str) for word in self.players):
            raise InvalidSetup(problem="player objects")
        if len(self.players) < 2 or len(set(self.players)) < len(self.players):
            raise InvalidSetup(problem="two players")
        if PERSON in self.players:
            raise InvalidSetup(problem="person")
        if not self.boards and not self.draws:
            raise InvalidSetup(problem="no boards")
        for board in self.boards:
            if board.is_over:
                raise InvalidSetup(problem="board over", board=str(board))

    def __len__(self) -> int:
        pairs = len(self.players) * (len(self.players) - 1)
        return self.rounds * (len(self.boards) + len(self.draws)) * pairs

    def __iter__(self) -> Iterator[Pairing]:
        number = 0
        for round_number in range(self.rounds):
            drawn = [
                draw.board(Random(f"{self.seed}/{round_number}/{place}/{draw}"))
                for place, draw in enumerate(self.draws)
            ]
            for board in (*self.boards, *drawn):
                for one, other in combinations(range(len(self.players)), 2):
                    yield Pairing(number, board, one, other)
                    yield Pairing(number + 1, board, other, one)
                    number += 2

    def fields(self) -> dict[str, object]:
        """The plan as plain values: two plans with the same fields are the same."""
        boards, draws = ([str(each) for each in some] for some in (self.boards, self.draws))
        return {"players": list(self.players), "boards": boards, "draws": draws,
                "rounds": self.rounds, "seed": self.seed}  # fmt: skip

    @classmethod
    def of(cls, fields: Any) -> "Plan":
        """The plan that `fields` gave. Raises `LookupError`, `TypeError` or `NumduelError`."""
        boards = tuple(map(Board.parse, fields["boards"]))
        draws = tuple(map(read_drawn_start, fields["draws"]))
        return cls(tuple(fields["players"]), boards, draws, fields["rounds"], fields["seed"])


class Estimate(NamedTuple):
    player: str
    matches: int
    requests: int
    prompt_tokens: int
    most_requests: int


@checked
def estimates(plan: Plan, limits: Limits, known: Collection[int] = ()) -> list[Estimate]:
    """For each model, without `known` matches; from those of random players, about as long."""
    models = [word for word in plan.players if word.startswith("llm:")]
    waiting = [pairing for pairing in plan if pairing.number not in known] if models else []
    boards = list(dict.fromkeys(pairing.board for pairing in waiting))[:_SAMPLED]
    tried = [_tried(board, limits) for board in boards] or [(0.0, 0.0)]
    requests, characters = (sum(column) / len(tried) for column in zip(*tried, strict=True))
    most = (limits.turns + 1) // 2 * limits.tries
    if limits.requests is not None:
        most = min(most, limits.requests + limits.tries - 1)
        share = min(1, limits.requests / max(1, requests))
        requests, characters = share * requests, share * characters
    found = []
    for word in models:
        matches = sum(word in (plan.players[p.first], plan.players[p.second]) for p in waiting)
        tokens = round(matches * characters / CHARACTERS)
        found.append(Estimate(word, matches, round(matches * requests), tokens, matches * most))
    return found


def _tried(board: Board, limits: Limits) -> tuple[float, float]:
    """Questions to one player in a match from this board, and the characters of all of them."""
    start, moves = board, list[Move | None]()
    player = make_computer("random", Random(str(board)))
    asked = length = 0.0
    with suppress(NumduelError):
        while not board.is_over and len(moves) < limits.turns:
            if limits.ask_forced or len(list(islice(board.moves(), 2))) > 1:
                asked += 0.5
                length += len(prompt(View(board, start, tuple(moves)), limits.list_moves)) / 2
            move = player.choose(board)
            moves.append(move)
            board = board.play(move)
    return asked, length
