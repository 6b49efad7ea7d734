"""Why a verdict is so: a short answer, and the full argument; and hints, more with each step."""

from itertools import islice

from numduel.arithmetic import is_prime_nearby
from numduel.board import Board, Move
from numduel.errors import NumduelError
from numduel.games import Fault, Game
from numduel.solver import Verdict, no_choice_matters, solve
from numduel.solver.premises import EVEN_LOSSES, PRIME_GAMES, rule_for
from numduel.wording.neutral import wording_of
from numduel.wording.text import Subject, brief, counted, joined, said_move

_Both = tuple[Subject, Subject]

_FEW = 12  # this many moves are answered one by one; more are treated by kind
_ALL = 70  # the same for the full argument
STEPS = 3  # hints that can be asked for on one turn
_LOST = (
    "You can't win from here against perfect play.",
    "Every move lets the other player win. Hope for a mistake: leave what looks hard.",
    "No move wins here. Play any one you like.",
)  # what they say to whoever cannot win
_SMALL = 10**9  # the moves of numbers below this are listed at once
_FEW_SHOWN = 4  # answers that are shown beside a rule
_YOU, _THEY = Subject("you", is_you=True), Subject("the other player")
_MINE, _THEIRS = (_YOU, _THEY), (_THEY, _YOU)
"""Who is to move, and who answers. Whoever reads a reason is to move on its board."""


def why(verdict: Verdict, move: Move | None = None) -> list[str]:
    """A few sentences that a pupil can follow: what to leave, or what each reply runs into. On a
    won board they begin with this winning move, or else with any.
    """
    board = verdict.board
    if board.is_over:
        under, ends = ("under misère ", "wins") if verdict.misere else ("", "loses")
        return [f"No move is left, and {under}the player who cannot move {ends}."]
    if no_choice_matters(board):
        ends = "wins" if verdict.outcome == "win" else "loses"
        said = f"The player to move {ends}, and no choice matters: play any legal move."
        return [*no_choice_reasons(board), said]
    if verdict.outcome == "win":
        move = move or verdict.named_move
        if move is None:
            return ["The position is won, but no winning move could be named at this size."]
        left = board.play(move)
        play = f"Play {said_move(board, move)} to leave {shown(left)}."
        return [play, *_why_lost(left, verdict, _THEIRS)]
    return _why_lost(board, verdict, _MINE)


def why_in_short(verdict: Verdict) -> str:
    """A line for the answer to a puzzle: on a won board, or where no choice matters."""
    board = verdict.board
    if no_choice_matters(board):
        return f"No choice matters. {_played_out(board)}"
    left = board.play(verdict.named_move or verdict.winning_move())
    leaves = f"It leaves {shown(left)}"
    if left.is_over:
        return f"{leaves}, and no move is left there."
    game, n = left.numbers[0]
    rule = rule_for(game, board.misere) if len(left.numbers) == 1 else None
    why = "every move from it loses."
    if rule:
        why = _rule_lost(game, n, board.misere, rule.claim.says, _YOU)[0]
    return f"{leaves}, a trap: {why}"


def _played_out(board: Board) -> str:
    """One match to its end, where any is as good as another."""
    played = []
    while not board.is_over:
        move = next(iter(board.moves()))
        played.append(said_move(board, move))
        board = board.play(move)
    last = 2 - len(played) % 2
    return f"Play {', '.join(played)}: {counted(len(played), 'move')}, the last by player {last}."


def argument(verdict: Verdict) -> list[str]:
    """The full argument: the short answer, each kind of move, and what it rests on."""
    sentences = why(verdict)
    board = Board(verdict.board.numbers, verdict.misere)
    move = verdict.named_move
    left, both = (board, _MINE) if move is None else (board.play(move), _THEIRS)
    answers = [] if board.is_over or left.is_over else _answers(left, _ALL, both)
    if not no_choice_matters(board) and len(board.numbers) == 1:
        sentences += [answer for answer in answers if answer not in sentences]
        if not answers and board.numbers[0].game.key in PRIME_GAMES:
            sentences += _walk(left, verdict.misere)
    if len(board.numbers) > 1 and not verdict.misere:
        values = [(number, solve(Board((number,))).grundy) for number in left.numbers]
        sentences += [f"The value of {number} is {value}." for number, value in values]
        sentences.append("Written in binary, they have an even number of ones in each place.")
    basis = verdict.basis
    return [*sentences, f"How this is known: {basis.method}. {basis.holds}"]


def shown(board: Board) -> str:
    return " and ".join(brief(number.value) for number in board.numbers)


def no_choice_reasons(board: Board) -> list[str]:
    said = [wording_of(number.game).no_choice for number in board.numbers]
    return list(dict.fromkeys(filter(None, said)))


def _why_lost(board: Board, verdict: Verdict, both: _Both) -> list[str]:
    board = Board(board.numbers, verdict.misere)
    other = both[1]
    if board.is_over:
        return ["No move is left there, so you win at once."]
    if len(board.numbers) > 1:
        return _sum_lost(board, verdict, other.inside)
    game, n = board.numbers[0]
    answers = _answers(board, _FEW, both)
    few = answers if len(answers) <= _FEW_SHOWN else []
    rule = rule_for(game, board.misere)
    if rule is not None:
        return [*_rule_lost(game, n, board.misere, rule.claim.says, other), *few]
    if few:
        return few
    if game.key in PRIME_GAMES and not board.misere and n % 2:
        barred = game.fault(n, n) is Fault.STARTING_TOTAL
        but = " that the opening may take" if barred else ""
        return [
            f"{brief(n)} is odd, so an odd prime leaves an even number.",
            "A trap is a number where whoever must move loses. The only even ones are 0, 10, 34,"
            f" 100 and 310, and none is a prime away{but}.",
            f"The prime 2 leaves {brief(n - 2)}, from which {other.inside} can win.",
        ]
    if game.key in PRIME_GAMES and board.misere and n > EVEN_LOSSES[-1] + 2:
        return [
            "Under misère a number is a trap when the number two below it is one in normal play.",
            f"{brief(n - 2)} is a trap in normal play.",
        ]
    return answers or [f"Each of the {game.count(n)} moves from {brief(n)} can be answered."]


def _rule_lost(game: Game, n: int, misere: bool, says: str, other: Subject) -> list[str]:
    if game.key == "digit-subtraction-duel" and n % 10 == 0 and (n > 20 or not misere):
        return [
            f"{brief(n)} ends in 0.",
            "Whichever digit is taken, the last digit is then not 0, and taking that one makes a"
            " multiple of ten again.",
        ]
    if game.settings.get("divisors") == "all" and not misere:
        if n % 2:
            return [
                f"{brief(n)} is odd, and so is every divisor of it.",
                "So a move leaves an even number, and taking away an odd divisor of that makes it"
                " odd again.",
            ]
        return [
            f"{brief(n)} is 2^{n.bit_length() - 1}, with an odd exponent.",
            "Half of it can be halved in turn; any other move leaves an odd factor, and taking"
            " that away leaves an odd number.",
        ]
    return [says, f"Every move ends the match, or lets {other.inside} leave a trap again."]


def _answers(board: Board, most: int, both: _Both) -> list[str]:
    """What each move runs into, when the moves are no more than `most`."""
    try:
        moves = list(islice(board.moves(), most + 1))
        return [] if len(moves) > most else [_answer(board, move, both) for move in moves]
    except NumduelError:
        return []


def _answer(board: Board, move: Move, both: _Both) -> str:
    after, (mover, other) = board.play(move), both
    played = f"If {mover.inside} {mover.form('play', 'plays')} {said_move(board, move)},"
    if after.is_over:
        wins = f"{other.inside} {other.form('win', 'wins')}"
        return f"{played} no move is left, and under misère {wins}."
    verdict = solve(after)
    reply = verdict.named_move or verdict.winning_move()
    plays = f"{other.inside} {other.form('play', 'plays')} {said_move(after, reply)}"
    return f"{played} {plays} and {other.form('leave', 'leaves')} {shown(after.play(reply))}."


def _sum_lost(board: Board, verdict: Verdict, other: str) -> list[str]:
    if not verdict.misere:
        values = [solve(Board((number,))).grundy for number in board.numbers]
        told = [f"{brief(n.value)} has {v}" for n, v in zip(board.numbers, values, strict=True)]
        one, *others = board.numbers
        if others == [one]:
            return [f"Both are alike: what is played on one, {other} can play on the other."]
        if set(values) == {0}:
            return [f"Each is a trap by itself: {other} can answer every move where it was played."]
        two = ("are equal", "differ", "equal")
        do, after, again = two if len(others) == 1 else ("cancel out", "no longer do", "cancel")
        return [
            "Every number has a value, the smallest that no move from it leads to:"
            f" {joined(told, 'and')}. These {do}.",
            f"After any move they {after}, and {other} can make them {again} again,"
            " down to the end.",
        ]
    if verdict.method == "search":
        return ["Every line of play from there was looked at, and each can be answered."]
    return [
        "That board is balanced as in Nim when the last mover loses:"
        f" every move disturbs it, and {other} can balance it again."
    ]


def _walk(left: Board, misere: bool) -> list[str]:
    """The walk by twos that settles a loss of the prime games."""
    game, n = left.numbers[0]
    barred = game.fault(n, n) is Fault.STARTING_TOTAL
    top = n - 2 if barred or misere else n
    if top <= EVEN_LOSSES[-1] or top % 2 == 0:
        return []
    x = top
    while x > EVEN_LOSSES[-1] and not any(is_prime_nearby(x - e) for e in EVEN_LOSSES):
        x -= 2
    e = next((e for e in EVEN_LOSSES if is_prime_nearby(x - e)), 0)
    steps = (top - x) // 2
    outcome = ("a trap" if steps % 2 else "no trap") + " in normal play" * misere
    away = f"a prime away ({brief(x - e)} leaves {e})"
    if not steps:
        return [f"An even trap is {away}, so {brief(top)} is {outcome}."]
    return [
        f"Go down from {brief(top)} by twos: {brief(x)} is the first with an even trap {away},"
        " so it is no trap.",
        f"Each number before it reaches an odd number only by 2, so every second one on the"
        f" way back up is a trap: {counted(steps, 'step')} up, {brief(top)} is {outcome}.",
    ]


def hint(board: Board, step: int) -> str:
    """What to say the first, second and third time on the same turn. Raises `TooLarge`."""
    verdict = solve(board)
    wins, move = verdict.outcome == "win", verdict.named_move
    if no_choice_matters(board):
        return f"No choice matters here: you {'win' if wins else 'lose'} whatever anybody plays."
    if step == 1 or (wins and move is None):
        sure = f" {verdict.holds}" if verdict.method == "conjecture" else ""
        return ("You can win from here." if wins else _LOST[0]) + sure
    if move is not None and step == 2:
        left = brief(board.play(move).numbers[move.place].value)
        return f"Leave {left}{f' on number {move.place + 1}' * (len(board.numbers) > 1)}."
    if move is not None:
        at_once = " That wins at once." if board.play(move).is_over else ""
        return f"Play {said_move(board, move)}.{at_once}"
    small = all(number.value < _SMALL for number in board.numbers)
    if small and len(moves := list(islice(board.moves(), 2))) == 1:
        return f"There is only one move: play {said_move(board, moves[0])}."
    return _LOST[step - 1]


def puzzle_hint(board: Board, step: int) -> str:
    """A hint for a puzzle under the usual rules: first the idea, then what to leave."""
    if no_choice_matters(board):
        return " ".join(no_choice_reasons(board))
    if step > 1:
        return hint(board, 2)
    move = solve(board).winning_move()
    if len(board.numbers) > 1:
        return f"Play on number {move.place + 1}."
    if traps := wording_of(board.numbers[0].game).traps:
        return f"{traps} Leave one."
    return f"Leave an {'odd' if board.play(move).numbers[0].value % 2 else 'even'} number."
