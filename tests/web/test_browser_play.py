"""Playing alone in a browser: by keyboard, moves that are seen, the end, what is kept there."""

import re

import pytest

from numduel.games import all_games
from web.accessible import IN_SIGHT, cut_off, too_wide
from web.browser import LAPTOP, PHONE, Browsers, Held, expect
from web.playing import asking, duel
from web.server import Server

MOVING = """[...document.querySelectorAll("*")].filter(
  one => getComputedStyle(one).animationName !== "none").length"""
"""Counts what moves when it is first drawn, however late a test looks."""

COUNTED = """const board = document.getElementById("board");
window.counted = [];
new MutationObserver(([{ target }]) => {
  for (const one of target.getAnimations()) {
    counted.push([target.textContent, ...one.effect.getKeyframes().map(key => key["--count"])]);
  }
}).observe(board, { subtree: true, attributeFilter: ["class"] });"""
"""Notes what stands where a number counts, and from where to where it does."""

MARKUP = (
    '<img src=x onerror="window.hacked=1">"><script>window.hacked=1</script>'
    "'-window.hacked=1-'{{7*7}}${7*7}</textarea></title><svg onload=window.hacked=1>"
)
MADE = 'img[src="x"], script:not([src]), [onerror], [onload]'
"""What would come of that if it were not shown as text."""


def test_the_first_move_is_seen_before_it_is_answered(server: Server, browsers: Browsers) -> None:
    """The number counts down only to the eye: what stands there is right at once."""
    anna = browsers.visitor(server, reduced_motion="no-preference")
    anna.stop_time()
    page = anna.go("/?board=digit-subtraction-duel:25")
    page.click("button.move[value='5']")
    page.wait_for_url(re.compile("/room/"))
    anna.see("#turn", "Pip is thinking")
    expect(page.locator(".hop")).to_have_count(1)
    expect(page.locator("#board .number")).to_have_text("20")
    anna.see_focus("moves")
    page.evaluate(COUNTED)
    anna.context.clock.resume()
    expect(page.locator(".hop")).to_have_count(2)
    anna.see("#turn", "Your turn")
    assert page.locator(".hop.mine, circle.mine").count() == 2
    assert page.locator(".hop.theirs, rect.theirs").count() == 2
    left = page.text_content("#board .number")
    assert page.evaluate("counted") == [[left, "20", left]]
    assert "seen" not in page.url


def test_what_is_typed_goes_to_the_field_and_stays_text(server: Server, browsers: Browsers) -> None:
    """What is wrong with it is told once, although it is looked at while somebody types."""
    anna = browsers.visitor(server)
    page = anna.go("/?board=divisor-duel:60&opponent=perfect")
    page.focus("#name")
    page.keyboard.type("7")
    assert (page.input_value("#name"), page.input_value("#move")) == ("7", "")
    page.keyboard.press("Tab")
    anna.see("#news", "Your turn")  # the page has followed
    page.fill("#move", MARKUP)
    anna.see("#move-help", MARKUP[:30])  # sentences cite what is long in part
    expect(page.locator("#move-help")).to_have_attribute("data-ok", "no")
    assert page.locator(MADE).count() == 0
    page.fill("#move", "")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.type("10")
    assert (anna.focused, page.input_value("#move")) == ("move", "10")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/room/"))
    expect(page.locator("#turn")).to_have_text("Your turn")
    anna.stop_time()
    usual = page.inner_text("#move-help")
    page.keyboard.type("7777")
    page.keyboard.press("Enter")
    expect(page.locator("#move-wrong")).to_contain_text("7777 is not")
    page.clock.run_for(2_000)
    page.wait_for_load_state("networkidle")
    assert page.inner_text("#move-help") == usual
    page.fill("#move", MARKUP)
    page.press("#move", "Enter")
    for place in ("#move-wrong", "#news"):
        anna.see(place, MARKUP[:30])
    assert page.input_value("#move") == MARKUP
    assert page.locator(MADE).count() == 0
    assert page.evaluate("window.hacked === undefined")


def test_the_map_and_the_idea_stand_beside_the_result(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, (1280, 720), reduced_motion="no-preference")
    page = anna.go("/?board=subtract-a-prime:20&opponent=perfect")
    page.click("button.move[value='19']")
    anna.see("#turn", "You won")
    for selector in ("#turn", "#idea", ".hundred li:nth-child(60)", "#over button.primary"):
        expect(page.locator(selector)).to_be_in_viewport(ratio=1)
    assert "whoever must move from one loses" in page.inner_text("#idea")
    assert page.locator(".table.won .confetti").count() == 1
    assert page.evaluate(MOVING) > 0, "the map unveils"


@pytest.mark.parametrize("window", [(390, 664), LAPTOP, (1920, 1080)])
def test_a_turn_needs_no_scrolling(
    server: Server, browsers: Browsers, window: tuple[int, int]
) -> None:
    """In every game: the number, whose turn it is, the moves, the hint, and then the end."""
    anna = browsers.visitor(server, window)
    page = anna.page
    for game in all_games():
        anna.go("/")
        page.click(f"#card-{game.key}")
        expect(page.locator(f"#card-{game.key}")).to_have_attribute("aria-current", "true")
        for selector in ("#turn", "#board .number"):
            expect(page.locator(selector)).to_be_in_viewport(ratio=1)
        start = {"divisor-duel": 240, "power-play": 420}.get(game.key, 47)
        anna.go(f"/?board={game.key}:{start}&opponent=beginner")
        calls = game.key == "power-play"
        assert ("Who will win?" if calls else "Your turn") in page.inner_text("#turn")
        for selector in ("#turn", "#board .number", "#call" if calls else "#moves .moves"):
            expect(page.locator(selector)).to_be_in_viewport(ratio=1)
        if calls:
            page.click("#call button >> nth=0")
            page.wait_for_url(re.compile("/room/"))
        page.click("#moves button >> nth=0")
        anna.see_turns(2)
        seen = page.locator("#table :text('Your turn'):not(.visually-hidden)")
        expect(seen).to_have_count(1)
        page.evaluate("scrollTo(0, 0)")
        helps = "#takeback" if calls else "#ask-hint"
        for step in range(1 if calls else 4):
            for selector in ("#turn", "#board .number", "#moves .moves", helps):
                expect(page.locator(selector)).to_be_in_viewport(ratio=1)
            if step:
                expect(page.locator("#hint-text")).to_be_in_viewport(ratio=1)
            if step < 3 and not calls:
                page.click("#ask-hint button")
                expect(page.locator("#table")).to_have_attribute("data-hint", str(step + 1))
    # Whoever has scrolled down is brought back to see how it ended.
    page.click("#resign summary")
    page.click("#resign-form button")
    anna.see("#turn", "You lost")
    for selector in ("#turn", "#rematch"):
        expect(page.locator(selector)).to_be_in_viewport(ratio=1)
    assert too_wide(page) <= 0


def test_long_boards_fit_a_phone(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, PHONE)
    page = anna.go("/?board=subtract-a-prime:40%2Bdivisor-duel:60%2Bdigit-subtraction-duel:25")
    page.locator("button.move").last.scroll_into_view_if_needed()
    expect(page.locator("#board")).to_be_in_viewport(ratio=1)
    for board in (f"power-play:{2**100 * 10**30}", "subtract-a-prime:997"):
        anna.go(f"/?board={board}")
        assert too_wide(page) <= 0
        assert cut_off(page) == []
    buttons, box = page.locator("button.move"), page.locator(".moves.many").bounding_box()
    assert buttons.count() == 168, "the primes up to 997"
    assert box is not None
    assert box["height"] < 400
    below = page.locator(".moves.many").evaluate("box => getComputedStyle(box, '::after').content")
    assert "168" in below or "data-count" in below, "it is seen that more come"
    buttons.nth(166).click()
    page.wait_for_url(re.compile("/room/"))
    anna.see("#history", "−991")
    anna.resize((390, 664))
    anna.go("/?board=divisor-duel:60")
    gaps = "all => all.map(one => one.clientWidth - one.firstElementChild.offsetWidth)"
    assert min(buttons.evaluate_all(gaps)) >= 6, "no text touches its border"
    page.click("#example summary")
    assert page.locator("#board .number > span").evaluate(IN_SIGHT), "the example covers nothing"


def test_a_move_made_while_a_hint_is_on_its_way_is_played_once(
    server: Server, browsers: Browsers
) -> None:
    anna = browsers.visitor(server)
    page = anna.go("/?board=digit-subtraction-duel:999&opponent=largest")
    page.click("button.move")
    anna.see_turns(2)
    hints, plays = Held(anna, "**/table?*"), Held(anna, "**/play")
    page.click("#ask-hint button")
    hint = hints.next()
    page.click("button.move")
    page.click("button.move")
    hint.continue_()
    play = plays.next()
    page.click("button.move")
    play.continue_()
    anna.see_turns(4)
    assert plays.routes == []


def test_a_whole_game_by_keyboard(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server)
    page = anna.go("/")
    keys = page.keyboard
    keys.press("Tab")
    assert anna.focused == "a Skip to the content"
    keys.press("Enter")
    anna.see_focus("main")

    # Choose what to play against whom: the page changes in place, and the focus stays.
    anna.tab_to("card-digit-subtraction-duel")
    keys.press("Enter")
    anna.see("#board", "Digit Subtraction Duel")
    anna.see_focus("card-digit-subtraction-duel")
    anna.tab_to("number-1")
    keys.press("Control+a")
    keys.type("40")
    keys.press("Enter")
    anna.see("#board .number", "40")
    anna.see("#news", "Digit Subtraction Duel 40. Your turn.")
    assert anna.focused == "number-1"
    anna.tab_to("opponent")
    keys.press("End")  # a friend
    anna.see("#turn", "Play a friend")
    keys.press("ArrowUp")
    expect(page.locator("#moves input[name=opponent]")).to_have_value("largest")
    assert anna.focused == "opponent"

    # The first move opens the room. The computer answers with the largest digit.
    anna.tab_to("button 4", key="Shift+Tab")
    keys.press("Enter")
    page.wait_for_url("**/room/*")
    anna.see("#said", "Greedy played 6. 30 is left. Your turn.")

    anna.tab_to("move")
    keys.type("5")
    anna.see("#move-help", "5 is not a digit of 30.")
    keys.press("Enter")
    anna.see("#move-wrong", "5 is not a digit of 30.")
    anna.see("#news", "5 is not a digit of 30.")
    assert anna.focused == "move", "what was wrong can be mended at once"
    keys.type("3")  # it is selected, so this replaces it
    anna.see("#move-help", "Subtract 3: 27 is left.")
    keys.press("Enter")
    anna.see("#news", "played 7. 20 is left. Your turn.")
    assert anna.focused == "move"

    anna.tab_to("button 2", key="Shift+Tab")
    keys.press("Enter")
    anna.see("#news", "played 8. 10 is left. Your turn.")
    assert anna.focused == "moves", "where the button was; the next Tab goes to the first move"
    keys.press("Tab")
    assert anna.focused == "button 1"
    keys.press("Enter")
    anna.see("#news", "played 9. 0 is left. Greedy won.")
    expect(page.locator("#turn")).to_have_text("You lost")
    assert anna.focused == "turn"

    anna.tab_to("button Play again")
    keys.press("Enter")
    anna.see("#history-heading", "Match 2")
    anna.see("#turn", "Your turn")
    assert anna.focused in ("turn", "moves")
    anna.tab_to("summary Resign")
    keys.press("Enter")
    keys.press("Tab")
    assert anna.focused == "button Yes, I resign"
    keys.press("Enter")
    anna.see("#news", "You resigned.")
    assert anna.focused == "turn"
    assert [status for status, _ in anna.refused] == [422]


KEPT = """async () => ({
  seen: document.cookie,
  local: localStorage.length,
  session: sessionStorage.length,
  databases: (await indexedDB.databases()).length,
  caches: "caches" in window ? (await caches.keys()).length : 0,
  workers: "serviceWorker" in navigator
    ? (await navigator.serviceWorker.getRegistrations()).length : 0,
})"""
NOTHING = {"seen": "", "local": 0, "session": 0, "databases": 0, "caches": 0, "workers": 0}


def test_looking_leaves_no_trace_and_playing_one_cookie(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server)
    for path in ("learn/divisor-duel", "puzzle", "replay?match=divisor-duel:60/15.15"):
        anna.go(path)
        assert anna.page.evaluate(KEPT) == NOTHING
    with asking(server) as client:
        watched = duel(client)[0].code
    for path in (f"room/{watched}", "/?board=digit-subtraction-duel:40"):
        anna.go(path)
        assert anna.page.evaluate(KEPT) == NOTHING
    expect(anna.page.locator(".waiting-match")).to_have_count(0)
    assert anna.context.cookies() == []
    anna.move("4")
    anna.page.wait_for_url("**/room/*")
    anna.see("#turn", "Your turn")
    [cookie] = anna.context.cookies()
    assert cookie["httpOnly"]
    assert anna.page.evaluate(KEPT) == NOTHING | {"local": 1}
    code = anna.path.rpartition("/")[2]
    assert anna.page.evaluate("({ ...localStorage })") == {"numduel.rooms": f'["{code}"]'}
    assert cookie["value"] not in anna.page.content()
