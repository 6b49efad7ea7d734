"""The referee: events, policies, undo, resigning; and series."""

from dataclasses import replace
from functools import partial

from match.test_record import played
from numduel import Board, Move, errors
from numduel.match import BadInput, Ending, Event, Over, Referee, Series, Setup
from raised import raised


def kinds(events: list[Event]) -> str:
    return " ".join(type(event).__name__ for event in events)


def test_a_match_from_beginning_to_end() -> None:
    match = Referee(Setup(Board.parse("subtract-a-prime:9")))
    assert kinds(match.begin()) == "Began TurnBegan"
    assert kinds(match.enter("7")) == "Moved TurnBegan"
    assert match.player == 1
    assert kinds(match.enter("2")) == "Moved Over"
    assert match.over
    assert (match.over.winner, match.over.player, match.over.ending) == (1, 0, Ending.NO_MOVE)
    match = Referee(Setup(Board.parse("divisor-duel:7"), first=1))
    assert kinds(match.begin()) == "Began Over"
    assert match.over
    assert (match.over.winner, match.over.turn) == (0, 1), "no move at all"


def test_on_several_numbers_whoever_cannot_move_on_any_loses() -> None:
    for ending, winner in (("", 1), ("~misere", 0)):
        match = played(f"subtract-a-prime:2+divisor-duel:4{ending}", "1:2")
        assert not match.over
        over = match.play(Move(1, 2))[-1]
        assert isinstance(over, Over)
        assert (over, over.winner) == (match.over, winner)


def test_bad_input_never_costs_the_turn() -> None:
    match = played("divisor-duel:60")
    for count, text in enumerate(["x", "", "7", "60", "9" * 5000, "2:2"] * 5, 1):
        (event,) = match.enter(text)
        assert isinstance(event, BadInput)
        assert (event.player, event.count, event.text) == (0, count, text)
    assert match.board == Board.parse("divisor-duel:60")


def test_the_penalty_passes_the_turn() -> None:
    match = played("power-play:30", penalty=2)
    assert kinds(match.enter("")) == "BadInput"
    assert kinds(match.enter("4")) == "BadInput Passed TurnBegan"
    assert match.player == 1
    match.enter("x")
    match.enter("2")
    assert match.player == 0, "a good move ends the row of bad inputs"
    assert kinds(match.enter("x")) == "BadInput"


def test_overshooting_loses_where_it_is_ruled_so() -> None:
    match = played("prime-subtractor:23", overshoot="loses")
    assert kinds(match.enter("24")) == "BadInput", "above the total, but not prime"
    assert kinds(match.enter("23")) == "BadInput", "the starting total is not above the total"
    (over,) = match.enter("29")
    assert isinstance(over, Over)
    assert (over.winner, over.ending, over.move) == (1, Ending.OVERSHOT, Move(0, 29))
    (misere,) = played("prime-subtractor:23~misere", overshoot="loses").enter("29")
    assert misere == replace(over, board=Board.parse("prime-subtractor:23~misere"))
    match = played("prime-subtractor:23+subtract-a-prime:20", overshoot="loses")
    assert kinds(match.enter("2:29")) == "BadInput", "it concerns the number that knows it"
    assert kinds(match.enter("1:29")) == "Over"


def test_undo_takes_turns_back() -> None:
    raised(errors.NotAllowed, played("divisor-duel:60").undo, match="nothing to take back")
    match = played("divisor-duel:60", "15", "15")
    assert kinds(match.undo()) == "Undone TurnBegan"
    assert (str(match.board), match.player) == ("divisor-duel:45", 1)
    raised(errors.NotAllowed, match.undo, 2, match="nothing to take back")
    match.undo(1)
    assert (str(match.board), match.player) == ("divisor-duel:60", 0)
    match = played("power-play:30", "x", "x", "x", penalty=2)
    assert (match.player, match.bad_inputs) == (1, 1)
    match.undo()
    assert (match.player, match.bad_inputs) == (0, 0), "a pass can be taken back too"


def test_resigning_and_that_nothing_happens_after_the_end() -> None:
    for board, who in (("divisor-duel:60~misere", None), ("divisor-duel:60", 1)):
        match = played(board)
        (over,) = match.resign(who)
        assert isinstance(over, Over)
        assert (over.winner, over.ending) == (0 if who else 1, Ending.RESIGNED)
    acts = (partial(match.enter, "2"), partial(match.pass_turn, 1), partial(match.play, Move(0, 2)))
    for act in (match.resign, match.undo, *acts):
        raised(errors.NotAllowed, act, match="match is over")


WRONG: list[tuple[dict[str, object], str]] = [
    ({"names": ("A", "")}, "empty name"),
    ({"names": (" A", "B")}, "empty name"),
    ({"names": ("A" * 41, "B")}, "long name"),
    ({"names": ("A,", "B")}, "name character"),
    ({"names": ("A\n", "B\x1b")}, "empty name"),
    ({"names": ("A\x1b[2J", "B")}, "name character"),
    ({"names": ("A", "a")}, "same names"),
    ({"names": ("Player 2", "Bob")}, "misleading name"),
    ({"names": ("Al", "1")}, "misleading name"),
    ({"names": ("Al", "Resign")}, "misleading name"),
    ({"overshoot": "maybe"}, "overshoot"),
    ({"overshoot": "loses"}, "no overshoot"),
    ({"penalty": 3}, "no penalty"),
]


def test_setups_that_do_not_fit() -> None:
    for setup, problem in WRONG:
        error = raised(errors.InvalidSetup, played, "divisor-duel:60", **setup)
        assert error.problem == problem, setup
    for penalty in (0, -1, 1000):
        raised(errors.InvalidSetup, played, "power-play:30", penalty=penalty, match="penalty")
    for length in (0, -1, 2, 10_000, 10_001):
        raised(errors.InvalidSetup, Series, length)


def test_a_series_is_over_when_decided_and_the_beginner_alternates() -> None:
    series = Series(5, first=1)
    beginners = []
    for winner in (0, 1, 0, 0):
        assert series.winner is None
        beginners.append(series.first)
        series = series.count(winner)
    assert beginners == [1, 0, 1, 0]
    assert (series.winner, series.wins, series.played) == (0, (3, 1), 4)
