"""Players that choose moves by themselves, made from a word.

The computer's own players are in `table.py`. `engine:COMMAND` is a program,
`llm:MODEL@ADDRESS` a language model. An installed package adds a player by an entry point in
the group `numduel.players`, named by the player's word.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from numduel.arguments import checked
from numduel.board import Board, Move
from numduel.errors import InvalidGame, InvalidSetup, NumduelError, PlayerFailed
from numduel.games import installed, load_named
from numduel.players.table import COMPUTERS, LADDER, Player, next_rung

__all__ = [
    "COMPUTERS", "LADDER", "PERSON", "Exchange", "Limits", "Player", "Sampling", "SeesMatch",
    "Spent", "Turn", "View", "close_players", "installed_words", "make_computer", "make_player",
    "next_rung", "player_words",
]  # fmt: skip

PERSON = "person"
"""The word for a human player, who chooses at a prompt."""
_GROUP = "numduel.players"
"""The entry points of installed players: `word = "module:make"`."""


class View(NamedTuple):
    board: Board
    start: Board
    """The board that the match began with."""
    moves: tuple[Move | None, ...] = ()
    """The turns taken so far, None for a pass; the last one was the opponent's."""
    problems: tuple[NumduelError, ...] = ()
    """What was wrong with the answers given in this very turn."""

    @classmethod
    def of(cls, board: Board) -> "View":
        return cls(board, board)


class Sampling(NamedTuple):
    """How a model is asked to answer; None leaves it to whoever serves the model."""

    temperature: float | None = None
    max_tokens: int | None = None
    system: str | None = None
    """A system prompt, before the prompt that tells the match."""
    body: str | None = None
    """Other fields of a request, as one JSON object: `{"reasoning_effort": "high"}`."""


class Limits(NamedTuple):
    """How long a program or a model may take, how often it is asked, and what it may use."""

    seconds: float | None = None
    """For one answer; None: 10 for a program, 60 for a model."""
    tries: int = 3
    """After this many answers that are no legal move, the match is forfeited."""
    sampling: Sampling = Sampling()
    turns: int = 100
    """After this many turns a match in which a model plays is ended."""
    requests: int | None = None
    """What a model may use in one match; before each of its turns, that is looked at."""
    tokens: int | None = None
    match_seconds: float | None = None
    ask_forced: bool = False
    """Is a model asked where there is only one legal move?"""
    list_moves: bool = False

    def fields(self) -> dict[str, Any]:
        return self._asdict() | {"sampling": self.sampling._asdict()}

    @classmethod
    def of(cls, fields: dict[str, Any]) -> "Limits":
        """The limits that `fields` gave. Raises `TypeError` or `KeyError` for anything else."""
        return cls(**fields | {"sampling": Sampling(**fields["sampling"])})


CHARACTERS = 4
"""Of a token, about, where nobody counts tokens."""


class Spent(NamedTuple):
    """What a model has used; the server counts its tokens."""

    requests: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0

    def plus(self, other: "Spent", times: int = 1) -> "Spent":
        """Both together; with `times=-1`, what is more here."""
        return Spent._make(mine + times * more for mine, more in zip(self, other, strict=True))

    def exceeds(self, limits: Limits) -> bool:
        """Is as much used as the limits allow for one match?"""
        used = self.requests, self.prompt_tokens + self.answer_tokens, self.seconds
        most = limits.requests, limits.tokens, limits.match_seconds
        return any(b is not None and a >= b for a, b in zip(used, most, strict=True))


class Exchange(NamedTuple):
    prompt: str
    answer: str | None
    """None where no answer came."""


class Turn:
    """A turn of a player that may err. Walk through it, and let it take an answer each time.

    The walk gives the match as it is to be shown: with what was wrong with the answers so
    far. It ends with a legal move, when the tries are used up, or when time ran out.
    """

    def __init__(self, view: View, tries: int) -> None:
        self.move: Move | None = None
        self._view, self._tries = view, tries

    def __iter__(self) -> Iterator[View]:
        while self.move is None and self._tries > 0:
            self._tries -= 1
            yield self._view

    def take(self, read: Callable[..., Move], *arguments: object) -> None:
        """Take the answer that `read` gives or raises."""
        try:
            move = read(*arguments)
            self._view.board.play(move)
            self.move = move
        except NumduelError as error:
            self.refuse(error)

    def refuse(self, error: NumduelError) -> None:
        """The answer was no legal move. Who lets the time run out, or has no key, is out."""
        self._view = self._view._replace(problems=(*self.problems, error))
        if isinstance(error, PlayerFailed) and error.problem in ("time", "key"):
            self._tries = 0

    @property
    def problems(self) -> tuple[NumduelError, ...]:
        return self._view.problems


class SeesMatch:
    """A player who is shown the whole match, and may err: a program or a model."""

    word = ""
    limits: Limits
    spent: Spent | None = None
    """All that it has used so far, for a model; None for whoever costs nothing."""
    exchanges: Sequence[Exchange] = ()
    """What a model was asked in its last turn, and what it answered."""

    def answer(self, view: View) -> Move:
        """A move, perhaps illegal. Raises `PlayerFailed`, or what reading the answer raises."""
        raise NotImplementedError

    def choose(self, board: Board) -> Move:
        """The answer on this board, as if the match began here."""
        return self.answer(View.of(board))

    def close(self) -> None:
        """End what was started for this player."""

    def failed(self, problem: str, **fields: object) -> PlayerFailed:
        return PlayerFailed(player=self.word, problem=problem, **fields)


def player_words() -> list[str]:
    """The words that name a person or a player that is built in."""
    return [PERSON, *COMPUTERS]


def installed_words() -> list[str]:
    """The words that installed packages add."""
    return sorted(installed(_GROUP).keys() - {*player_words()})


@checked
def make_computer(word: str, random: Random) -> Player:
    """The built-in player of this word: no person, no program, no model. Raises `InvalidSetup`."""
    if word not in COMPUTERS:
        raise InvalidSetup("unknown player", text=word, known=[*COMPUTERS])
    return COMPUTERS[word].make(random)


@checked
def make_player(word: str, random: Random, limits: Limits | None = None) -> Player | None:
    """The player that the word names; None for a person.

    Raises `InvalidSetup`, or `PlayerFailed` for one that is broken. Programs and models are made
    only where `limits` are given: whoever passes on words from outside leaves them out.
    """
    if not word.isprintable():  # it stands in records
        raise InvalidSetup("unknown player", text=word, known=player_words())
    if word == PERSON:
        return None
    if word in COMPUTERS:
        return COMPUTERS[word].make(random)
    if limits is not None and word.startswith("engine:"):
        from numduel.players.engine import EnginePlayer

        return EnginePlayer(word, limits)
    if limits is not None and word.startswith("llm:"):
        from numduel.players.model import ModelPlayer

        return ModelPlayer(word, limits)
    if word in installed_words():
        return InstalledPlayer(word, random, limits or Limits())
    raise InvalidSetup("unknown player", text=word, known=[*player_words(), *installed_words()])


class InstalledPlayer(SeesMatch):
    """What `make(random)` of the package gave: whatever has `choose(board) -> Move`."""

    def __init__(self, word: str, random: Random, limits: Limits) -> None:
        self.word, self.limits = word, limits
        try:
            make: Any = load_named(word, installed(_GROUP)[word])
            self._choose = make(random).choose
        except InvalidGame as error:
            raise self.failed("installed", detail=error.problem) from error
        except Exception as error:
            raise self.failed("installed", detail=f"{type(error).__name__}: {error}") from error

    def answer(self, view: View) -> Move:
        try:
            return Move(*self._choose(view.board))
        except NumduelError:
            raise
        except Exception as error:
            raise self.failed("broken", detail=f"{type(error).__name__}: {error}") from error


@checked
def close_players(*players: Player | None) -> None:
    """End what was started for these players."""
    for player in players:
        if isinstance(player, SeesMatch):
            player.close()
