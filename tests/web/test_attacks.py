"""Hand-made attacks on rooms: whatever somebody sends, others' matches stand."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from numduel.rooms import new_token
from web.playing import Player, duel, opened, play_all, refused, sat_down, told
from web.server import Server

LONG = "digit-subtraction-duel:99999"


@pytest.fixture
def place(server: Server) -> Path:
    return Path(server.place)


@pytest.fixture
def players(client: httpx.Client) -> Iterator[tuple[Player, Player]]:
    """Two players after a turn each. Whatever a test sends, their match stays as it was."""
    both = duel(client)
    play_all(both, "15", "15")
    before = both[0].room()
    yield both
    assert both[0].room() == before


def test_out_of_turn(players: tuple[Player, Player]) -> None:
    now = players[0].room()["version"]
    refused(players[1].play("15"), 409, "NotYourTurn")
    refused(players[1].play("5", now + 1), 409, "StaleChange")
    refused(players[0].play("5", now - 1), 409, "StaleChange")
    refused(players[0].play("3", 1), 409, "StaleChange")
    refused(players[0].play("15", 10**9), 409, "StaleChange")


def test_on_another_seat(players: tuple[Player, Player], client: httpx.Client) -> None:
    first, _ = players
    stranger = Player(client, first.code, new_token())
    nobody = Player(client, first.code)
    elsewhere = opened(client)
    other_room = Player(client, first.code, elsewhere.token)
    for intruder in (stranger, nobody, other_room):
        refused(intruder.play("15"), 403, "NotSeated")
        for path in ("/resign", "/takeback", "/rematch"):
            refused(intruder.do(path), 403, "NotSeated")
        refused(intruder.do("/takeback/answer", yes=True), 403, "NotSeated")
        refused(intruder.ask("DELETE"), 403, "NotSeated")
        assert intruder.room()["you"] is None
    refused(players[1].ask("DELETE"), 403, "NotSeated")


def moved(client: httpx.Client, code: str, status: int = 403, error: str = "NotSeated",
          params: dict[str, str] | None = None, **headers: str | bytes) -> None:  # fmt: skip
    """A move by who shows these headers is refused so."""
    move = {"version": 4, "move": "15"}
    path = f"api/rooms/{code}/moves"
    sent = {name.encode(): value.encode() if isinstance(value, str) else value
            for name, value in headers.items()}  # fmt: skip
    refused(client.post(path, json=move, params=params, headers=sent), status, error)


def test_forged_tokens(players: tuple[Player, Player], client: httpx.Client) -> None:
    first, _ = players
    token = str(first.token)
    for forged in (token[:-1], token + "A", token.swapcase(), "BA"[token[0] == "B"] + token[1:],
                   "undefined", "%" * 22, "' OR '1'='1' -- xxxxxxx", "0" * 64,
                   token[:-1] + "\x7f", token[:-1] + "Å"):  # fmt: skip
        moved(client, first.code, Authorization=f"Bearer {forged}".encode("latin-1"))


def test_a_token_counts_in_its_own_header_only(
    players: tuple[Player, Player], client: httpx.Client
) -> None:
    [(code, token), _] = ((one.code, str(one.token)) for one in players)
    moved(client, code, params={"token": token})
    moved(client, code, Authorization=f"Basic {token}")
    own = str(client.base_url).rstrip("/")
    moved(client, code, Authorization=f"Bearer {new_token()}", Cookie=f"numduel={token}",
          Origin=own)  # fmt: skip
    body = {"version": 4, "move": "15", "token": token}
    refused(client.post(f"api/rooms/{code}/moves", json=body), 422, "InvalidRequest")


def test_a_cookie_from_elsewhere(players: tuple[Player, Player], client: httpx.Client) -> None:
    code, cookie = players[0].code, f"numduel={players[0].token}"
    for origin in ("https://elsewhere.example", "null", "http://127.0.0.1:1"):
        moved(client, code, 403, "ForeignOrigin", Cookie=cookie, Origin=origin)
        headers = {"Cookie": cookie, "Origin": origin}
        refused(client.delete(f"api/rooms/{code}", headers=headers), 403, "ForeignOrigin")
    moved(client, code, 403, "MissingOrigin", Cookie=cookie)


def test_two_seats_in_one_request_are_refused(
    players: tuple[Player, Player], client: httpx.Client
) -> None:
    """Another site of the same domain can set a cookie of our name; nobody knows which is ours."""
    first, second = players
    own, move = str(client.base_url).rstrip("/"), {"version": 4, "move": "15"}
    for mine, other in ((first, second), (second, first)):
        cookie = f"numduel={mine.token}; a=b; numduel={other.token}"
        for answer in (
            client.get(f"api/rooms/{first.code}", headers={"Cookie": cookie}),
            client.post(
                f"api/rooms/{first.code}/moves",
                json=move,
                headers={"Cookie": cookie, "Origin": own},
            ),
        ):
            refused(answer, 400, "TwoCookies")
    twice = {"Cookie": f"numduel={first.token}; numduel={first.token}; numduel=x"}
    assert told(client.get(f"api/rooms/{first.code}", headers=twice))["you"] == 1


def test_a_cookie_of_our_own_page_plays_and_stays_hidden(client: httpx.Client) -> None:
    me = opened(client)
    page = {"Cookie": f"numduel={me.token}", "Origin": str(client.base_url).rstrip("/")}
    again = told(client.post(f"api/rooms/{me.code}/seat", headers=page))
    assert (again["room"]["you"], again["token"]) == (1, None), "scripts never see a cookie"
    made = client.post("api/rooms", json={"board": "power-play:30"}, headers=page)
    assert told(made, 201)["token"] is None
    assert "set-cookie" not in made.headers


def test_after_the_end(client: httpx.Client) -> None:
    players = duel(client)
    ended = play_all(players, "15", "15", "15", "5", "5")
    assert ended["over"]
    for player in players:
        refused(player.play("5"), 409, "MatchOver")
        refused(player.do("/resign"), 409, "MatchOver")
        refused(player.do("/takeback"), 409, "MatchOver")
        refused(player.do("/takeback/answer", yes=True), 409, "MatchOver")
    told(players[0].play("5", ended["version"] - 1))  # the last move sent again is harmless
    assert players[0].room() == ended | {"you": 1}


def test_many_at_once_play_one_move_and_one_of_them_gets_the_seat(client: httpx.Client) -> None:
    first, second = duel(client, LONG)
    host = opened(client)
    with ThreadPoolExecutor(10) as crowd:
        answers = list(crowd.map(lambda _: first.play("9", 2), range(10)))
        seats = list(crowd.map(lambda _: client.post(f"api/rooms/{host.code}/seat"), range(10)))
    room = second.room()
    assert {told(answer)["version"] for answer in answers} == {room["version"]}, "all harmless"
    assert room["turns"] == ["9"]
    assert sorted(answer.status_code for answer in seats) == [200] + [409] * 9


def test_tokens_are_shown_once_and_stored_hashed(
    client: httpx.Client, place: Path, server: Server
) -> None:
    players = duel(client)
    play_all(players, "15")
    code, replay = players[0].code, players[0].room()["replay"]
    tokens = [player.token for player in players]
    pages = [f"room/{code}", f"room/{code}/table", f"replay/{replay}", f"analysis/{replay}",
             f"api/rooms/{code}", f"api/replays/{replay}", ""]  # fmt: skip
    for path in pages:
        for player in players:
            answer = client.get(path, headers=player.headers)
            shown = answer.text + str(answer.headers)
            assert not [token for token in tokens if token in shown], path
        cookie = client.get(path, headers={"Cookie": f"numduel={tokens[0]}"})
        assert tokens[0] not in cookie.text + str(cookie.headers), path
    kept = b"".join(path.read_bytes() for path in place.parent.iterdir())
    assert code.encode() in kept, "this is where rooms are kept"
    assert not [token for token in tokens if token.encode() in kept]
    assert not [token for token in tokens if token in server.output]
    for address in ("127.0.0.1", "localhost"):
        assert address.encode() not in kept, "nor is where somebody came from"
        assert address not in server.output
    with sqlite3.connect(f"file:{place}?mode=ro", uri=True) as database:
        seats = [row[0] for row in database.execute("SELECT token FROM seats WHERE token NOTNULL")]
        hosts = [row[0] for row in database.execute("SELECT host FROM rooms")]
    database.close()
    assert seats
    assert all(re.fullmatch("[0-9a-f]{64}|", hashed) for hashed in seats + hosts)
    assert len(set(seats)) == len(seats), "no two seats can be told to be one person's"


def test_a_guessed_code_finds_nothing(client: httpx.Client) -> None:
    code = sat_down(client, opened(client).code).code
    guesses = [code.upper(), code[:-1], f"{code}2", f" {code}", f"{code}%00", f"{code}%2Fx",
               "..%2f..%2fetc", "%2e%2e", "' OR 1=1 --", "%EF%BC%92" * 10]  # fmt: skip
    for guess in guesses:
        assert client.get(f"api/rooms/{guess}").status_code == 404, guess
        answer = client.post(f"api/rooms/{guess}/seat")
        assert answer.status_code in (404, 409), guess
