"""Hand-made attacks on rooms: nothing is started, nobody is called, and others' matches stand."""

import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import psutil
import pytest

from numduel.rooms import new_token
from raised import raised
from web.playing import Player, duel, opened, play_all, refused, told
from web.server import Server
from web.tiny_server import PING, TEXT, frame, upgraded

MOVE = {"version": 4, "move": "15"}


@pytest.fixture
def players(client: httpx.Client) -> Iterator[tuple[Player, Player]]:
    """Two players after a turn each. Whatever a test sends, their match stays as it was."""
    both = duel(client)
    play_all(both, "15", "15")
    before = both[0].room()
    yield both
    assert both[0].room() == before


def test_on_another_seat(players: tuple[Player, Player], client: httpx.Client) -> None:
    first, second = players
    refused(second.play("15"), 409, "NotYourTurn")
    refused(first.play("3", 1), 409, "StaleChange")
    for token in (None, new_token(), opened(client).token):
        intruder = Player(client, first.code, token)
        refused(intruder.play("15"), 403, "NotSeated")
        for path in ("/resign", "/takeback", "/rematch"):
            refused(intruder.do(path), 403, "NotSeated")
        refused(intruder.do("/takeback/answer", yes=True), 403, "NotSeated")
        refused(intruder.ask("DELETE"), 403, "NotSeated")
        assert intruder.room()["you"] is None
    refused(second.ask("DELETE"), 403, "NotSeated")


def test_a_token_counts_whole_and_in_its_own_header_only(
    players: tuple[Player, Player], client: httpx.Client
) -> None:
    code, token = players[0].code, str(players[0].token)
    path, own = f"api/rooms/{code}/moves", str(client.base_url).rstrip("/")
    for forged in (token[:-1], token + "A", token.swapcase(), "' OR '1'='1' -- xxxxxxx",
                   token[:-1] + "\x7f", token[:-1] + "Å"):  # fmt: skip
        headers = {b"Authorization": f"Bearer {forged}".encode("latin-1")}
        refused(client.post(path, json=MOVE, headers=headers), 403, "NotSeated")
    stranger = {"Authorization": f"Bearer {new_token()}", "Cookie": f"numduel={token}"}
    for shown in ({"Authorization": f"Basic {token}"}, stranger | {"Origin": own}):
        refused(client.post(path, json=MOVE, headers=shown), 403, "NotSeated")
    refused(client.post(path, json=MOVE, params={"token": token}), 403, "NotSeated")
    refused(client.post(path, json=MOVE | {"token": token}), 422, "InvalidRequest")
    cookie = {"Cookie": f"numduel={token}"}
    refused(client.post(path, json=MOVE, headers=cookie), 403, "MissingOrigin")
    foreign = cookie | {"Origin": "https://elsewhere.example"}
    refused(client.delete(f"api/rooms/{code}", headers=foreign), 403, "ForeignOrigin")


def test_two_seats_in_one_request_are_refused(
    players: tuple[Player, Player], client: httpx.Client
) -> None:
    """Another site of the same domain can set a cookie of our name; nobody knows which is ours."""
    first, second = players
    at, own = f"api/rooms/{first.code}", str(client.base_url).rstrip("/")
    for mine, other in ((first, second), (second, first)):
        both = {"Cookie": f"numduel={mine.token}; a=b; numduel={other.token}", "Origin": own}
        refused(client.get(at, headers=both), 400, "TwoCookies")
        refused(client.post(f"{at}/moves", json=MOVE, headers=both), 400, "TwoCookies")
    twice = {"Cookie": f"numduel={first.token}; numduel={first.token}; numduel=x"}
    assert told(client.get(at, headers=twice))["you"] == 1


def test_a_cookie_of_our_own_page_plays_and_stays_hidden(client: httpx.Client) -> None:
    me = opened(client)
    page = {"Cookie": f"numduel={me.token}", "Origin": str(client.base_url).rstrip("/")}
    again = told(client.post(f"api/rooms/{me.code}/seat", headers=page))
    assert (again["room"]["you"], again["token"]) == (1, None), "scripts never see a cookie"
    made = client.post("api/rooms", json={"board": "power-play:30"}, headers=page)
    assert told(made, 201)["token"] is None
    assert "set-cookie" not in made.headers


def test_tokens_are_shown_once_and_kept_nowhere(client: httpx.Client, server: Server) -> None:
    players = duel(client)
    play_all(players, "15")
    code, replay = players[0].code, players[0].room()["replay"]
    tokens = [str(player.token) for player in players]
    for path in (f"room/{code}", f"room/{code}/table", f"replay/{replay}", f"analysis/{replay}",
                 f"api/rooms/{code}", f"api/replays/{replay}", ""):  # fmt: skip
        for headers in (*(one.headers for one in players), {"Cookie": f"numduel={tokens[0]}"}):
            answer = client.get(path, headers=headers)
            shown = answer.text + str(answer.headers)
            assert not [token for token in tokens if token in shown], path
    kept = b"".join(path.read_bytes() for path in Path(server.place).parent.iterdir())
    assert code.encode() in kept, "this is where rooms are kept"
    for secret in (*tokens, "127.0.0.1", "localhost"):
        assert secret.encode() not in kept, "nor is where somebody came from"
        assert secret not in server.output


def test_nothing_is_started_and_nobody_is_called(
    server: Server, client: httpx.Client, tmp_path: Path
) -> None:
    """Players that are programs or models are refused wherever a word or a record is taken."""
    marker = tmp_path / "started"
    with socket.socket() as trap:
        trap.bind(("127.0.0.1", 0))
        trap.listen()
        trap.settimeout(0.5)
        words = [f"engine:touch {marker}", f"engine:/usr/bin/touch {marker}",
                 f"llm:model@http://127.0.0.1:{trap.getsockname()[1]}/v1"]  # fmt: skip
        told(client.get("api/verdict?board=divisor-duel:60&most=7"))  # starts the thinkers
        own = {"Origin": server.address.rstrip("/")}
        for word in words:
            for seats in (["person", word], [word, "person"], [word, word]):
                asked = {"board": "divisor-duel:60", "players": seats}
                assert client.post("api/rooms", json=asked).status_code == 422
            form = {"board": "divisor-duel:60", "opponent": word, "first": "2"}
            assert client.post("rooms", data=form, headers=own).status_code == 422
            client.get("/", params={"level": word, "opponent": word})
            record = (
                "numduel record 1\nDate: 2026-11-15T09:30:00+00:00\nBoard: divisor-duel:60\n"
                f"Player 1: Alice, {word}\nPlayer 2: Bob, {word}\nFirst: Alice\nOvershoot: again\n"
                "Penalty: off\n\n1. Alice: 15 -> 45\n\nResult: unfinished\n"
            )
            for path in ("replay", "analysis", "path.svg", "api/analysis"):
                assert client.get(path, params={"match": record}).status_code < 500
                client.get(path, params={"match": "divisor-duel:60/15", "names": f"{word},x"})
            for path in ("api/moves", "api/verdict", "api/hint", "api/map", "explore"):
                assert client.get(path, params={"board": word}).status_code in (200, 422)
            assert client.get(f"api/learn/{quote(word, safe='')}").status_code in (404, 422)
            assert client.get("api/puzzle", params={"seed": "a", "kind": word}).status_code == 422
        raised(TimeoutError, trap.accept)
    assert not marker.exists()
    started = [one.cmdline() for one in psutil.Process(server.pid).children(recursive=True)]
    assert all("numduel.thinking.thinker" in one for one in started), "nothing else is started"


@pytest.mark.parametrize("kind", [TEXT, PING])
def test_a_flood_cuts_the_connection(kind: int, server: Server, client: httpx.Client) -> None:
    players = duel(client, "digit-subtraction-duel:99999")
    process = psutil.Process(server.pid)
    before = process.memory_info().rss
    with upgraded(server, players[0].code, receive_buffer=1_024) as connection:
        assert play_all(players, *["9"] * 10)["ply"] == 10, "others play on"
        raised(ConnectionError, connection.sendall, frame(kind, b"x" * 100) * 400_000)
        assert process.memory_info().rss - before < 10 << 20
    assert players[0].room()["ply"] == 10
