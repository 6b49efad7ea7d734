"""The first page: where a match starts, who is offered next, and what is called."""

from numduel.board import Board
from numduel.games import keys, load
from numduel.players import LADDER
from numduel.solver import Search
from numduel.study.duels import contest_starts
from web.visitor import Visitor


def start_of(me: Visitor) -> int:
    return int(me.value("number-1"))


def test_a_start_is_drawn_for_each_game_and_rung_unless_somebody_chose_it(me: Visitor) -> None:
    for key in ("divisor-duel", "subtract-a-prime", "digit-subtraction-duel"):
        for rung in (LADDER[0], LADDER[-1]):
            drawn = set()
            for _ in range(12):
                me.get(f"/?game={key}&opponent={rung}")
                drawn.add(start_of(me))
            assert len(drawn) > 2, "drawn anew"
            assert drawn <= set(contest_starts(load(key), rung)), (key, rung)
    me.get("/?game=divisor-duel&opponent=beginner")
    me.press("setup", opponent="level:5")
    assert start_of(me) in contest_starts(load("divisor-duel"), "level:5"), "for the new opponent"
    me.press("setup", first="2")
    assert start_of(me) in contest_starts(load("divisor-duel"), "level:5", begins=False)
    me.press("setup", number="84", first="1")
    for change in ({"opponent": "level:1"}, {"first": "2"}):
        me.press("setup", **change)
        assert start_of(me) == 84, "a number that was typed is kept"
    me.get("/?board=divisor-duel:84&opponent=level:1")
    assert start_of(me) == 84, "and one that a link names"
    me.get("/?game=divisor-duel&opponent=friend")
    assert start_of(me) == 60, "friends have the usual one"
    me.get("/?game=subtract-any")
    assert start_of(me) == load("subtract-any").default_start, "and so have own rules"
    for last in (
        "x",
        "9" * 400,
        f"divisor-duel:{(10**19 + 51) * (10**20 + 39)}",
        "power-play:5~misere",
    ):
        me.get(f"/?game=divisor-duel&last={last}")
        assert start_of(me) in contest_starts(load("divisor-duel"), LADDER[0])


def test_another_match_starts_elsewhere_and_the_next_rung_is_offered(me: Visitor) -> None:
    me.get("/?game=digit-subtraction-duel")
    before = Board.parse(me.by_id("typed").attributes["data-board"])
    while not me.has("over"):
        me.press("moves", str(next(iter(Search().winning_moves(board_of(me)))).amount))
    assert me.words("beaten").startswith("You beat Pip. Next comes Dot")
    for form, rung in (("rematch", "beginner"), ("next", "level:1")):
        over = me.at
        me.press(form)
        assert me.at.startswith("/room/")
        assert me.at != over
        number = board_of(me).numbers[0].value
        assert number in contest_starts(load("digit-subtraction-duel"), rung)
        assert number % 10 != before.numbers[0].value % 10, "no first move wins both"
        me.get(over)


def test_whoever_beats_the_best_is_offered_other_goals(me: Visitor) -> None:
    for key in ("divisor-duel", "subtract-a-prime"):
        me.get(f"/?game={key}&opponent=level:5")
        while not me.has("over"):
            me.press("moves", str(next(iter(Search().winning_moves(board_of(me)))).amount))
        assert me.words("beaten").startswith("You beat Vera, who never misses a win")
        over = me.at
        games = [link.attributes["data-game"] for link in me.by_id("goals").all("a")]
        assert sorted([*games, key, "power-play"]) == sorted(keys())
        me.press("two")
        board = board_of(me)
        assert [number.game.key for number in board.numbers] == [key, games[0]]
        assert not Search().lost(board), "whoever begins can win"
        me.get(over)
        me.press("second")
        while me.words("turn").endswith("is thinking"):
            me.get(me.at)
        assert me.words("turn") == "Your turn"
        assert not Search().lost(board_of(me)), "Vera can be beaten"


def board_of(me: Visitor) -> Board:
    return Board.parse(me.by_id("typed").attributes["data-board"])


def test_power_play_is_called_and_not_climbed(me: Visitor) -> None:
    for call in ("1", "2"):
        me.get("/?game=power-play&opponent=level:4")
        words = [one.attributes["value"] for one in me.by_id("opponent").all("option")]
        assert words == ["beginner", "friend"]
        assert not me.moves()
        won = not Search().lost(Board.parse(f"power-play:{start_of(me)}"))
        me.press("call", call)
        assert me.words("call") == f"Your call: {'you win' if call == '1' else 'Pip wins'}."
        assert not me.has("ask-hint")
        while not me.has("over"):
            me.press("moves", me.moves()[-1])
        assert f"{'You' if won else 'Pip'} reached 1." in me.words("over")
        assert me.words("speech") == "Pip: “It was settled before we began!”"
        right = won == (call == "1")
        assert me.words("call") == f"Your call was {'right' if right else 'wrong'}."
        assert not me.has("next")
        assert "mistake" not in me.words("history").lower()
        assert me.words("turning").startswith("Nothing that was chosen mattered"), "no praise"
        again = me.by_id("rematch").attributes["href"]
        assert me.get(again).one("h1").words == "Who will win?"
