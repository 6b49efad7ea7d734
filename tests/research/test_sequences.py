"""Sequences: their terms, offsets and forms, against the definition and published values."""

import json
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from later import Later
from numduel import Board
from numduel.cli.research import KINDS
from numduel.games import keys, load
from numduel.solver.search import Number, Search
from research.conftest import Command
from terminal import Terminal

cut = Later("numduel.research.sequences", "cut")
find_source = Later("numduel.research.sequences", "find_source")


def terms(game: str, kind: str, start: int | None = None, **limits: int) -> list[tuple[int, int]]:
    found = cut(find_source(game), kind, start, limits.get("stop"), limits.get("terms"),
                limits.get("numbers", 1))  # fmt: skip
    return [(index + place, term) for index, piece in found for place, term in enumerate(piece)]


PUBLISHED = {
    ("subtract-a-prime", "grundy"): (0, "0 0 1 1 2 2 3 3 4 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 0 4 1"),
    ("subtract-a-prime", "P"): (1, "0 1 9 10 25 34 35 49 55 85 91 100 115 121 125 133 145 155"),
    ("subtract-a-prime", "first"): (0, "0 2 4 6 8 19 21 23 43 48 67 156"),
    ("prime-subtractor", "P"): (1, "1 2 5 7 9 10 19 25 31 34 35 43 49"),
    ("divisor-duel", "grundy"): (1, "0 0 0 1 0 2 0 0 0 1 0 3 0 1 0 2 0 1 0 3 0 1 0 4 0 1 0 2"),
    ("divisor-duel", "misere-P"): (1, "4 9 10 14 22 25 26 27 32 35 38 45 46 49 51 55 58 62 63"),
    ("digit-subtraction-duel", "grundy"): (0, "0 1 1 1 1 1 1 1 1 1 0 1 2 1 2 1 2 1 2 1 0 2 1 1"),
    ("digit-subtraction-duel", "misere-P"): (1, "1 2 3 4 5 6 7 8 9 11 13 15 17 19 20 30 40"),
    ("power-play", "grundy"): (1, "0 1 1 0 1 0 1 1 0 0 1 1 1 0 0 0 1 1 1 1 0 0 1 0 0 0 1 1"),
}


def test_published_terms_with_their_offsets() -> None:
    for (game, kind), (first, text) in PUBLISHED.items():
        expected = list(enumerate(map(int, text.split()), first))
        assert terms(game, kind, terms=len(expected), stop=10**5) == expected


@pytest.mark.parametrize("game", keys())
def test_kinds_agree_with_plain_search(game: str) -> None:
    source = find_source(game)
    rules, search, misere = load(game), Search(), Search(misere=True)
    numbers = range(source.first, 120)
    values = {n: search.grundy(Number(rules, n)) for n in numbers}
    assert terms(game, "grundy", stop=119) == list(values.items())
    lost = [n for n in numbers if values[n] == 0]
    assert [n for _, n in terms(game, "P", stop=119)] == lost
    assert [n for _, n in terms(game, "N", stop=119)] == [n for n in numbers if values[n]]
    expected = [n for n in numbers if misere.lost(Board.of(rules, n))]
    assert [n for _, n in terms(game, "misere-P", stop=119)] == expected


@pytest.mark.parametrize("kind", KINDS)
def test_a_late_start_keeps_the_index(kind: str) -> None:
    for start in (11, 4097, 30_000):
        whole = terms("subtract-a-prime", kind, stop=start + 500, numbers=2)
        late = terms("subtract-a-prime", kind, start, stop=start + 500, numbers=2)
        number = {"grundy": 0, "count": 0}.get(kind, 1)
        assert late == [pair for pair in whole if pair[number] >= start]


def test_lost_boards_by_definition() -> None:
    values = [term for _, term in terms("subtract-a-prime", "grundy", stop=14)]
    for numbers in (1, 2, 3):
        expected = []
        for n in range(15):
            sums = [0]
            for _ in range(numbers):
                sums = [s ^ v for s in sums for v in values[: n + 1]]
            expected.append((n, sums.count(0)))
        assert terms("subtract-a-prime", "count", stop=14, numbers=numbers) == expected
    even = [term for _, term in terms("divisor-duel,divisors=even", "grundy", terms=12)]
    assert even == [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1], "variants are searched"


def test_formats(tmp_path: Path, command: Command) -> None:
    base = ["sequence", "divisor-duel", "--terms", "3", "--from", "12"]
    assert command([*base, "--format", "bfile"])[0] == "12 3\n13 0\n14 1\n"
    assert command([*base, "--format", "csv"])[0] == "n,a(n)\n12,3\n13,0\n14,1\n"
    lines = command([*base, "--format", "jsonl"])[0].splitlines()
    assert [json.loads(line) for line in lines] == [
        {"n": 12, "a": 3}, {"n": 13, "a": 0}, {"n": 14, "a": 1},
    ]  # fmt: skip
    path = tmp_path / "losses.npy"
    for option, limit in (("--to", {"stop": 100_000}), ("--terms", {"terms": 9000})):
        path.unlink(missing_ok=True)
        [far] = limit.values()
        out = command(["sequence", "subtract-a-prime", "--kind", "P", "--format", "npy", option,
                     str(far), "--output", str(path)])  # fmt: skip
        assert out == ("", "", 0)
        expected = [term for _, term in terms("subtract-a-prime", "P", **limit)]
        assert np.load(path).tolist() == expected
    _, err, code = command([*base, "--output", str(path)])
    assert (code, "already exists" in err) == (2, True)


def test_check_names_the_first_difference(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "b.txt"
    right = command(["sequence", "subtract-a-prime", "--kind", "P", "--terms", "10000"])[0]
    assert right.splitlines()[-1] == "10000 67673"
    path.write_text(f"# a comment\n\n{right}")
    check = ["sequence", "subtract-a-prime", "--kind", "P", "--check", str(path)]
    assert command(check) == ("All 10,000 terms agree, from n = 1 on.\n", "", 0)
    path.write_text(right.replace("\n7000 ", "\n7000 1"))
    out, err, code = command(check)
    assert (out, code) == ("", 1)
    assert "first difference is at n = 7000: " in err
    path.write_text(right[right.index("5000 ") :])
    assert command(check)[0].startswith("All 5,001 terms agree, from n = 5000")
    broken_files = {"1 0\n3 9\n": "should be 2", "1 x\n": "not an index", "": "no terms"}
    for broken, says in broken_files.items():
        path.write_text(broken)
        _, err, code = command(check)
        assert (code, says in err) == (1, True), err
        assert path.read_text() == broken


BAD = [
    ("divisor-duel --from 10 --to 5", 1, "is empty"),
    ("divisor-duel --from 0", 1, "begin at 1"),
    ("divisor-duel --to ten", 2, '"ten" is not a number'),
    ("divisor-duel --to -5", 2, "negative"),
    ("divisor-duel --terms 0", 2, "0"),
    ("divisor-dual", 2, "Did you mean divisor-duel?"),
    ("divisor-duel,size=3", 2, "size"),
    ("subtract-a-prime --from 10^18 --terms 2", 1, "reach"),
    ("subtract-a-prime --kind P --from 10^17", 1, "cannot be counted"),
    ("divisor-duel --format npy --kind P --to 100", 2, "--output"),
    ("divisor-duel --check nowhere.txt", 1, "nowhere.txt"),
]


def test_bad_input_gets_a_sentence(command: Command) -> None:
    for arguments, code, says in BAD:
        out, err, found = command(["sequence", *arguments.split()])
        assert (out, found) == ("", code), err
        assert says in err


@pytest.mark.soak
def test_a_bar_on_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with Terminal("sequence", "digit-subtraction-duel", "--to", "600000",
                  "--output", str(path)) as terminal:  # fmt: skip
        terminal.wait_for("terms/s")
        assert terminal.end() == 0
    assert path.read_text().count("\n") == 600001


def test_memory_stays_constant() -> None:
    source = find_source("subtract-a-prime")
    sizes = [len(piece) for _, piece in islice(cut(source, "grundy", None, 10**7, None), 10**4)]
    assert sum(sizes) == 10**7 + 1
    assert max(sizes) < 3_000_000
