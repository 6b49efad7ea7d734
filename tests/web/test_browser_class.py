"""A class in real browsers: one round as it is played, the form of a round, taps, the wall."""

import sqlite3
from contextlib import closing
from typing import Any

from web.accessible import too_wide
from web.browser import PHONE, Browsers, Held, assert_stayed, expect, mark
from web.classroom import Classroom, classroom, in_browser, teacher_of
from web.server import Server


def test_one_round_with_one_tablet_and_three_others(server: Server, browsers: Browsers) -> None:
    with classroom(server, "Ada", "Ben", "Mia") as room:
        teacher = teacher_of(browsers, server, room)
        mia = browsers.visitor(server, PHONE)
        teacher.go(f"{room.at}/teacher")
        expect(teacher.page.locator("#roster > li")).to_have_count(3)
        mark(teacher)
        mia.go("/")
        mia.page.fill("#code", room.code.upper())
        mia.page.press("#code", "Enter")
        mia.page.fill("#name", "mia")
        mia.page.click("#join button")
        mia.see("#wrong", "Choose another name")
        mia.page.fill("#name", "Mia B")
        mia.page.click("#join button")
        mia.see("h1", "You are in, Mia B")
        mia.page.reload()
        mia.see("h1", "You are in, Mia B")
        expect(teacher.page.locator("#roster > li")).to_have_count(4)
        teacher.page.fill("#own", "subtract-1-3-4")
        teacher.page.fill("#number", "5")
        teacher.page.click("#round button.large")
        teacher.see("#progress", "0 of 2 boards are done.")
        table = mia.page.locator("#table")
        expect(table).to_be_visible()
        mark(mia)
        teacher.page.click("text=Eyes to the front")
        mia.see("#stage h1", "Eyes to the front")
        mia.see("#news", "Eyes to the front")
        expect(table).to_be_hidden()
        teacher.page.click("text=Go on playing")
        expect(table).to_be_visible()
        while True:
            room.play(1)
            mia.page.wait_for_selector("#table[data-mine=yes], #table[data-over=yes]")
            if table.get_attribute("data-over") == "yes":
                break
            ply = str(table.get_attribute("data-ply"))
            mia.page.click("#moves button >> nth=0")
            expect(table).not_to_have_attribute("data-ply", ply)
        room.play(5)
        mia.see("#turn", "You")
        teacher.see("#progress", "2 of 2 boards are done.")
        assert_stayed(mia, teacher)
        teacher.page.click("text=Discuss")
        teacher.page.fill("#number", "10")
        teacher.page.click("#ask button")
        mark(teacher)
        mia.page.click('#vote button[value="3"]')
        mia.see("#stage", "You have voted")
        teacher.see("#voted", "1 of 4 have voted.")
        for told in ("#votes", "#reply", "#reason"):
            teacher.page.click(".steps-of-class .primary")
            expect(mia.page.locator(told)).to_be_visible()
            expect(teacher.page.locator(told)).to_be_visible()
        assert_stayed(teacher)
        teacher.page.click("text=Map")
        teacher.page.click("text=Let pupils guess")
        mia.page.click('.guess[value="16:trap"]')
        expect(mia.page.locator('.guess[value="16:no-trap"]')).to_be_visible()
        teacher.see("#guessed", "1 guess so far.")
        teacher.page.click("text=Unveil the true map")
        teacher.see("#found", "of 9 traps")
        expect(teacher.page.locator(".turn-over > li.lost")).to_have_count(9)
        mia.see("#stage h1", "The true map")
        expect(mia.page.locator(".turns .turn-over")).to_have_count(1)
        mia.page.reload()
        expect(mia.page.locator(".turn-over")).to_have_count(1)
        expect(mia.page.locator(".turns .turn-over")).to_have_count(0)  # it is turned over once
        assert too_wide(mia.page) <= 0
        kept = mia.page.evaluate("JSON.stringify(localStorage)")
        assert "Mia" not in kept, "the next pupil with this tablet is not called Mia"
        room.press("end")
        mia.see("h1", "This class is over")


def test_the_form_of_a_round_is_dragged_and_mended(server: Server, browsers: Browsers) -> None:
    with classroom(server, "Ada", "Ben", "Cleo", "Dan") as room:
        teacher = teacher_of(browsers, server, room, (1280, 720))
        page = teacher.go(f"{room.at}/teacher")
        start, wrong = page.locator("#round button.large"), page.locator("#own-wrong")
        page.select_option("#pairing", "hand")
        chip = page.locator(".chip")
        chip.filter(has_text="Dan").drag_to(page.locator('[data-board="1"]'))
        chip.filter(has_text="Ben").drag_to(page.locator('[data-board="2"]'))
        expect(page.locator("#place-4")).to_have_value("1")
        room.join("Eva")
        expect(chip).to_have_count(5)
        expect(page.locator('[data-board="1"]')).to_contain_text("Dan")
        page.fill("#own", "subtract-")
        start.click()
        expect(wrong).to_be_in_viewport()
        room.join("Finn")
        expect(page.locator("#roster > li")).to_have_count(6)
        expect(wrong).to_be_visible()
        expect(page.locator("#pairing")).to_have_value("hand")
        page.fill("#own", "subtract-1-3-4")
        start.click()
        expect(page.locator("#progress")).to_be_in_viewport()
        teacher.see("#progress", "0 of 4 boards are done.")  # Eva alone, and Finn, came late
        expect(wrong).to_have_count(0)
        tiles = [one.words for one in room.teach("wall").page.all("li", "tile")]
        assert any("Ada" in words and "Dan" in words for words in tiles)
        room.play(1)
        start.click()
        teacher.see("#now-heading", "Round 1")
        page.check("[name=anyway]")
        start.click()
        teacher.see("#now-heading", "Round 2")
        expect(page.locator("[name=anyway]")).not_to_be_checked()
        page.locator("summary", has_text="Rename or remove Finn").press("Enter")
        really = page.locator("button", has_text="Yes, remove Finn for good")
        expect(really).not_to_be_visible()
        page.locator("#roster > li", has_text="Finn").locator("details summary").last.press("Enter")
        really.press("Enter")
        expect(page.locator("#roster > li")).to_have_count(5)
        teacher.see_focus("h1 Your class")
        assert teacher.refused == [(422, f"{room.at}/teacher/round")]


def kept(server: Server, room: Classroom, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(server.place)) as database:
        return database.execute(f"SELECT {query} WHERE class_code = ?", [room.code]).fetchall()


def test_taps_on_slow_wifi_are_shown_at_once_and_kept_in_order(
    server: Server, browsers: Browsers
) -> None:
    """Nothing is answered while the pupil taps: votes; numbers, one twice; some too late."""
    with classroom(server, "Ada") as room:
        room.teach("discuss").press("ask", game="own", own="subtract-1-3-4", number="10")
        ada = in_browser(browsers.visitor(server, PHONE), room.pupils["Ada"])
        page = ada.go(room.at)
        held = Held(ada, "**/vote")
        for move in ("1", "3", "4", "4"):
            page.click(f'#vote button[value="{move}"]')
            expect(page.locator("#vote [aria-pressed=true]")).to_have_attribute("value", move)
        for _ in range(3):  # pressed twice, it is sent once
            held.next().continue_()
        ada.see("#stage", "You have voted")
        assert page.get_attribute("#vote [aria-pressed=true]", "value") == "4"
        assert kept(server, room, "move FROM votes") == [("4",)]

        room.start(game="own", own="subtract-1-3-4", number="9")
        room.press("map", "map")
        ada.see("#stage h1", "Which numbers are traps?")  # the page has followed
        page.wait_for_load_state()
        held = Held(ada, "**/guess")
        said = [10, 11, 12, 13, 14, 15, 15, 16, 16, 16]
        for number in said:
            page.click(f'[data-key="{number}"] .guess')

        def shown() -> dict[int, str]:
            texts = page.locator(".guess small").all_inner_texts()[9:]
            return dict(zip(range(10, 18), texts, strict=False))

        wanted = dict.fromkeys(range(10, 15), "trap") | {15: "no", 16: "", 17: ""}
        assert shown() == wanted
        held.next().abort()
        ada.see("#connection", "Connection lost")
        sent: list[str] = []
        with page.expect_response(f"**{room.at}"):  # it is looked at after the last
            for _ in said:
                route = held.next()
                sent.append(route.request.post_data or "")
                route.continue_()
                assert shown() == wanted
        expect(page.locator("#connection")).to_be_hidden()
        assert [int(one.removeprefix("guess=").partition("%3A")[0]) for one in sent] == said
        page.reload()
        assert shown() == wanted
        traps = dict(kept(server, room, "value, trap FROM guesses"))
        assert traps == dict.fromkeys(range(10, 15), 1) | {15: 0}

        for number in (17, 18):
            page.click(f'[data-key="{number}"] .guess')
        ada.see("footer", "The other pages open when")
        room.press("unveil", "map")
        ada.see("#stage h1", "The true map")
        expect(page.locator("footer")).not_to_contain_text("The other pages")
        for _ in range(2):
            held.next().continue_()
        expect(page.locator("#wrong")).to_be_visible()
        expect(page.locator(".guess")).to_have_count(0)
        ada.leave()


def test_the_common_click_is_never_the_dangerous_one(server: Server, browsers: Browsers) -> None:
    """Buttons stay where they are; what comes under a resting mouse is not pressed by accident."""
    with classroom(server, "Ada", "Ben", turns=0) as room:
        teacher = teacher_of(browsers, server, room)
        page = teacher.go(f"{room.at}/teacher")
        steps = page.locator("#now-heading ~ .steps-of-class :is(button, a)")
        places = [one.bounding_box() for one in steps.all()]
        pause = places[0]
        assert pause is not None
        middle = (pause["x"] + pause["width"] / 2, pause["y"] + pause["height"] / 2)
        page.mouse.click(*middle)
        teacher.see("#progress", "Paused.")
        page.mouse.click(*middle)  # pressed twice: it is off now
        page.click("text=Go on playing")
        expect(page.locator("#progress")).to_have_text("0 of 1 board is done.")
        room.play(9)
        teacher.see("#progress", "1 of 1 board is done.")
        assert [one.bounding_box() for one in steps.all()] == places
        teacher.stop_time()
        page = teacher.go(f"{room.at}/teacher")
        lock = page.locator("#arrange button").first
        lock.hover()
        for passes, sent, said in (
            (0, 1, "Lock the door"), (0, 1, "Lock the door"), (701, 2, "Unlock the door"),
        ):  # fmt: skip
            teacher.context.clock.run_for(passes)
            page.mouse.down()
            page.mouse.up()
            expect(lock).to_have_text(said)
            assert sum(url.endswith("/arrange") for url in teacher.asked) == sent
