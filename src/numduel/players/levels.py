"""Players who look ahead: the perfect one, and levels that err, less and less often."""

from contextlib import suppress
from functools import lru_cache
from itertools import islice
from random import Random

from numduel.analysis import outcome
from numduel.arithmetic import count_digits
from numduel.board import Board, Move
from numduel.errors import NumduelError, TooLarge
from numduel.players.player import RandomPlayer
from numduel.solver import Search, Verdict, solve

_TRIED = 40  # when lost, this many moves are compared by the winning replies that they leave
_COUNTED = 12  # winning replies are counted up to this many
_REMEMBERED = 4096  # boards whose best moves are remembered: small ones come again and again
_COMPARED_DIGITS = 15  # on larger numbers, counting replies takes long and helps little
_SEEN = 60  # moves that are looked at for one that ends the match, from either end of the list
_OVERLOOKS = 0.7
_TRIES = 8


class PerfectPlayer:
    """Wins every board that it could win. Raises `TooLarge`, rather than guess."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._careless = RandomPlayer(random)

    def choose(self, board: Board) -> Move:
        winning, least_bad = _best_moves(board)
        if winning is not None:
            return winning
        return self._random.choice(least_bad) if least_bad else self._careless.choose(board)

    def find_win(self, board: Board) -> Move | None:
        """A winning move; None where no move wins. Raises as `choose` does."""
        return _best_moves(board)[0]


@lru_cache(maxsize=_REMEMBERED)
def _best_moves(board: Board) -> tuple[Move | None, list[Move]]:
    """A winning move; or None, and the moves to choose from."""
    verdict = solve(board)
    if verdict.outcome == "loss":
        return None, least_bad_moves(verdict)
    return verdict.winning_move(), []


def least_bad_moves(verdict: Verdict) -> list[Move]:
    """Of the first moves, those that leave no win at once, if any do, and of these those that leave
    the fewest winning replies; none on large numbers.
    """
    board = verdict.board
    if max(count_digits(number.value) for number in board.numbers) > _COMPARED_DIGITS:
        return []
    # One search serves all moves: they lead to much the same positions.
    search = Search(verdict.misere) if verdict.method == "search" else None
    moves = list(islice(board.moves(), _TRIED))
    left = [board.play(move) for move in moves]
    replies = [(winning_at_once(one) is not None, _count_winning(one, search)) for one in left]
    fewest = min(replies)
    return [move for move, r in zip(moves, replies, strict=True) if r == fewest]


def _count_winning(board: Board, search: Search | None) -> int:
    if search is None:
        return len(solve(board).first_moves(_COUNTED)[0])
    try:
        return sum(1 for _ in islice(search.winning_moves(board), _COUNTED))
    except TooLarge:
        return _COUNTED


class BeginnerPlayer(RandomPlayer):
    """A player for a first match: any legal move, and mostly one that gives a win away.

    Seven times in ten it looks for a move after which the other can win, and so overlooks
    even a win at once. Where there is none, or the board cannot be solved, any move does.
    """

    def choose(self, board: Board) -> Move:
        move = super().choose(board)
        for _ in range(_TRIES if self._random.random() < _OVERLOOKS else 0):
            if outcome(board.play(move)) != "loss":
                break
            move = super().choose(board)
        return move


class LevelPlayer(PerfectPlayer):
    """A player who sees the whole game as often as `care` says, and otherwise one move ahead.

    As often as `sight` says, it then takes a move that wins at once (under misère, avoids one that
    loses at once); else it plays any legal move. Boards too large to solve are all played like
    that. A lost board is played at its best by every level: the fewest winning replies are left.
    """

    def __init__(self, care: float, sight: float, random: Random) -> None:
        super().__init__(random)
        self.care, self.sight = care, sight

    def choose(self, board: Board) -> Move:
        if self._random.random() < self.care or outcome(board) == "loss":
            with suppress(TooLarge):
                return super().choose(board)
        return self._look_ahead(board)

    def find_win(self, board: Board) -> Move | None:
        """A move that it takes for a winning one; None only where it sees the whole game."""
        if self._random.random() < self.care:
            with suppress(TooLarge):
                return super().find_win(board)
        return self._look_ahead(board)

    def _look_ahead(self, board: Board) -> Move:
        looks = self._random.random() < self.sight
        move = (winning_at_once(board) if looks else None) or self._careless.choose(board)
        for _ in range(9 if looks and board.misere else 0):
            if not board.play(move).is_over:
                break
            move = self._careless.choose(board)
        return move


def winning_at_once(board: Board) -> Move | None:
    """A move after which the match is over and won, among the moves that are easily seen."""
    if board.misere:
        return None
    for place, (game, n) in enumerate(board.numbers):
        digits = count_digits(n)
        seen = _SEEN if digits <= 30 else 3 if digits <= 300 else 0
        try:
            amounts = [*islice(game.moves_down(n), seen), *islice(game.moves(n), seen)]
        except NumduelError:
            continue
        for amount in amounts:
            if board.play(Move(place, amount)).is_over:
                return Move(place, amount)
    return None
