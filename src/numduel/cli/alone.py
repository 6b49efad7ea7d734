"""What one person is told at a terminal, beyond the rulebooks, and the daily duel.

Against the computer: a start that makes a contest; a call of who will win, where no choice matters;
a word of the opponent's; at the end the map with the way of the match, and where it was decided.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Literal

from numduel.analysis import Analysis, analyse
from numduel.board import Board
from numduel.cli import console, matches, options, screen
from numduel.cli.layout import say, show_large, shows_all_signs
from numduel.errors import NumduelError, StoreError
from numduel.match import DEFAULT_NAMES, Ending, write_notation
from numduel.program import typed
from numduel.solver import no_choice_matters, solve
from numduel.study import difficulty, duels, lessons, maps
from numduel.study.duels import KEPT, LOST, TRIES, Play
from numduel.study.statistics import daily_streak, streak
from numduel.wording import analysis as words
from numduel.wording import brief, problem, wording_for
from numduel.wording.players import KINDS, computer_name, says
from numduel.wording.rules import rule_in_short
from numduel.wording.text import counted, typed_move
from numduel.wording.why import no_choice_reasons, shown, why_in_short

if TYPE_CHECKING:
    from numduel.cli.table import Table
    from numduel.store import PuzzleAnswer

HELP = "Type your move, or: moves, rules, quit. A try ends with the move that throws the win away."


def begin(table: Table) -> int | None:
    """Draws the start; then the opponent's first word, and the call, if there is one: a seat."""
    if table.draws:  # the person can win, whoever begins, and not as in the last match
        game, you = table.setup.board.numbers[0].game, table.seat or 0
        last = table.last.setup.board if table.last else None
        seed, begins = str(table.random.random()), table.setup.first == you
        drawn = duels.draw_contest(game, table.words[1 - you], seed, last, begins)
        table.setup = replace(table.setup, board=drawn)
    board, names = table.setup.board, table.wording.names
    if not table.shows_more:
        return None
    _say_of_opponent(table, "start")
    if board.is_over:
        start, ends = brief(board.numbers[0].value), "wins" if board.misere else "loses"
        say(f"Nobody can move from {start}: whoever begins {ends} at once.")
    if board.is_over or table.best_of > 1 or not no_choice_matters(board):
        return None
    who, number = table.wording.who[table.setup.first], brief(board.numbers[0].value)
    say("\nWhatever is chosen, the same player wins.")
    one, two = (who.inside for who in table.wording.who)
    question = f"{who:begin} at {number}. Who will win, {one} or {two}: "
    answers = {"1": 0, names[0].casefold(): 0, "2": 1, names[1].casefold(): 1}
    return table.ask("call", question, "", console.one_of(answers), *names)


def look_back(table: Table, called: int | None) -> None:
    """Was the call right? The map with the way of the match, and the turn that decided it."""
    record, who = table.last, table.wording.who
    if record is None or not record.turns:
        return
    _say_of_opponent(table, "lost" if table.won else "won")
    board, ending = record.setup.board, record.ending
    if called is not None and ending is Ending.NO_MOVE:
        right = called == record.winner
        tally = count_call(board, right) if table.saves else ""
        colour = "green" if right else "red"
        say(f"\nYour call was {'right' if right else 'wrong'}. {tally}", fg=colour, bold=True)
    way = maps.way_of(record)
    with suppress(NumduelError):
        if made := table.think(partial(maps.map_in_play, board, way), "map"):
            say()
            table.screen.map(made, *way)
    if judged := judgement(table):
        said = [*words.decided(judged, who)]
        if judged.no_choice:
            turns = len(record.turns)
            last = "odd, so whoever begins" if turns % 2 else "even, so the other player"
            took = f"It took {counted(turns, 'move')}: that is {last} makes the last."
            said = [*no_choice_reasons(board), took * (ending is Ending.NO_MOVE)]
        say(" ".join(filter(None, said)))
    if not table.from_menu:
        kept = table.keeper.match_id if table.keeper else None
        say(f"Every move judged: {typed(f'analyse {kept or write_notation(record)}')}")


def judgement(table: Table) -> Analysis | None:
    """The last match, judged; None if nothing was played, or somebody did not want to wait."""
    record = table.last
    return table.think(partial(analyse, record), "analysis") if record and record.turns else None


def _say_of_opponent(table: Table, when: Literal["start", "won", "lost"]) -> None:
    word = table.words[1 - (table.seat or 0)]
    if word in KINDS:
        said = says(word, when, no_choice_matters(table.setup.board))
        say(f"{computer_name(word)}: {said}", fg="magenta")


def play_daily(saves: bool) -> None:
    """Play today's duel from where it was left, or print how it stands. Each try is kept."""
    duel = duels.daily_duel(datetime.now(UTC).date())
    day, head = duel.day.isoformat(), f"{duel.board}/"
    answers = [answer.puzzle for answer in kept_answers() if saves and answer.day == day]
    kept = next((text for text in answers[::-1] if text.startswith(head)), head)
    play = duels.play_duel(duel, filter(None, kept.removeprefix(head).split(".")))
    options.end_in_json(lambda: duels.as_json(play))
    date = f"{duel.day:%A} {duel.day.day} {duel.day:%B}"
    say(f"Daily duel {duel.number}, {date}, rating {duel.rating}", bold=True)
    screen.show_board(duel.board)
    say("\n".join(rule_in_short(duel.board)))
    said = ""
    while not play.over:
        play = _take_turn(play)
        if saves and not play.turns:
            said = count_answer(head + play.played, "daily", duel.rating, play.solved, day)
    end = (
        f"You win, on try {len(play.tries)}!" if play.solved else "Not today: three tries are over."
    )
    say(f"\n{end}", fg="green" if play.solved else "red", bold=True)
    verdict = solve(duel.board)
    first = typed_move(duel.board, verdict.winning_move())
    say(f"The first move to win: {first}. {why_in_short(verdict)}")
    say(f"\n{_shown(play.shared)}\n", bold=True)
    say(said or (told_of_days(kept_answers()) if saves else ""))
    say("The next duel comes at midnight, UTC.")


def _take_turn(before: Play) -> Play:
    board = before.board
    if not before.turns:
        say(f"\nTry {len(before.tries) + 1} of {TRIES}. You begin, and you can win.", bold=True)
    if len(board.numbers) == 1:
        show_large(board.numbers[0].value)
    say("\n".join(wording_for(board)(DEFAULT_NAMES).moves(board)))

    def accept(answer: str) -> Play:
        lessons.after_move(board, answer)
        return duels.play_duel(before.duel, [*filter(None, before.played.split(".")), answer])

    play = screen.ask_about(board, "Your move: ", accept, {}, HELP)
    turn = play.tries[-1][-1]
    if turn.reply is not None:
        reply = f"Perfect plays {typed_move(turn.left, turn.reply)} and leaves {shown(turn.after)}."
        kept, lost = f"{_shown(KEPT)} You kept the win.", f"{_shown(LOST)} That threw the win away."
        say(f"{kept if turn.kept else lost} {reply}", fg="green" if turn.kept else "red")
    return play


def _shown(squares: str) -> str:
    """Squares to paste; signs where the terminal has no squares."""
    return squares if shows_all_signs() else squares.replace(KEPT, "+").replace(LOST, "-")


def kept_answers() -> list[PuzzleAnswer]:
    return matches.from_history(lambda store: store.answers())


def count_answer(puzzle: str, game: str, rating: int, solved: bool, day: str | None = None) -> str:
    """Keep an answer, and say what they add up to by now: puzzles, or those of the day."""
    from numduel.store import PuzzleAnswer

    try:
        with matches.open_history() as store:
            store.add_answer(PuzzleAnswer(datetime.now(UTC), puzzle, game, rating, solved, day))
            answers = store.answers()
    except StoreError as error:
        return f"The answer is not counted. {problem(error)}"
    return told_of_days(answers) if day else told_of_puzzles(answers)


def count_call(board: Board, right: bool) -> str:
    """A call of who will win is a puzzle of its game: it has its own tally."""
    game = board.numbers[0].game.key
    said = count_answer(str(board), game, difficulty.winner_rating(board, {}), right)
    calls = [answer.solved for answer in kept_answers() if answer.game == game]
    return f"Right so far: {sum(calls)} of {len(calls)}." if calls else said


def told_of_puzzles(answers: list[PuzzleAnswer]) -> str:
    solved = [answer.solved for answer in answers if answer.day is None]
    first = f"Solved on the first try: {sum(solved)} of {len(solved)}."
    return f"{first} In a row: {streak(solved)}."


def told_of_days(answers: list[PuzzleAnswer]) -> str:
    days = {answer.day for answer in answers if answer.day}
    solved = {answer.day for answer in answers if answer.day and answer.solved}
    row = days_in_a_row(answers)
    return f"Daily duels solved: {len(solved)} of {len(days)}. Days in a row: {row}."


def days_in_a_row(answers: list[PuzzleAnswer]) -> int:
    solved = [answer.day for answer in answers if answer.day and answer.solved]
    return daily_streak(solved, datetime.now(UTC).date())
