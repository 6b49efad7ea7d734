"""The public names, the error tree, and light imports: none of them grows by accident."""

import ast
import os
import pickle
import subprocess
import sys
from doctest import DocTestParser
from importlib import import_module
from pathlib import Path

import pytest

import numduel
from numduel import Board, Move, errors
from numduel.games import Fault, load
from numduel.wording import problem
from patience import PATIENT
from test_docs import every

PUBLIC = {
    "": "Board Move NumduelError Verdict __version__ load regret solve",
    "games": "Fault Game OwnRule Reduction all_games keys load try_out",
    "theory": "Basis Claim Method Theory find weakest",
    "wording": "Rule Wording as_json brief joined problem quoted rules summary wording_for "
    "wording_of",
    "players": "COMPUTERS Exchange LADDER Limits PERSON Player Sampling SeesMatch Spent "
    "Turn View close_players installed_words make_computer make_player next_rung player_words",
    "arena": "Conduct DrawnStart End Estimate FIGURES Plan Result ResultsFile Standing Standings "
    "baselines_of check_players estimates read_drawn_start run score_again standings_of",
    "arena.regret": "Figures Regret regret regret_callback",
    "players.language": "Kind Reading View ask prompt read_answer read_text",
    "arena.exam": "Answer BASELINES Comparison ExamFile FORMS Figures NUMBERS Scored Setting Share "
    "TASK UNREADABLE compare figures_of fingerprint hold_exam question right_answer score "
    "score_again",
    "match": "BadInput Began DEFAULT_NAMES Ending Event Moved Over Passed Record Referee Series "
    "Setup Turn TurnBegan Undone read_notation read_record read_records write_notation",
    "study.positions": "DIFFICULTIES Position SKILLS as_json draw_positions",
    "study.maps": "Graph Map as_json make_graph make_map map_around",
    "study.lessons": "Asks Step lesson_of miscoloured read_traps refutation",
    "drawing": "Cell Picture draw_graph draw_square draw_values save_picture",
    "ranges": "GAMES LIMIT count_losses grundy grundy_segments outcome_segments outcomes",
    "adaptors.engine": "Engine",
    "adaptors.gymnasium": "DuelEnv",
    "adaptors.gymnasium_vector": "DuelVectorEnv",
    "adaptors.inspect": "make_task positions",
    "adaptors.mcp": "make_server",
    "adaptors.open_spiel": "Observer SpielGame SpielState short_name",
    "adaptors.pettingzoo": "env raw_env",
    "adaptors.vector": "VectorDuel",
}
"""The modules that others may build on, and their names."""

HEAVY_ADAPTORS = {"gymnasium", "gymnasium_vector", "inspect", "mcp", "open_spiel", "pettingzoo",
                  "vector"}  # fmt: skip


def test_public_names() -> None:
    for name, listed in PUBLIC.items():
        if name.partition("adaptors.")[2] in HEAVY_ADAPTORS:  # their own tests import them
            path = Path(numduel.__file__).parent / f"{name.replace('.', '/')}.py"
            tree = ast.parse(path.read_text())
            shown = (n for n in tree.body if ast.unparse(n).startswith("__all__ = "))
            names = ast.literal_eval(next(shown).value)
        else:
            module = import_module(f"numduel.{name}".rstrip("."))
            names = module.__all__
            assert all(getattr(module, each) for each in names)
        assert sorted(names) == listed.split()
    assert dir(numduel) == PUBLIC[""].split()
    with pytest.raises(AttributeError):
        _ = numduel.nothing  # type: ignore[attr-defined]


def test_the_pages_import_public_names_alone() -> None:
    for block in every("python"):
        code = block.text
        if block.is_doctest:
            code = "".join(example.source for example in DocTestParser().get_examples(code))
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Import):
                modules = [(alias.name, []) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules = [(node.module or "", [alias.name for alias in node.names])]
            else:
                continue
            for module, names in modules:
                package, _, rest = module.partition(".")
                if package == "numduel":
                    known = [*PUBLIC[rest].split(), *(PUBLIC if not rest else ())]
                    assert {*names} <= {*known}, f"{block}: {module} does not show them"


HEAVY = {"flint", "numpy", "numba", "asyncio", "sqlalchemy", "rich", "socket", "ssl", "email",
         "fastapi", "starlette", "uvicorn", "jinja2", "typing_extensions"}  # fmt: skip


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENT,
        env={name: value for name, value in os.environ.items() if not name.startswith("COV")},
    )  # fmt: skip


def packages(line: str) -> set[str]:
    return {name.partition(".")[0] for name in line.split()}


def imported_by(code: str) -> set[str]:
    return packages(python(f"{code}; import sys; print(*sys.modules)").stdout.split("\n")[-2])


def test_imports_are_light() -> None:
    board = imported_by("from numduel import Board; list(Board.parse('divisor-duel:60').moves())")
    assert not board & {*HEAVY, "click", "dataclasses"}
    many = "players arena players.language adaptors adaptors.engine cli.arena"
    found = imported_by("import " + ", ".join(f"numduel.{name}" for name in many.split()))
    assert not found & {"numpy", "numba", "gymnasium", "pettingzoo", "pyspiel", "mcp", "inspect_ai",
                        "http", "ssl"}  # fmt: skip
    told = imported_by("from numduel.cli.app import run; run(['--version']); run(['--help'])")
    assert not told & {*HEAVY, "platformdirs"}
    helps = "; ".join(f"run(['{name}', '--help'])" for name in ("history", "solve", "exam", "map"))
    assert not imported_by(f"from numduel.cli.app import run; {helps}") & {"sqlalchemy", "numpy"}


AT_THE_PROMPT = """
import io, sys
class Answers(io.StringIO):
    def readline(self, *size):
        print(*sys.modules, file=sys.stderr)
        return super().readline(*size)
sys.stdin = Answers("15\\nquit\\n")
from numduel.cli.app import run
run(["play", "divisor-duel"])
"""


def test_the_first_prompt_comes_before_the_store_is_loaded() -> None:
    first, second = map(packages, python(AT_THE_PROMPT).stderr.splitlines()[:2])
    assert "click" in first
    assert not first & HEAVY
    assert "sqlalchemy" in second, "the first move is kept"


EXAMPLES = [
    errors.InvalidArgument(name="number", value="6.5", expected=("int", "None")),
    errors.InvalidNumber(text="x", problem="word"),
    errors.InvalidBoard(text="x", problem="no number", part="x"),
    errors.InvalidMove(text="3:2", problem="no such number", board=Board.parse("power-play:30")),
    errors.InvalidRecord(line=3, problem="cut short"),
    errors.IllegalMove(
        board=Board.parse("power-play:30"), move=Move(0, 7), fault=Fault.NOT_A_FACTOR
    ),
    errors.IllegalMove(board=Board.parse("power-play:30"), move=Move(4, 7), fault=Fault.NOT_LEGAL),
    errors.AmbiguousMove(board=Board.parse("power-play:30"), amount=7, places=[]),
    errors.NotAllowed("match over"),
    errors.NotAllowed("nothing to undo"),
    errors.TooManyDigits(digits=5000, limit=4000),
    errors.TooLarge("to factor", number=10**80, digits=81, limit=50),
    errors.TooLarge("to list", game=load("divisor-duel"), number=10**80),
    errors.TooLarge("to solve", board=Board.parse("divisor-duel:60"), misere=True, limit=100),
    errors.TooLarge("to prove", board=Board.parse("divisor-duel:60"), misere=True),
    errors.InvalidCertificate(problem="not JSON"),
    errors.InvalidRange(problem="order", start=3, stop=2, least=0),
    errors.ClaimFails("even loss", number=312),
    errors.ClaimFails(claim="even-losses", number=312, proof=None),
    errors.ClaimFails("proved", claim="even-losses", number=310, path="/x"),
    errors.InvalidRange("kernel", name="x"),
    errors.RunFailed(problem="none"),
    errors.RunFailed(problem="import", cause="no library"),
    errors.RunFailed(problem="old", name="a card"),
    errors.RunFailed(problem="memory"),
    errors.RunFailed(problem="failed", cause="cudaErrorLaunchFailure"),
    errors.RunFailed(problem="claim", claim="digit-first-occurrence", able="even-losses"),
    errors.RunFailed("contradiction", start=1, stop=2),
    errors.FileError(what="checkpoint", path="/x", problem="damaged", line=3),
    errors.RunFailed(address="tcp://x:1", problem="no answer"),
    errors.RunFailed("worker lost", path="/x"),
    errors.FileError(path="/x", line=3, problem="not a term", text="x"),
    errors.MissingExtra(extra="ranges", package="numba"),
    errors.UnknownGame(key="chess", known=["power-play"]),
    errors.InvalidRule(key="x", problem="word", part="x", nearest=None, limit=0),
    errors.InvalidSetup("unknown variant", game=None, name="a", value="b", known={}),
    errors.InvalidGame(key="chess", problem="it is not here"),
    errors.InvalidSetup("not a start", game=load("power-play"), number=7),
    errors.InvalidSetup(problem="two names"),
    errors.InvalidSetup("unknown player", text="x", known=["person"]),
    errors.PlayerFailed(player="engine:./bot", problem="time", seconds=10),
    errors.FileError(what="record file", path="/x", problem="No such file or directory"),
    errors.FileError(what="results file", path="/x", problem="No such file or directory"),
    errors.InvalidNotation(text="x", problem="no stroke"),
    errors.StoreError(place="/x", problem="full"),
    errors.UnknownMatch(id=7),
    errors.NothingToStudy(problem="no mistake"),
    errors.FileError("no fonts", path=""),
    errors.TookTooLong(question="verdict", seconds=5.0),
    errors.TooBusy(),
    errors.Unanswerable(kind="TooLargeToSolve", message="The board is too large."),
    errors.UnknownRoom(code="abc"),
    errors.UnknownClass(code="2a3b4"),
    errors.NotAllowed("seats taken", code="abc"),
    errors.NotSeated(code="abc", needs="seat"),
    errors.NotAllowed("not your turn", code="abc"),
    errors.NotAllowed("stale", version=3, now=4),
    errors.NotAllowed(problem="no takeback"),
    errors.TooBusy("rooms", limit=1000),
    errors.TooBusy("classes", limit=1000),
    errors.TooManyRequests(what="requests", seconds=1),
]


def test_every_error_and_every_word_has_an_example() -> None:
    named = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    kinds = [kind for kind in named if issubclass(kind, errors.NumduelError)]
    leaves = {kind for kind in kinds if not kind.__subclasses__()}
    assert leaves == {type(error) for error in EXAMPLES}
    assert {error.word for error in EXAMPLES} >= {w for kind in leaves for w in kind.words.values()}


def test_a_traceback_ends_with_the_sentence_and_what_is_allowed() -> None:
    done = python("import numduel; numduel.load('prime-subtractor', opening='some')")
    said = 'The variant opening cannot be "some"; it can be below or any.'
    assert done.stderr.splitlines()[-1] == f"numduel.errors.InvalidSetup: {said}"


def test_errors_are_worded_and_picklable() -> None:
    for error in EXAMPLES:
        sentence = problem(error)
        assert sentence.endswith((".", "?"))
        assert "{" not in sentence
        assert type(error).__name__ not in sentence
        assert str(error) == sentence, "Python says what the command says"
        assert repr(error).startswith(f"{type(error).__name__}(")
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), again.fields, str(again)) == (type(error), error.fields, str(error))
        with pytest.raises(AttributeError):
            _ = error.nothing
    assert str(errors.IllegalMove(move=7)) == "IllegalMove(move=7)", "one that lacks fields"
