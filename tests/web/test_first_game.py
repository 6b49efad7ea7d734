"""The first game on the home page lasts, can be grasped, and is mostly won by a visitor."""

from itertools import pairwise
from random import Random

from numduel.board import Board
from numduel.games import load
from numduel.match import Referee, Setup
from numduel.players import LADDER, make_computer
from numduel.rooms import Bounds
from numduel.solver import solve
from numduel.web.pages.board import BASE, LEFT, WIDTH, lines_of
from numduel.web.pages.form import Form
from web.visitor import Visitor

MATCHES = 100


def first_game() -> Board:
    terms = Form().terms(Bounds())
    assert (terms.players, terms.first) == (("person", LADDER[0]), 0)
    return terms.board


def played(board: Board, seed: int) -> Referee:
    referee = Referee(Setup(board))
    referee.begin()
    players = [make_computer(word, Random(f"{word}/{seed}")) for word in ("random", LADDER[0])]
    while not referee.over:
        referee.play(players[referee.player].choose(referee.board))
    return referee


def test_a_visitor_who_plays_anything_wins_more_often_than_not() -> None:
    matches = [played(first_game(), seed) for seed in range(MATCHES)]
    won = sum(match.over is not None and match.over.winner == 0 for match in matches)
    assert won > MATCHES * 0.6
    assert min(len(match.turns) for match in matches) >= 4


def test_the_page_opens_with_that_game_and_every_game_has_a_card_with_its_rule(me: Visitor) -> None:
    me.get("/")
    assert me.words("what") == "Take turns making a number smaller."
    assert "agrees" not in me.words("takeback"), "nobody asks a computer"
    start = Board.parse(me.by_id("typed").attributes["data-board"])
    assert start.numbers[0].game == first_game().numbers[0].game
    assert me.moves() == [str(move.amount) for move in start.moves()]
    assert me.words("said") == "You play against Pip, who is new to this and makes many mistakes."
    assert "Whoever reaches 0 wins." in me.words("rule")
    assert "from 25, subtract 5 to leave 20" in me.words("example")
    cards = me.page.all("a", "game")
    assert len(cards) == 5
    chosen = [card.one("strong").words for card in cards if "aria-current" in card.attributes]
    assert chosen == ["Digit Subtraction Duel"]
    twists = [card.words for card in cards if "with a twist" in card.words]
    assert [words for words in twists if "Prime Subtractor" in words] == twists != []
    assert all(card.one("img").attributes["src"].endswith("/map.svg") for card in cards)
    for card in cards:
        me.get(card.attributes["href"])
        assert "Pip" in me.page.one("main").words
        assert card.one("strong").words in me.words("board")
        assert me.words("rule").removesuffix(me.words("example")).strip() in card.words


def test_the_small_map_shows_the_traps(me: Visitor) -> None:
    for key in ("power-play", "digit-subtraction-duel"):
        picture = me.raw(f"/rules/{key}/map.svg")
        assert picture.headers["Content-Type"] == "image/svg+xml"
        for number in range(1, 51):
            lost = solve(Board.of(load(key), number)).outcome == "loss"
            corner = f"M{(number - 1) % 10 * 8} {(number - 1) // 10 * 8}h7v7h-7z"
            assert (corner in picture.text) == lost, number


def test_the_number_line_goes_hop_by_hop_from_the_start_to_the_end() -> None:
    match = played(Board.parse("digit-subtraction-duel:25"), 1)
    (line,) = lines_of(match.setup.board, match.turns, mine=1)
    values = [25, *(turn.board.numbers[0].value for turn in match.turns)]
    places = [LEFT + value * (WIDTH - 2 * LEFT) // 25 for value in values]
    assert [(hop.start, hop.end) for hop in line.hops] == [*pairwise(places)]
    assert [hop.mine for hop in line.hops] == [turn.player == 1 for turn in match.turns]
    assert line.here == LEFT
    assert all(hop.top < BASE for hop in line.hops)
    shown = sorted((at, len(text)) for text, at in line.labels)
    for (one, length), (two, _) in pairwise(shown):
        assert two - one > 10 * length, "labels do not overlap"


def test_of_a_long_match_the_last_hops_are_drawn() -> None:
    match = played(Board.parse("digit-subtraction-duel:999"), 1)
    assert len(match.turns) > 100
    (line,) = lines_of(match.setup.board, match.turns)
    assert [hop.turn for hop in line.hops] == [*range(len(match.turns) - 39, len(match.turns) + 1)]
    values = [turn.board.numbers[0].value for turn in match.turns]
    assert line.hops[0].start == LEFT + values[-41] * (WIDTH - 2 * LEFT) // 999
    assert {text for text, _ in line.labels} >= {"0", "999"}


def test_each_number_of_a_board_has_its_own_line_at_any_size() -> None:
    board = Board.parse(f"digit-subtraction-duel:12+subtract-a-prime:{10**90}")
    referee = Referee(Setup(board))
    for text in ("1:1", "2:7", "1:1"):
        referee.enter(text)
    small, large = lines_of(board, referee.turns, mine=0)
    assert [hop.mine for hop in small.hops] == [True, True]
    assert [hop.mine for hop in large.hops] == [False]
    assert [text for text, _ in large.labels] == ["0"]
    assert large.here <= WIDTH - LEFT
