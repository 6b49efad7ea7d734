"""Tokens, codes and names: what they look like, what is shown of them, and whose they are."""

import base64
import re
from itertools import product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from numduel import Board
from numduel.match import Setup
from numduel.players import PERSON, player_words
from numduel.rooms import Rematch, Resign, Room, changes, is_code, is_token, new_token
from numduel.rooms.names import ADJECTIVES, ANIMALS, clean_name, two_names, with_name
from numduel.rooms.tokens import hashed, is_class_code, new_class_code, new_code
from rooms.opened import ANN, BEN, NOW, Servers, do, sit, terms_of

MADE = ("Calm Otter", "Swift Fox")


SHOWN = {
    "-2-3": "2-3",
    " .-Ada": "Ada",
    "\ufe637-7": "7-7",
    "'Umar": "'Umar",
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


def test_names_are_kept(servers: Servers) -> None:
    here, later = servers(), servers()
    room = here.open(terms_of("divisor-duel:60"), ANN, 0, "Anna")
    assert named(room)[0] == "Anna"
    assert named(sit(here, room.code, BEN, "Ben")) == ["Anna", "Ben"]
    assert named(sit(here, room.code, BEN, "Eve")) == ["Anna", "Ben"], "who sits keeps the name"
    for token, action in ((ANN, Resign()), (ANN, Rematch()), (BEN, Rematch())):
        do(here, room.code, token, action)
    assert named(later.look(room.code)) == ["Anna", "Ben"]
    assert later.replay(room.replay).setup.names == ("Anna", "Ben")
    watched = here.open(terms_of("divisor-duel:60"), ANN, None, "Anna")
    assert "Anna" not in named(watched), "who only looks on has no seat to name"


def test_tokens_have_128_bits() -> None:
    tokens = [new_token() for _ in range(200)]
    assert len(set(tokens)) == 200
    raw = [base64.urlsafe_b64decode(f"{token}==") for token in tokens]
    assert {len(token) for token in raw} == {16}
    for place in range(128):
        bits = {token[place // 8] >> place % 8 & 1 for token in raw}
        assert bits == {0, 1}, f"bit {place} is always the same"
    assert all(map(is_token, tokens))


def test_codes_are_easy_to_read_out_and_those_of_classes_spell_nothing() -> None:
    for make, is_one, other, least in (
        (new_code, is_code, is_class_code, 200),
        (new_class_code, is_class_code, is_code, 490),
    ):
        codes = [make() for _ in range(200 if make is new_code else 500)]
        assert len(set(codes)) >= least
        assert all(map(is_one, codes))
        assert not any(map(other, codes))
        assert not set("01ilo") & set("".join(codes))
    assert not [code for code in codes if re.search("[a-z]{3}", code)]
    assert not any(map(is_class_code, ["", "2a3", "2A3B4", "2a3b4c", "2a3b4\n", "1a2b3"]))


def test_other_texts_are_no_codes_and_no_tokens() -> None:
    for text in ("", "x", "a" * 9, "a" * 11, "A" * 10, "abcdefghi\n", "\xe4" * 10, "../../../x",
                 "0" * 10, "\0" * 10, "a" * 10 + "\n"):  # fmt: skip
        assert not is_code(text)
    for text in ("", "x", "a" * 21, "a" * 23, "a" * 22 + "\n", "\xe4" * 22, "a" * 21 + "=",
                 " " * 22, "\0" * 22):  # fmt: skip
        assert not is_token(text)


def test_seats_of_one_person_cannot_be_linked() -> None:
    rooms = [changes.opened(terms_of("divisor-duel:60"), ("A", "B"), ANN, 0, NOW) for _ in "ab"]
    assert rooms[0].tokens[0] != rooms[1].tokens[0]
    assert rooms[0].host != rooms[1].host
    assert all(room.seat_of(ANN) == 0 for room in rooms)
    assert ANN not in repr(rooms), "who sees the database sees no token"
    assert re.fullmatch("[0-9a-f]{64}", hashed("code", ANN))
    assert hashed("code", ANN) == hashed("code", ANN)


def test_no_name_is_refused_or_given_twice() -> None:
    board = Board.parse("divisor-duel:60")
    for first, second, seed in product(player_words(), player_words(), range(5)):
        names = two_names((first, second), Random(seed))
        Setup(board, names)
        assert names[0].casefold() != names[1].casefold()
    for adjective, animal in product(ADJECTIVES, ANIMALS):
        Setup(board, (f"{adjective} {animal}", "Perfect"))
    for words in (ADJECTIVES, ANIMALS):
        assert len({*words}) == len(words) > 50
    for seed in range(200):
        one, two = (name.split() for name in two_names((PERSON, PERSON), Random(seed)))
        assert (one[0] == two[0], one[1] == two[1]) == (False, False)
    assert two_names(("level:3", "person"), Random(1))[0] == "Iris"
    assert two_names(("person", "perfect"), Random(1))[1] == "Perfect"
    assert two_names(("random", "random"), Random(1)) == ("Dice 1", "Dice 2")
