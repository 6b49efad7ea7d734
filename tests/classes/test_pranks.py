"""What a prankster tries: names, votes, and what only teachers may do."""

from __future__ import annotations

import unicodedata
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classes.taught import BOARD, PLAN, Taught, class_of
from numduel import Board, errors
from numduel.classes import Classes, WrongCodes, roster
from numduel.classes.actions import Action, Close, EndRound, NextRound, Pause, Resume, StartRound
from numduel.classes.discussion import Ask, CastVote, GuessTrap, ShowMap, ShowNext, Unveil
from numduel.classes.roster import Invite, Join, LetIn, Remove, Rename
from numduel.classes.rounds import Rounds
from numduel.classes.school_class import LARGEST
from numduel.match import Setup
from numduel.rooms import Play, new_token
from rooms.opened import refused

HOSTILE = (
    "<script>alert(1)</script>", "<b>Mia</b>", "&amp;", "\u202eaiM", "Mia\u200f",
    "M\u0301\u0301\u0301a", "x" * 500, "", "   ", "\u3164", "\0", "Mia\nBen", "player 2",
    "Player 1", "Iris", "a, b", "'; DROP", "👑", "Ǆ", "ﬁ" * 30, "\ud800",
)  # fmt: skip


def check_name(name: str) -> None:
    assert 1 <= len(name) <= 20
    assert name == " ".join(name.split())
    kinds = {unicodedata.category(sign)[0] for sign in name if sign not in " -'’."}
    assert kinds <= {"L", "M", "N"}, name
    assert not [sign for sign in name if unicodedata.bidirectional(sign) in ("RLO", "LRO", "RLE")]
    for names in ((name, "Somebody else"), ("Somebody else", name)):
        Setup(BOARD, names)


NO_ROUNDS = Rounds(cast("Any", None), cast("Any", None))


@given(st.lists(st.text(max_size=600) | st.sampled_from(HOSTILE), max_size=8))
def test_any_text_makes_a_name_of_its_own(texts: list[str]) -> None:
    school_class = roster.opened(new_token(), 0.0)
    for text in texts:
        school_class = Join(text).apply(school_class, NO_ROUNDS, new_token())
    names = [pupil.name for pupil in school_class.pupils]
    for name in names:
        check_name(name)
    assert len({name.casefold() for name in names}) == len(texts)


@class_of()
async def test_hostile_names_play(taught: Taught) -> None:
    await taught.join(*HOSTILE)
    for pupil in (await taught.look()).pupils:
        check_name(pupil.name)
    await taught.teach(StartRound(PLAN))
    await taught.teach(StartRound(PLAN._replace(opponent="level:3")))
    await taught.teach(Rename(1, "Iris"))
    await taught.teach(Rename(2, "<i>"))
    assert len({pupil.name for pupil in (await taught.look()).pupils}) == len(HOSTILE)


TEACHING = (
    *(Rename(1, "Rude"), Remove(1), Invite("secret"), StartRound(PLAN), NextRound(), EndRound()),
    *(Pause(), Resume(), Close(), Ask(BOARD), ShowNext(), ShowMap("divisor-duel"), Unveil()),
)
PUPILS_TOO = (CastVote(1, "30"), GuessTrap(7, True))
FOR_ALL = (Join(), LetIn("secret"))
ACTIONS = (*TEACHING, *PUPILS_TOO, *FOR_ALL)
READ_BY_TEACHERS = ("wall", "wall_version", "learned", "end")


def test_every_action_is_for_somebody() -> None:
    listed = {type(action).__name__ for action in ACTIONS}
    assert listed == {kind.__name__ for kind in Action.__subclasses__()}
    calls = {name for name in vars(Classes) if not name.startswith("_")}
    assert calls == {*READ_BY_TEACHERS, "open", "look", "seen", "act"}


@class_of("Ann", "Ben")
async def test_only_teachers_teach(taught: Taught) -> None:
    other = Taught(taught.lobby, "", new_token())
    other.code = (await taught.classes.open(other.teacher)).code
    await other.join("Eve")
    await taught.teach(StartRound(PLAN))
    before, rooms = await taught.look(), await taught.rooms()
    forged = [None, new_token(), other.teacher, other.tokens["Eve"], ""]
    cases: list[tuple[str, list[str | None], tuple[Action, ...], tuple[str, ...]]] = [
        ("teacher", [*forged, taught.tokens["Ann"]], TEACHING, READ_BY_TEACHERS),
        ("pupil", forged, PUPILS_TOO, ()),
        ("pupil", [taught.teacher], PUPILS_TOO, ()),
    ]
    for needs, tokens, actions, reads in cases:
        for token in tokens:
            calls = [taught.classes.act(taught.code, token, 1, action) for action in actions]
            calls += [getattr(taught.classes, name)(taught.code, token) for name in reads]
            if needs == "pupil" and token in forged:
                calls.append(taught.classes.seen(taught.code, token, "divisor-duel"))
            for call in calls:
                with pytest.raises(errors.NotSeated) as caught:
                    await call
                assert caught.value.needs == needs
    assert (await taught.look(), await taught.rooms()) == (before, rooms), "all in vain"
    (room,) = rooms
    for token in (*forged, taught.teacher):
        with pytest.raises(errors.NotSeated):
            await taught.lobby.act(room.code, token, room.version, Play("30"))


@class_of("Ann")
async def test_an_invitation_is_good_for_one(taught: Taught) -> None:
    classes, code, helper = taught.classes, taught.code, new_token()
    first = await taught.invite()
    secret = await taught.invite()
    for wrong in (first, "", taught.teacher, secret.lower() + "x"):
        with refused("invitation"):
            await classes.act(code, helper, 0, LetIn(wrong))
    assert (await classes.act(code, helper, 0, LetIn(secret))).teaches
    assert (await classes.act(code, helper, 0, LetIn(secret))).teaches, "pressed twice"
    with pytest.raises(errors.NotAllowed):
        await classes.act(code, taught.tokens["Ann"], 0, LetIn(secret))
    version = (await classes.look(code, helper)).version
    await classes.act(code, helper, version, Pause())
    with refused("class moved on"):  # the other teacher was quicker
        await classes.act(code, taught.teacher, version, Resume())
    with refused("teacher joins"):
        await classes.act(code, helper, 0, Join("Me too"))


@class_of("Ann", "Ben")
async def test_one_vote_a_legal_move_shown_when_the_teacher_shows_it(taught: Taught) -> None:
    async def vote(name: str, question: int, move: str) -> None:
        await taught.do(name, CastVote(question, move))

    with refused("voting is over"):
        await vote("Ann", 1, "30")
    await taught.teach(Ask(BOARD))
    wrong: list[tuple[str, type[errors.NumduelError]]] = [
        ("7", errors.IllegalMove), ("<b>", errors.UnreadableText), ("", errors.UnreadableText),
        ("9" * 500, errors.TooManyDigits), ("-30", errors.UnreadableText),
    ]  # fmt: skip
    for move, error in wrong:
        with pytest.raises(error):
            await vote("Ann", 1, move)
    for _ in range(3):
        await vote("Ann", 1, "30")
        await vote("Ann", 1, " 20 ")
    before = await taught.look()
    await vote("Ann", 1, "20")
    assert await taught.look() == before, "sent again, it changes nothing"
    assert (await taught.look("Ben")).votes == {}
    assert (await taught.look("Ann")).vote_of(1) == "20"
    assert (await taught.look("Ann")).votes == (await taught.look()).votes == {"20": 1}
    await taught.teach(ShowNext())
    assert (await taught.look("Ben")).votes == {"20": 1}
    assert (await taught.look("Ben")).vote_of(1) is None
    for question in (1, 2):
        with refused("voting is over"):
            await vote("Ben", question, "30")
    for _ in range(4):
        seen = await taught.teach(ShowNext())
    assert seen.question is not None
    assert seen.question.shown == 3, "votes, reply, reason, and no more"
    await taught.teach(Ask(BOARD))
    assert (await taught.look()).votes == {}, "another question, other votes"
    await taught.teach(Resume())
    with refused("voting is over"):
        await vote("Ann", 2, "30")
    with refused("over"):
        await taught.teach(Ask(Board.parse("divisor-duel:1")))


@class_of("Ann")
async def test_guesses_are_one_a_number_and_within_reason(taught: Taught) -> None:
    with pytest.raises(errors.NotAllowed):
        await taught.do("Ann", GuessTrap(7, True))
    await taught.teach(ShowMap("divisor-duel"))
    for value in (0, -1, LARGEST + 1, 10**30):
        with pytest.raises(errors.NotAllowed):
            await taught.do("Ann", GuessTrap(value, True))
    for value in (1, LARGEST):
        assert (await taught.do("Ann", GuessTrap(value, True))).guesses
        await taught.do("Ann", GuessTrap(value, None))
    await taught.do("Ann", GuessTrap(7, False))
    seen = await taught.do("Ann", GuessTrap(7, True))
    assert [(guess.value, guess.trap) for guess in seen.guesses] == [(7, True)]
    assert await taught.do("Ann", GuessTrap(7, True)) == seen, "sent again, it changes nothing"
    for _ in range(2):
        assert (await taught.do("Ann", GuessTrap(7, None))).guesses == ()
    await taught.do("Ann", GuessTrap(7, True))
    await taught.teach(ShowMap("power-play"))
    assert (await taught.look()).guesses == (), "another game, other guesses"
    await taught.teach(ShowMap("divisor-duel"))
    assert len((await taught.look()).guesses) == 1
    await taught.teach(Unveil())
    with pytest.raises(errors.NotAllowed):
        await taught.do("Ann", GuessTrap(8, True))


@class_of()
async def test_codes_of_no_class(taught: Taught) -> None:
    taught.classes = Classes(taught.lobby, WrongCodes(1000, 1))
    for code in ("", "x", "2A3B4", "../..", "2a3b4c5d6e", "\0" * 5, "2a3b4"):
        calls = [taught.classes.act(code, taught.teacher, 1, action) for action in ACTIONS]
        reads = (*READ_BY_TEACHERS, "look")
        calls += [getattr(taught.classes, name)(code, taught.teacher) for name in reads]
        calls.append(taught.classes.seen(code, taught.teacher, "divisor-duel"))
        for call in calls:
            with pytest.raises(errors.UnknownClass):
                await call
