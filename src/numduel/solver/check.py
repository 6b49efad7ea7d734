"""Checks certificates without trusting the solver: it knows only the rules of the games.

`premises` says what a certificate may rest on beyond what is verified here. Whatever the file
says, the work is bounded: what would take too long is refused.
"""

import json
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from numduel.arithmetic import is_prime, primes_up, prove_prime
from numduel.board import Board, Move
from numduel.errors import InvalidCertificate, NumduelError
from numduel.games import Game, OwnRule
from numduel.games.own_text import LARGEST_AMOUNT
from numduel.solver import premises
from numduel.solver.premises import EVEN_LOSSES, PROBABLE, Premise

FORMAT = "numduel-certificate"
VERSION = 1
_FIELDS = {"format", "version", "board", "misere", "outcome", "move", "proof"}

ENTRIES = 20_000
"""Answers that a table of a whole strategy may hold."""
_LARGEST_LISTED = 10**9
"""Numbers of such a table: each is factored quickly, and its primes are sure."""
_LONGEST_PERIOD = 250_000
"""Losses that may be listed before they repeat."""


@dataclass
class Report:
    """What a check found: what was verified here, and what the rest relies on."""

    board: Board
    misere: bool
    outcome: str
    verified: list[str] = field(default_factory=list)
    relies_on: list[Premise] = field(default_factory=list)

    def rely(self, claim: Premise) -> None:
        if claim not in self.relies_on:
            self.relies_on.append(claim)


def check(text: str) -> Report:
    """Verify a certificate. Raises `InvalidCertificate` when it does not prove its claim."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidCertificate(problem="not JSON") from None
    need(isinstance(data, dict) and set(data) == _FIELDS, "fields are missing or unknown")
    need(data["format"] == FORMAT and data["version"] == VERSION, "another format or version")
    need(data["outcome"] in ("win", "loss"), "no outcome")
    need(isinstance(data["misere"], bool) and isinstance(data["board"], str), "no board")
    try:
        return _checked(data)
    except InvalidCertificate:
        raise
    except NumduelError as error:
        raise InvalidCertificate(problem=f"unreadable: {error}") from error
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        problem = "a value in it is missing or of the wrong kind"
        raise InvalidCertificate(problem=problem) from error


def need(true: bool, problem: str) -> None:
    if not true:
        raise InvalidCertificate(problem=problem)


def _checked(data: dict[str, Any]) -> Report:
    board = Board.parse(data["board"])
    misere = data["misere"]
    need(misere or not board.misere, "the board is misère and the claim is not")
    board = Board(board.numbers, misere)
    report = Report(board, misere, data["outcome"])
    left = board
    if data["outcome"] == "win" and data["move"] is not None:
        move = board.parse_move(data["move"])
        need(board.is_legal(move), "the winning move is not legal")
        left = board.play(move)
        if _asks_for_primes(board.numbers[move.place].game):
            _note_probable(report, move.amount)
        report.verified.append(f"The move {data['move']} is legal and leaves {_short(left)}.")
    elif data["outcome"] == "win":
        need(misere and board.is_over, "a win without a move")
        for game, n in board.numbers:
            if not isinstance(game, OwnRule) and game.settings.get("divisors") != "even":
                _note_probable(report, n)
        report.verified.append("No move is left, and under misère that wins.")
        return report
    else:
        need(data["move"] is None, "a move in a lost position")
    proof = data["proof"]
    kinds = {"strategy": _strategy, "walk": _walk, "rule": _rule, "factors": _factors,
             "period": _period}  # fmt: skip
    need(proof["kind"] in kinds, "no such kind of proof")
    kinds[proof["kind"]](report, left, proof)
    return report


def _asks_for_primes(game: Game) -> bool:
    """May some amount be played only because it is prime? Yes for a game that is not known."""
    if isinstance(game, OwnRule):
        return "prime" in game.rule.words
    return game.settings.get("divisors", "prime") == "prime"


def _note_probable(report: Report, n: int) -> bool:
    """Is it prime, if only probably?"""
    proved = prove_prime(n)
    if proved is None:
        report.rely(PROBABLE)
    return proved is not False


def _short(board: Board) -> str:
    text = str(board)
    return text if len(text) <= 60 else f"{text[:40]}...{text[-15:]}"


def _strategy(report: Report, left: Board, proof: dict[str, Any]) -> None:
    """Every move from every listed loss is answered by a move to a listed loss."""
    table = proof["lost"]
    need(str(left) in table, "the board that is left is not among the listed losses")
    replies = sum(len(answers) for answers in table.values())
    need(replies <= ENTRIES, f"its table has more than {ENTRIES:,} answers")
    for text, answers in table.items():
        board = Board.parse(text)
        need(str(board) == text and board.misere == report.misere, "a listed loss is misread")
        need(all(number.value <= _LARGEST_LISTED for number in board.numbers),
              f"its table has a number above {_LARGEST_LISTED:,}")  # fmt: skip
        need(not (report.misere and board.is_over), "a listed loss has no move: that wins")
        # No more than one beyond the count: a forged list ends soon.
        moves = [board.write_move(move) for move in islice(board.moves(), len(answers) + 1)]
        need(set(moves) == set(answers), f"not every move is answered at {text}")
        for move, reply in answers.items():
            after = _descend(board, board.parse_move(move))
            if reply is None:
                need(report.misere and after.is_over, f"no answer to {move} at {text}")
            else:
                answered = _descend(after, after.parse_move(reply))
                need(str(answered) in table, f"the answer to {move} at {text} leads nowhere")
    report.verified.append(
        f"{len(table)} lost positions, and an answer to each of the {replies} moves from them."
    )


def _descend(board: Board, move: Move) -> Board:
    after = board.play(move)
    total = sum(number.value for number in board.numbers)
    need(sum(number.value for number in after.numbers) < total, "a move makes nothing smaller")
    return after


def _rule(report: Report, left: Board, _: dict[str, Any]) -> None:
    """A proved rule says that the one number left is lost."""
    need(len(left.numbers) == 1, "a rule speaks of one number")
    game, n = left.numbers[0]
    rule = premises.rule_for(game, report.misere)
    if rule is None:
        raise InvalidCertificate(problem="no rule is known for this game")
    need(rule.lost(n), "by the rule the number that is left is not lost")
    report.verified.append(f"By that rule {_short(left)} is lost.")
    report.rely(rule.claim)


def _period(report: Report, left: Board, proof: dict[str, Any]) -> None:
    """An own rule of a few amounts: the losses are listed until they have to repeat."""
    need(len(left.numbers) == 1, "a period is about one number")
    game, n = left.numbers[0]
    named = isinstance(game, OwnRule) and game.amounts and game.takes.fixed and not game.rule.words
    need(bool(named), "only amounts that the rule names have to repeat")
    amounts = tuple(game.moves(LARGEST_AMOUNT))
    lost, start, length = proof["lost"], proof["start"], proof["length"]
    need(isinstance(lost, str) and set(lost) <= set("01"), "the losses are unreadable")
    need(len(lost) <= _LONGEST_PERIOD, f"it lists more than {_LONGEST_PERIOD:,} losses")
    whole = all(isinstance(number, int) for number in (start, length))
    need(whole and start >= 0 < length and start + length + amounts[-1] == len(lost),
          "the losses listed are not those of one period")  # fmt: skip
    for number, bit in enumerate(lost):
        reached = [lost[number - amount] for amount in amounts if amount <= number]
        is_lost = "1" not in reached if reached else not report.misere
        need(is_lost == (bit == "1"), f"{number} is listed wrongly")
    again = slice(start + length, len(lost))
    need(lost[start : start + amounts[-1]] == lost[again], "the losses do not repeat")
    place = n if n < start else start + (n - start) % length
    need(lost[place] == "1", "the number that is left is not lost")
    report.verified.append(
        f"The losses to {len(lost) - 1} follow from the rule, and repeat every {length} from"
        f" {start} on, since the last {amounts[-1]} came before."
    )


def _factors(report: Report, left: Board, proof: dict[str, Any]) -> None:
    """Power Play: the number of prime factors is the number of moves."""
    need(len(left.numbers) == 1 and left.numbers[0].game.key == "power-play", "not Power Play")
    product, factors = 1, proof["factors"]
    for p in factors:
        need(isinstance(p, int) and p > 1, "a factor is not a number")
        product *= p
        need(product <= left.numbers[0].value, "the factors do not multiply to the number")
    need(product == left.numbers[0].value, "the factors do not multiply to the number")
    for p in set(factors):
        need(_note_probable(report, p), f"{p} is not prime")
    need(len(factors) % 2 == int(report.misere), "the count of factors says otherwise")
    report.verified.append(f"Exactly {len(factors)} moves are left, whatever anyone plays.")


def _walk(report: Report, left: Board, proof: dict[str, Any]) -> None:
    """Subtract a Prime by the five even losses: down by twos to a number that reaches one."""
    need(len(left.numbers) == 1, "a walk is about one number")
    game, n = left.numbers[0]
    need(game.key in premises.PRIME_GAMES, "a walk is for the prime games")
    barred = game.settings.get("opening") == "below" and is_prime(n)
    if n > EVEN_LOSSES[-1] + 2:
        report.rely(premises.FIVE)
    if barred:
        need(not report.misere and n > 312, "no walk from this opening")
        for e, factor in zip(EVEN_LOSSES[1:], proof["opening"], strict=True):
            _composite(n - e, factor)
        need(not _walked(report, n - 2, proof["steps"], proof["e"]), "n-2 is lost: 2 wins")
    elif report.misere:
        report.rely(premises.PAIRING)
        need(n > 1 and _walked(report, n - 2, proof["steps"], proof["e"]), "n-2 is not lost")
    else:
        need(_walked(report, n, proof["steps"], proof["e"]), "the number left is not lost")


def _walked(report: Report, n: int, steps: list[list[int | None]], e: int | None) -> bool:
    """Is n lost? `steps` has a factor (or None: tested here) of each x-e, for x = n, n-2, ..."""
    if n <= EVEN_LOSSES[-1]:
        need(not steps and e is None, "a walk below the five even losses")
        report.verified.append(f"{n} was settled by listing every smaller number.")
        return _small_losses()[n]
    need(n % 2 == 1, "an even number above 310 is not lost")
    x = n
    for factors in steps:
        for even, factor in zip(EVEN_LOSSES, factors, strict=True):
            _composite(x - even, factor)
        x -= 2
    need(e in EVEN_LOSSES and x > EVEN_LOSSES[-1], "the walk does not end")
    end = x - EVEN_LOSSES[EVEN_LOSSES.index(e)]
    need(_note_probable(report, end), f"{end} is not prime")
    report.verified.append(
        f"The walk of {len(steps)} steps by twos: no step reaches an even loss, its end does."
    )
    return len(steps) % 2 == 1


def _composite(n: int, factor: int | None) -> None:
    if factor is None:
        need(not is_prime(n), "a number of the walk is prime")
    else:
        need(isinstance(factor, int) and 1 < factor < n, "a factor is out of range")
        need(n % factor == 0, "a factor does not divide")


def _small_losses() -> list[bool]:
    """Normal play of Subtract a Prime up to 310, by its definition."""
    lost: list[bool] = []
    for n in range(EVEN_LOSSES[-1] + 1):
        lost.append(not any(lost[n - p] for p in primes_up(n)))
    return lost
