"""What all pages of a class share: who looks, how it is shown, the round and the form of one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import NamedTuple

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from numduel.classes import Pupil, RoundPlan, SchoolClass, Stage, Wall
from numduel.classes.pairing import PAIRINGS
from numduel.classes.parts import Round
from numduel.errors import NotAllowed, NotSeated
from numduel.games import keys
from numduel.games.own_text import in_grammar
from numduel.players import PERSON
from numduel.rooms import Bounds, Terms
from numduel.web.pages import form as opening
from numduel.web.pages.form import Unfit
from numduel.web.pages.rendering import game_and_start, page, whole
from numduel.web.state import classes_of, refused, token_of

OPPONENTS = [(PERSON, "Each other, in pairs"), *opening.RIVALS]
OWN = "own"  # instead of a game's key: the rule that was typed
_FOR = {Stage.QUESTION: " for a question", Stage.MAP: " for the map", Stage.PUZZLES: " for puzzles"}
"""What a round waits for, that is paused."""


async def wall_for(request: Request, code: str, boards: bool = True) -> Wall:
    """What a teacher sees, with all boards or without; anybody else is sent to the class."""
    with suppress(NotSeated):
        wall = await classes_of(request).wall(code, token_of(request), boards)
        if wall.school_class.teaches:  # not the projector: all can read its address
            return wall
    raise HTTPException(303, headers={"Location": f"/class/{code}"})


def show(request: Request, name: str, seen: Wall | SchoolClass, /, **told: object) -> HTMLResponse:
    """A page of the class, which follows what was seen: the wall, or as a pupil does the class."""
    school_class = seen.school_class if isinstance(seen, Wall) else seen
    followed = "classes" if seen is school_class else "walls"
    told |= {"school_class": school_class, "version": seen.version, "followed": followed}
    return page(request, name, **told)


class RoundView(NamedTuple):
    title: str
    progress: str
    done: bool  # has every board been played to its end?


def round_of(wall: Wall) -> RoundView | None:
    school_class, last = wall.school_class, wall.school_class.round
    if last is None:
        return None
    rooms, playing = wall.rooms.values(), school_class.is_playing
    total, done = len(rooms), sum(room.over is not None or room.round > 1 for room in rooms)
    paused = school_class.stage is not Stage.ROUND
    waits = f"Paused{_FOR.get(school_class.stage, '')}. " if paused else ""
    waits = waits if playing else "The round is over. "
    progress = f"{waits}{done} of {total} {'board is' if total == 1 else 'boards are'} done."
    title = f"Round {last.number}: {game_and_start(last.plan.board)}"
    return RoundView(title, progress, done == total)


@dataclass(frozen=True, slots=True)
class RoundForm:
    setup: opening.Form
    game: str  # the key of the chosen game, or `OWN`
    own: str  # the own rule, as it was typed
    own_was: str  # what stood there before, for the round before: to leave it there means nothing
    pairing: str
    hints: bool
    places: Mapping[int, int]  # the board of each pupil, by hand

    @classmethod
    def of(cls, filled: Mapping[str, str]) -> "RoundForm":
        """The form of these fields; an own rule counts where it is chosen as the game."""
        game, own = filled.get("game") or opening.USUAL_GAME, filled.get("own", "")
        key = rule_of(own) if game == OWN else game.lower()
        setup = opening.Form(
            rows=(opening.Row(key, filled.get("number", "")),),
            board=filled.get("board", ""),
            settings=_after(f"{key}.", filled),
            misere=bool(filled.get("misere")),
            opponent=filled.get("opponent") or PERSON,
            takeback=bool(filled.get("takeback")),
            minutes=filled.get("minutes", ""),
        )
        places = {number_in(at): number_in(board) for at, board in _after("place-", filled).items()}
        pairing, was = filled.get("pairing", ""), filled.get("own-was", "")
        known = pairing if pairing in PAIRINGS else "random"
        return cls(setup, game, own, was, known, bool(filled.get("hints")), places)

    def terms(self, bounds: Bounds) -> Terms:
        """What is played. Raises `Unfit`."""
        if self.game == OWN and not self.own:
            raise Unfit("game-1", NotAllowed(problem="no own rule"))
        if self.game != OWN and self.own not in ("", self.own_was):
            raise Unfit("game-1", NotAllowed(problem="two games"))
        pairs = self.setup.opponent == PERSON
        return (replace(self.setup, opponent=opening.FRIEND) if pairs else self.setup).terms(bounds)

    def plan(self, bounds: Bounds) -> RoundPlan:
        """The plan. Raises `Unfit`."""
        terms, pairing = self.terms(bounds), self.pairing
        told = (self.setup.opponent, self.hints, self.setup.takeback, terms.seconds, pairing)
        return RoundPlan(terms.board, *told, self._pairs() if pairing == "hand" else ())

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


def form_of(request: Request, school_class: SchoolClass) -> RoundForm:
    """The form of a round: as it was sent and refused, else as it was for the last round."""
    return RoundForm.of(refused(request).form or _filled(school_class.round))


def _filled(last: Round | None) -> dict[str, str]:
    """What the form of the last round would send."""
    if last is None:
        return {}
    plan, (game, value) = last.plan, last.plan.board.numbers[0]
    own = "" if game.key in keys() else game.key
    ticked = {"misere": plan.board.misere, "takeback": plan.takebacks, "hints": plan.hints}
    return {
        "game": OWN if own else game.key,
        "own": own,
        "own-was": own,
        "number": str(value),
        "opponent": plan.opponent,
        "minutes": "" if plan.seconds is None else f"{plan.seconds / 60:g}",
        **{f"{game.key}.{name}": setting for name, setting in game.settings.items()},
        **{name: "1" for name, on in ticked.items() if on},
    }


def _after(start: str, filled: Mapping[str, str]) -> dict[str, str]:
    """The fields whose names begin like this, by the rest of their names."""
    return {name[len(start) :]: text for name, text in filled.items() if name.startswith(start)}


number_in = partial(whole, usual=0, least=0, most=10**6)
"""The number of a pupil, a board or a question that a form names; 0 for anything else."""


def rule_of(typed: str) -> str:
    """The key of a rule as people write it: "Subtract 1, 3 or 4", or only its amounts."""
    key = in_grammar(typed)
    return f"subtract-{key}" if key[:1].isdigit() else key
