"""What the answers of an exam say of each player: shares with intervals, and what they took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from numduel.arena.exam.task import TASK, fingerprint
from numduel.arena.exam.transcript import Answer, Setting
from numduel.arena.intervals import Count, interval
from numduel.arguments import checked
from numduel.players.view import Spent
from numduel.study.positions import SKILLS

Key = TypeVar("Key", str, int)

BAND = 250
"""The width of a band of ratings in a curve."""
_LAST_BAND = 2000
"""All that is rated so or higher is one band."""


class Share(NamedTuple):
    """Right answers of all, with the interval of 95%, resampled by board."""

    right: int
    asked: int
    interval: tuple[float, float]

    @property
    def rate(self) -> float:
        """The share."""
        return self.right / self.asked

    def fields(self) -> dict[str, Any]:
        """As plain values."""
        rounded = [round(bound, 4) for bound in self.interval]
        return {"right": self.right, "asked": self.asked, "rate": round(self.rate, 4),
                "interval": rounded}  # fmt: skip


@dataclass(frozen=True)
class Figures:
    """One player's figures."""

    player: str
    all: Share
    by_skill: dict[str, Share]
    by_game: dict[str, Share]
    by_rating: dict[int, Share]
    """By where a band of ratings begins."""
    verdicts: Counter[str]
    spent: Spent

    def fields(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "player": self.player,
            **self.all.fields(),
            "by_skill": {key: share.fields() for key, share in self.by_skill.items()},
            "by_game": {key: share.fields() for key, share in self.by_game.items()},
            "by_rating": {str(key): share.fields() for key, share in self.by_rating.items()},
            "verdicts": dict(sorted(self.verdicts.items())),
            "spent": self.spent._asdict(),
        }


@checked
def figures_of(answers: Iterable[Answer]) -> list[Figures]:
    """The figures of each player, in the order of their first answers."""
    by_player: dict[str, list[Answer]] = {}
    for answer in answers:
        by_player.setdefault(answer.player, []).append(answer)
    return [_figures(player, theirs) for player, theirs in by_player.items()]


def as_json(settings: Sequence[Setting], figures: Sequence[Figures]) -> dict[str, Any]:
    """The result of an exam, or of several, with plain values."""
    return {
        "task": TASK,
        "hash": fingerprint(),
        "settings": [setting.fields() for setting in dict.fromkeys(settings)],
        "players": [one.fields() for one in figures],
    }


def _figures(player: str, answers: list[Answer]) -> Figures:
    spent = Spent()
    for answer in answers:
        spent = spent.plus(answer.spent)
    skills = _shares(answers, lambda answer: answer.skill)
    return Figures(
        player,
        _share(answers),
        {skill: skills[skill] for skill in SKILLS if skill in skills},
        _shares(answers, lambda answer: answer.game),
        _shares(answers, lambda answer: min(answer.rating // BAND * BAND, _LAST_BAND)),
        Counter(answer.verdict for answer in answers),
        spent._replace(seconds=round(spent.seconds, 3)),
    )


def _shares(answers: list[Answer], key: Callable[[Answer], Key]) -> dict[Key, Share]:
    groups: dict[Key, list[Answer]] = {}
    for answer in answers:
        groups.setdefault(key(answer), []).append(answer)
    return {name: _share(groups[name]) for name in sorted(groups)}


def _share(answers: list[Answer]) -> Share:
    counts = [Count(answer.board, answer.verdict == "right") for answer in answers]
    right = sum(answer.verdict == "right" for answer in answers)
    return Share(right, len(answers), interval(counts) or (0.0, 1.0))
