"""What a prankster tries: names, votes, and what only teachers may do."""

from __future__ import annotations

import unicodedata
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classes.taught import BOARD, PLAN, Taught, class_of, refused
from numduel import Board
from numduel.classes import Classes, WrongCodes, roster
from numduel.classes.discussion import LARGEST_GUESS
from numduel.errors import (
    IllegalMove,
    NotAllowed,
    NotSeated,
    NumduelError,
    TooManyDigits,
    UnknownClass,
    UnreadableText,
)
from numduel.match import Setup
from numduel.rooms import Play, new_token

HOSTILE = (
    "<script>alert(1)</script>", "<b>Mia</b>", "&amp;", "\u202eaiM", "Mia\u200f",
    "M\u0301\u0301\u0301a", "x" * 500, "", "   ", "\u3164", "\0", "Mia\nBen", "player 2",
    "Player 1", "Iris", "a, b", "'; DROP", "👑", "Ǆ", "ﬁ" * 30, "\ud800",
)  # fmt: skip


def check_name(name: str) -> None:
    """Short, in plain letters on one line, and a name that a match takes."""
    assert 1 <= len(name) <= 20
    assert name == " ".join(name.split())
    kinds = {unicodedata.category(sign)[0] for sign in name if sign not in " -'’."}
    assert kinds <= {"L", "M", "N"}, name
    assert not [sign for sign in name if unicodedata.bidirectional(sign) in ("RLO", "LRO", "RLE")]
    for names in ((name, "Somebody else"), ("Somebody else", name)):
        Setup(BOARD, names)


@given(st.lists(st.text(max_size=600) | st.sampled_from(HOSTILE), max_size=8))
def test_any_text_makes_a_name_of_its_own(texts: list[str]) -> None:
    school_class = roster.opened(new_token(), 0.0)
    for text in texts:
        school_class = roster.joined(school_class, new_token(), text, Random(1))
    names = [pupil.name for pupil in school_class.pupils]
    for name in names:
        check_name(name)
    assert len({name.casefold() for name in names}) == len(texts)


@class_of()
async def test_hostile_names_play(taught: Taught) -> None:
    tokens = [new_token() for _ in HOSTILE]
    for token, name in zip(tokens, HOSTILE, strict=True):
        seen = await taught.classes.join(taught.code, token, name)
        assert seen.me is not None
        check_name(seen.me.name)
    await taught.teach("start_round", PLAN)
    await taught.teach("start_round", PLAN._replace(opponent="level:3"))
    await taught.classes.rename(taught.code, taught.teacher, 1, "Iris")
    await taught.classes.rename(taught.code, taught.teacher, 2, "<i>")
    assert len({pupil.name for pupil in (await taught.look()).pupils}) == len(HOSTILE)


TEACHING: dict[str, tuple[Any, ...]] = {
    "rename": (1, "Rude"),
    "remove": (1,),
    "invite": (),
    "wall": (),
    "wall_version": (),
    "learned": (),
    "end": (),
    "start_round": (1, PLAN),
    "next_round": (1,),
    "pause": (1,),
    "resume": (1,),
    "close": (1,),
    "end_round": (1,),
    "ask": (1, BOARD),
    "show_next": (1,),
    "show_map": (1, "divisor-duel"),
    "unveil": (1,),
}
PUPILS_TOO: dict[str, tuple[Any, ...]] = {
    "vote": (1, "30"),
    "guess": (7, True),
    "records": (),
}
FOR_ALL = {"open", "look", "join", "let_in"}


def test_every_call_is_for_somebody() -> None:
    calls = {name for name in vars(Classes) if not name.startswith("_")}
    assert calls == {*TEACHING, *PUPILS_TOO, *FOR_ALL}


@class_of("Ann", "Ben")
async def test_only_teachers_teach(taught: Taught) -> None:
    other = Taught(taught.lobby, "", new_token())
    other.code = (await taught.classes.open(other.teacher)).code
    await other.join("Eve")
    await taught.teach("start_round", PLAN)
    before, rooms = await taught.look(), await taught.rooms()
    forged = [None, new_token(), other.teacher, other.tokens["Eve"], ""]
    for token in (*forged, taught.tokens["Ann"]):
        for name, values in TEACHING.items():
            with pytest.raises(NotSeated) as caught:
                await getattr(taught.classes, name)(taught.code, token, *values)
            assert caught.value.needs == "teacher"
    for token in (*forged, taught.teacher):
        for name, values in PUPILS_TOO.items():
            if (name, token) != ("records", taught.teacher):
                with pytest.raises(NotSeated) as caught:
                    await getattr(taught.classes, name)(taught.code, token, *values)
                assert caught.value.needs == "pupil"
    assert (await taught.look(), await taught.rooms()) == (before, rooms), "all in vain"
    (room,) = rooms
    for token in (*forged, taught.teacher):
        with pytest.raises(NotSeated):
            await taught.lobby.act(room.code, token, room.version, Play("30"))


@class_of("Ann")
async def test_an_invitation_is_good_for_one(taught: Taught) -> None:
    classes, code, helper = taught.classes, taught.code, new_token()
    first = await classes.invite(code, taught.teacher)
    secret = await classes.invite(code, taught.teacher)
    for wrong in (first, "", taught.teacher, secret.lower() + "x"):
        with refused("invitation"):
            await classes.let_in(code, helper, wrong)
    assert (await classes.let_in(code, helper, secret)).teaches
    assert (await classes.let_in(code, helper, secret)).teaches, "pressed twice"
    with pytest.raises(NotAllowed):
        await classes.let_in(code, taught.tokens["Ann"], secret)
    version = (await classes.look(code, helper)).version
    await classes.pause(code, helper, version)
    with refused("class moved on"):  # the other teacher was quicker
        await classes.resume(code, taught.teacher, version)
    with refused("teacher joins"):
        await classes.join(code, helper, "Me too")


@class_of("Ann", "Ben")
async def test_one_vote_a_legal_move_shown_when_the_teacher_shows_it(taught: Taught) -> None:
    async def vote(name: str, question: int, move: str) -> None:
        await taught.classes.vote(taught.code, taught.tokens[name], question, move)

    with refused("voting is over"):
        await vote("Ann", 1, "30")
    await taught.teach("ask", BOARD)
    wrong: list[tuple[str, type[NumduelError]]] = [
        ("7", IllegalMove), ("<b>", UnreadableText), ("", UnreadableText),
        ("9" * 500, TooManyDigits), ("-30", UnreadableText),
    ]  # fmt: skip
    for move, error in wrong:
        with pytest.raises(error):
            await vote("Ann", 1, move)
    for _ in range(3):
        await vote("Ann", 1, "30")
        await vote("Ann", 1, " 20 ")
    assert (await taught.look("Ben")).votes == {}
    assert (await taught.look("Ann")).vote_of(1) == "20"
    assert (await taught.look("Ann")).votes == (await taught.look()).votes == {"20": 1}
    await taught.teach("show_next")
    assert (await taught.look("Ben")).votes == {"20": 1}
    assert (await taught.look("Ben")).vote_of(1) is None
    for question in (1, 2):
        with refused("voting is over"):
            await vote("Ben", question, "30")
    for _ in range(4):
        seen = await taught.teach("show_next")
    assert seen.question is not None
    assert seen.question.shown == 3, "votes, reply, reason, and no more"
    await taught.teach("ask", BOARD)
    assert (await taught.look()).votes == {}, "another question, other votes"
    await taught.teach("resume")
    with refused("voting is over"):
        await vote("Ann", 2, "30")
    with refused("over"):
        await taught.teach("ask", Board.parse("divisor-duel:1"))


@class_of("Ann")
async def test_guesses_are_one_a_number_and_within_reason(taught: Taught) -> None:
    classes, code, ann = taught.classes, taught.code, taught.tokens["Ann"]
    with pytest.raises(NotAllowed):
        await classes.guess(code, ann, 7, True)
    await taught.teach("show_map", "divisor-duel")
    for value in (0, -1, LARGEST_GUESS + 1, 10**30):
        with pytest.raises(NotAllowed):
            await classes.guess(code, ann, value, True)
    for value in (1, LARGEST_GUESS):
        assert (await classes.guess(code, ann, value, True)).guesses
        await classes.guess(code, ann, value, None)
    await classes.guess(code, ann, 7, False)
    seen = await classes.guess(code, ann, 7, True)
    assert [(guess.value, guess.trap) for guess in seen.guesses] == [(7, True)]
    again = await classes.guess(code, ann, 7, True)
    assert again.kept == seen.kept, "sent again, it changes nothing"
    for _ in range(2):
        assert (await classes.guess(code, ann, 7, None)).guesses == ()
    await classes.guess(code, ann, 7, True)
    await taught.teach("show_map", "power-play")
    assert (await taught.look()).guesses == (), "another game, other guesses"
    await taught.teach("show_map", "divisor-duel")
    assert len((await taught.look()).guesses) == 1
    await taught.teach("unveil")
    with pytest.raises(NotAllowed):
        await classes.guess(code, ann, 8, True)


@class_of()
async def test_codes_of_no_class(taught: Taught) -> None:
    taught.classes = Classes(taught.lobby, WrongCodes(1000, 1))
    for code in ("", "x", "2A3B4", "../..", "2a3b4c5d6e", "\0" * 5, "2a3b4"):
        for name, values in {**TEACHING, **PUPILS_TOO, "look": (), "join": ()}.items():
            with pytest.raises(UnknownClass):
                await getattr(taught.classes, name)(code, taught.teacher, *values)
