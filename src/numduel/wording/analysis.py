"""A match and its analysis in words: for readers, and for the player who is "you"."""

from collections.abc import Iterator, Sequence

from typing_extensions import TypedDict

from numduel.analysis import Analysis, Judged, Judgement
from numduel.board import Board
from numduel.match import Ending, Over, Record
from numduel.match.events import PlayerNumber, facts
from numduel.wording.rules import rule_of, unusual
from numduel.wording.text import Subject, brief, counted, short_move
from numduel.wording.why import no_choice_reasons

Both = tuple[Subject, Subject]

_SAID = {
    Judgement.KEPT: ("+", "kept the win"),
    Judgement.MISTAKE: ("!", "threw the win away"),
    Judgement.TURN_LOST: ("!", "lost the turn, and with it the win"),
    Judgement.WON: ("-", "every move won"),
    Judgement.LOST: ("-", "no move could win"),
    Judgement.SPARED: ("-", "lost the turn, and was winning after it"),
    Judgement.UNKNOWN: ("?", "too large to judge"),
}  # what is said about a turn, with the sign before it in a list
_GAVE_UP = {Ending.RESIGNED: "resigned", Ending.FORFEITED: "forfeited", Ending.OVERSHOT: "overshot"}


def headline(record: Record, who: Both | None = None) -> str:
    """The match in one sentence: "Divisor Duel from 60: Alice won against Bob in 5 turns."."""
    who, turns = who or by_name(record.setup.names), counted(len(record.turns), "turn")
    what = described(record.setup.board)
    if record.winner is None:
        return f"{what}: {who[0]} against {who[1].inside}, unfinished after {turns}."
    how = ", by resignation" if record.ending is Ending.RESIGNED else ""
    winner, loser = who[record.winner], who[1 - record.winner].inside
    return f"{what}: {winner} won against {loser} in {turns}{how}."


def by_name(names: Sequence[str], you: int | None = None) -> Both:
    """The players in sentences, one of them as "you"."""
    return Subject(names[0], you == 0), Subject(names[1], you == 1)


def described(board: Board) -> str:
    """A board as people name it: "Divisor Duel from 60"."""
    numbers = " and ".join(f"{n.game.title} from {brief(n.value)}" for n in board.numbers)
    settings = ["=".join(item) for n in board.numbers for item in unusual(n.game).items()]
    extras = [*dict.fromkeys(settings), *(["misère"] if board.misere else [])]
    return f"{numbers} ({', '.join(extras)})" if extras else numbers


def reason(both: Both, over: Over, out_of_time: bool = False) -> str:
    who = both[over.player]
    if over.ending is Ending.RESIGNED:
        return f"{who} resigned."
    if over.ending is Ending.FORFEITED:
        return f"{who} ran out of time." if out_of_time else f"{who} forfeited the match."
    if over.ending is Ending.OVERSHOT and over.move is not None:
        return f"{who} played {brief(over.move.amount)}, which takes the total below zero."
    game, left = over.board.numbers[0]
    alone = len(over.board.numbers) == 1 and not over.board.misere
    if over.turn > 1 and alone and left in (0, rule_of(game).goal):
        return f"{both[over.winner]} reached {left}."
    wins = ", and under misère that wins" if over.board.misere else ""
    return f"{who} {who.form('have', 'has')} no move left{wins}."


class Row(TypedDict):
    """A turn as a table shows it."""

    turn: int
    player: PlayerNumber
    name: str
    move: str
    left: str
    words: str
    said: str
    mistake: bool
    lost_left: bool | None
    """Was the other player left a trap? Null where it is not known."""
    place: int


def rows(analysis: Analysis, who: Both | None = None) -> list[Row]:
    who = who or by_name(analysis.names)
    return [_row(judged, str(who[judged.player])) for judged in analysis.moves]


def _row(judged: Judged, name: str) -> Row:
    place, left, words = 0, judged.board.numbers[0].value, "pass"
    if judged.move is not None:
        place = judged.move.place
        left = judged.board.play(judged.move).numbers[place].value
        words = f"{short_move(judged.board, judged.move)} -> {brief(left)}"
    after = judged.outcome_after
    lost, said = after and after == "win", f"{_SAID[judged.judgement][0]} {judgement(judged)}"
    where = {"move": judged.written, "left": str(left), "lost_left": lost, "place": place + 1}
    return facts(Row, judged, name=name, words=words, said=said, **where)


def turn_lines(analysis: Analysis, who: Both | None = None) -> list[tuple[str, bool]]:
    """The turns as lines of a table, each with whether it threw a win away."""
    shown = rows(analysis, who)
    if not shown:
        return [("No moves were played.", False)]
    turn = len(str(len(shown)))
    name, words = (max(len(row[column]) for row in shown) for column in ("name", "words"))
    line = f"{{turn:>{turn}}}. {{name:{name}}}  {{words:{words}}}  {{said}}"
    return [(line.format(**row), row["mistake"]) for row in shown]


def judgement(judged: Judged) -> str:
    """What a turn did to the mover's chances: "kept the win"."""
    said = _SAID[judged.judgement][1]
    if judged.judgement is not Judgement.MISTAKE or judged.best is None:
        return said
    return f"mistake: {short_move(judged.board, judged.best)} would have won"


def conclusions(
    analysis: Analysis, who: Both | None = None, person: int | None = None
) -> list[str]:
    """Where the match was decided, and the accuracy of both, or of the one person."""
    who = who or by_name(analysis.names)
    each = [f"{who[player]} {_accuracy(analysis, player)}" for player in (0, 1)]
    accuracy = f"Accuracy: {', '.join(each)}."
    if person is not None:
        accuracy = f"{who[person].whose} accuracy: {_accuracy(analysis, person)}."
    return [*decided(analysis, who), accuracy, *without_choice(analysis)]


def decided(analysis: Analysis, who: Both, out_of_time: bool = False) -> Iterator[str]:
    """The turn that decided the match; who gave up a win, or could have won it all along."""
    if point := analysis.turning_point:
        said = _SAID[point.judgement][1]
        if point.move is not None:
            best = (
                point.best and f"but {short_move(point.board, point.best)} would have kept the win"
            )
            said = f"played {short_move(point.board, point.move)}, {best or f'and {said}'}"
        first = "first " * (sum(judged.mistake for judged in analysis.moves) > 1)
        yield f"Turn {point.turn} was the {first}turning point: {who[point.player].inside} {said}."
    if analysis.given_up is not None and analysis.ending is not None:
        loser = who[analysis.given_up]
        how = f"{loser.form('you', 'they')} {_GAVE_UP[analysis.ending]}"
        if out_of_time:
            how = f"{loser.form('your', 'their')} time ran out"
        yield f"{loser} {loser.form('were', 'was')} winning when {how}."
    elif analysis.always_ahead is not None:
        ahead = who[analysis.always_ahead]
        chosen = "Nothing that was chosen mattered"
        why = chosen if analysis.no_choice else "No win was thrown away"
        yield f"{why}: {ahead.inside} {ahead.form('were', 'was')} winning from the first turn on."


def without_choice(analysis: Analysis) -> list[str]:
    said = "No move throws a win away, so there is no accuracy."
    return [*no_choice_reasons(analysis.board), said] if analysis.no_choice else []


def _accuracy(analysis: Analysis, player: int) -> str:
    """A player's accuracy: "2 of 3 (67%)", or "none"."""
    kept, of = analysis.kept(player)
    return f"{kept} of {of} ({kept / of:.0%})" if of else "none"
