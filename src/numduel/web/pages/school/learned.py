"""What the class has found: its map of a game; and what was learned, for teachers alone."""

from collections import Counter
from typing import Any, NamedTuple

from fastapi import Request
from fastapi.responses import Response

from numduel.classes import SchoolClass, Stage
from numduel.classes.learned import Figures, Learned, Seen, Share, results
from numduel.classes.parts import LARGEST, board_of, rules_of
from numduel.thinking.questions import position
from numduel.web.pages.board import Cell, figures, shown_move
from numduel.web.pages.rendering import game_and_start, router, table_file
from numduel.web.pages.school.page import show, wall_for
from numduel.web.state import classes_of, thinkers_of, token_of
from numduel.wording.rules import titled

_SIZES = (30, 50, LARGEST)
_AHEAD = 10  # this many numbers beyond the largest start are to be guessed, at least

TRAP, NO_TRAP, NO_GUESS = "trap", "no-trap", "none"
_GUESSES = {  # by what a pupil says: a word, the same for ears, and what another tap says
    NO_GUESS: ("", ", not guessed", TRAP),
    TRAP: ("trap", ", you say: a trap", NO_TRAP),
    NO_TRAP: ("no", ", you say: no trap", NO_GUESS),
}

_UNKNOWN = "not known yet"
_COLUMNS = ("Round", "Game", "Matches", "Finished", "Wins kept", "Wins to keep",
            "Commonest mistake", "Has not played", "Waited", "Still being played",
            "Still being looked at", "Too hard to judge")  # fmt: skip
_OF_PUPILS = ("Pupil", "Rounds played", "Matches finished", "Won", "Wins kept at first",
              "Wins kept at last", "Votes right", "Guesses right", "Puzzles right",
              "Still being looked at")  # fmt: skip


@router.get("/class/{code}/map")
async def map_page(request: Request, code: str) -> Response:
    wall = await wall_for(request, code, boards=False)
    school_class = wall.school_class
    boards = [each.plan.board for each in school_class.rounds if len(each.plan.board.numbers) == 1]
    games = {rules_of(board): titled(board.numbers[0].game) for board in boards}
    # The game that all look at, else the one that is asked for, else that of the last round.
    rules = request.query_params.get("game", "")
    if rules not in games:
        rules = rules_of(boards[-1]) if boards else ""
    if school_class.stage is Stage.MAP:
        rules = school_class.map_game or rules
    drawn = await map_for(request, school_class, rules) if rules else None
    return show(request, "class_map.html", wall, map=drawn, game=rules, games=games)


async def map_for(
    request: Request, school_class: SchoolClass, rules: str = "", token: str | None = None
) -> dict[str, Any]:
    """What `parts.cells` and `parts.found` show: the map of this game, or of the one that all look
    at, as far as the class has made it.
    """
    rules = rules or school_class.map_game or ""
    seen = await classes_of(request).seen(school_class.code, token or token_of(request), rules)
    starts = [each.plan.board for each in school_class.rounds]
    values = [one.numbers[0].value for one in starts if rules_of(one) == rules]
    size = next((size for size in _SIZES if max(values, default=0) + _AHEAD <= size), LARGEST)
    least = str(board_of(rules))
    truth = await thinkers_of(request).ask(position.overview, board=least, to=size)
    is_shown, me = school_class.map_game == rules, school_class.me
    unveiled = school_class.unveiled and is_shown
    numbers, lost = truth["numbers"], set(truth["lost"])
    guesses = [one for one in school_class.guesses if one.value in numbers] if is_shown else []
    tally = Counter((one.value, one.trap) for one in guesses)
    mine = {one.value: TRAP if one.trap else NO_TRAP
            for one in guesses if me and one.pupil == me.number}  # fmt: skip
    says = {n: one.lost > one.won for n, one in seen.items() if one.won != one.lost}
    guessed = {n: tally[n, True] > tally[n, False] for n, _ in tally
               if tally[n, True] != tally[n, False]}  # fmt: skip
    found = lost & {n for n, trap in (says | guessed).items() if trap}
    misled = {n for n in numbers if n in says and says[n] != (n in lost)}
    # Guesses against the matches there that were right; a pupil is told of their own.
    braver = [one for one in guesses if one.value in misled and one.trap != says[one.value]]
    right = {one.value for one in braver}

    def cell(number: int) -> Cell:
        kind, counts, words = _met(seen.get(number))
        if unveiled:
            true, words = ("lost", ", a trap") if number in lost else ("plain", ", no trap")
            marks = ((number in found, "found", ""),
                     (number in misled, "misled", ", where our matches misled us"),
                     (number in right, "right", ", guessed rightly against them"))  # fmt: skip
            kind = " ".join([true, f"was-{kind}" if kind else "", *(m for on, m, _ in marks if on)])
            return Cell(number, kind, says=words + "".join(said for on, _, said in marks if on))
        if me is None:
            trap, no_trap = tally[number, True], tally[number, False]
            signs = " ".join(f"{sign}{n}" for sign, n in (("◆", trap), ("○", no_trap)) if n)
            words += f", {trap} say trap, {no_trap} say no trap" if signs else ""
            return Cell(number, kind, small=signs or counts, says=words)
        guess = mine.get(number, NO_GUESS)
        word, said, next_tap = _GUESSES[guess]
        return Cell(number, f"{kind} says-{guess}", small=word or counts, says=words + said,
                    guess=f"{number}:{next_tap}", met=(counts, words))  # fmt: skip

    return {
        "title": truth["title"],
        "size": size,
        "cells": [cell(number) for number in numbers],
        "words": _GUESSES,
        "unveiled": unveiled,
        "teaches": me is None,
        "found": len(found),
        "traps": len(lost),
        "guessed_wrongly": sum(trap and n not in lost for n, trap in guessed.items()),
        "misled": len(misled),  # where most matches ended otherwise than best play does
        "against": sum(not me or one.pupil == me.number for one in braver),
        "pattern": truth["pattern"],
        "met": sum(number in seen for number in numbers),
        "guesses": len(guesses),
    }


def _met(seen: Seen | None) -> tuple[str, str, str]:
    """The colour of a number that the class has met, what was counted, and that in words."""
    if seen is None:
        return "", "", ", not met yet"
    says = f", the player to move won {seen.won} and lost {seen.lost} times"
    kind = "both" if seen.won == seen.lost else "won" if seen.won > seen.lost else "lost"
    return f"seen-{kind}", f"{seen.won}:{seen.lost}", says


class RoundLearned(NamedTuple):
    number: int
    game: str
    found: Learned

    @property
    def matches(self) -> int:
        return self.found.figures.matches + self.found.playing

    @property
    def share(self) -> str:
        found = self.found.figures
        if found.share is None:
            return _UNKNOWN if self.missing else "Nobody had a win that could be thrown away."
        kept = f"{found.kept} of {found.keepable} ({found.share:.0%})"
        return f"{kept}, counting the moves that could have thrown a win away."

    @property
    def missing(self) -> str:
        left_out = {
            "still being played": self.found.playing,
            "still being looked at": self.found.figures.waiting,
            "too hard to judge": self.found.figures.too_hard,
        }
        of = f"of {self.matches} {'match' if self.matches == 1 else 'matches'}"
        said = [
            f"{count} {of} {'is' if count == 1 else 'are'} {what}."
            for what, count in left_out.items()
            if count
        ]
        return " ".join([*said, "Wins kept and mistakes do not count them."]) if said else ""

    @property
    def mistake(self) -> str:
        common = self.found.mistake
        if common is None:
            return _UNKNOWN if self.missing else "none"
        played = shown_move(common.board, common.move).does.lower()
        times = "once" if common.times == 1 else f"{common.times} times"
        said = f"At {figures(common.board, ' + ')}: {played} ({times})."
        if common.best is None:
            return said
        return f"{said} Better: {shown_move(common.board, common.best).does.lower()}."


def _share(share: Share) -> str:
    return f"{share.right} of {share.of}" if share.of else ""


def _accuracy(figures: Figures | None) -> str:
    return "" if figures is None or figures.share is None else f"{figures.share:.0%}"


@router.get("/class/{code}/learned")
async def learned_page(request: Request, code: str) -> Response:
    wall = await wall_for(request, code, boards=False)
    told = {"rounds": await rounds_of(request, code), "pupils": await _pupils(request, code)}
    return show(request, "class_learned.html", wall, columns=_OF_PUPILS, **told)


@router.get("/class/{code}/learned.csv")
@router.get("/class/{code}/results.csv")
async def learned_file(request: Request, code: str) -> Response:
    """The rounds, or the pupils, as a table."""
    await wall_for(request, code, boards=False)
    rounds = await rounds_of(request, code)  # so that what is over is counted
    if request.url.path.endswith("results.csv"):
        return table_file([_OF_PUPILS, *await _pupils(request, code)], f"pupils-{code}.csv")
    told: list[list[object]] = []
    for one in rounds:
        found, counted = one.found, one.found.figures
        told.append([one.number, one.game, one.matches, counted.finished, counted.kept,
                     counted.keepable, one.mistake, "; ".join(found.idle),
                     "; ".join(found.waited), found.playing, counted.waiting,
                     counted.too_hard])  # fmt: skip
    return table_file([_COLUMNS, *told], f"class-{code}.csv")


async def rounds_of(request: Request, code: str, token: str | None = None) -> list[RoundLearned]:
    found = await classes_of(request).learned(code, token or token_of(request))
    return [RoundLearned(each.number, game_and_start(each.plan.board), one) for each, one in found]


async def _pupils(request: Request, code: str) -> list[list[object]]:
    """A row for each pupil, by `_OF_PUPILS`."""
    classes, token = classes_of(request), token_of(request)
    school_class = await classes.look(code, token)  # with what was solved meanwhile
    traps = {}
    for rules in {one.game for one in school_class.all_guesses}:
        board = str(board_of(rules))
        told = await thinkers_of(request).ask(position.overview, board=board, to=LARGEST)
        traps[rules] = set(told["lost"])
    found = results(school_class, await classes.figures(code, token), traps)
    return [[one.name, one.rounds, one.matches, one.won, _accuracy(one.first), _accuracy(one.last),
             _share(one.votes), _share(one.guesses), _share(one.puzzles), one.waiting]
            for one in found]  # fmt: skip
