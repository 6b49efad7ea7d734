"""What holds for any game that is here, built in or installed: one suite for all of them."""

import inspect
import pickle
from itertools import product
from pathlib import Path
from random import Random

import pytest

from numduel import Board, Move, load
from numduel.cli.layout import wrapped
from numduel.games import Game, Reduction, keys
from numduel.match import (
    DEFAULT_NAMES,
    Began,
    Moved,
    Over,
    Record,
    Referee,
    Setup,
    TurnBegan,
    read_record,
)
from numduel.players import make_player
from numduel.wording import as_json, rules, summary, wording_for


def every_variant() -> list[Game]:
    games = []
    for key in keys():
        variants = load(key).variants
        every = product(*variants.values())
        games += [load(key, **dict(zip(variants, values, strict=True))) for values in every]
    return games


@pytest.fixture(params=every_variant(), ids=repr)
def game(request: pytest.FixtureRequest) -> Game:
    return request.param  # type: ignore[no-any-return]


def test_it_says_what_it_is(game: Game) -> None:
    assert load(game.key).key == game.key
    assert game.title
    assert game.is_start(game.default_start)
    assert 20 < len(summary(game)) < 79
    shown = [part for line in rules(game) for part in wrapped(line, 80)]
    assert len(shown) <= 24, "the rules fit on one screen"
    assert max(map(len, shown)) <= 80
    assert len(Path(inspect.getfile(type(game))).read_text().splitlines()) <= 80


def test_moves_are_as_promised(game: Game) -> None:
    """They ascend, are legal and make the number smaller; what is not listed is not legal."""
    divides = game.reduction is Reduction.DIVIDE
    for n in range(game.least, 260):
        moves = list(game.moves(n))
        assert moves == sorted(set(moves)), n
        for amount in moves:
            after, left = game.after(n, amount)
            assert after.key == game.key
            assert game.least <= left < n, (n, amount)
            assert left == (n // amount if divides else n - amount), (n, amount)
        assert [amount for amount in range(-2, n + 3) if game.fault(n, amount) is None] == moves, n
        assert game.is_over(n) == (not moves), n
        assert list(game.moves_down(n)) == moves[::-1], n
        assert game.count(n) in (len(moves), None), n
        for misere in (False, True):
            board = Board.of(game, n, misere)
            assert Board.parse(str(board)) == board
            assert hash(Board.parse(str(board))) == hash(board)
        assert pickle.loads(pickle.dumps(board)) == board


def test_random_matches_end_replay_and_are_worded(game: Game) -> None:
    random = Random(f"{game!r}")
    for word in ("random", "largest"):
        for misere in (False, True):
            check_match(Board.of(game, game.default_start, misere), word, random)
    board = Board.parse(f"{Board.of(game, game.default_start)}+subtract-a-prime:20")
    check_match(board, "random", random)
    assert board.is_legal(Move(1, 19))


def check_match(board: Board, word: str, random: Random) -> None:
    player = make_player(word, random)
    assert player is not None
    referee = Referee(Setup(board))
    wording = wording_for(board)(DEFAULT_NAMES)
    events = referee.begin()
    assert isinstance(events[0], Began)
    while not referee.over:
        move = player.choose(referee.board)
        assert referee.board.parse_move(referee.board.write_move(move)) == move
        events += referee.play(move)
    assert isinstance(events[-1], Over)
    assert events[-1].winner == (events[-1].player if board.misere else 1 - events[-1].player)
    for event in events:
        assert as_json(event)["event"]
        assert all("\n" not in line for line in wording.lines(event))
        if isinstance(event, TurnBegan):
            assert wording.prompt(event).endswith((": ", ">> "))
        if isinstance(event, Moved):
            assert event.before.play(event.move) == event.after
    record = Record.of(referee)
    assert read_record(str(record)) == record
    assert record.replay().over == referee.over


def test_nonsense_at_the_referee_is_worded(game: Game) -> None:
    board = Board.of(game, game.default_start)
    referee = Referee(Setup(board))
    referee.begin()
    wording = wording_for(board)(DEFAULT_NAMES)
    for text in ("", "x", "-1", "0", str(game.default_start + 1), "9" * 5000, "3:1", "\x1b[2J"):
        for event in referee.enter(text):
            lines = wording.lines(event)
            assert lines
            assert all(line.isprintable() for line in lines)
