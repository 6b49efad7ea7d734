"""A sheet of puzzles: drawn from a seed, put in words, and laid out to print."""

from html import escape
from itertools import islice

from numduel.drawing.svg import heading, make_page, make_table, paragraph, read_style
from numduel.games import load
from numduel.solver import solve
from numduel.study.puzzles import SEVERAL, Puzzle, puzzles_in_turn
from numduel.wording.rules import rules_in_short, titled
from numduel.wording.text import counted
from numduel.wording.why import why_in_short

STYLE = read_style("sheet")
COUNT = 12  # how many puzzles, with their rules, fill one page
MOST = 48
_MOVE = "It is your turn. Exactly one move wins: write it on the line."
_SEVERAL = "On several numbers, write 2:5 to play 5 on number 2."
_WINNER = "To say who wins, write 1 for the player to move or 2 for the other."


def make_sheet(seed: str, kind: str | None, rating: int | None, count: int, again: str) -> str:
    """The sheet of the seed as a page, the easy puzzles first; fewer if no more are found.

    `again` is the command or address that makes it again. Raises `NothingToStudy`.
    """
    found = list(islice(puzzles_in_turn(seed, kind, rating), count))
    found.sort(key=lambda puzzle: puzzle.rating)
    about = "Several numbers" if kind == SEVERAL else load(kind).title if kind else "Number duels"
    asks = {puzzle.asks for puzzle in found}
    says = [_MOVE] * ("move" in asks)
    says += [_SEVERAL] * any(puzzle.game == SEVERAL for puzzle in found)
    says += [_WINNER] * ("winner" in asks)
    title, sheet = f"{about}: {counted(len(found), 'puzzle')}", f"Sheet {seed}"
    return make_page(
        title,
        [
            '<p class="screen">Print this page. The answers come on a page of their own.</p>',
            '<p class="write">Name: <i></i> Date: <i class="short"></i></p>',
            paragraph(" ".join(says)),
            *(
                f"<p><b>{escape(name)}</b>: {escape(rule)}</p>"
                for name, rule in rules_in_short([puzzle.board for puzzle in found])
            ),
            '<ol class="puzzles">',
            *(_drawn(at, puzzle) for at, puzzle in enumerate(found, 1)),
            "</ol>",
            f"<p><small>{escape(sheet)}</small></p>",
            '<section class="answers">',
            heading(f"Answers: {title}"),
            make_table(["Puzzle", "Answer", "Why"], [_row(*one) for one in enumerate(found, 1)]),
            paragraph(sheet),  # on both pages: answers are not taken for those of another sheet
            paragraph("To make it again:", again),
            "</section>",
        ],
        STYLE,
    )


def _row(at: int, puzzle: Puzzle) -> list[str]:
    told = ", ".join(f"{titled(game)} {value}" for game, value in puzzle.board.numbers)
    return [f"{at}. {told}", puzzle.solution, why_in_short(solve(puzzle.board))]


def _drawn(at: int, puzzle: Puzzle) -> str:
    numbers = [(escape(titled(game)), f"<b>{value}</b>") for game, value in puzzle.board.numbers]
    shown = [f"<p>{place}: {game} {n}</p>" for place, (game, n) in enumerate(numbers, 1)]
    lines = f"<p>{at}. Several numbers</p>{''.join(shown)}"
    if len(numbers) == 1:
        lines = f'<p>{at}. {numbers[0][0]}</p><p class="alone">{numbers[0][1]}</p>'
    asks = "Winning move:" if puzzle.asks == "move" else "Who wins, 1 or 2?"
    return f'<li>{lines}<p class="write">{asks} <i></i></p></li>'
