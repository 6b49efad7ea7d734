"""What commands are given: types that read and complete it, options, files; and JSON they print."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import IO, Any, Final

import click
from click.shell_completion import CompletionItem

from numduel.arithmetic.expressions import read_expression
from numduel.board import Board
from numduel.cli.layout import say
from numduel.errors import FileError, InvalidGame, InvalidRule, NumduelError, UnknownGame
from numduel.games import Game, keys, load, own_text
from numduel.players import Limits, Sampling, installed_words, player_words
from numduel.wording import problem, quoted
from numduel.wording.players import KINDS, player_word

Option = Callable[[Any], Any]
_JSON: Final = "numduel.json"  # where a context has it
LONGEST: Final = 10_000_000  # characters of a file that are read


@contextmanager
def usage() -> Iterator[None]:
    """Numduel's errors in the block are errors of usage: exit code 2."""
    try:
        yield
    except NumduelError as error:
        raise click.UsageError(problem(error)) from error


def known_games() -> list[Game]:
    """All games that can be loaded; a sentence on stderr for an installed one that cannot."""
    games = []
    for key in keys():
        try:
            games.append(load(key))
        except InvalidGame as error:
            say(f"numduel: {problem(error)}", err=True)
    return games


def find_game(typed: str) -> Game:
    """The game that was typed: its key, its title, or a rule in words. Raises what `load` does."""
    try:
        return load(typed.strip().lower().replace(" ", "-"))
    except (InvalidRule, UnknownGame):
        return load(own_text.in_grammar(typed))


def read_board(typed: str) -> Board:
    """A board; a rule that begins it may be in words: "take 1 or 2: 21". Raises as `parse` does."""
    name, colon, rest = typed.lower().partition(":")
    if colon and own_text.is_rule(own_text.in_grammar(name)):
        name = find_game(name).key
    return Board.parse(f"{name}{colon}{rest}")


def usual_board(typed: str) -> Board:
    """The board a game usually starts with, perhaps in a variant: "divisor-duel,divisors=even"."""
    name, tilde, ending = typed.partition("~")
    name, comma, settings = name.partition(",") if "=" in name else (name, "", "")
    game = find_game(name)
    return Board.parse(f"{Board.of(game, game.default_start)}{comma}{settings}{tilde}{ending}")


@dataclass(eq=False)
class Read(click.ParamType[Any]):
    """What `read` makes of the text; Tab offers the `words` that begin so. An error of this `kind`
    is one of usage, which names the option that has the text.
    """

    name: str
    read: Callable[[str], Any] = str
    words: Callable[[], Iterable[str]] = tuple
    kind: type[NumduelError] = NumduelError

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):  # a default, or read before
            return value
        try:
            return self.read(value)
        except self.kind as error:
            if isinstance(param, click.Option):
                self.fail(problem(error), param, ctx)
            raise click.UsageError(problem(error)) from error

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(word) for word in self.words() if word.startswith(incomplete)]


def _settings() -> dict[str, None]:
    variants = [item for key in keys() for item in load(key).variants.items()]
    return dict.fromkeys(f"{name}={value}" for name, values in variants for value in values)


NAMES: Final = [name.casefold() for name, _ in KINDS.values()]
GAME: Final = Read("game", find_game, keys)
GAME_OR_MORE: Final = Read("game", words=keys)  # or a board, match or word, as its command reads it
BOARD: Final = Read("board", read_board, keys)
PLAYER: Final = Read("player", player_word, lambda: [*NAMES, *player_words(), *installed_words()])
LARGE: Final = Read("number", read_expression)


def text(name: str, metavar: str | None, help: str, *also: str, **more: Any) -> Option:
    """An option with a value; its help shows the default, if there is one."""
    more = {"show_default": "default" in more, **more}
    return click.option(name, *also, metavar=metavar, help=help, **more)


def flag(name: str, help: str, *also: str, **more: Any) -> Option:
    return click.option(name, *also, is_flag=True, help=help, **more)


def choice(name: str, values: Sequence[str], help: str, *also: str, **more: Any) -> Option:
    return text(name, None, help, *also, type=click.Choice(values), **more)


def number(
    name: str, metavar: str, help: str, *also: str, least: int = 1, most: int | None = None,
    **more: Any,
) -> Option:  # fmt: skip
    kind = click.IntRange(least, most)
    kind.name = "whole number"
    return text(name, metavar, help, *also, type=kind, **more)


def seconds(what: str = "move") -> Option:
    said = f"Seconds for each {what} of a program (default: 10) or a model (60)."
    kind = click.FloatRange(min=0.01)
    kind.name = "number"
    return text("--time", "S", said, "seconds", type=kind)


def in_json(what: str = "one object, as JSON") -> Option:
    """What `wants_json` and `end_in_json` ask for."""
    return flag(
        "--json",
        f"Print {what}.",
        expose_value=False,
        callback=lambda context, _option, given: context.meta.update({_JSON: given}),
    )


def wants_json() -> bool:
    return bool(click.get_current_context().meta[_JSON])


def end_in_json(fields: Callable[[], object]) -> None:
    """Where JSON is wanted, print it, and end the command."""
    if wants_json():
        print_json(fields())
        click.get_current_context().exit()


def together(*options: Option) -> Option:
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


def _read_settings(
    _context: click.Context, _parameter: click.Parameter, given: Sequence[str]
) -> dict[str, str]:
    settings: dict[str, str] = {}
    for setting in given:
        name, equals, value = map(str.strip, setting.partition("="))
        if not equals:
            said = f"--set takes VARIANT=VALUE, but {quoted(setting)} has no value."
            raise click.UsageError(said)
        if name in settings:
            raise click.UsageError(f"--set gives the variant {quoted(name)} twice.")
        settings[name] = value
    return settings


variants: Final = text(
    "--set", "VARIANT=VALUE", "Set a variant.", "settings", multiple=True,
    type=Read("setting", words=_settings), callback=_read_settings,
)  # fmt: skip
misere: Final = flag("--misere", "Whoever cannot move wins instead of losing.")
seed: Final = text("--seed", "S", "Repeat the same random choices.", type=int)


def of_results(said: str) -> Option:
    """For commands that measure players: earlier results, which are `said` to be shown instead."""
    return together(
        text("--from", "FILE", f"{said} Several are compared.", "files", multiple=True),
        in_json(),
        text("--report", "FILE", "Write a page with tables and plots to FILE."),
    )


def _body(_context: click.Context, _option: click.Parameter, given: Sequence[str]) -> str | None:
    """Fields as one JSON object; a value that is no JSON is a text."""
    fields: dict[str, Any] = {}
    for name, equals, value in (field.partition("=") for field in given):
        if not name or not equals or name in ("model", "messages"):
            raise click.BadParameter("Write --body NAME=VALUE, with any name but model, messages.")
        try:
            fields[name] = json.loads(value)
        except ValueError:
            fields[name] = value
    return json.dumps(fields, sort_keys=True) if fields else None


of_answers = together(  # for commands in which models answer
    text(
        "--temperature", "T", "A model's temperature (default: its server's).",
        type=click.FloatRange(0),
    ),
    number("--max-tokens", "K", "The most tokens of one answer (default: its server's)."),
    text("--system", "TEXT", "A system prompt for models (default: none)."),
    text(
        "--body", "NAME=VALUE",
        "Another field of each request, like reasoning_effort=high or top_p=0.9.",
        multiple=True, callback=_body,
    ),
)  # fmt: skip
of_matches = together(  # for commands in which models play matches
    of_answers,
    number(
        "--turns", "K", "End a match of a model after K turns; the solver says who was winning.",
        default=100,
    ),
    number(
        "--match-requests", "K", "End a match once a model has made K requests in it.", "requests"
    ),
    number("--match-tokens", "K", "End a match once a model has used K tokens in it.", "tokens"),
    text(
        "--match-time", "S", "End a match once a model has thought for S seconds in it.",
        "match_seconds", type=click.FloatRange(min=0.01),
    ),
    flag("--ask-forced", "Ask a model also where it has only one legal move."),
    flag("--list-moves", "Tell models the legal moves."),
)  # fmt: skip


def sampling(chosen: dict[str, Any]) -> Sampling:
    return Sampling(*map(chosen.__getitem__, Sampling._fields))


def limits(chosen: dict[str, Any]) -> Limits:
    """The limits that were chosen; `--time` and `--tries` are the command's own."""
    chosen = chosen | {"sampling": sampling(chosen)}
    return Limits(*map(chosen.__getitem__, Limits._fields))


def print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))


def read_input(path: str, what: str) -> str:
    """The text of the file, of standard input for "-". Raises `FileError` for `what` it is."""
    try:
        with nullcontext(sys.stdin) if path == "-" else Path(path).open(encoding="utf-8") as file:
            content = file.read(LONGEST + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise FileError(why or str(error), what=what, path=path) from error
    if len(content) > LONGEST:
        raise FileError(f"it is longer than {LONGEST:,} characters", what=what, path=path)
    return content


def open_output(path: str, new: bool = True) -> IO[bytes]:
    """Open the file for writing; a `new` one must not exist yet. A sentence says why not."""
    try:
        return Path(path).open("xb" if new else "wb")
    except OSError as error:
        said = f"{quoted(path)} cannot be written: {error.strerror}."
        raise click.ClickException(said) from error


def write_output(path: str, content: str, new: bool = False) -> None:
    with open_output(path, new) as file:
        file.write(content.encode())
