"""Puzzle sets, the projector, and what each pupil did, against a plain count."""

import pytest

from classes.taught import Taught, class_of
from numduel import Board
from numduel.classes import RoundPlan, Stage
from numduel.classes.actions import (
    MOST_SETS,
    AnswerPuzzle,
    Ask,
    CastVote,
    EndRound,
    GuessTrap,
    Project,
    Resume,
    SetPuzzles,
    ShowMap,
    ShowPuzzles,
    StartRound,
    Unveil,
)
from numduel.classes.learned import Share, results
from numduel.classes.parts import Shows
from numduel.classes.roster import Remove
from numduel.errors import IllegalMove, NotAllowed, NotSeated, NumduelError
from numduel.rooms import new_token
from numduel.solver import Search

RULE = "subtract-1-3-4"


def posed(*numbers: int) -> SetPuzzles:
    """Where each of these can be won, by plain search."""
    search, puzzles = Search(), []
    for number in numbers:
        board = Board.of(RULE, number)
        right = [move for move in board.moves() if search.lost(board.play(move))]
        puzzles.append((board, "move", tuple(map(board.write_move, right))))
    return SetPuzzles(tuple(puzzles))


@class_of("Ann", "Ben", "Cleo")
async def test_first_answers_count(taught: Taught) -> None:
    for few in (posed(3, 4, 5, 6), posed(*range(22, 43))):
        with pytest.raises(NotAllowed):
            await taught.teach(few)
    await taught.teach(posed(3, 4, 5, 6, 10))
    seen = await taught.look("Ann")
    assert (seen.stage, len(seen.puzzles)) == (Stage.PUZZLES, 5)
    assert {one.solution for one in seen.puzzles} == {""}, "nobody is told"
    for name, answers in (("Ann", ["3", "4", "3", "4", "1"]), ("Ben", ["1", "1", "1"])):
        for number, text in enumerate(answers, 1):
            await taught.do(name, AnswerPuzzle(1, number, text))
    before = (await taught.look()).answers
    await taught.do("Ben", AnswerPuzzle(1, 1, "3"))
    assert (await taught.look()).answers == before, "the first answer stays"
    for wrong in (AnswerPuzzle(1, 6, "1"), AnswerPuzzle(2, 1, "1"), AnswerPuzzle(1, 0, "1")):
        with pytest.raises(NotAllowed):
            await taught.do("Cleo", wrong)
    with pytest.raises(IllegalMove):
        await taught.do("Cleo", AnswerPuzzle(1, 1, "4"))
    right = {(one.pupil, one.number): one.right for one in before}
    assert right == {(1, 1): True, (1, 2): True, (1, 3): True, (1, 4): True, (1, 5): True,
                     (2, 1): True, (2, 2): False, (2, 3): False}  # fmt: skip
    assert {one.pupil for one in (await taught.look("Ben")).answers} == {2}, "and the own alone"
    await taught.teach(Resume())
    with pytest.raises(NotAllowed):
        await taught.do("Ben", AnswerPuzzle(1, 4, "4"))
    await taught.teach(ShowPuzzles())
    await taught.do("Ben", AnswerPuzzle(1, 4, "4"))
    await taught.teach(Remove((1,)))
    assert {one.pupil for one in (await taught.look()).answers} == {2}
    await taught.teach(posed(8, 10, 11, 12, 13))
    assert ((await taught.look()).answers, len((await taught.look()).all_answers)) == ((), 4)


@class_of("Ann", "Ben")
async def test_a_set_may_ask_who_wins_and_there_are_not_too_many(taught: Taught) -> None:
    with pytest.raises(NotAllowed) as none:
        await taught.teach(ShowPuzzles())
    assert none.value.problem == "no puzzle"
    winners = tuple((Board.of("power-play", n), "winner", (won,)) for n, won in
                    ((8, "1"), (12, "1"), (4, "2"), (6, "2"), (30, "1")))  # fmt: skip
    await taught.teach(SetPuzzles(winners))
    for text in ("3", "2:1", ""):
        with pytest.raises(NumduelError):
            await taught.do("Ann", AnswerPuzzle(1, 1, text))
    for number, text in ((1, " 1 "), (2, "2"), (3, "2")):
        await taught.do("Ann", AnswerPuzzle(1, number, text))
    answers = (await taught.look()).answers
    assert [(one.text, one.right) for one in answers] == [("1", True), ("2", False), ("2", True)]
    for _ in range(MOST_SETS - 1):
        await taught.teach(SetPuzzles(winners))
    with pytest.raises(NotAllowed) as many:
        await taught.teach(SetPuzzles(winners))
    assert many.value.problem == "puzzle sets"


@class_of("Ann", "Ben")
async def test_pupils_are_told_once_nothing_is_left_to_find_out(taught: Taught) -> None:
    """Before a round the unveiled map tells; then that of the round's own rules, or hints."""
    assert not (await taught.look("Ann")).tells
    await taught.teach(StartRound(RoundPlan(Board.of(RULE, 9))))
    assert not (await taught.look("Ann")).tells
    for rules, told in (("divisor-duel", False), (RULE, True)):
        await taught.teach(ShowMap(rules))
        await taught.teach(Unveil())
        assert (await taught.look("Ann")).tells == told
    await taught.teach(StartRound(RoundPlan(Board.of("divisor-duel", 60), hints=True)))
    assert (await taught.look("Ann")).tells
    other = Board.of("power-play", 50)
    for asks in (Ask(other), SetPuzzles(((other, "winner", ("1",)),) * 5), ShowMap("power-play")):
        await taught.teach(asks)
        assert not (await taught.look("Ann")).tells, "the hints were for the round"
        await taught.teach(Resume())
        assert (await taught.look("Ann")).tells


@class_of("Ann", "Ben")
async def test_the_projector_looks_and_does_nothing(taught: Taught) -> None:
    await taught.teach(StartRound(RoundPlan(Board.of(RULE, 9))))
    classes, code, secret = taught.classes, taught.code, new_token()
    with pytest.raises(NotSeated):
        await classes.wall(code, secret)
    await taught.teach(Project(Shows.WALL, names=False, secret=secret))
    wall = await classes.wall(code, secret)
    assert (wall.school_class.shows, wall.school_class.names) == (Shows.WALL, False)
    assert len(wall.rooms) == 1
    assert (wall.school_class.teaches, wall.school_class.teachers) == (False, ())
    assert await classes.learned(code, secret)
    assert await classes.seen(code, secret, RULE) == {}
    for action in (EndRound(), Project(secret=""), Remove((1,))):
        with pytest.raises(NotSeated):
            await classes.act(code, secret, wall.school_class.version, action)
    for read in (classes.figures, classes.end):
        with pytest.raises(NotSeated):
            await read(code, secret)
    assert (await taught.look("Ann")).projector is None
    other = new_token()
    await taught.teach(Project(secret=other))
    with pytest.raises(NotSeated):
        await classes.wall(code, secret)
    await taught.teach(Project(secret=""))
    with pytest.raises(NotSeated):
        await classes.wall(code, other)


@class_of("Ann", "Ben")
async def test_what_each_pupil_did(taught: Taught) -> None:
    """Nobody can vote rightly at 9, a trap; resigning is no move, and so no round played."""
    await taught.teach(StartRound(RoundPlan(Board.of(RULE, 9))))
    await taught.resign("Ann")
    await taught.teach(StartRound(RoundPlan(Board.of(RULE, 5))))
    mover = await taught.to_move(await taught.room("Ann"))
    (other,) = {"Ann", "Ben"} - {mover}
    for name, move in ((mover, "1"), (other, "4")):
        await taught.play(name, move)
    for number, votes in ((10, ("3", "4")), (9, ("1", "1"))):
        seen = await taught.teach(Ask(Board.of(RULE, number)))
        assert seen.question is not None
        for name, move in zip(("Ann", "Ben"), votes, strict=True):
            await taught.do(name, CastVote(seen.question.number, move))
    await taught.teach(ShowMap(RULE))
    for name, guesses in (("Ann", {7: True, 8: True}), ("Ben", {9: False})):
        for number, trap in guesses.items():
            await taught.do(name, GuessTrap(number, trap))
    await taught.teach(posed(3, 4, 5, 6, 10))
    await taught.do("Ben", AnswerPuzzle(1, 2, "4"))

    def told() -> dict[str, tuple[int, int, int, Share, Share, Share]]:
        found = results(school_class, figures, {RULE: {n for n in range(101) if n % 7 in (0, 2)}})
        return {one.name: (one.rounds, one.won, one.matches, one.votes, one.guesses, one.puzzles)
                for one in found}  # fmt: skip

    waiting = True
    while waiting:
        await taught.classes.learned(taught.code, taught.teacher)
        figures = await taught.classes.figures(taught.code, taught.teacher)
        school_class = await taught.look()
        waiting = any(one.waiting for one in results(school_class, figures, {RULE: ()}))
    wins = {"Ann": int(other == "Ann"), "Ben": 1 + int(other == "Ben")}
    assert told() == {
        "Ann": (1, wins["Ann"], 2, Share(1, 1), Share(1, 2), Share(0, 0)),
        "Ben": (1, wins["Ben"], 2, Share(0, 1), Share(0, 1), Share(1, 5)),
    }
    kept = {one.name: (one.first, one.last) for one in results(school_class, figures, {RULE: ()})}
    first, last = kept[mover]
    assert first is not None
    assert first == last
    assert (first.kept, first.keepable) == (0, 1), "from 5, 1 leaves 4: taken at once"
