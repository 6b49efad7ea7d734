"""What a class talks about: a board and the votes on it, the map and the guesses at it.

Classes go in and classes come out. While all look at something, nobody plays: `rounds` sees
to that.
"""

from __future__ import annotations

from numduel.board import Board
from numduel.classes.rounds import Rounds
from numduel.classes.school_class import SchoolClass, Stage
from numduel.errors import NotAllowed
from numduel.store.kept_class import Guess, Question, Vote

LARGEST_GUESS = 1_000_000
MOST_QUESTIONS = 200
_LAST_STEP = 3
"""Of a question: the votes, the reply, the reason."""


def asked(school_class: SchoolClass, rounds: Rounds, board: Board) -> SchoolClass:
    """A board is put to everybody, who may vote for a move."""
    before = school_class.kept.questions
    if len(before) >= MOST_QUESTIONS:
        raise NotAllowed(problem="questions", limit=MOST_QUESTIONS)
    questions = (*before, Question(len(before) + 1, board))
    return rounds.show(school_class, Stage.QUESTION, questions=questions)


def shown_more(school_class: SchoolClass, rounds: Rounds) -> SchoolClass:
    """The votes of the last question are shown, then the reply, then the reason."""
    if school_class.question is None:
        raise NotAllowed(problem="no question")
    *before, last = school_class.kept.questions
    shown = last._replace(shown=min(last.shown + 1, _LAST_STEP))
    return rounds.show(school_class, Stage.QUESTION, questions=(*before, shown))


def with_map(school_class: SchoolClass, rounds: Rounds, game: str) -> SchoolClass:
    """The map that the class has made of a game is shown; pupils may guess."""
    unveiled = school_class.unveiled and school_class.map_game == game
    return rounds.show(school_class, Stage.MAP, map_game=game, unveiled=unveiled)


def unveiled(school_class: SchoolClass, rounds: Rounds) -> SchoolClass:
    """The true map is shown."""
    if school_class.stage != Stage.MAP:
        raise NotAllowed(problem="no map")
    return rounds.show(school_class, Stage.MAP, unveiled=True)


def voted(school_class: SchoolClass, token: str | None, question: int, move: str) -> SchoolClass:
    """A pupil votes for a move, or for another one instead, as long as no votes are shown."""
    number = school_class.check_pupil(token).number
    last = school_class.question if school_class.stage == Stage.QUESTION else None
    if last is None or last.number != question or last.shown:
        raise NotAllowed(problem="voting is over")
    read = last.board.parse_move(move)
    last.board.play(read)
    mine = Vote(question, number, last.board.write_move(read))
    if mine in school_class.kept.votes:
        return school_class
    votes = [vote for vote in school_class.kept.votes if vote[:2] != mine[:2]]
    return school_class.having(votes=(*votes, mine))


def guessed(
    school_class: SchoolClass, token: str | None, value: int, trap: bool | None
) -> SchoolClass:
    """A pupil guesses whether a number is a trap, or not any more (None), before it is shown."""
    number = school_class.check_pupil(token).number
    game = school_class.map_game if school_class.stage == Stage.MAP else None
    if game is None or school_class.unveiled:
        raise NotAllowed(problem="no map")
    if not 1 <= value <= LARGEST_GUESS:
        raise NotAllowed(problem="guess", limit=LARGEST_GUESS)
    before = school_class.kept.guesses
    others = tuple(guess for guess in before if guess[:3] != (game, value, number))
    mine = () if trap is None else (Guess(game, value, number, trap),)
    if len(others) + len(mine) == len(before) and set(mine) <= set(before):
        return school_class
    return school_class.having(guesses=others + mine)
