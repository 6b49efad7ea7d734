"""A class in real browsers: one round as it is played, the wall, the teacher by keyboard alone."""

from __future__ import annotations

from web.accessible import too_wide
from web.browser import PHONE, Browsers, Visitor, assert_stayed, expect, mark
from web.classroom import classroom, teacher_of
from web.server import Server

TABLE = "#table"
DELAYS = """[...document.querySelectorAll(".turn-over > li")].map(
  one => one.getAnimations().map(each => each.effect.getTiming().delay)).flat()"""


def test_one_round_with_one_tablet_and_three_others(server: Server, browsers: Browsers) -> None:
    """From the code to the true map; the tablet and the wall are never loaded again."""
    with classroom(server, "Ada", "Ben", "Mia") as room:
        teacher = teacher_of(browsers, server, room)
        mia = browsers.visitor(server, PHONE)
        teacher.go(f"{room.at}/teacher")
        expect(teacher.page.locator(".roster > li")).to_have_count(3)
        mark(teacher)
        mia.go("/")
        mia.page.fill("#code", room.code.upper())
        mia.page.press("#code", "Enter")
        mia.page.fill("#name", "Mia")
        mia.page.click("#join button")
        mia.see("h1", "You are in, Mia 2")
        mia.page.reload()
        mia.see("h1", "You are in, Mia 2")
        expect(teacher.page.locator(".roster > li")).to_have_count(4)
        teacher.page.fill("#own", "subtract-1-3-4")
        teacher.page.fill("#number", "5")
        teacher.page.click("#round button.large")
        teacher.see("#progress", "0 of 2 boards are done.")
        expect(mia.page.locator("#table")).to_be_visible()
        mark(mia)
        teacher.page.click("text=Eyes to the front")
        mia.see("#stage h1", "Eyes to the front")
        mia.see("#news", "Eyes to the front")
        expect(mia.page.locator("#table")).to_be_hidden()
        teacher.page.click("text=Go on playing")
        expect(mia.page.locator("#table")).to_be_visible()
        table = mia.page.locator("#table")
        while True:
            room.play(1)
            mia.page.wait_for_selector(f"{TABLE}[data-mine=yes], {TABLE}[data-over=yes]")
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
        teacher.page.click("text=Let pupils guess the rest")
        mia.page.click('.guess[value="16:trap"]')
        expect(mia.page.locator('.guess[value="16:no-trap"]')).to_be_visible()
        teacher.see("#guessed", "1 guess so far.")
        teacher.page.emulate_media(reduced_motion="no-preference")
        teacher.page.click("text=Unveil the true map")
        teacher.see("#found", "of 9 traps")
        expect(teacher.page.locator(".turn-over > li.lost")).to_have_count(9)
        delays = teacher.page.evaluate(DELAYS)
        teacher.page.emulate_media(reduced_motion="reduce")
        assert len(delays) == 30
        assert delays == sorted(set(delays)), "one after another"
        mia.see("#stage h1", "The true map")
        assert too_wide(mia.page) <= 0
        kept = mia.page.evaluate("JSON.stringify(localStorage)")
        assert "Mia" not in kept, "the next pupil with this tablet is not called Mia"
        room.press("end")
        mia.see("h1", "This class is over")


def test_the_teacher_needs_no_mouse(server: Server, browsers: Browsers) -> None:
    """Everything by Tab, Enter, Space and the arrows: pairs by hand, a round, a pause."""
    with classroom(server) as room:
        teacher = browsers.visitor(server)
        page = teacher.go("/class")
        press(teacher, "Start a class")
        expect(page.locator("#class-code")).to_be_visible()
        room.code = teacher.path.split("/")[2]
        for name in ("Ada", "Ben", "Cleo", "Dan"):
            room.join(name)
        expect(page.locator(".roster > li")).to_have_count(4)
        press(teacher, "Remove Dan")
        press(teacher, "Yes, remove Dan")
        expect(page.locator(".roster > li")).to_have_count(3)
        teacher.see_focus("h1 Your class")
        tab_to(teacher, "pairing")
        page.keyboard.type("by h")
        expect(page.locator("#pairs")).to_be_visible()
        tab_to(teacher, "place-3")
        page.keyboard.press("ArrowUp")
        tab_to(teacher, "place-2")
        page.keyboard.press("ArrowDown")
        expect(page.locator('[data-board="1"]')).to_contain_text("Cleo")
        expect(page.locator('[data-board="2"]')).to_contain_text("Ben")
        press(teacher, "Start the round")
        teacher.see("#progress", "0 of 2 boards are done.")
        press(teacher, "Eyes to the front")
        expect(page.locator("text=Go on playing")).to_be_visible()
        expect(page.locator("text=Eyes to the front")).to_have_count(0)
        assert room.pupil("Ada").words("stage").startswith("Eyes to the front")
        press(teacher, "Go on playing")
        expect(page.locator("text=Eyes to the front")).to_be_visible()
        press(teacher, "End the class")
        press(teacher, "Yes, end the class")
        teacher.see("main", "The class is over.")


def tab_to(visitor: Visitor, wanted: str) -> None:
    """Go there by Tab alone, from wherever the focus is."""
    for _ in range(150):
        if visitor.focused == wanted:
            return
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {wanted}")


_SAYS = """
said => document.activeElement.matches("a, button, summary")
  && document.activeElement.innerText.replace("×", "").trim() === said
"""


def press(visitor: Visitor, words: str) -> None:
    """Press what says these words, by Tab and Enter."""
    expect(visitor.page.get_by_text(words, exact=True).first).to_be_attached()
    for _ in range(150):
        if visitor.page.evaluate(_SAYS, words):
            visitor.page.keyboard.press("Enter")
            return
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {words}")


def test_names_are_dragged_from_board_to_board(server: Server, browsers: Browsers) -> None:
    with classroom(server, "Ada", "Ben", "Cleo", "Dan") as room:
        teacher = teacher_of(browsers, server, room)
        page = teacher.go(f"{room.at}/teacher")
        page.select_option("#pairing", "hand")
        chip = page.locator(".chip")
        chip.filter(has_text="Dan").drag_to(page.locator('[data-board="1"]'))
        chip.filter(has_text="Ben").drag_to(page.locator('[data-board="2"]'))
        expect(page.locator("#place-4")).to_have_value("1")
        room.join("Eva")
        expect(chip).to_have_count(5)
        expect(page.locator('[data-board="1"]')).to_contain_text("Dan")
        expect(page.locator("#pairing")).to_have_value("hand")
        page.click("#round button.large")
        teacher.see("#progress", "0 of 3 boards are done.")
        page.click("text=Show the wall")
        expect(page.locator(".tile", has_text="Ada")).to_contain_text("Dan")
        expect(page.locator(".tile", has_text="Ben")).to_contain_text("Cleo")


def test_what_came_of_the_form_of_a_round_is_in_sight(server: Server, browsers: Browsers) -> None:
    with classroom(server, "Ada", "Ben") as room:
        teacher = teacher_of(browsers, server, room)
        teacher.page.set_viewport_size({"width": 1280, "height": 720})
        page = teacher.go(f"{room.at}/teacher")
        page.fill("#own", "subtract-")
        page.click("#round button.large")
        expect(page.locator("#own-wrong")).to_be_in_viewport()
        room.join("Eva")
        expect(page.locator(".roster > li")).to_have_count(3)
        expect(page.locator("#own-wrong")).to_be_visible()
        page.fill("#own", "subtract-1-3-4")
        page.click("#round button.large")
        expect(page.locator("#progress")).to_be_in_viewport()
        expect(page.locator("#own-wrong")).to_have_count(0)
        room.play(1)
        page.click("#round button.large")
        teacher.see("#now-heading", "Round 1")
        page.check("[name=anyway]")
        page.click("#round button.large")
        teacher.see("#now-heading", "Round 2")
        expect(page.locator("[name=anyway]")).not_to_be_checked()
        assert teacher.refused == [(422, f"{room.at}/teacher/round")]
