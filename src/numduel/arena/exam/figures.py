"""What the answers of an exam say of each player, and of any two: on the same questions."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from operator import attrgetter
from statistics import fmean, stdev
from typing import Any, TypeVar

from numduel.arena.exam.task import TASK, Answer, Setting, fingerprint
from numduel.arena.intervals import Count, Difference, difference, holm, interval
from numduel.arguments import checked
from numduel.arithmetic import count_digits
from numduel.players import Spent
from numduel.study.positions import SKILLS

Key = TypeVar("Key", str, int)

APART = "legality"  # reported apart: whoever plays at random has this skill, so it earns no points
BAND = 250  # the width of a band of ratings in a curve
_LAST_BAND = 2000  # all that is rated so or higher is one band
_SIZES = (2, 3, 5, 9, 20, 40)  # the most digits of a number in each band of sizes
_READ = ("right", "wrong", "illegal")
LEVEL = 0.05  # where p is larger, two cannot be told apart


@dataclass(frozen=True)
class Share:
    right: int
    asked: int
    rate: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Figures:
    """One player's figures. `all` leaves out legality, unless nothing else was asked."""

    player: str
    all: Share
    by_skill: dict[str, Share]
    by_game: dict[str, Share]
    by_rating: dict[int, Share]  # by where a band of ratings begins
    by_size: dict[int, Share]  # by the most digits that the largest number in a band has
    verdicts: dict[str, int]
    failures: dict[str, int]  # why answers failed, in words, the most frequent first
    asked_again: int  # questions that had failed before
    spent: Spent  # on all of them, those that failed too
    reasoning_tokens: int
    cost: float
    models: list[str]  # what servers call the model
    samples: list[float]  # the share right each time all was asked; `spread`: their deviation
    spread: float
    solved: float  # the share of questions that were answered right at least once: pass@k
    failed: float
    unreadable: float
    of_readable: float | None  # the share of right answers among readable ones, without legality


@dataclass(frozen=True)
class Comparison:
    """Two players on the same questions, without legality."""

    one: str
    other: str
    difference: Difference
    p: float  # adjusted by Holm for all pairs
    skills: dict[str, float]  # the p of each skill, adjusted by Holm for all skills
    tied: bool


@checked
def figures_of(answers: Iterable[Answer]) -> list[Figures]:
    """The figures of each player, in the order of their first answers."""
    by_player = _by(answers, attrgetter("player"))
    return [_figures(player, theirs) for player, theirs in by_player.items()]


@checked
def compare(answers: Iterable[Answer]) -> list[Comparison]:
    """Every two players, in the order of their first answers."""
    means = {
        player: {
            number: (each[0].stratum, fmean(answer.right for answer in each))
            for number, each in _by(_scored(theirs), attrgetter("number")).items()
        }
        for player, theirs in _by(answers, attrgetter("player")).items()
    }
    found: dict[tuple[str, str], tuple[Difference, dict[str, float]]] = {}
    for one, other in combinations(means, 2):
        shared = means[one].keys() & means[other].keys()
        pairs = [(means[one][n][0], means[one][n][1] - means[other][n][1]) for n in sorted(shared)]
        if both := difference(pairs):
            skills = {
                skill: told.p
                for skill in dict.fromkeys(stratum[0] for stratum, _ in pairs)
                if (told := difference(pair for pair in pairs if pair[0][0] == skill))
            }
            found[one, other] = both, holm(skills)
    adjusted = holm({pair: both.p for pair, (both, _) in found.items()})
    return [
        Comparison(*pair, both, adjusted[pair], by, adjusted[pair] > LEVEL)
        for pair, (both, by) in found.items()
    ]


def as_json(
    settings: Sequence[Setting], figures: Sequence[Figures], pairs: Sequence[Comparison]
) -> dict[str, Any]:
    return {
        "task": TASK,
        "hash": fingerprint(),
        "settings": [setting.fields() for setting in dict.fromkeys(settings)],
        "players": [asdict(one) | {"spent": one.spent._asdict()} for one in figures],
        "pairs": [asdict(pair) for pair in pairs],
    }


def _scored(answers: list[Answer]) -> list[Answer]:
    """The answers that count; all of them where nothing but legality was asked."""
    return [answer for answer in answers if answer.position.skill != APART] or answers


def _figures(player: str, answers: list[Answer]) -> Figures:
    spent = Spent()
    for answer in answers:
        spent = spent.plus(answer.spent).plus(answer.before)
    scored = _scored(answers)
    skills = _shares(answers, lambda answer: answer.position.skill)
    questions, samples = (_by(scored, attrgetter(name)) for name in ("number", "sample"))
    rates = [fmean(answer.right for answer in samples[at]) for at in sorted(samples)]
    verdicts = Counter(answer.verdict for answer in answers)
    said = [answer.said for answer in answers if answer.said]
    readable = [answer.right for answer in scored if answer.verdict in _READ]
    return Figures(
        player,
        _share(scored),
        {skill: skills[skill] for skill in SKILLS if skill in skills},
        _shares(scored, lambda answer: answer.position.game),
        _shares(scored, lambda answer: min(answer.position.rating // BAND * BAND, _LAST_BAND)),
        _shares(scored, _size),
        dict(verdicts),
        dict(Counter(answer.error for answer in answers if answer.error).most_common()),
        sum(answer.failures > 0 for answer in answers),
        spent._replace(seconds=round(spent.seconds, 3)),
        sum(each.reasoning_tokens or 0 for each in said),
        sum(each.cost or 0.0 for each in said),
        sorted({each.model for each in said if each.model}),
        rates,
        stdev(rates) if len(rates) > 1 else 0.0,
        fmean(any(answer.right for answer in each) for each in questions.values()),
        verdicts["failed"] / len(answers),
        verdicts["unreadable"] / len(answers),
        fmean(readable) if readable else None,
    )


def _size(answer: Answer) -> int:
    digits = max(count_digits(value) for _, value in answer.position.board.numbers)
    return next((most for most in _SIZES if digits <= most), _SIZES[-1])


def _by(answers: Iterable[Answer], key: Callable[[Answer], Key]) -> dict[Key, list[Answer]]:
    groups: dict[Key, list[Answer]] = {}
    for answer in answers:
        groups.setdefault(key(answer), []).append(answer)
    return groups


def _shares(answers: list[Answer], key: Callable[[Answer], Key]) -> dict[Key, Share]:
    return {name: _share(theirs) for name, theirs in sorted(_by(answers, key).items())}


def _share(answers: list[Answer]) -> Share:
    counts = [Count(answer.number, answer.right, 1.0, answer.stratum) for answer in answers]
    right, asked = sum(answer.right for answer in answers), len(answers)
    return Share(right, asked, right / asked, interval(counts) or (0.0, 1.0))
