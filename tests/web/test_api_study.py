"""Programs ask: the questions of the API, and the page that describes all of it."""

from __future__ import annotations

import json
import re
import subprocess

import httpx

from numduel.board import Board
from patience import PATIENT
from web.playing import opened, refused, told
from web.server import Server

QUESTIONS = {
    "moves?board=divisor-duel:12": ("count", 4),
    "moves?board=divisor-duel:60&most=3": ("complete", False),
    "verdict?board=divisor-duel:60": ("winning_moves", ["3", "5", "15"]),
    "verdict?board=subtract-a-prime:20%2Bdivisor-duel:60~misere": ("misere", True),
    "map?board=divisor-duel:60&to=12&values=true": ("lost", [1, 2, 3, 5, 7, 8, 9, 11]),
    "hint?board=divisor-duel:60&step=3": ("text", None),
    "analysis?match=divisor-duel:60/15.15.15.5.5&names=Ann,Ben": ("names", ["Ann", "Ben"]),
    "puzzle?day=2026-11-15": ("day", "2026-11-15"),
    "puzzle?seed=numduel&kind=divisor-duel&rating=1200": ("game", "divisor-duel"),
    "learn/divisor-duel": ("title", "Divisor Duel"),
}


def test_questions(client: httpx.Client) -> None:
    for path, (name, expected) in QUESTIONS.items():
        answer = told(client.get(f"api/{path}"))
        assert answer[name] if expected is None else answer[name] == expected
    refused(client.get("api/verdict?board=nim:3"), 422, "UnknownGame")
    refused(client.get("api/verdict?board=divisor-duel"), 422, "InvalidBoard")
    refused(client.get("api/analysis?match=divisor-duel:60/7"), 422, "InvalidNotation")


def test_games_and_players_are_those_that_are_taken(client: httpx.Client) -> None:
    answer = told(client.get("api/games"))
    assert len(answer["games"]) >= 5
    for game in answer["games"]:
        assert opened(client, game["board"]).room()["board"] == game["board"]
    for word in answer["players"]:
        assert opened(client, players=[word, "person"]).room()["seats"][0]["player"] == word


def test_a_puzzle_keeps_its_solution_until_it_is_answered(client: httpx.Client) -> None:
    puzzle = told(client.get("api/puzzle?day=2026-11-15"))
    assert "solution" not in puzzle
    tried = next(Board.parse(puzzle["board"]).moves())
    answer = Board.parse(puzzle["board"]).write_move(tried)
    said = told(client.post("api/puzzle", json={"day": "2026-11-15", "answer": answer}))
    assert said["solved"] == (said["solution"] == answer)
    right = {"day": "2026-11-15", "answer": said["solution"]}
    assert told(client.post("api/puzzle", json=right))["solved"]


def test_a_tutorial_says_what_is_learnt_only_when_it_is_solved(client: httpx.Client) -> None:
    lesson = told(client.get("api/learn/divisor-duel"))
    assert all("learnt" not in step for step in lesson["steps"])
    assert told(client.post("api/learn/divisor-duel/1", json={"answer": "3"}))["solved"]
    assert not told(client.post("api/learn/divisor-duel/1", json={"answer": "2"}))["solved"]


def test_the_schema_and_the_page_name_every_operation(client: httpx.Client) -> None:
    schema = told(client.get("openapi.json"))
    page = client.get("api")
    assert page.status_code == 200
    ids = [one["operationId"] for path in schema["paths"].values() for one in path.values()]
    assert len(ids) == len(set(ids)) >= 20
    for path in ("docs", "redoc", "docs/oauth2-redirect"):
        assert client.get(path).status_code == 404, "ready-made pages are off"
    assert [name for name in ids if f'id="{name}"' not in page.text] == []
    assert [s for s in schema["components"]["schemas"] if f'id="shape-{s}"' not in page.text] == []
    assert not re.search(r"\sstyle=|<style|<script", page.text)
    links = re.findall(r'href="#([^"]+)"', page.text)
    assert [link for link in links if f'id="{link}"' not in page.text] == []
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page.text), "nothing is from elsewhere"


def test_what_an_answer_shares_with_others_is_described_too(client: httpx.Client) -> None:
    shapes = told(client.get("openapi.json"))["components"]["schemas"]
    taken = ("NewRoom", "Act", "NewMove", "TakebackAnswer", "PuzzleAnswer", "StepAnswer",
             "NewSeat")  # fmt: skip
    for shape in (one for name, one in shapes.items() if name not in taken):
        if shape["type"] == "object":
            assert sorted(shape["required"]) == sorted(shape["properties"])
            assert shape["additionalProperties"] is False


def test_the_curl_lines_of_the_page_work(client: httpx.Client, server: Server) -> None:
    page = client.get("api").text
    [line] = re.findall(r"<code>(curl -X POST [^<]*/api/rooms)</code>", page)
    line = line.replace("&#39;", "'").replace("&#34;", '"')
    done = subprocess.run(
        ["bash", "-c", f"curl() {{ printf '%s\\n' \"$@\"; }}; {line}"],
        capture_output=True, text=True, timeout=PATIENT, check=True,
    )  # fmt: skip
    body = done.stdout.split("\n")[-3]
    told(client.post("api/rooms", json=json.loads(body)), 201)
    assert done.stdout.split("\n")[-2] == f"{server.address}api/rooms"
