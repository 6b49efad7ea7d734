"""The grammar of own rules: what is read, its one text, and what it allows."""

import gc
import pickle
import tracemalloc
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel import Board
from numduel.board import Move
from numduel.errors import InvalidRule, InvalidSetup, NumduelError
from numduel.games import Fault, OwnRule, load
from numduel.games.amounts import WORDS
from numduel.games.own import does
from numduel.games.own_text import LONGEST, in_grammar, read_rule
from numduel.wording import problem
from raised import raised
from rules.plain_rules import WORDS as PLAIN_WORDS
from rules.plain_rules import PlainRule, random_rule
from soaking import SOAK

CANONICAL = {
    "subtract-4-1-3": "subtract-1-3-4",
    "subtract-3-or-subtract-1-or-subtract-4": "subtract-1-3-4",
    "subtract-1-2-3": "subtract-1-to-3",
    "subtract-1-to-2": "subtract-1-2",
    "subtract-9-or-subtract-1-to-4": "subtract-1-to-4-or-subtract-9",
    "subtract-1-or-divide-by-2": "halve-or-subtract-1",
    "divide-by-3-2": "divide-by-2-3",
    "subtract-divisor-or-subtract-digit": "subtract-digit-or-subtract-divisor",
    "subtract-007": "subtract-7",
    "halve-or-halve": "halve",
    "halve-or-subtract-any-or-subtract-3": "subtract-any",
}


def test_a_rule_has_one_text() -> None:
    for written, canonical in CANONICAL.items():
        assert load(written) is load(canonical)
        assert load(written).key == canonical
        board = Board.parse(f"{canonical}:60")
        assert str(board) == f"{canonical}:60"
        assert pickle.loads(pickle.dumps(board)) == board
    raised(InvalidSetup, Board.parse, "subtract-1-3-4:10,opening=any", match="variant")


NUMBERS = st.lists(st.integers(2, 1000), min_size=1, max_size=40)
RUNS = st.lists(st.tuples(st.integers(1, 990), st.integers(1, 4)), min_size=5, max_size=40)


@given(NUMBERS, RUNS, st.sets(st.sampled_from(sorted(WORDS)), max_size=3), st.booleans())
def test_what_is_accepted_can_be_read_again(
    divisors: list[int], runs: list[tuple[int, int]], words: set[str], divides: bool
) -> None:
    """Of rules of nearly as many letters as are allowed, whose own text may be longer."""
    amounts = [first + more for first, count in runs for more in range(count)]
    clauses = [f"subtract-{word}" for word in words]
    clauses += [f"divide-by-{'-'.join(map(str, divisors))}"] if divides else []
    written = "-or-".join([*clauses, f"subtract-{'-'.join(map(str, amounts))}"])
    try:
        rule = read_rule(written[:LONGEST].rstrip("-"))
    except InvalidRule as error:
        assert error.fields["problem"] in ("too long", "clauses")
    else:
        assert read_rule(str(rule)) == rule
        assert len(str(rule)) <= LONGEST


def test_a_rule_is_read_from_its_own_english() -> None:
    """Whatever numduel says of a rule, somebody may type."""
    random = Random(11)
    rules = [load(random_rule(random).text) for _ in range(300)]
    rules += [load("halve-or-subtract-1"), load("subtract-1-5-or-subtract-9-to-20")]
    for rule in rules:
        for said in (rule.title, does(rule.rule), rule.key):
            assert load(in_grammar(said)) is rule, said
    for left in ("take 1 and 2", "any", "1, 2", "divide by a square", "subtract primes"):
        assert in_grammar(left) == left.replace(", ", "-").replace(" ", "-")


def test_moves_are_those_of_a_plain_reading() -> None:
    random = Random(4)
    assert set(WORDS) == set(PLAIN_WORDS)
    for rule in [*(PlainRule([word]) for word in WORDS), *(random_rule(random) for _ in range(12))]:
        game = load(rule.text)
        for n in [*range(60), 97, 1000, *(random.randrange(3000) for _ in range(20))]:
            moves = sorted(rule.moves(n))
            assert list(game.moves(n)) == moves, (rule.text, n)
            assert list(game.moves_down(n)) == moves[::-1]
            assert game.count(n) == len(moves)
            assert game.is_over(n) is (not moves)
            for amount in {*moves[:5], *moves[-5:], *range(-1, 12), n, n + 1}:
                assert (game.fault(n, amount) is None) is (amount in moves)
    large = 10**60
    for rule, amount in (("subtract-fibonacci", 1597), ("subtract-cube", 10**57)):
        assert load(rule).fault(large, amount) is None
        assert load(rule).fault(large, amount + 1) is Fault.NOT_LEGAL


WRONG = [
    ("subtract-prme", "a word", "subtract-prime"),
    ("subtract-squares", "a word", "subtract-square"),
    ("subtract-3-to-1", "smaller amount", "subtract-1-to-3"),
    ("subtract-0-3", "from 1 to 1,000", "subtract-3"),
    ("subtract-1-1001", "from 1 to 1,000", "subtract-1"),
    ("divide-by-1", "from 2 to 1,000", None),
    ("subtract-0-1001-3-or-halv-or-x", "from 1 to 1,000", None),
    ("halve-or-1", "Parts are like", "halve-or-subtract-1"),
    ("take-1-3", "Parts are like", "subtract-1-3"),
    ("halve-or-take-2", "Parts are like", "halve-or-subtract-2"),
    ("take-1-or-take-9", "Parts are like", "subtract-1-9"),
    ("subtract-a-pirme", "There is no game", "subtract-a-prime"),
    ("subtract-" + "-".join(["1"] * 200), "too long", None),
    ("-or-".join(["halve"] * 9), "too many parts", None),
    (
        "subtract-" + "-".join(f"{n}-{n + 1}-{n + 2}" for n in range(1, 40, 4)),
        "too many parts",
        None,
    ),
    ("divide-by-" + "-".join(map(str, range(930, 995))) + "-or-subtract-1-2-3-5-6-7", "long", None),
]


def test_a_wrong_rule_is_answered_with_what_would_be_right() -> None:
    for wrong, says, nearest in WRONG:
        error = raised(NumduelError, load, wrong)
        said = problem(error)
        assert says in said
        if nearest is not None:
            assert nearest in said
            load(nearest)


def test_a_division_may_be_typed_as_one() -> None:
    board = Board.parse("halve-or-subtract-1:50")
    assert board.parse_move("/2") == board.parse_move("25") == Move(0, 25)
    assert str(board.play(board.parse_move("÷2"))) == "halve-or-subtract-1:25"
    odd = Board.parse("halve-or-subtract-1:25")
    for at, wrong in ((board, "/3"), (board, "/"), (board, "/x"), (board, "/0"), (odd, "/2")):
        raised(NumduelError, at.parse_move, wrong)
    both = Board.parse("halve:6+divide-by-3:6")
    assert both.parse_move("2:/3") == Move(1, 4)
    named = load("halve-or-subtract-5")
    assert list(named.moves(10)) == [5], "half of ten is five: one move, shown as the amount"
    assert (named.divides(10, 5), named.divides(12, 6)) == (None, 2)


def nonsense(random: Random) -> str:
    """A text that is nearly a rule."""
    parts = ["subtract", "halve", "divide-by", "or", "to", "1", "3", "0", "99999", "-", "--",
             "prime", "square", "digit", "x", "é", "０", " ", "\0", "%", "take", ""]  # fmt: skip
    text = "-".join(random.choices(parts, k=random.randint(1, 9)))
    if random.random() < 0.3:
        place = random.randrange(len(text) + 1)
        text = text[:place] + chr(random.randrange(0x20, 0x2FF)) + text[place + 1 :]
    return text


@pytest.mark.soak("fuzzing", short=True)
def test_nonsense_is_refused_and_nothing_of_it_is_kept() -> None:
    """Every rule is somebody's input: rules that were right leave no memory either."""
    random, count, warm_up = Random(16), 50_000 if SOAK else 2_000, 1_500
    tracemalloc.start()
    try:
        for turn in range(count):
            if turn == warm_up:
                gc.collect()
                before = tracemalloc.get_traced_memory()[0]
            key = nonsense(random) if turn % 2 else f"subtract-{turn % 997 + 1}-{turn % 881 + 1}"
            try:
                game = load(key)
            except NumduelError as error:
                problem(error)
                assert not isinstance(error, InvalidRule) or len(problem(error)) < 400
            else:
                assert isinstance(game, OwnRule)
                assert load(game.key) is game
        del game
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_match_can_begin_at_the_usual_start_of_any_rule() -> None:
    for rule in ("subtract-100", "divide-by-7", "halve", "subtract-900-to-1000", *CANONICAL):
        board = Board.of(rule, load(rule).default_start)
        for _ in range(3):
            assert not board.is_over
            board = board.play(next(board.moves()))


SAID = {
    "subtract-1-3-4": "Take away 1, 3 or 4. Whoever reaches 0 wins.",
    "subtract-5-to-12": "Take away 5 to 12. If you can't, because less than 5 is left, you lose.",
    "halve": "Halve the number if it is even. If you can't move, you lose.",
    "divide-by-2-3": "Divide the number by 2 or 3 if that leaves no remainder.",
    "subtract-proper-divisor": "Take away a smaller divisor. Whoever reaches 1 wins.",
    "subtract-fibonacci": "Take away a Fibonacci number. Whoever reaches 0 wins.",
    "halve-or-subtract-prime": "Halve the number if it is even, or take away a prime.",
}


def test_rules_are_said_in_plain_words() -> None:
    for rule, says in SAID.items():
        assert load(rule).description.startswith(says)
        assert load(rule).description.endswith("so this game always ends.")
