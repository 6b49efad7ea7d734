"""Tokens, codes and names: what they look like, and what can be told from them."""

from __future__ import annotations

import base64
import re
from itertools import product
from random import Random

from numduel import Board
from numduel.match import Setup
from numduel.players import PERSON, player_words
from numduel.rooms import changes, is_code, is_token, new_token
from numduel.rooms.names import ADJECTIVES, ANIMALS, two_names
from numduel.rooms.tokens import hashed, is_class_code, new_class_code, new_code
from rooms.opened import ANN, NOW, terms_of


def test_tokens_have_128_bits() -> None:
    tokens = [new_token() for _ in range(200)]
    assert len(set(tokens)) == 200
    raw = [base64.urlsafe_b64decode(f"{token}==") for token in tokens]
    assert {len(token) for token in raw} == {16}
    for place in range(128):
        bits = {token[place // 8] >> place % 8 & 1 for token in raw}
        assert bits == {0, 1}, f"bit {place} is always the same"
    assert all(map(is_token, tokens))


def test_codes_are_easy_to_read_out() -> None:
    codes = [new_code() for _ in range(200)]
    assert len(set(codes)) == 200
    assert all(map(is_code, codes))
    assert not set("01ilo") & set("".join(codes))


def test_codes_of_classes_spell_nothing() -> None:
    codes = [new_class_code() for _ in range(500)]
    assert len(set(codes)) > 490
    assert all(map(is_class_code, codes))
    assert not any(map(is_code, codes))
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
    assert rooms[0].kept.tokens[0] != rooms[1].kept.tokens[0]
    assert rooms[0].kept.host != rooms[1].kept.host
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


def test_a_computer_is_called_so() -> None:
    assert two_names(("level:3", "person"), Random(1))[0] == "Iris"
    assert two_names(("person", "perfect"), Random(1))[1] == "Perfect"
    assert two_names(("random", "random"), Random(1)) == ("Dice 1", "Dice 2")
