"""The daily duel at the prompt: three tries to beat the perfect player, and a row to share."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import UTC, datetime

from numduel.cli.answers import count_answer, kept_answers, told_of_days
from numduel.cli.console import EndOfInput, Left
from numduel.cli.layout import say, show_large
from numduel.cli.parameters import print_json
from numduel.cli.screen import ask_about, played, show_board
from numduel.match import DEFAULT_NAMES
from numduel.solver import solve
from numduel.study.daily import KEPT, LOST, TRIES, Play, as_json, daily_duel, play_duel
from numduel.study.puzzles import SEVERAL
from numduel.wording import wording_for
from numduel.wording.rule_in_short import rule_in_short
from numduel.wording.text import brief, typed_move
from numduel.wording.why import why_in_short

HELP = "Type your move, or: moves, rules, quit. A try ends with the move that throws the win away."


@dataclass
class Daily:
    """Today's duel, from where it was left: each try is kept when it ends."""

    saves: bool

    def __post_init__(self) -> None:
        self._duel = daily_duel(datetime.now(UTC).date())
        self._day, self._head = self._duel.day.isoformat(), f"{self._duel.board}/"
        answers = kept_answers() if self.saves else []
        kept = [a.puzzle for a in answers if a.day == self._day and a.puzzle.startswith(self._head)]
        moves = kept[-1].removeprefix(self._head).split(".") if kept else []
        self._play = play_duel(self._duel, moves)

    def run(self, in_json: bool) -> None:
        """Play the tries that are left, or print what stands as JSON."""
        if in_json:
            print_json(as_json(self._play))
            return
        board = self._duel.board
        day = f"{self._duel.day:%A} {self._duel.day.day} {self._duel.day:%B}"
        say(f"Daily duel {self._duel.number}, {day}, rating {self._duel.rating}", bold=True)
        show_board(board)
        say("\n".join(rule_in_short(board)))
        said = ""
        try:
            while not self._play.over:
                said = self._take_turn()
        except (Left, EndOfInput):
            return
        self._end(said)

    def _take_turn(self) -> str:
        """Take a move, say what it did to the win, and keep the try if it ended; gives the sum."""
        before, board = self._play, self._play.board
        if not before.turns:
            say(f"\nTry {len(before.tries) + 1} of {TRIES}. You begin, and you can win.", bold=True)
        if len(board.numbers) == 1:
            show_large(board.numbers[0].value)
        say("\n".join(wording_for(board)(DEFAULT_NAMES).moves(board)))

        def accept(answer: str) -> Play:
            played(board, answer)
            return play_duel(self._duel, [*filter(None, before.played.split(".")), answer])

        self._play = ask_about(board, "Your move: ", accept, {}, HELP)
        turn = self._play.tries[-1][-1]
        if turn.reply is not None:
            left = " and ".join(brief(n.value) for n in turn.left.play(turn.reply).numbers)
            reply = f"Perfect plays {typed_move(turn.left, turn.reply)} and leaves {left}."
            said = "You kept the win." if turn.kept else "That threw the win away."
            say(f"{self._shown(KEPT if turn.kept else LOST)} {said} {reply}",
                fg="green" if turn.kept else "red")  # fmt: skip
        if self._play.turns or not self.saves:
            return ""
        games = self._duel.board.numbers
        game = games[0].game.key if len(games) == 1 else SEVERAL
        kept = f"{self._head}{self._play.played}"
        return count_answer(kept, game, self._duel.rating, self._play.solved, self._day)

    def _end(self, said: str) -> None:
        """How it went, the row to share, the reason, and the days; again for whoever is back."""
        if self._play.solved:
            say(f"\nYou win, on try {len(self._play.tries)}!", fg="green", bold=True)
        else:
            say("\nNot today: that was the last try.", fg="red", bold=True)
        verdict = solve(self._duel.board)
        first = typed_move(self._duel.board, verdict.winning_move())
        say(f"The first move to win: {first}. {why_in_short(verdict)}")
        say(f"\n{self._shown(self._play.shared)}\n", bold=True)
        say(said or (told_of_days(kept_answers()) if self.saves else ""))
        say("The next duel comes at midnight, UTC.")

    @staticmethod
    def _shown(squares: str) -> str:
        """Squares to paste; signs where the terminal has no squares."""
        if (sys.stdout.encoding or "").lower() == "utf-8":
            return squares
        return squares.replace(KEPT, "+").replace(LOST, "-")
