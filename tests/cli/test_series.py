"""A series that is left at any point goes on by `numduel resume` as if nothing had happened."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from soaking import SOAK
from terminal import Terminal, piped

SERIES = {
    "it goes to the third match": (
        ["subtract-a-prime", "--start", "4", "--best-of", "3"],
        ["3", "3", "2", "2"],
        1,
    ),
    "it is decided early": (
        ["subtract-a-prime", "--start", "4", "--best-of", "5", "--names", "Ann,Bo"],
        ["3", "2", "2", "3"],
        1,
    ),
    "player 2 begins": (
        ["divisor-duel", "--start", "8", "--best-of", "3", "--first", "2"],
        ["2", "3", "4", "2", "resign"],
        1,
    ),
    "with a welcome and a penalty": (
        ["power-play", "--start", "12", "--penalty", "1", "--best-of", "3"],
        ["2", "x", "2", "3", "resign", "3", "2", "2"],
        1,
    ),
    "it asks who begins": (
        ["digit-subtraction-duel", "--best-of", "3"],
        ["25", "Player 2", "2", "3", "resign", "resign", "2", "resign"],
        3,
    ),
}


@pytest.mark.soak("rest", short=True)
@pytest.mark.parametrize("place", ["sqlite", "postgresql"] if SOAK else ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", SERIES)
def test_a_series_goes_on_where_its_input_ended(place: str, name: str) -> None:
    arguments, lines, first_cut = SERIES[name]
    whole, _, code = piped(["play", *arguments, "--no-save"], _typed(lines))
    assert code == 0
    assert whole.endswith("wins the series!\n")
    for cut in range(first_cut, len(lines)):
        before, _, code = piped(
            ["play", *arguments], _typed(lines[:cut]), NUMDUEL_DATABASE_URL=place
        )
        assert code == 1, "the input ended too early"
        shown = before.removesuffix("\n")
        assert whole.startswith(shown)
        after, err, code = piped(["resume"], _typed(lines[cut:]), NUMDUEL_DATABASE_URL=place)
        assert (err, code) == ("", 0)
        assert after.endswith(whole[len(shown) :]), f"left after {lines[:cut]}"
        assert "in a best of" in after.split("\n")[0]
        _, err, code = piped(["resume"], "", NUMDUEL_DATABASE_URL=place)
        assert (err, code) == ("numduel: There is no unfinished match.\n", 1)


LEAVE: dict[str, Callable[[Terminal], object]] = {
    "killed": Terminal.kill,
    "quit": lambda terminal: terminal.type("quit"),
    "Ctrl-C": Terminal.interrupt,
    "Ctrl-D": lambda terminal: terminal.press(b"\x04"),
}


@pytest.mark.parametrize("cut", [1, 2, 3], ids=["after match 1", "after match 2", "in match 3"])
def test_a_series_goes_on_after_a_kill(place: str, cut: int) -> None:
    leave_and_go_on(place, cut, "killed")


@pytest.mark.parametrize("leave", LEAVE)
def test_a_series_goes_on_after_any_way_of_leaving(tmp_path: Path, leave: str) -> None:
    leave_and_go_on(str(tmp_path / "history.sqlite3"), 1, leave)


def leave_and_go_on(place: str, cut: int, leave: str) -> None:
    """Leave a series of three matches after so many lines, and play it to its end."""
    series = ["play", "subtract-a-prime", "--start", "4", "--best-of", "3"]
    lines = ["3", "3", "2", "2"]
    with Terminal(*series, NUMDUEL_DATABASE_URL=place) as terminal:
        for line in lines[:cut]:
            terminal.type(line)
        terminal.wait_for_prompt()
        LEAVE[leave](terminal)
        if leave != "killed":
            terminal.end()
    with Terminal("resume", NUMDUEL_DATABASE_URL=place) as terminal:
        for line in lines[cut:]:
            terminal.type(line)
        assert terminal.end() == 0
        seen = terminal.screen
    tallies = ["1 of 3: Player 1 1, Player 2 0", "2 of 3: Player 1 1, Player 2 1"]
    tallies = [*tallies[min(cut, 2) - 1 :], "3 of 3: Player 1 1, Player 2 2"]
    assert [line for line in seen.split("\n") if line.startswith("Tally")] == [
        f"Tally after match {tally}." for tally in tallies
    ]
    assert seen.endswith("Player 2 wins the series!\n")


@pytest.mark.soak("kills", short=True)
def test_no_ctrl_c_is_lost(tmp_path: Path) -> None:
    """Pressed as the prompt appears, on a busy machine; once it was lost in 2 of 100 tries."""

    def leave(number: int) -> int:
        place = str(tmp_path / f"{number % 6}.sqlite3")
        here = {"NUMDUEL_DATABASE_URL": place, "TERM": ("xterm", "dumb")[number % 2]}
        with Terminal("play", "subtract-a-prime:4", **here) as terminal:
            terminal.type("2")
            terminal.interrupt()
            return terminal.end()

    with ThreadPoolExecutor(6) as hands:
        assert set(hands.map(leave, range(300 if SOAK else 6))) == {130}


def history(place: str, *arguments: str) -> str:
    out, _, _ = piped(["history", *arguments], "", NUMDUEL_DATABASE_URL=place)
    return out


def test_the_history_says_which_match_of_a_series_it_was(tmp_path: Path) -> None:
    place = str(tmp_path / "history.sqlite3")
    series = ["play", "subtract-a-prime:4", "--best-of", "3"]
    piped(series, "3\n3\n2\nquit\n", NUMDUEL_DATABASE_URL=place)
    piped(["play", "subtract-a-prime:4"], "3\n", NUMDUEL_DATABASE_URL=place)
    lines = history(place).splitlines()
    assert [line.partition("turn")[2] for line in lines] == [
        ". Match 1 in a best of 3.", ". Match 2 in a best of 3.", ". Match 3 in a best of 3.", ".",
    ]  # fmt: skip
    assert [match["series"] for match in json.loads(history(place, "--json"))] == [
        {"match": 1, "of": 3, "wins": [0, 0]},
        {"match": 2, "of": 3, "wins": [1, 0]},
        {"match": 3, "of": 3, "wins": [1, 1]},
        None,
    ]


def test_the_latest_match_is_one_that_was_played(tmp_path: Path) -> None:
    place = str(tmp_path / "history.sqlite3")
    piped(["play", "subtract-a-prime:4", "--best-of", "3"], "3\n", NUMDUEL_DATABASE_URL=place)
    assert "unfinished after 0 turns" in history(place)
    out, _, _ = piped(["share"], "", NUMDUEL_DATABASE_URL=place)
    assert "subtract-a-prime:4/3" in out


def test_a_series_that_is_not_saved_leaves_nothing_behind(tmp_path: Path) -> None:
    place = tmp_path / "history.sqlite3"
    series = ["play", "subtract-a-prime:4", "--best-of", "3", "--no-save"]
    piped(series, "3\n", NUMDUEL_DATABASE_URL=str(place))
    assert not place.exists()


def _typed(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
