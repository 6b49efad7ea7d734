"""`numduel solve` and `numduel check`, as people and programs use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from numduel.solver import Search
from terminal import piped

FIELDS = [
    *("board", "misere", "outcome", "grundy", "winning_moves", "complete", "method", "holds"),
]


def solved(*arguments: str) -> dict[str, object]:
    out, err, code = piped(["solve", *arguments, "--json"])
    assert (err, code) == ("", 0)
    fields: dict[str, object] = json.loads(out)
    assert list(fields) == FIELDS
    return fields


def test_json() -> None:
    fields = solved("divisor-duel:60")
    assert fields == {
        "board": "divisor-duel:60",
        "misere": False,
        "outcome": "win",
        "grundy": 2,
        "winning_moves": ["3", "5", "15"],
        "complete": True,
        "method": "theorem",
        "holds": "Proved for every number.",
    }
    few = solved("divisor-duel:60", "--moves", "2")
    assert (few["winning_moves"], few["complete"]) == (["3", "5"], False)
    none = solved("divisor-duel:60", "--moves", "0")
    assert (none["winning_moves"], none["complete"]) == ([], False)
    lost = solved("subtract-a-prime:25")
    assert (lost["outcome"], lost["winning_moves"], lost["complete"]) == ("loss", [], True)
    assert solved("subtract-a-prime:20+divisor-duel:60")["winning_moves"] == ["1:7"]


def test_misere_by_option_and_by_the_board() -> None:
    by_option, by_board = solved("divisor-duel:60", "--misere"), solved("divisor-duel:60~misere")
    assert by_option["misere"] is by_board["misere"] is True
    assert by_option["grundy"] is None
    assert by_option["winning_moves"] == by_board["winning_moves"] != ["3", "5", "15"]


def test_in_words() -> None:
    out, _, code = piped(["solve", "digit-subtraction-duel:25"])
    assert code == 0
    assert out == (
        "digit-subtraction-duel:25: the player to move wins.\n"
        "Winning moves: 5\n"
        "Grundy value: 2\n"
        "Why:\n"
        "  Play 5 to leave 20.\n"
        "  20 ends in 0.\n"
        "  Whichever digit is taken, the last digit is then not 0, and taking that one makes a"
        " multiple of ten again.\n"
        "  After 2, the reply 8 leaves 10.\n"
        "Known by theorem: Proved for every number.\n"
    )
    out, _, _ = piped(["solve", "power-play:30"])
    assert "no choice matters" in out


def test_words_say_misere_and_what_is_only_believed() -> None:
    assert piped(["solve", "divisor-duel:60", "--misere"])[0].startswith(
        "divisor-duel:60 under misère: the player to move wins.\n"
    )
    out, _, _ = piped(["solve", "subtract-a-prime:1", "--misere"])
    assert "Winning moves" not in out
    fields = solved("subtract-a-prime:500000000002")
    assert fields["method"] == "table"
    assert "Grundy value: Believed" in str(fields["holds"])
    assert solved("subtract-a-prime:10+divisor-duel:38")["winning_moves"] == ["1:7", "2:19"]


def test_the_full_argument_at_a_hundred_digits() -> None:
    out, _, code = piped(["solve", f"subtract-a-prime:{10**99 + 7}", "--why"])
    assert code == 0
    assert "Go down from 100000...000007 (100 digits) by twos" in out
    assert "How this is known: conjecture. Believed at this size" in out
    assert max(map(len, out.split("\n"))) < 320


@pytest.mark.parametrize(
    "board",
    [
        "subtract-a-prime:20",
        "subtract-a-prime:25",
        "prime-subtractor:23~misere",
        "divisor-duel:45",
        "digit-subtraction-duel:1000000~misere",
        "power-play:360",
        "subtract-a-prime:9+divisor-duel:12",
        f"subtract-a-prime:{10**60 + 1}",
        f"divisor-duel:{6**150}",
    ],
)
def test_a_certificate_is_written_and_holds(board: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    out, _, code = piped(["solve", board, "--certificate", str(path)])
    assert code == 0
    assert f"Certificate: {path}" in out
    out, err, code = piped(["check", str(path)])
    assert (err, code) == ("", 0)
    assert out.startswith("The certificate holds: the player to move ")
    report = json.loads(piped(["check", "-", "--json"], path.read_text())[0])
    assert report["outcome"] == solved(board)["outcome"]
    if board.startswith("subtract-a-prime:1000"):
        assert "five-even-losses" in [claim["name"] for claim in report["relies_on"]]
    text = path.read_text()
    other = "loss" if report["outcome"] == "win" else "win"
    path.write_text(text.replace(f'"{report["outcome"]}"', f'"{other}"', 1))
    out, err, code = piped(["check", str(path)])
    assert (out, code) == ("", 1)
    assert err.startswith("numduel: The certificate does not prove what it claims: ")


BAD = {
    ("solve", "chess:8"): (2, "There is no game called"),
    ("solve", "divisor-duel"): (2, "does not give its number"),
    ("solve", "60"): (2, '"60" does not name its game.'),
    ("solve", "nonsense"): (2, "There is no game called"),
    ("solve", "divisor-duel:60", "--moves", "-1"): (2, "not in the range"),
    ("solve",): (2, "Missing argument"),
    ("solve", "divisor-duel:60", "--certificate", "/no/such/x"): (1, "cannot be written"),
    ("solve", f"power-play:{(10**59 + 381) * (10**60 + 7)}"): (1, "too large to factor"),
    ("solve", f"divisor-duel:{10**12}+divisor-duel:{10**12 + 7000}~misere"): (
        1,
        "Too large to solve exactly: ",
    ),
    ("check", "/no/such/file"): (2, "does not exist"),
    ("check", "/dev/null"): (1, "does not prove what it claims"),
}


@pytest.mark.parametrize("arguments", BAD, ids=lambda words: " ".join(words)[:40])
def test_bad_input_is_a_sentence(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Searches give up sooner than usual, to be quick about it.
    monkeypatch.setattr(Search.__init__, "__defaults__", (False, 20_000))
    code, sentence = BAD[arguments]
    out, err, found = piped(arguments)
    assert (out, found) == ("", code)
    assert sentence in err
    assert "Traceback" not in err


def test_a_certificate_of_rubbish(tmp_path: Path) -> None:
    path = tmp_path / "rubbish"
    for text in (b"\xff\xfe", b"{}", b"[1]", b'{"format": "x"}', b"\x00" * 100, b"[" * 5000):
        path.write_bytes(text)
        out, err, code = piped(["check", str(path)])
        assert (out, code) == ("", 1)
        assert err.count("\n") == 1
