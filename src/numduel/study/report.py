"""An analysis in words."""

from __future__ import annotations

from typing import NamedTuple

from numduel.board import Board
from numduel.match import Record
from numduel.study.analysis import Analysis, Judged
from numduel.wording import brief

NO_CHOICE = [
    "In Power Play the start says how many moves there will be, whatever anyone plays.",
    "No move throws a win away, so there is no accuracy.",
]


def headline(record: Record) -> str:
    """The match in one sentence: "Divisor Duel from 60: Alice won against Bob in 5 turns."."""
    names, count = record.setup.names, len(record.turns)
    turns = f"{count} turn" if count == 1 else f"{count} turns"
    what = described(record.setup.board)
    if record.winner is None:
        return f"{what}: {names[0]} against {names[1]}, unfinished after {turns}."
    how = "" if record.ending is None else {"resigned": ", by resignation"}.get(record.ending, "")
    winner, loser = names[record.winner], names[1 - record.winner]
    return f"{what}: {winner} won against {loser} in {turns}{how}."


def described(board: Board) -> str:
    """A board as people name it: "Divisor Duel from 60"."""
    numbers = " and ".join(f"{n.game.title} from {brief(n.value)}" for n in board.numbers)
    settings = [
        f"{name}={value}"
        for number in board.numbers
        for name, value in number.game.settings.items()
        if value != number.game.variants[name][0]
    ]
    extras = [*dict.fromkeys(settings), *(["misère"] if board.misere else [])]
    return f"{numbers} ({', '.join(extras)})" if extras else numbers


class Row(NamedTuple):
    """A turn as a table shows it; `player` is 0 or 1.

    `lost_left`: was the other player left a lost board? None where it is not known.
    """

    turn: int
    player: int
    name: str
    move: str
    left: int
    words: str
    said: str
    mistake: bool
    lost_left: bool | None
    place: int


def rows(analysis: Analysis) -> list[Row]:
    """The turns of the match, in order."""
    return [_row(judged, analysis.record.setup.names) for judged in analysis.moves]


def _row(judged: Judged, names: tuple[str, str]) -> Row:
    place, left = 0, judged.board.numbers[0].value
    if judged.move is not None:
        place = judged.move.place
        left = judged.board.play(judged.move).numbers[place].value
    after = judged.outcome_after
    return Row(
        judged.turn,
        judged.player,
        names[judged.player],
        judged.written,
        left,
        move_words(judged),
        judgement(judged),
        judged.mistake,
        None if after is None else after == "win",
        place,
    )


def lines(analysis: Analysis) -> list[str]:
    """The analysis, a line a turn, and what follows from it."""
    return [headline(analysis.record), "", *_turns(analysis), "", *conclusions(analysis)]


def _turns(analysis: Analysis) -> list[str]:
    shown = [(f"{row.turn}.", row.name, row.words, row.said) for row in rows(analysis)]
    if not shown:
        return ["No turn was played."]
    widths = [max(len(row[column]) for row in shown) for column in range(3)]
    return [
        f"{row[0]:>{widths[0]}} {row[1]:{widths[1]}}  {row[2]:{widths[2]}}  {row[3]}"
        for row in shown
    ]


def move_words(judged: Judged) -> str:
    """The move and what it left: "15 -> 45"."""
    if judged.move is None:
        return "pass"
    left = judged.board.play(judged.move).numbers[judged.move.place].value
    place = f"{judged.move.place + 1}:" if len(judged.board.numbers) > 1 else ""
    return f"{place}{brief(judged.move.amount)} -> {brief(left)}"


def judgement(judged: Judged) -> str:
    """What a turn did to the mover's chances."""
    if judged.outcome_before is None:
        return "? too large to judge"
    if judged.mistake:
        if judged.move is None:
            return "! lost the turn, and with it the win"
        if judged.best is None:
            return "! threw the win away"
        best = judged.board.write_move(judged.best)
        return f"! threw the win away; {short_move(best)} kept it"
    if judged.outcome_before == "loss":
        return "- lost whatever was played"
    if judged.outcome_after is None:
        return "? too large to judge"
    return "+ kept the win" if judged.had_choice else "- won whatever was played"


def short_move(move: str) -> str:
    """A move as the board writes it, a long amount in short."""
    place, colon, amount = move.rpartition(":")
    return f"{place}{colon}{brief(int(amount))}"


def conclusions(analysis: Analysis) -> list[str]:
    """The turning point, and both players' accuracy."""
    record = analysis.record
    names, said = record.setup.names, []
    point = analysis.turning_point
    if point is not None:
        said.append(f"First turning point: turn {point.turn}, {names[point.player]}.")
    elif analysis.moves and analysis.moves[0].outcome_before is not None:
        won = analysis.moves[0].outcome_before == "win"
        starter = analysis.moves[0].player
        ahead = names[starter if won else 1 - starter]
        said.append(f"No win was thrown away: {ahead} was winning from the first turn on.")
    if analysis.resigned_won and record.winner is not None:
        said.append(f"{names[1 - record.winner]} resigned with a win on the board.")
    said.append(f"Accuracy: {', '.join(accuracy_words(analysis, seat) for seat in (0, 1))}.")
    if all(number.game.key == "power-play" for number in record.setup.board.numbers):
        said += NO_CHOICE
    return said


def accuracy_words(analysis: Analysis, player: int) -> str:
    """A player's accuracy: "Alice 2 of 3 (67%)", or "Bob -"."""
    kept, of = analysis.kept(player)
    name = analysis.record.setup.names[player]
    return f"{name} {kept} of {of} ({kept / of:.0%})" if of else f"{name} -"
