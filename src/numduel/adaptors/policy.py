"""What an environment does with an illegal move: `retry`, `forfeit` or `raise`.

`retry`, as the rulebooks ask: the same player is asked again; after more than
`retries` illegal moves in one turn the match is forfeited. `forfeit`: the
first one loses. `raise`: it is an error of the program.
"""

from __future__ import annotations

from numduel.errors import IllegalMove, InvalidSetup

RETRIES = 3


class IllegalMoves:
    """Counts the illegal moves of one turn, and says when they lose the match."""

    def __init__(self, policy: str = "retry", retries: int = RETRIES) -> None:
        if policy not in ("retry", "forfeit", "raise"):
            raise InvalidSetup(problem="illegal", value=policy)
        if retries < 0:
            raise InvalidSetup(problem="retries", value=retries)
        self._raises = policy == "raise"
        self._allowed = retries if policy == "retry" else 0
        self.count = 0

    def forfeits(self, error: IllegalMove) -> bool:
        """One more illegal move: does it lose the match? Raises it, where that is the policy."""
        if self._raises:
            raise error
        self.count += 1
        return self.count > self._allowed

    def clear(self) -> None:
        """A legal move was made, or a match began."""
        self.count = 0
