"""Names that people give: what is shown of them, and whose they never are."""

from __future__ import annotations

from unicodedata import bidirectional, category

from hypothesis import given, settings
from hypothesis import strategies as st

from numduel import Board
from numduel.match import Setup
from numduel.rooms import Play, Rematch, Resign, Room, changes
from numduel.rooms.names import LONGEST, clean_name, with_name
from rooms.opened import ANN, BEN, NOW, after, do, played, terms_of
from rooms.servers import Servers

MADE = ("Calm Otter", "Swift Fox")


SHOWN = {
    "Anna": "Anna",
    "  Mary   Ann ": "Mary Ann",
    "O'Neil": "O'Neil",
    "J.-P.": "J.-P.",
    "Zoe\u0308": "Zo\u00eb",
    "\u0410\u043d\u043d\u0430": "\u0410\u043d\u043d\u0430",
    "\u0939\u093f\u0902\u0926\u0940": "\u0939\u093f\u0902\u0926\u0940",
    "\u674e\u96f7": "\u674e\u96f7",
    "<b>Bo</b>": "bBob",
    "Bo, the &amp; 1st": "Bo the amp 1st",
    "Bo\u202egnik": "Bognik",
    "B\x00o\x1b[31m\n": "Bo31m",
    "Z\u0301\u0302\u0303\u0304\u0305": "\u0179\u0302\u0303",
    "\u3164\u115f\ufe0f\u200b": "",
    "...": "",
    "\U0001f600": "",
    "x" * 500: "x" * 20,
}


def test_what_is_shown_of_a_name() -> None:
    assert {given: clean_name(given) for given in SHOWN} == SHOWN


@settings(max_examples=50)
@given(st.text(max_size=300))
def test_whatever_is_given_can_be_shown(text: str) -> None:
    name = clean_name(text)
    assert len(name) <= LONGEST
    assert name.isprintable()
    assert name == name.strip()
    assert not set(name) & set('<>&"`,/\\{}=')
    assert not {category(sign)[0] for sign in name} & {"C", "S"}
    turning = {"RLE", "LRE", "RLO", "LRO", "PDF", "RLI", "LRI", "FSI", "PDI"}
    assert not {bidirectional(sign) for sign in name} & turning
    assert clean_name(name) == name or len(name) == LONGEST


@given(st.text(max_size=60), st.text(max_size=60))
def test_two_players_always_have_two_names(one: str, two: str) -> None:
    names = with_name(with_name(MADE, 0, one), 1, two)
    Setup(Board.parse("divisor-duel:60"), names)


def test_a_name_that_cannot_be_used_is_the_one_by_chance() -> None:
    for wanted in ("", " ", "Swift Fox", "swift-fox", "SWIFT  FOX.", "1", "undo", "Player 2", "<>"):
        assert with_name(MADE, 0, wanted) == MADE
    assert with_name(MADE, 0, "Anna") == ("Anna", "Swift Fox")
    assert with_name(MADE, 1, "Anna") == ("Calm Otter", "Anna")


def named(room: Room) -> list[str]:
    return [seat.name for seat in room.seats]


def test_who_sits_down_says_a_name() -> None:
    room = changes.opened(terms_of("divisor-duel:60"), ("Ann", "Swift Fox"), ANN, 0, NOW)
    sat = changes.sit(room, BEN, NOW, "Ben")
    assert sat is not None
    assert named(sat) == ["Ann", "Ben"]
    assert changes.sit(sat, BEN, NOW, "Eve") is None, "who sits there keeps the name"
    alike = changes.sit(room, BEN, NOW, "ann")
    assert alike is not None
    assert named(alike) == ["Ann", "Swift Fox"]
    round_2 = after(after(after(sat, 0, Resign()), 0, Rematch()), 1, Rematch())
    assert named(played(round_2, "15")) == ["Ann", "Ben"]


def test_names_are_kept(servers: Servers) -> None:
    here, later = servers(), servers()
    room = here.open(terms_of("divisor-duel:60"), ANN, 0, "Anna")
    assert named(room)[0] == "Anna"
    assert named(here.sit(room.code, BEN, "Ben")) == ["Anna", "Ben"]
    do(here, room.code, ANN, Play("15"))
    assert named(later.look(room.code)) == ["Anna", "Ben"]
    assert later.replay(room.replay).setup.names == ("Anna", "Ben")
    watched = here.open(terms_of("divisor-duel:60"), ANN, None, "Anna")
    assert "Anna" not in named(watched), "who only looks on has no seat to name"
