"""The form of a round: what was filled in, and the plan that follows from it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from numduel.classes import Pupil, RoundPlan
from numduel.classes.parts import Round
from numduel.errors import NotAllowed
from numduel.games import Game, all_games
from numduel.games.own_text import in_grammar
from numduel.players import PERSON
from numduel.rooms import Terms
from numduel.web.pages.form import (
    FRIEND,
    RIVALS,
    USUAL_GAME,
    Form,
    Row,
    Unfit,
    Variant,
    variants_of,
)
from numduel.web.pages.rendering import whole
from numduel.web.settings import Limits

OPPONENTS = [(PERSON, "Each other, in pairs"), *RIVALS]
PAIRINGS = {
    "random": "at random",
    "winners": "winners with winners",
    "same": "the same, the other player begins",
    "hand": "by hand",
}
_FIRST = ("random", "hand")
"""How a first round can be paired: there is none before it."""
_PLACE = "place-"
OWN = "own"
"""Instead of a game's key: the rule that was typed."""


def pairings(first: bool) -> list[tuple[str, str]]:
    return [(one, words) for one, words in PAIRINGS.items() if not first or one in _FIRST]


@dataclass(frozen=True, slots=True)
class RoundForm:
    setup: Form = field(default_factory=lambda: Form(opponent=PERSON, takeback=False))
    game: str = USUAL_GAME
    """The key of the chosen game, or `OWN`."""
    own: str = ""
    """The own rule, as it was typed."""
    own_was: str = ""
    """What stood there before, for the round before: to leave it there means nothing."""
    pairing: str = "random"
    hints: bool = False
    places: Mapping[int, int] = field(default_factory=dict)
    """The board of each pupil, by hand."""

    @classmethod
    def of(cls, filled: Mapping[str, str]) -> "RoundForm":
        """The form of these fields; an own rule counts where it is chosen as the game."""
        game, own = filled.get("game") or USUAL_GAME, filled.get("own", "")
        key = rule_of(own) if game == OWN else game.lower()
        setup = Form(
            rows=(Row(key, filled.get("number", "")),),
            board=filled.get("board", ""),
            settings={
                name.removeprefix(f"{key}."): value
                for name, value in filled.items()
                if name.startswith(f"{key}.")
            },
            misere=bool(filled.get("misere")),
            opponent=filled.get("opponent") or PERSON,
            takeback=bool(filled.get("takeback")),
            minutes=filled.get("minutes", ""),
        )
        places = {
            whole(name.removeprefix(_PLACE), 0, 0, 10**6): whole(value, 0, 0, 10**6)
            for name, value in filled.items()
            if name.startswith(_PLACE)
        }
        pairing = filled.get("pairing", "")
        known = pairing if pairing in PAIRINGS else "random"
        was = filled.get("own-was", "")
        return cls(setup, game, own, was, known, bool(filled.get("hints")), places)

    @classmethod
    def after(cls, last: Round | None) -> "RoundForm":
        if last is None:
            return cls()
        plan = last.plan
        minutes = "" if plan.seconds is None else f"{plan.seconds / 60:g}"
        setup = Form(opponent=plan.opponent, takeback=plan.takebacks, minutes=minutes)
        game = plan.board.numbers[0].game.key
        own = "" if game in [each.key for each in all_games()] else game
        shown = setup.shown_for(plan.board)
        return cls(shown, OWN if own else game, own, own, hints=plan.hints)

    @property
    def variants(self) -> list[tuple[Game, Variant]]:
        """Each variant of each game; those of the game that is played as they are set."""
        return [
            (game, variant)
            for game in all_games()
            for variant in variants_of(game, self.setup.settings if game.key == self.game else {})
        ]

    def terms(self, limits: Limits) -> Terms:
        """What is played. Raises `Unfit`."""
        if self.game == OWN and not self.own:
            raise Unfit("game-1", NotAllowed(problem="no own rule"))
        if self.game != OWN and self.own not in ("", self.own_was):
            raise Unfit("game-1", NotAllowed(problem="two games"))
        pairs = self.setup.opponent == PERSON
        return (replace(self.setup, opponent=FRIEND) if pairs else self.setup).terms(limits)

    def plan(self, limits: Limits) -> RoundPlan:
        """The plan. Raises `Unfit`."""
        terms = self.terms(limits)
        return RoundPlan(
            board=terms.board,
            opponent=self.setup.opponent,
            hints=self.hints,
            takebacks=self.setup.takeback,
            seconds=terms.seconds,
            pairing=self.pairing,
            pairs=self._pairs() if self.pairing == "hand" else (),
        )

    def placed(self, pupils: Sequence[Pupil]) -> "RoundForm":
        """The form with a board for each pupil who has none yet: the first where one is free."""
        places = dict(self.places)
        for pupil in pupils:
            taken = Counter(places.values())
            free = next(board for board in count(1) if taken[board] < 2)
            places.setdefault(pupil.number, free)
        return replace(self, places=places)

    def _pairs(self) -> tuple[tuple[int, int | None], ...]:
        """Those who share a board; whoever is alone there plays the computer. Raises `Unfit`."""
        at: dict[int, list[int]] = {}
        for pupil, place in self.places.items():
            at.setdefault(place, []).append(pupil)
        pairs: list[tuple[int, int | None]] = []
        for place, together in sorted(at.items()):
            one, two, *more = (*together, None)
            if any(more):
                raise Unfit("pairs", NotAllowed(problem="three at a board", number=place))
            pairs.append((one, two))
        return tuple(pairs)


def rule_of(typed: str) -> str:
    """The key of a rule as people write it: "Subtract 1, 3 or 4", or only its amounts."""
    key = in_grammar(typed)
    return f"subtract-{key}" if key[:1].isdigit() else key
