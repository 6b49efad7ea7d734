"""The form of a round: what was filled in, and the plan that follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from numduel.classes import Pupil, RoundPlan
from numduel.classes.school_class import Round
from numduel.players import PERSON
from numduel.rooms import Terms
from numduel.web.pages.form import FRIEND, RIVALS, USUAL_GAME, Form, Row
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


def pairings(first: bool) -> list[tuple[str, str]]:
    return [(one, words) for one, words in PAIRINGS.items() if not first or one in _FIRST]


@dataclass(frozen=True, slots=True)
class RoundForm:
    setup: Form = field(default_factory=lambda: Form(opponent=PERSON, takeback=False))
    pairing: str = "random"
    hints: bool = False
    places: Mapping[int, int] = field(default_factory=dict)
    """The board of each pupil, by hand."""

    @classmethod
    def of(cls, filled: Mapping[str, str]) -> RoundForm:
        """The form of these fields; an own rule counts before the game."""
        game = filled.get("own") or filled.get("game") or USUAL_GAME
        setup = Form(
            rows=(Row(game.lower(), filled.get("number", "")),),
            board=filled.get("board", ""),
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
        return cls(setup, known, bool(filled.get("hints")), places)

    @classmethod
    def after(cls, last: Round | None) -> RoundForm:
        if last is None:
            return cls()
        plan = last.plan
        minutes = "" if plan.seconds is None else f"{plan.seconds / 60:g}"
        setup = Form(opponent=plan.opponent, takeback=plan.takebacks, minutes=minutes)
        return cls(setup.shown_for(plan.board), hints=plan.hints)

    def terms(self, limits: Limits) -> Terms:
        """What is played. Raises `Unfit`."""
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

    def placed(self, pupils: Sequence[Pupil]) -> RoundForm:
        """The form with a board for each pupil who has none yet, in order."""
        places = dict(self.places)
        for at, pupil in enumerate(pupils):
            places.setdefault(pupil.number, at // 2 + 1)
        return replace(self, places=places)

    def _pairs(self) -> tuple[tuple[int, int], ...]:
        """Two and two of those who share a board; whoever is left over stands alone."""
        at: dict[int, list[int]] = {}
        for pupil, place in self.places.items():
            at.setdefault(place, []).append(pupil)
        return tuple(
            (two[0], two[1])
            for _, together in sorted(at.items())
            for two in zip(together[::2], together[1::2], strict=False)
        )
