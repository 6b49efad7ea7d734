"""What a prankster tries: names, votes, and what only teachers may do."""

import unicodedata
from contextlib import suppress
from time import thread_time
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classes.taught import BOARD, PLAN, Taught, class_of
from numduel import Board, errors
from numduel.classes import Classes, WrongCodes, roster
from numduel.classes.actions import (
    Action,
    AnswerPuzzle,
    Ask,
    CastVote,
    Close,
    EndRound,
    GuessTrap,
    NextRound,
    Pause,
    Project,
    Resume,
    SetPuzzles,
    ShowMap,
    ShowNext,
    ShowPuzzles,
    StartRound,
    Unveil,
)
from numduel.classes.parts import LARGEST
from numduel.classes.roster import (
    Admit,
    Arrange,
    Dismiss,
    Invite,
    Join,
    LetIn,
    Relieve,
    Remove,
    Rename,
    Seat,
)
from numduel.classes.rounds import Rounds
from numduel.match import Setup
from numduel.rooms import Play, new_token
from patience import PATIENT
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


NO_ROUNDS = Rounds(cast("Any", None))


@given(st.lists(st.text(max_size=600) | st.sampled_from(HOSTILE), max_size=8), st.booleans())
def test_any_text_makes_a_name_of_its_own_or_none(texts: list[str], made_up: bool) -> None:
    school_class = Arrange(False, made_up).apply(roster.opened(new_token(), 0.0), NO_ROUNDS, None)
    for text in texts:
        with suppress(errors.NotAllowed):
            school_class = Join(text).apply(school_class, NO_ROUNDS, new_token())
    names = [pupil.name for pupil in school_class.pupils]
    for name in names:
        check_name(name)
    assert len({name.casefold() for name in names}) == len(names)
    if made_up:
        assert len(names) == len(texts)
        assert not {*names} & {*texts}


LOOKALIKES = ("Anna", "anna ", "ANNA", "A n n a", "An\u200bna", "\u0410nn\u0430", "Ánna",
              "\uff21nna", "A\u00adnna", "\U0001d400nna", "Anna.", "a-n-n-a")  # fmt: skip
TEACHERS = ("Teacher", "teacher 2", " TEACHER", "\u0422eacher", "Te\u200dacher", "Teach-er")
OTHERS = ("Anne", "Hanna", "Anna B", "Anna 2", "Аня", "Ася", "राम", "रमा", "Lia", "Ila", "李", "王")


@class_of("Anna", *OTHERS)
async def test_nobody_comes_in_somebody_elses_name(taught: Taught) -> None:
    """Those who only look alike are refused; names that differ for their people are not."""
    assert [one.name for one in (await taught.look()).pupils] == ["Anna", *OTHERS]
    for problem, names in (("name is taken", LOOKALIKES), ("name of a teacher", TEACHERS),
                           ("no name", ("", "\u3164", "<>", "Player 1"))):  # fmt: skip
        for name in names:
            with refused(problem):
                await taught.join(name)
            with refused(problem):
                await taught.teach(Rename(2, name))
    await taught.teach(Rename(1, "anna"))
    await taught.teach(Arrange(locked=True, made_up=False))
    await taught.classes.act(taught.code, new_token(), 0, Join("Zoe"))
    with refused("name is taken"):  # at the door, too
        await taught.classes.act(taught.code, new_token(), 0, Join("zoe"))


@class_of()
async def test_hostile_names_play(taught: Taught) -> None:
    for name in HOSTILE:
        with suppress(errors.NotAllowed):
            await taught.join(name)
    pupils = (await taught.look()).pupils
    assert len(pupils) > len(HOSTILE) / 2
    for pupil in pupils:
        check_name(pupil.name)
    await taught.teach(StartRound(PLAN))
    await taught.teach(StartRound(PLAN._replace(opponent="level:3")))
    await taught.teach(Rename(1, "<i>"))
    assert len({pupil.name for pupil in (await taught.look()).pupils}) == len(pupils)


TEACHING = (
    *(Rename(1, "Rude"), Remove((1,)), StartRound(PLAN), NextRound(), EndRound(), Admit()),
    *(Arrange(False, False), Relieve(1), Seat((1,))),
    *(Pause(), Resume(), Close(), Ask(BOARD), ShowNext(), ShowMap("divisor-duel"), Unveil()),
    *(SetPuzzles(((BOARD, "move", ("15",)),) * 5), ShowPuzzles(), Project(secret="x")),
)
FIRST_TEACHING = (Invite("secret"), Invite("secret", own=True), Dismiss("hash"))
PUPILS_TOO = (CastVote(1, "30"), GuessTrap(7, True), AnswerPuzzle(1, 1, "15"))
FOR_ALL = (Join(), LetIn("secret"))
ACTIONS = (*TEACHING, *FIRST_TEACHING, *PUPILS_TOO, *FOR_ALL)
READ_BY_TEACHERS = ("wall", "wall_version", "learned", "figures")


def test_every_action_is_for_somebody() -> None:
    listed = {type(action).__name__ for action in ACTIONS}
    assert listed == {kind.__name__ for kind in Action.__subclasses__()}
    calls = {name for name in vars(Classes) if not name.startswith("_")}
    assert calls == {*READ_BY_TEACHERS, "open", "look", "seen", "act", "end"}


@class_of("Ann", "Ben")
async def test_only_teachers_teach(taught: Taught) -> None:
    other = Taught(taught.lobby, "", new_token())
    other.code = (await taught.classes.open(other.teacher)).code
    await other.join("Eve")
    await taught.teach(StartRound(PLAN))
    second = new_token()
    await taught.classes.act(taught.code, second, 0, LetIn(await taught.invite()))
    before, rooms = await taught.look(), await taught.rooms()
    forged = [None, new_token(), other.teacher, other.tokens["Eve"], ""]
    cases: list[tuple[str, list[str | None], tuple[Action, ...], tuple[str, ...]]] = [
        ("teacher", [*forged, taught.tokens["Ann"]], TEACHING, READ_BY_TEACHERS),
        ("first teacher", [*forged, taught.tokens["Ann"], second], FIRST_TEACHING, ("end",)),
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
    await taught.lobby.tasks.wait(("judging", taught.code), PATIENT)  # its winning moves are kept
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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("numduel.classes.actions.MOST_GUESSES", 2)
        await taught.do("Ann", GuessTrap(8, True))
        with refused("guesses"):
            await taught.do("Ann", GuessTrap(9, True))
        seen = await taught.do("Ann", GuessTrap(8, False))
        assert len(seen.guesses) == 2, "another one instead"
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


@class_of(*(f"Pupil {number}" for number in range(20)))
async def test_a_long_name_is_cut_before_it_is_compared(taught: Taught) -> None:
    wanted = Join("\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 5_000, again=True)
    found, begun = await taught.look(), thread_time()
    with refused("no such name"):
        wanted.apply(found, NO_ROUNDS, new_token())
    assert thread_time() - begun < 0.05, "NFKD would make 90,000 signs of it, for each pupil"


@class_of("Ann")
async def test_whoever_tries_out_names_soon_waits(taught: Taught) -> None:
    taught.classes = Classes(taught.lobby, joins_at_once=3)
    for name in ("Ben", "Cleo", "Dan"):
        with pytest.raises(errors.NotAllowed):
            await taught.classes.act(taught.code, new_token(), 0, Join(name, again=True))
    with pytest.raises(errors.TooManyRequests):
        await taught.classes.act(taught.code, new_token(), 0, Join("Ann", again=True))
