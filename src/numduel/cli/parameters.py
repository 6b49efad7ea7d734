"""What commands are given: types that read and complete it, options that many share, files."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import reduce
from pathlib import Path
from typing import IO, Any, Final

import click
from click.shell_completion import CompletionItem

from numduel.arithmetic.expressions import read_expression
from numduel.board import Board
from numduel.errors import FileError, InvalidRule, NumduelError, UnknownGame
from numduel.games import Game, keys, load
from numduel.games.own_text import in_grammar, is_rule
from numduel.players import Limits, Sampling, installed_words, player_words
from numduel.wording import problem, quoted
from numduel.wording.players import KINDS, player_word

Option = Callable[[Any], Any]
LONGEST: Final = 10_000_000
"""Characters of a file that are read."""


@contextmanager
def usage(kind: type[NumduelError] = NumduelError) -> Iterator[None]:
    """Errors of this kind in the block are errors of usage: exit code 2."""
    try:
        yield
    except kind as error:
        raise click.UsageError(problem(error)) from error


def find_game(typed: str) -> Game:
    """The game that was typed: its key, its title, or a rule in words. Raises what `load` does."""
    try:
        return load(typed.strip().lower().replace(" ", "-"))
    except (InvalidRule, UnknownGame):
        return load(in_grammar(typed))


def read_board(typed: str) -> Board:
    """A board; a rule that begins it may be in words: "take 1 or 2: 21". Raises as `parse` does."""
    name, colon, rest = typed.lower().partition(":")
    if colon and is_rule(in_grammar(name)):
        name = find_game(name).key
    return Board.parse(f"{name}{colon}{rest}")


def usual_board(typed: str) -> Board:
    """The board a game usually starts with, perhaps in a variant: "divisor-duel,divisors=even"."""
    name, tilde, ending = typed.partition("~")
    name, comma, settings = name.partition(",") if "=" in name else (name, "", "")
    game = find_game(name)
    return Board.parse(f"{Board.of(game, game.default_start)}{comma}{settings}{tilde}{ending}")


class Read(click.ParamType[Any]):
    """What `read` makes of the text; Tab offers the `words` that begin so.

    An error of this `kind` is one of usage, which names the option that has the text.
    """

    def __init__(
        self,
        name: str,
        read: Callable[[str], Any] = str,
        words: Callable[[], Iterable[str]] = tuple,
        kind: type[NumduelError] = NumduelError,
    ) -> None:
        self.name = name
        self._read, self._words, self._kind = read, words, kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):  # a default, or read before
            return value
        try:
            return self._read(value)
        except self._kind as error:
            if isinstance(param, click.Option):
                self.fail(problem(error), param, ctx)
            raise click.UsageError(problem(error)) from error

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(word) for word in self._words() if word.startswith(incomplete)]


def _settings() -> dict[str, None]:
    return dict.fromkeys(
        f"{name}={value}"
        for variants in (load(key).variants for key in keys())
        for name, values in variants.items()
        for value in values
    )


NAMES: Final = [name.casefold() for name, _ in KINDS.values()]
GAME: Final = Read("game", find_game, keys)
GAME_OR_MORE: Final = Read("game", words=keys)
"""Text that may also be a board, a match or a word, as its command reads it."""
BOARD: Final = Read("board", read_board, keys)
PLAYER: Final = Read("player", player_word, lambda: [*NAMES, *player_words(), *installed_words()])
LARGE: Final = Read("number", read_expression)


def _read_settings(
    _context: click.Context, _parameter: click.Parameter, given: Sequence[str]
) -> dict[str, str]:
    settings: dict[str, str] = {}
    for text in given:
        name, equals, value = map(str.strip, text.partition("="))
        if not equals:
            raise click.UsageError(f"--set takes VARIANT=VALUE, but {quoted(text)} has no value.")
        if name in settings:
            raise click.UsageError(f"--set gives the variant {quoted(name)} twice.")
        settings[name] = value
    return settings


set_option: Final = click.option(
    "--set", "settings", multiple=True, metavar="VARIANT=VALUE", help="Set a variant.",
    type=Read("setting", words=_settings), callback=_read_settings,
)  # fmt: skip
misere_option: Final = click.option(
    "--misere", is_flag=True, help="Whoever cannot move wins instead of losing."
)
seed_option: Final = click.option(
    "--seed", type=int, metavar="S", help="Repeat the same random choices."
)
report_option: Final = click.option(
    "--report", metavar="FILE", help="Write a page with tables and plots to FILE."
)


def number_option(
    name: str,
    metavar: str,
    help: str,
    *also: str,
    least: int = 1,
    most: int | None = None,
    **more: Any,
) -> Option:
    """An option for a whole number of this range; its help shows the default, if there is one."""
    kind, shows = click.IntRange(least, most), "default" in more
    kind.name = "whole number"
    return click.option(
        name, *also, type=kind, metavar=metavar, help=help, show_default=shows, **more
    )


def seconds_option(what: str = "move") -> Option:
    said = f"Seconds for each {what} of a program (default: 10) or a model (60)."
    kind = click.FloatRange(min=0.01)
    kind.name = "number"
    return click.option("--time", "seconds", type=kind, metavar="S", help=said)


def json_option(what: str = "one object, as JSON") -> Option:
    return click.option("--json", "as_json", is_flag=True, help=f"Print {what}.")


def print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))


_SAMPLING = (
    click.option(
        "--temperature", type=click.FloatRange(0), metavar="T",
        help="A model's temperature (default: its server's).",
    ),
    number_option("--max-tokens", "K", "The most tokens of one answer (default: its server's)."),
    click.option("--system", metavar="TEXT", help="A system prompt for models (default: none)."),
    click.option(
        "--body", metavar="NAME=VALUE", multiple=True, callback=lambda _c, _o, given: _body(given),
        help="Another field of each request, like reasoning_effort=high or top_p=0.9.",
    ),
)  # fmt: skip
_MATCHES = (
    number_option(
        "--turns", "K", "End a match of a model after K turns; the solver says who was winning.",
        default=100,
    ),
    number_option(
        "--match-requests", "K", "End a match once a model has made K requests in it.", "requests"
    ),
    number_option(
        "--match-tokens", "K", "End a match once a model has used K tokens in it.", "tokens"
    ),
    click.option(
        "--match-time", "match_seconds", type=click.FloatRange(min=0.01), metavar="S",
        help="End a match once a model has thought for S seconds in it.",
    ),
    click.option(
        "--ask-forced", is_flag=True, help="Ask a model also where it has only one legal move."
    ),
    click.option("--list-moves", is_flag=True, help="Tell models the legal moves."),
)  # fmt: skip


def with_options(*options: Option) -> Option:
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


sampling_options = with_options(*_SAMPLING)
"""For commands in which models answer."""
model_options = with_options(*_SAMPLING, *_MATCHES)
"""For commands in which models play matches."""


def chosen_sampling(options: dict[str, Any]) -> Sampling:
    return Sampling(*map(options.__getitem__, Sampling._fields))


def model_limits(options: dict[str, Any]) -> Limits:
    """The limits that were chosen; `--time` and `--tries` are the command's own."""
    chosen = options | {"sampling": chosen_sampling(options)}
    return Limits(*map(chosen.__getitem__, Limits._fields))


def _body(given: tuple[str, ...]) -> str | None:
    """Fields as one JSON object; a value that is no JSON is a text."""
    fields: dict[str, Any] = {}
    for name, equals, value in (text.partition("=") for text in given):
        if not name or not equals or name in ("model", "messages"):
            raise click.BadParameter("Write --body NAME=VALUE, with any name but model, messages.")
        try:
            fields[name] = json.loads(value)
        except ValueError:
            fields[name] = value
    return json.dumps(fields, sort_keys=True) if fields else None


def read_input(path: str, what: str) -> str:
    """The text of the file, of standard input for "-". Raises `FileError` for `what` it is."""
    try:
        with nullcontext(sys.stdin) if path == "-" else Path(path).open(encoding="utf-8") as file:
            text = file.read(LONGEST + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise FileError(why or str(error), what=what, path=path) from error
    if len(text) > LONGEST:
        raise FileError(f"it is longer than {LONGEST:,} characters", what=what, path=path)
    return text


def open_output(path: str, new: bool = True) -> IO[bytes]:
    """Open the file for writing; a `new` one must not exist yet. A sentence says why not."""
    try:
        return Path(path).open("xb" if new else "wb")
    except OSError as error:
        said = f"{quoted(path)} cannot be written: {error.strerror}."
        raise click.ClickException(said) from error


def write_output(path: str, text: str, new: bool = False) -> None:
    with open_output(path, new) as file:
        file.write(text.encode())
