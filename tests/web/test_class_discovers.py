"""How a class discovers, without scripts: questions with votes, its own map, what was learned."""

import csv
import io
import re

import pytest

from numduel import Board
from numduel.classes.learned import Figures, Learned
from numduel.solver import Search
from numduel.web.pages.school.learned import RoundLearned
from web.classroom import RULE, classroom
from web.markup import Element
from web.server import Server


def test_a_question_is_shown_step_by_step(server: Server) -> None:
    """From 9, a trap, every move is answered; from 10, taking 1 or 3 leaves the traps 9 and 7."""
    with classroom(server, "Ada", "Ben", "Cleo") as room:
        room.teach("discuss").press("ask", game="own", own="subtract-1-3-4", number="10")
        assert room.teacher.words("voted") == "0 of 3 have voted."
        for name, move in (("Ada", "3"), ("Ben", "1"), ("Cleo", "3"), ("Ben", "4")):
            assert room.pupil(name).moves() == ["1", "3", "4"]
            assert room.pupils[name].has("rule")
            room.pupils[name].press("vote", move)
        assert not room.pupil("Ada").has("votes"), "nobody is told before the teacher shows it"
        assert room.teach("discuss").words("voted") == "3 of 3 have voted."
        assert not room.teacher.has("votes")
        room.press("show", "discuss")
        for page in (room.pupil("Ada"), room.teach("discuss")):
            counts = [one.words.split()[-2:] for one in page.by_id("votes").all("li")]
            assert counts == [["2", "votes"], ["1", "vote"]]
            bars = [float(one.attributes["width"]) for one in page.by_id("votes").all("rect")]
            assert bars == pytest.approx([200 / 3, 100 / 3], abs=1), "all of them are a full bar"
            assert not page.has("reply")
        assert not room.pupil("Ben").has("vote"), "the vote is over"
        listed = room.pupils["Ben"].by_id("votes").all("li")
        assert ["your vote" in one.words for one in listed] == [False, True]
        room.press("show", "discuss")
        said = "Most votes: subtract 3, which leaves 7. The perfect player replies: subtract "
        replies = {f"{said}{amount}, which leaves {7 - amount}." for amount in (1, 3, 4)}
        assert room.pupil("Ada").words("reply") in replies
        assert room.pupil("Ben").words("reply") == room.pupils["Ada"].words("reply")
        assert not room.pupils["Ada"].has("reason")
        room.press("show", "discuss")
        reason = room.pupil("Ada").words("reason")
        assert reason.startswith("Whoever must move here can win.")
        won = [one.words for one in room.pupils["Ada"].by_id("votes").all("li", "winning")]
        assert len(won) == 1
        assert "leaves 7" in won[0]
        room.press("close", "discuss")
        assert room.pupil("Ada").words("stage").startswith("You are in, Ada")
        # Another class is split: after 4, the reply takes 4 and leaves the trap 2.
        room.teach("discuss").press("ask", game="own", own="subtract-1-3-4", number="10")
        for name, move in (("Ada", "3"), ("Ben", "4")):
            room.pupil(name).press("vote", move)
        for _ in range(2):
            room.press("show", "discuss")
        split, three, four = (one.words for one in room.pupil("Ada").by_id("reply").all("p"))
        assert split == "You are split."
        assert three.startswith("Some of you say: subtract 3, which leaves 7. The perfect")
        said = "Some of you say: subtract 4, which leaves 6. The perfect player replies: "
        assert four == f"{said}subtract 4, which leaves 2."


def test_any_position_of_the_wall_can_be_discussed(server: Server) -> None:
    with classroom(server, "Ada", "Ben", turns=1) as room:
        tile = room.teach("wall").page.one("li", "tile").one("a").attributes["href"]
        room.teacher.get(f"{tile}?turn=1")
        assert room.teacher.page.one("span", "number").words == "8"
        room.teacher.get(f"{tile}?turn=0")
        assert 'name="board" value="subtract-1-3-4:9"' in room.teacher.text
        room.press("ask", tile.removeprefix(f"{room.at}/") + "?turn=0")
        assert room.pupil("Ada").has("vote")
        assert room.press("close", "discuss").at == f"{room.at}/wall"
        assert room.pupil("Ada").words("stage").startswith("Look to the front Wait for your")
        room.press("resume", "discuss")
        assert room.pupil("Ada").has("table"), "and the match goes on"


def test_the_class_finds_its_map(server: Server) -> None:
    with classroom(server, "Ada", "Ben", turns=9) as room:
        colours = cells(room.teach("map").page)
        assert colours["9"] == "seen-won", "nine steps of 1: whoever began took the last"
        assert colours["8"] == "seen-lost"
        assert colours["10"] == ""
        room.press("map", "map")
        pupil = room.pupil("Ada")
        for page in (pupil, room.teach("map")):
            assert "A trap is a number where whoever must move loses" in page.text
        assert "9:trap" in guesses(pupil.page), "what was met may be guessed otherwise"
        assert "16:trap" in guesses(pupil.page)
        pupil.press("guesses", "16:trap")
        assert "16:no-trap" in guesses(pupil.page)
        pupil.press("guesses", "17:trap")
        for said in ("16:trap", "16:no-trap"):
            room.pupil("Ben").press("guesses", said)
        counts = {one.words for one in room.teach("map").page.one("ol", "class-map").all("small")}
        assert {"◆1 ○1", "◆1"} <= counts
        assert room.teacher.words("guessed") == "3 guesses so far."
        assert "○ guesses that it is not" in room.teacher.page.one("ul", "key").words
        room.pupil("Ben").press("guesses", "16:none")
        assert room.teach("map").words("guessed") == "2 guesses so far.", "Ben has cleared his"
        room.press("unveil", "map")
        search = Search()
        truth = {str(n) for n in range(1, 31) if search.lost(Board.of("subtract-1-3-4", n))}
        unveiled = cells(room.teach("map").page)
        assert {number for number, kind in unveiled.items() if "lost" in kind.split()} == truth
        taken = {"2", "4", "6", "8", "16", "17"}
        assert "✓ found by the class" in room.teacher.page.one("ul", "key").words
        said = f"The class found {len(taken & truth)} of {len(truth)} traps"
        assert room.teacher.words("found") == said
        wrong = "1 number that was guessed to be a trap is not one."
        assert wrong in room.teacher.text, "17; at 4, 6 and 8 somebody only lost"
        assert said in room.pupil("Ben").words("stage"), "Ben has guessed nothing"


def test_each_game_that_was_played_has_its_map(server: Server) -> None:
    with classroom(server, "Ada", "Ben", turns=9) as room:
        room.press("map", "map")
        room.pupil("Ada").press("guesses", "10:trap")
        room.press("close", "map")
        room.start(own="", game="divisor-duel", number="12")
        page = room.teach("map").page
        assert page.all("h2")[0].words == "Divisor Duel"
        assert set(cells(page).values()) == {""}, "nothing of this game was seen or guessed yet"
        assert room.teacher.words("guessed") == "0 guesses so far."
        first = page.all("a", "button")[0]
        assert first.words == "Take 1, 3 or 4"
        assert cells(room.teacher.get(first.attributes["href"]))["9"] == "seen-won"
        for game in ("chess", "divisor-duel:9+divisor-duel"):
            assert room.press("map", "map", game=game).status == 422
        assert room.pupil("Ada").has("table"), "nobody was sent to a map that there is not"


def cells(page: Element) -> dict[str, str]:
    listed = [one.attributes for one in page.one("ol", "class-map").all("li")]
    return {one["data-key"]: one["class"].replace(" found", "") for one in listed}


def guesses(page: Element) -> list[str]:
    return [one.attributes["value"] for one in page.all("button", "guess")]


def test_what_was_learned_is_for_the_teacher(server: Server) -> None:
    with classroom(server, "Ada", "Ben", "Cleo", turns=0) as room:
        mover = next(name for name in room.pupils if room.pupil(name).moves())
        room.pupils[mover].press("moves", "1")
        page = room.teach("learned").page
        assert "Round 1: Take 1, 3 or 4 from 9" in page.words
        terms, told = ([one.words for one in page.all(tag)] for tag in ("dt", "dd"))
        facts = dict(zip(terms, told, strict=True))
        assert facts["Matches"] in ("2 (0 finished)", "2 (1 finished)"), "the computer may be quick"
        assert re.search(r"of 2 matches (is|are) still being played\.", page.words)
        who = [one.words for one in page.one("dl").all("details")]
        told = [facts["Has not played"], facts["Waited for a first move"]]
        assert who == [one for one in told if one != "nobody"], "no name before it is opened"
        answer = room.teacher.raw(f"{room.at}/learned.csv")
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert len(rows) == 1
        assert rows[0]["Matches"] == "2"
        others = [*rows[0]["Has not played"].split("; "), *rows[0]["Waited"].split("; ")]
        assert {*others} - {""} == {*room.pupils} - {mover}
        room.start(anyway="1", opponent="person", pairing="hand", **RULE,
                   **{"place-1": "1", "place-2": "1", "place-3": "2"})  # fmt: skip
        idle = next(name for name in ("Ada", "Ben") if room.pupil(name).moves())
        room.press("stop")
        answer = room.teacher.raw(f"{room.at}/learned.csv")
        *_, row = csv.DictReader(io.StringIO(answer.text))
        (other,) = {"Ada", "Ben"} - {idle}
        assert idle in row["Has not played"]
        assert row["Waited"] == other
        assert rows[0]["Game"] == "Take 1, 3 or 4 from 9"


def test_what_the_figures_leave_out_is_said() -> None:
    figures = Figures(matches=14, finished=14, kept=3, keepable=4, judged=12)
    found = Learned(figures, None, ("Ada",), (), playing=1)
    told = RoundLearned(2, "Take 1, 3 or 4 from 9", found)
    assert told.missing == (
        "1 of 15 matches is still being played. 2 of 15 matches are still being looked at."
        " Wins kept and mistakes do not count them."
    )
    assert told.share.startswith("3 of 4 (75%)")
    assert told.mistake == "not known yet"
    done = RoundLearned(2, "", Learned(figures._replace(keepable=0, judged=14), None, (), (), 0))
    assert (done.missing, done.mistake) == ("", "none")
    assert done.share == "Nobody had a win that could be thrown away."


def test_later_comings_and_goings_do_not_change_what_was_learned(server: Server) -> None:
    with classroom(server, "Ada", "Ben", turns=9) as room:
        room.press("stop")

        def learned() -> dict[str, str]:
            answer = room.teacher.raw(f"{room.at}/learned.csv")
            return next(csv.DictReader(io.StringIO(answer.text)))

        before = learned()
        assert int(before["Wins to keep"]) > 0
        room.join("Dan")
        assert learned() == before, "Dan was not there"
        for number in ("1", "2"):
            room.teach().post(f"{room.at}/teacher/remove", pupil=number)
            assert learned() == before
        assert "Ada" not in room.teach("wall").page.words


def test_a_puzzle_set_fills_a_grid(server: Server) -> None:
    with classroom(server, "Ada", "Ben") as room:
        room.teach("puzzles").press("set", game="own", own="subtract-1-3-4", positions="3 4 5 6")
        assert room.teacher.status == 409, "too few"
        room.teach("puzzles").press("set", game="own", own="subtract-1-3-4", positions="3 4 5 6 9")
        assert room.teacher.status == 422, "9 is a trap"
        assert room.teacher.value("positions") == "3 4 5 6 9", "what was typed stays"
        room.teach("puzzles").press(
            "set", game="own", own="subtract-1-3-4", positions="3, 4, 5, 6, 10"
        )
        assert room.teacher.status == 200
        answers = {"Ada": ["3", "4", "3", "4", "3"], "Ben": ["1", "1"]}
        for name, moves in answers.items():
            for move in moves:
                assert room.pupil(name).has("vote")
                room.pupils[name].press("vote", move)
        assert "You have answered all 5. Right: 5." in room.pupil("Ada").words("stage")
        assert room.teach("puzzles").words("grid-heading") == "First answers: 7 of 10"
        rows = [one.words for one in room.teacher.page.one("tbody").all("tr")]
        done, open_ = "✓right", "no answer yet"
        assert rows == [f"Ada{done * 5}5", f"Ben{done}✗not right{open_ * 3}1"]
        room.press("close", "puzzles")
        assert not room.pupil("Ben").has("vote")
        room.press("teacher/puzzles", "puzzles")
        assert room.pupil("Ben").has("vote")
        room.teach("puzzles").press("set", game="digit-subtraction-duel", seed="7", count="10")
        numbers = room.teacher.page.one("ul", "key").words
        room.teach("puzzles").press("set", game="digit-subtraction-duel", seed="7", count="10")
        assert room.teacher.page.one("ul", "key").words == numbers
        assert "10: " in numbers
        answer = room.teacher.raw(f"{room.at}/results.csv")
        told = list(csv.DictReader(io.StringIO(answer.text)))
        assert [(one["Pupil"], one["Puzzles right"]) for one in told] == [
            ("Ada", "5 of 5"), ("Ben", "1 of 5"),
        ]  # fmt: skip
        assert room.pupils["Ada"].raw(f"{room.at}/results.csv").status_code == 303


def test_the_projector_follows_the_teacher(server: Server) -> None:
    with classroom(server, "Ada", "Ben") as room:
        room.teacher.post(f"{room.at}/teacher/projector", page="new")
        at, beamer = room.teacher.at, room.visitor()

        def shown() -> Element:
            beamer.get(at)
            assert not beamer.page.all("button"), "nothing on it is pressed"
            assert {one.attributes["href"] for one in beamer.page.all("a")} <= {"#main"}
            return beamer.page

        assert "2 pupils are here: Ada, Ben" in shown().words
        room.start(**RULE)
        assert "Ada" in shown().one("ol").words
        room.teacher.post(f"{room.at}/teacher/projector", names="off")
        assert "Ada" not in shown().words
        room.teach("discuss").press("ask", game="own", own="subtract-1-3-4", number="10")
        assert shown().one("h1").words == "What would you play?"
        room.pupil("Ada").press("vote", "3")
        assert beamer.raw(f"/api/walls/{room.code}/live").json() == {"version": 0}
        live = beamer.by_id("class").attributes["data-live"]
        assert beamer.json(live) != {"version": 0}
        room.press("show", "discuss")
        assert "1 vote" in shown().words
        room.press("map", "map")
        assert shown().one("ol", "class-map")
        assert "not met yet" in beamer.page.one("ul", "key").words, "its key is in sight"
        room.teach("puzzles").press("set", game="own", own="subtract-1-3-4", positions="3 4 5 6 10")
        for name, move in (("Ada", "1"), ("Ben", "3"), ("Ada", "1")):
            room.pupil(name).press("vote", move)
        room.teacher.post(f"{room.at}/teacher/projector", names="on")
        assert "3 of 10 answers are in." in shown().words
        solved = [one.words for one in beamer.page.one("ol", "solved").all("li")][:2]
        assert solved == ["3 solved by 2", "4 solved by 0"]
        assert not {"Ada", "Ben", "✗"} & {*beamer.page.words.split()}, "whose mistake it was"
        room.teacher.post(f"{room.at}/teacher/projector", names="off")
        for shows, words in (
            ("code", room.code.upper()),
            ("learned", "Wins kept"),
            ("wall", "Board 1"),
        ):
            room.teacher.post(f"{room.at}/teacher/projector", shows=shows)
            assert words in shown().words
        pupil = room.pupils["Ada"]
        pupil.post(f"{room.at}/teacher/projector", page="new")
        assert pupil.at == room.at
        assert "Board 1" in shown().words, "its address is the same"
        room.teacher.post(f"{room.at}/teacher/projector", page="none")
        beamer.get(at)
        assert beamer.status == 404
