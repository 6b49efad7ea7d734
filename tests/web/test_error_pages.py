"""What cannot be done is answered in words: a page for people, JSON for programs."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from numduel import errors
from numduel.web.pages.errors import add_error_pages, status_of
from numduel.web.pages.rendering import static, static_file
from numduel.web.settings import Settings
from web.markup import check

ERRORS: dict[str, tuple[Exception, int]] = {
    "room": (errors.UnknownRoom(code="<b>x</b>"), 404),
    "seat": (errors.NotSeated(code="x", needs="seat"), 403),
    "stale": (errors.NotAllowed("stale", version=1, now=3), 409),
    "board": (errors.InvalidBoard(text="<b>", problem="no number", part="<b>"), 422),
    "many": (errors.TooManyRequests(what="rooms", seconds=7), 429),
    "long": (errors.TookTooLong(question="verdict", seconds=5.0), 503),
    "store": (errors.StoreError(place="/secret/rooms.sqlite3", problem="full"), 503),
    "teapot": (HTTPException(418), 418),
}


@pytest.fixture(scope="module")
def web() -> Iterator[TestClient]:
    app = FastAPI()
    app.state.settings = Settings("nowhere")
    add_error_pages(app)
    app.get("/static/{name:path}")(static_file)

    @app.get("/raise/{name}")
    @app.get("/api/raise/{name}")
    def fail(name: str) -> None:
        raise ERRORS[name][0]

    @app.get("/number")
    @app.get("/api/number")
    def number(n: int) -> int:
        return n

    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_is_a_page_and_an_object(web: TestClient, name: str) -> None:
    answer, told = web.get(f"/raise/{name}"), web.get(f"/api/raise/{name}")
    _, status = ERRORS[name]
    assert (answer.status_code, told.status_code) == (status, status)
    page = check(answer.text)
    assert sorted(told.json()) == ["error", "message"]
    if name != "room":  # a room that is gone has a page of its own
        assert f"Status {status}." in page.words
        assert told.json()["message"] in page.words
    for text in (answer.text, told.text):
        assert "secret" not in text, "nothing about the server"
    assert "<b>" not in answer.text
    assert ("Try again" in [link.words for link in page.all("a")]) == (status in (429, 503))
    assert answer.headers.get("retry-after") == ("7" if name == "many" else None)


def test_every_error_has_a_status() -> None:
    kinds, waiting = [], [errors.NumduelError]
    while waiting:
        kinds.append(waiting.pop())
        waiting += kinds[-1].__subclasses__()
    statuses = {kind.__name__: status_of(kind()) for kind in kinds}
    assert set(statuses.values()) <= {403, 404, 409, 422, 429, 503}
    assert statuses["NotAllowed"] == 409
    assert statuses["TooBusy"] == 503
    assert statuses["IllegalMove"] == statuses["Unanswerable"] == 422


def test_what_cannot_be_used_is_named_and_not_sent_back(web: TestClient) -> None:
    answer = web.get("/api/number?n=<b>")
    assert answer.status_code == 422
    assert answer.json()["error"] == "InvalidRequest"
    assert answer.json()["message"].startswith("n: ")
    assert "<b>" not in answer.text
    check(web.get("/number").text)
    assert web.get("/api/nowhere").json()["error"] == "NotFound"


def test_static_files_are_kept_by_their_marked_address(web: TestClient) -> None:
    address = static("style.css")
    assert web.get(address).headers["cache-control"] == "public, max-age=31536000, immutable"
    plain = web.get("/static/style.css")
    assert plain.headers["cache-control"] == "no-cache"
    again = web.get("/static/style.css", headers={"If-None-Match": plain.headers["etag"]})
    assert again.status_code == 304
