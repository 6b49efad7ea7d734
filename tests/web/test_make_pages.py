"""The page of own rules without scripts: what is picked is the rule, its map and its links."""

from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest

from numduel.board import Board
from numduel.games import all_games, keys, load
from numduel.solver import solve
from numduel.study.maps import make_map
from numduel.study.puzzles import make_puzzle
from numduel.wording.rules import rule_in_short
from numduel.wording.text import typed_move
from numduel.wording.verdict import pattern
from web.visitor import Visitor

RULES = [
    "subtract-1-3-4",
    "subtract-1-to-20",
    "subtract-2-5-17-30",
    "subtract-5-or-subtract-9-to-14-or-subtract-20-to-29",
    "divide-by-2-3-7-or-subtract-1-or-subtract-square",
    "subtract-any",
    "subtract-digit-or-subtract-divisor",
    "halve-or-subtract-12-to-14-or-subtract-prime",
]


def asked(me: Visitor) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(me.at).query).items()}


def test_tiles_make_a_rule(me: Visitor) -> None:
    picked = [("take", "4"), ("take", "1"), ("take", "3"), ("number", "100")]
    me.get(f"/make?{urlencode(picked)}")
    assert asked(me) == {"rule": "subtract-1-3-4", "number": "100"}
    assert me.words("says") == rule_in_short(Board.parse("subtract-1-3-4:100"))[0]
    more = [("word", "square"), ("divide", "2"), ("rest", "subtract-20-to-30"), ("misere", "1")]
    me.get(f"/make?{urlencode(picked + more)}")
    rule = "halve-or-subtract-1-3-4-or-subtract-20-to-30-or-subtract-square"
    assert asked(me) == {"rule": rule, "number": "100", "misere": "1"}
    assert me.words("says") == rule_in_short(Board.parse(f"{rule}:100~misere"))[0]
    me.press("rule-form", misere="1", rule="Subtract 5, 2", number="61")
    assert asked(me) == {"rule": "subtract-2-5", "number": "61", "misere": "1"}, "the text counts"
    me.press("rule-form", rule="halve-or-subtract-3:40")
    assert asked(me) == {"rule": "halve-or-subtract-3", "number": "40", "misere": "1"}


def test_the_page_of_a_rule_leads_to_itself(me: Visitor) -> None:
    """Without scripts, Show changes nothing where nothing was changed, but for the five."""
    for text in (*RULES, "divisor-duel"):
        me.get(f"/make?rule={text}&number=60")
        assert me.status == 200
        before = asked(me)
        assert before["rule"] == load(text).key
        me.press("rule-form")
        assert asked(me) == before or text not in RULES
        assert me.status == 200 or text not in RULES


@pytest.mark.parametrize("query", ["rule=subtract-square&number=21", "rule=subtract-2-5&misere=1"])
def test_the_first_cells_are_the_map_and_its_pattern_is_told(me: Visitor, query: str) -> None:
    page = me.get(f"/make?{query}")
    where = asked(me)
    misere = "misere" in where
    places = make_map(load(where["rule"]), 50, misere).cells
    cells = page.one("ol", "hundred").all("li")
    shown = [(int(cell.words.split(",")[0]), "lost" in cell.classes) for cell in cells]
    assert shown == [(one.number, one.lost) for one in places]
    link = cells[6].one("a").attributes["href"]
    ending = "~misere" if misere else ""
    assert parse_qs(urlsplit(link).query) == {"board": [f"{where['rule']}:7{ending}"]}
    told = pattern(load(where["rule"]), misere)
    assert me.has("pattern") == (told is not None)
    assert told is None or me.words("pattern") == f"The pattern. {told}"


def test_a_misspelt_rule_leads_to_the_nearest(me: Visitor) -> None:
    page = me.get("/make?rule=subtract-primes-or-halve&number=44")
    (link,) = [one for one in page.all("a") if one.words == "halve-or-subtract-prime"]
    me.get(link.attributes["href"])
    assert me.status == 200
    assert asked(me) == {"rule": "halve-or-subtract-prime", "number": "44"}


def test_what_is_made_can_be_played_explored_and_sent(me: Visitor) -> None:
    me.get("/make?rule=subtract-1-3-4&number=22&misere=1")
    link = me.value("link")
    assert urlsplit(link).query == "board=subtract-1-3-4:22~misere"
    picture = next(one for one in me.page.all("img") if "qr" in one.classes)
    drawn = me.raw(picture.attributes["src"])
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert f"<title>{link}</title>" in drawn.text
    addresses = [one.attributes["href"] for one in me.by_id("made-links").all("a")]
    assert len(addresses) == 5
    for address in addresses:
        me.get(address)
        assert me.status == 200, address
    assert addresses[-1] == "/learn/subtract-1-3-4"
    me.get(addresses[0])
    assert me.moves() == ["1", "3", "4"]


def test_a_name_goes_along_with_the_link(me: Visitor) -> None:
    me.get("/make?rule=subtract-1-3-4&number=22&called=<b>Zig zag")
    assert asked(me)["called"] == "bZig zag"
    me.press("rule-form", called="Zig zag")
    assert me.words("made") == "Zig zag"
    link = me.value("link")
    assert urlsplit(link).query == "board=subtract-1-3-4:22&called=Zig%20zag"
    for address in (link, me.by_id("made-links").all("a")[0].attributes["href"]):
        me.get(address)
        assert "<title>Zig zag from 22" in me.text
        assert me.words("board").startswith("Zig zag 22")


def test_a_known_game_is_a_start(me: Visitor) -> None:
    games = [dict(parse_qsl(urlsplit(one.attributes["href"]).query))
             for one in me.get("/make").all("a", "game")]  # fmt: skip
    assert {name: me.value(name) for name in ("rule", "number")} in games
    assert len(games) > len(list(all_games()))
    for known in games:
        me.get(f"/make?{urlencode(known)}")
        assert me.status == 200
        assert me.raw(f"/rules/{known['rule']}/map.svg").status_code == 200
        if known["rule"] not in keys():
            assert asked(me) == known
            board = f"{known['rule']}:{known['number']}"
            assert solve(board).outcome == "win", "no trap for who begins"


def test_home_leads_to_it_and_back_and_an_own_rule_stays_chosen(me: Visitor) -> None:
    me.get("/")
    assert me.by_id("own").attributes["href"] == "/make"
    me.get(me.by_id("teach").attributes["href"])
    assert me.has("start-class")
    me.get("/?board=halve-or-subtract-1:50~misere")
    assert me.words("own") == "Change this rule"
    me.get(me.by_id("own").attributes["href"])
    assert asked(me) == {"rule": "halve-or-subtract-1", "number": "50", "misere": "1"}
    me.get("/?game=subtract-1-3-4&number=21")
    me.press("setup", "yes")  # another number
    me.press("setup")
    assert me.words("board").startswith("1: Take 1, 3 or 4 21 2: ")
    me.press("setup", "2")
    assert me.words("board").startswith("Take 1, 3 or 4 21")
    for address, title in (
        ("/explore?board=subtract-1-3-4:21", "Take 1, 3 or 4"),
        ("/explore?game=halve-or-subtract-1&number=x", "Halve or take 1"),
        ("/puzzle?kind=subtract-square&rating=900&seed=a", "Take a square"),
    ):
        options = me.get(address).all("option")
        assert title in [one.words for one in options if "selected" in one.attributes]


def test_a_puzzle_of_an_own_rule_is_answered(me: Visitor) -> None:
    kind = "halve-or-subtract-1-2"
    me.get(f"/puzzle?rating=900&seed=b&kind={kind}")
    puzzle = make_puzzle("b", kind, 900)
    assert puzzle.game == kind
    (form,) = [one for one in me.page.all("form") if one.attributes["method"] == "post"]
    for move in puzzle.board.moves():
        text = puzzle.board.write_move(move)
        me.post(form.attributes["action"], answer=text)
        says = "{} is the move that wins." if text == puzzle.solution else "{} does not win."
        said = typed_move(puzzle.board, move).replace("/", "÷")  # pages have one sign for it
        assert says.format(said) in me.page.words
    me.get("/puzzle?rating=900&seed=b&kind=subtract-5")
    assert me.status == 422, "without a choice there is none"
    assert "makes a puzzle" in me.page.words
    for rule, offered in (("halve-or-subtract-1", False), ("subtract-1-3-4", True)):
        me.get(f"/make?rule={rule}")
        assert ("Puzzle" in [one.words for one in me.page.all("a") if one.classes]) is offered
