"""Maps against plain search, and statistics against counting."""

from datetime import UTC, datetime, timedelta
from itertools import chain, product
from xml.etree import ElementTree

import pytest

from match.test_record import played
from numduel import Board
from numduel.board import Number
from numduel.errors import NothingToStudy
from numduel.games import load
from numduel.match import Record
from numduel.solver import Search, solve
from numduel.study import maps
from numduel.study.maps import MAX_NUMBER, make_graph, make_map, map_around, map_in_play
from numduel.study.puzzles import KINDS
from numduel.study.statistics import add_up, as_json
from numduel.wording.verdict import pattern
from raised import raised
from rules.test_conformance import every_variant

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("misere", [False, True])
def test_a_map_is_that_of_plain_search(misere: bool) -> None:
    for game in every_variant():
        made = make_map(game, 60, misere, values=not misere)
        search = Search(misere=misere)
        assert [cell.number for cell in made.cells] == list(range(1, 61))
        for cell in made.cells:
            assert cell.lost == search.lost(Board.of(game, cell.number, misere)), cell
            assert misere or cell.value == search.grundy(Number(game, cell.number))
        part = make_map(game, 60, misere, values=not misere, start=41)
        assert [cell.number for cell in part.cells] == list(range(41, 61))
        assert part.cells == made.cells[-20:]
        assert make_map(game, 60, misere, values=not misere, start=-5) == made


def test_a_graph_holds_every_move() -> None:
    for game in map(load, KINDS[:-1]):
        graph = make_graph(game, 20)
        assert next(iter(graph.moves)) == 20
        for n, after in graph.moves.items():
            rules = game if n == 20 else game.after(20, next(game.moves(20)))[0]
            assert sorted(after) == sorted({rules.after(n, m)[1] for m in rules.moves(n)})
            assert set(after) <= set(graph.moves)
    even = load("divisor-duel", divisors="even")
    assert make_map(even, 3, misere=True).title == "Divisor Duel (divisors=even, misère)"


def test_sizes_have_limits() -> None:
    game = load("divisor-duel")
    for to in (-1, 0, MAX_NUMBER + 1):
        raised(NothingToStudy, make_map, game, to)
        raised(NothingToStudy, make_graph, game, to if to < 1 else maps.MAX_GRAPH + 1)
    assert len(make_map(game, MAX_NUMBER, start=MAX_NUMBER).cells) == 1
    raised(NothingToStudy, make_map, game, 50, start=51)
    for text in ("divisor-duel:60+divisor-duel:6", "divisor-duel:10001"):
        raised(NothingToStudy, map_in_play, Board.parse(text))


def test_statistics_add_up() -> None:
    start = datetime(2026, 11, 1, tzinfo=UTC)
    matches = [
        (("divisor-duel:60", "3", "19", "19"), ("person", "level:2")),
        (("divisor-duel:60", "2", "29"), ("person", "level:2")),
        (("divisor-duel:60", "15"), ("person", "level:2")),
        (("power-play:30", "2", "3", "5"), ("level:1", "person")),
        (("subtract-a-prime:20", "11", "resign"), ("person", "person")),
        (("subtract-a-prime:20", "11", "resign"), ("perfect", "random")),
    ]
    records = [
        Record.of(played(*moves), start + timedelta(days=day), players)
        for day, (moves, players) in enumerate(matches)
    ]
    fields = as_json(add_up(records))
    assert [tuple(tally.values()) for tally in fields["tallies"]] == [
        ("Divisor Duel", "Player 1", "level:2", 3, 1, 1, 1, 3, 4, 0.75),
        ("Power Play", "Player 2", "level:1", 1, 0, 1, 0, 0, 0, None),
        ("Subtract a Prime", "Player 1", "Player 2", 1, 1, 0, 0, 1, 1, 1.0),
        ("Subtract a Prime", "Player 2", "Player 1", 1, 0, 1, 0, 0, 0, None),
    ]
    assert [point["accuracy"] for point in fields["points"]] == [1.0, 0.0, 1.0, 1.0]
    assert fields["between_computers"] == 1


def test_a_map_around_a_number_holds_it_and_agrees_with_the_solver() -> None:
    for n, key in product((1, 57, 1234, 10**20), ("digit-subtraction-duel", "divisor-duel")):
        made = map_around(Number(load(key), n))
        shown = [cell.number for cell in made.cells]
        assert n in shown
        assert shown == [*range(shown[0], shown[0] + 100)]
        assert shown[0] % 10 == 1
        for cell in made.cells[::7]:
            assert cell.lost is (solve(Board.of(made.game, cell.number)).outcome == "loss"), cell
    assert len(map_around(Number(load("digit-subtraction-duel"), 10**120)).cells) == 20
    # Beyond what can be factored, Power Play's even rest stays open.
    made = map_around(Number(load("power-play"), 10**150))
    assert any(cell.lost is None for cell in made.cells)
    facts = maps.as_json(made)
    assert facts["lost"] == [cell.number for cell in made.cells if cell.lost]
    assert facts["values"] is None
    # In play, it ends with the tens of the number.
    for text in ("digit-subtraction-duel:25", "prime-subtractor:23", "divisor-duel:260~misere"):
        board = Board.parse(text)
        game, here = board.numbers[0]
        made = map_in_play(board)
        assert made.cells[-1].number == -(-here // 10) * 10
        for cell in made.cells:
            rules = game if cell.number == here else made.game
            lost = solve(Board.of(rules, cell.number, board.misere)).outcome == "loss"
            assert cell.lost is lost, cell


def texts_of(shown: maps.Map | maps.Graph) -> list[ElementTree.Element]:
    """In the picture as a notebook gets it."""
    return [*ElementTree.fromstring(shown._repr_svg_()).iter(f"{SVG}text")]


def test_a_notebook_shows_maps_values_and_graphs() -> None:
    game, search = load("subtract-a-prime"), Search(misere=True)
    lost = [str(n) for n in range(1, 61) if search.lost(Board.of(game, n, True))]
    texts = texts_of(make_map(game, 60, misere=True))
    assert [e.text for e in texts if e.get("font-weight") == "bold"][1:] == lost, "after the title"
    game, search = load("divisor-duel"), Search()
    texts = texts_of(make_map(game, 30, values=True))
    values = ((str(n), str(search.grundy(Number(game, n)))) for n in range(1, 31))
    assert [e.text for e in texts[1:-1]] == [*chain(*values)]
    graph = make_graph(game, 12)
    assert {str(n) for n in graph.moves} <= {e.text for e in texts_of(graph)}


def test_a_pattern_is_proved_only_by_the_theory_of_this_very_question() -> None:
    game = load("divisor-duel", divisors="prime")
    normal = "Proved: the traps are the odd numbers and 2^k, except 4."
    for misere in (False, True):
        assert any(cell.lost for cell in make_map(game, 100, misere).cells)
        assert pattern(game, misere) == (None if misere else normal)
        told = f"Proved: there is no trap from {1 + misere} on."
        assert pattern(load("subtract-any"), misere) == told
