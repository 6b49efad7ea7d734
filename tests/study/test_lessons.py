"""The tutorials: played to their ends, and true."""

from itertools import islice

import pytest

from numduel import Board
from numduel.errors import InvalidGame
from numduel.games import Game, load
from numduel.solver import Search
from numduel.study.lessons import Asks, Step, lesson_of, miscoloured, read_traps
from numduel.study.puzzles import KINDS
from terminal import Terminal, piped, run

OWN = ("subtract-1-3-4", "halve-or-subtract-1", "subtract-square", "subtract-proper-divisor")
KEYS = (*KINDS[:-1], *OWN)


@pytest.mark.parametrize("key", KEYS)
def test_what_a_lesson_says_is_true(key: str) -> None:
    steps, search = lesson_of(load(key)), Search()
    assert [step.asks is Asks.MATCH for step in steps] == [False] * 5 + [True]
    for step in steps:
        assert len(step.says) < 200, "short"
        board, game = step.board, step.board.numbers[0].game
        assert game.key == key
        if step.asks in (Asks.MOVE, Asks.MATCH):
            assert not search.lost(board), "the position can be won"
            assert len(list(islice(board.moves(), 2))) == 2, "there is something to choose"
        if step.asks is Asks.TRAPS:
            lost = [n for n in step.numbers if search.lost(Board.of(game, n))]
            assert lost == list(step.lost), "all traps are told of"
        if step.asks is Asks.WINNER and key in OWN:
            trap = "a" if search.lost(board) else "not a"
            assert step.learnt == f"{board.numbers[0].value} is {trap} trap."
        for numbers, is_lost in ((step.lost, True), (step.won, False)):
            for n in numbers:
                if key == "prime-subtractor":  # it speaks of starts, and of totals later
                    about_starts = step.title == "The opening" or n == board.numbers[0].value
                    game = load(key, opening="below" if about_starts else "any")
                assert search.lost(Board.of(game, n)) == is_lost, (key, n)


def answers_for(step: Step) -> str:
    board = step.board
    if step.asks is Asks.TRAPS:
        game = board.numbers[0].game
        return ", ".join(str(n) for n in step.numbers if Search().lost(Board.of(game, n)))
    if step.asks is Asks.WINNER:
        return "2" if Search().lost(board) else "1"
    return board.write_move(next(Search().winning_moves(board)))


SOON = ("prime-subtractor", "subtract-1-3-4")


@pytest.mark.parametrize(
    "key", [key if key in SOON else pytest.param(key, marks=pytest.mark.soak) for key in KEYS]
)
def test_a_tutorial_is_played_to_its_end(key: str) -> None:
    steps = lesson_of(load(key))
    with Terminal("learn", key, seconds=60) as terminal:
        for step in steps[:-1]:
            right = answers_for(step)
            if step.asks is Asks.WINNER:
                terminal.type("1" if right == "2" else "2")
            else:
                terminal.type("hint")
            terminal.type(right)
        board = steps[-1].board
        while not board.is_over:
            terminal.wait_for_prompt()
            shown = int(terminal.screen.rpartition("The number is ")[2].partition(".")[0])
            board = Board.of(board.numbers[0].game, shown)
            move = next(Search().winning_moves(board))
            terminal.type(board.write_move(move))
            board = board.play(move)
        assert terminal.end() == 0
        seen = " ".join(terminal.screen.split())
    assert seen.count("Right!") == 5
    assert "You win!" in seen
    assert "Not quite. Try again, or type hint." in seen
    for step in steps:
        assert step.learnt in seen
    assert f"numduel play {key} --p2 perfect" in seen


def test_words_and_nonsense_at_the_prompt_of_a_tutorial() -> None:
    typed = "?\nmoves\n4\n2\nx\nskip\nskip\nmaybe\n2\nquit\n"
    out = run("learn", "Subtract a Prime", typed=typed)
    assert "Type your answer, or: moves, hint, rules, skip to the next step, quit." in out
    assert "4 is not prime." in out
    assert "That leaves 5. The other player then plays 5 and wins at once." in out
    assert '"maybe" is not an answer. Enter 1 or 2.' in out
    out, _, code = piped(["learn", "divisor-duel"], "skip\n" * 6)
    assert (code, "Done." in out) == (0, True), "a match is skipped, too"
    out, err, code = piped(["learn", "power-play"], "7\n")
    assert (err, code) == ("", 0), "the end of the input is a way to leave"
    _, err, code = piped(["learn", "chess"])
    assert code == 2


def test_a_wrong_colouring_is_explained_at_its_smallest_number() -> None:
    step = next(step for step in lesson_of(load("subtract-a-prime")) if step.asks is Asks.TRAPS)
    for typed, said in {
        "1, 9, 10": None,
        " 10 9\t1 ": None,
        "9, 10": "Not quite. Look at 1 again: no move is left there.",
        "1, 10": "Not quite. Look at 9 again: every move from it leaves a number that is"
        " not a trap.",
        "1 7 9 10": "Not quite. Look at 7 again: the move 7 leaves 0, which is a trap.",
        "1, 9, 10, 25": "Choose among the numbers from 1 to 12.",
    }.items():
        assert miscoloured(step, read_traps(typed)) == said
    lines = "skip\nskip\nskip\nx\n1, 9\n1, 9, 10\nquit\n"
    out = run("learn", "subtract-a-prime", typed=lines)
    for said in ('"x" is not a number. Separate the numbers', "Look at 10 again", step.learnt):
        assert said in " ".join(out.split())


STEP = Step("One", "Take it.", "divisor-duel:4", Asks.MOVE, "Take 2.", "That is all.")


def test_a_lesson_comes_from_the_package_of_its_game(monkeypatch: pytest.MonkeyPatch) -> None:

    class Stairs(Game):
        key, title, default_start, lesson = "stairs", "Stairs", 9, "stairs:LESSON"

    monkeypatch.setattr("numduel.study.lessons.load_named", lambda *_: (STEP,))
    assert lesson_of(Stairs()) == (STEP,)
    monkeypatch.setattr("numduel.study.lessons.load_named", lambda *_: ("no step",))
    with pytest.raises(InvalidGame):
        lesson_of(Stairs())
