"""`numduel solve` and `numduel check`, as people and programs use them."""

from __future__ import annotations

import json
from pathlib import Path

from terminal import run


def solved(*arguments: str) -> dict[str, object]:
    fields: dict[str, object] = json.loads(run("solve", *arguments, "--json"))
    return fields


def test_json() -> None:
    whole = ("divisor-duel:60", False, "win", 2, ["3", "5", "15"], True, "theorem",
             "Proved for every number.")  # fmt: skip
    assert tuple(solved("divisor-duel:60").values()) == whole
    for most, moves in (("2", ["3", "5"]), ("0", [])):
        few = solved("divisor-duel:60", "--moves", most)
        assert (few["winning_moves"], few["complete"]) == (moves, False)
    lost = solved("subtract-a-prime:25")
    assert (lost["outcome"], lost["winning_moves"], lost["complete"]) == ("loss", [], True)
    assert solved("subtract-a-prime:20+divisor-duel:60")["winning_moves"] == ["1:7"]
    assert solved("subtract-a-prime:10+divisor-duel:38")["winning_moves"] == ["1:7", "2:19"]
    by_option, by_board = solved("divisor-duel:60", "--misere"), solved("divisor-duel:60~misere")
    assert by_option["misere"] is by_board["misere"] is True
    assert by_option["grundy"] is None
    assert by_option["winning_moves"] == by_board["winning_moves"] != ["3", "5", "15"]


def test_in_words_that_say_misere_and_what_is_only_believed() -> None:
    assert run("solve", "digit-subtraction-duel:25") == (
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
    assert "Winning moves" not in run("solve", "subtract-a-prime:1", "--misere")
    fields = solved("subtract-a-prime:500000000000002")
    assert fields["method"] == "table"
    assert "Grundy value: Believed" in str(fields["holds"])
    said = run("solve", "subtract-a-prime:500000000000002", "--moves", "0")
    assert f"\nGrundy value: {fields['grundy']}. Believed at this size" in said
    assert said.count("Grundy value") == 1
    out = run("solve", f"subtract-a-prime:{10**99 + 7}", "--why")
    assert "Go down from 100000...000007 (100 digits) by twos" in out
    assert "How this is known: conjecture. Believed at this size" in out
    assert max(map(len, out.split("\n"))) < 320


CERTIFIED = ["divisor-duel:60", "subtract-a-prime:25", f"subtract-a-prime:{10**60 + 1}"]


def test_a_certificate_is_written_and_holds(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    for board in CERTIFIED:
        assert f"Certificate: {path}" in run("solve", board, "--certificate", str(path))
        said = run("check", str(path))
        assert said.startswith("The certificate holds: the player to move ")
        text = path.read_text()
        report = json.loads(run("check", "-", "--json", typed=text))
        assert report["outcome"] == solved(board)["outcome"]
        if board.startswith("subtract-a-prime:1000"):
            assert "five-even-losses" in [claim["name"] for claim in report["relies_on"]]
        other = "loss" if report["outcome"] == "win" else "win"
        path.write_text(text.replace(f'"{report["outcome"]}"', f'"{other}"', 1))
        said = run("check", str(path), code=1)
        assert said.startswith("numduel: The certificate does not prove what it claims: ")
    for rubbish in (b"\xff\xfe", b"{}", b"[1]", b'{"format": "x"}', b"\x00" * 100, b"[" * 5000):
        path.write_bytes(rubbish)
        assert run("check", str(path), code=1).count("\n") == 1
