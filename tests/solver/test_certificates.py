"""Certificates: what the solver writes, the checker verifies; what is tampered with, it refuses."""

import json
import re
import time
from itertools import count
from typing import Any

import pytest

from numduel import Board, solve
from numduel.errors import InvalidCertificate, TooLarge
from numduel.solver.certificate import certificate
from numduel.solver.check import check
from raised import raised
from rules.plain_rules import HARD

HUGE = 10**100
KINDS = {
    "strategy": [
        "subtract-a-prime:20", "subtract-a-prime:49", "subtract-a-prime:310~misere",
        "subtract-a-prime:10007", "prime-subtractor:31", "divisor-duel:60",
        "divisor-duel:45~misere", "divisor-duel:600,divisors=prime~misere",
        "digit-subtraction-duel:0~misere",
        "digit-subtraction-duel:25+power-play:30", "subtract-a-prime:20+divisor-duel:24",
        "divisor-duel:18+divisor-duel:20~misere",
    ],
    "rule": [
        "divisor-duel:600851475143", f"divisor-duel:{HARD * 4}",
        f"divisor-duel:{HARD * 4},divisors=even~misere",
        "digit-subtraction-duel:123456789", "digit-subtraction-duel:123456789~misere",
    ],
    "factors": ["power-play:123456789012", "power-play:123456789012~misere"],
    "walk": [
        f"subtract-a-prime:{HUGE + 7}", f"subtract-a-prime:{HUGE}",
        f"subtract-a-prime:{HUGE + 8}~misere", f"prime-subtractor:{HUGE + 267}",
        f"subtract-a-prime:{10**250 + 8}",
    ],
}  # fmt: skip
BOARDS = {text: kind for kind, texts in KINDS.items() for text in texts}


def made(text: str) -> dict[str, Any]:
    return json.loads(certificate(solve(text)))  # type: ignore[no-any-return]


def refused(data: dict[str, Any], **changes: object) -> None:
    raised(InvalidCertificate, check, json.dumps({**data, **changes}))


@pytest.mark.parametrize("text", BOARDS, ids=lambda text: re.sub(r"\d{30,}", "huge", text))
def test_round_trip(text: str) -> None:
    data, verdict = made(text), solve(Board.parse(text))
    assert data["proof"]["kind"] == BOARDS[text]
    report = check(json.dumps(data))
    assert report.outcome == verdict.outcome
    assert report.verified
    names = {claim.name for claim in report.relies_on}
    if BOARDS[text] == "strategy":
        assert not names
    if BOARDS[text] == "walk":
        assert "five-even-losses" in names
        assert ("probable-prime" in names) == (len(text) > 220)
        assert ("pairing" in names) == verdict.misere
    other = "loss" if data["outcome"] == "win" else "win"
    refused(data, outcome=other)
    refused(data, outcome=other, move=None)
    if data["move"] is not None or data["outcome"] == "loss":
        refused(data, proof={"kind": "claim", "method": "theorem", "holds": "proved"})


def test_what_cannot_be_proved_or_named_gets_no_certificate() -> None:
    for text in (f"subtract-a-prime:{HUGE}+divisor-duel:60", "divisor-duel:1000000~misere"):
        raised(TooLarge, made, text, match="No certificate can be written")
    raised(TooLarge, made, f"divisor-duel:{HARD},divisors=odd~misere", match="cannot all be listed")


def test_a_changed_strategy_is_refused() -> None:
    """Every listed loss and every answer of some small tables, left out, emptied or spoilt."""
    for text in ("divisor-duel:60", "divisor-duel:45~misere", "subtract-a-prime:20"):
        honest = made(text)
        lost = honest["proof"]["lost"]
        changes = [{p: a for p, a in lost.items() if p != left_out} for left_out in lost]
        for position, answers in lost.items():
            for move, answer in answers.items():
                kept = {m: reply for m, reply in answers.items() if m != move}
                wrong = [kept, {**answers, move: "999999"}]
                wrong += [{**answers, move: None}] if answer is not None else []
                changes += [{**lost, position: changed} for changed in wrong]
        for changed in changes:
            refused(honest, proof={"kind": "strategy", "lost": changed})


WALK = f"subtract-a-prime:{HUGE + 7}"
OPENING = f"prime-subtractor:{HUGE + 267}"


def test_another_argument_is_refused() -> None:
    steps = made(WALK)["proof"]["steps"]
    for text, changes in {
        WALK: [
            *({"steps": steps[:-1]}, {"steps": steps[1:]}, {"steps": [*steps, steps[-1]]}),
            {"steps": [[None] * 5] * (len(steps) + 1)},
            *({"steps": [[factor] * 5, *steps[1:]]} for factor in (7, 1, True)),
            *({"e": e} for e in (2, None, 0)),
        ],
        OPENING: [{"opening": [None] * 3}, {"opening": [2] * 4}],
        "power-play:123456789012": [{"factors": wrong} for wrong in ([4], [2, 2], ["2"])],
        "divisor-duel:600851475143": [{"kind": "walk"}, {"kind": "factors"}],
        "subtract-a-prime:20": [{"kind": "rule"}, {"kind": "magic"}],
        "subtract-a-prime:20+divisor-duel:24": [{"kind": "walk"}, {"kind": "rule"}],
    }.items():
        data = made(text)
        for change in changes:
            refused(data, proof={**data["proof"], **change})


FRAMES: list[dict[str, object]] = [
    *({"format": "other"}, {"version": 2}, {"extra": 1}),
    *({"board": "chess:8"}, {"board": 5}, {"board": "subtract-a-prime:21"}),
    *({"outcome": "draw"}, {"misere": 1}, {"misere": True}),
    *({"move": "4"}, {"move": "13"}, {"move": 11}, {"move": None}),
    *({"proof": None}, {"proof": {}}, {"proof": {"kind": "claim", "holds": 3}}),
    {"proof": {"kind": "strategy", "lost": []}},
]


def test_a_changed_frame_is_refused() -> None:
    data = made("subtract-a-prime:20")
    for change in FRAMES:
        refused(data, **change)
    for text in ("", "[]", "{}", "{", "[" * 100_000):
        raised(InvalidCertificate, check, text)


PROBABLE = 10**300 + 331


def test_a_large_prime_is_a_premise_wherever_one_is_needed() -> None:
    for board, premises in (
        (f"divisor-duel:{PROBABLE}~misere", ["probable-prime"]),
        (f"divisor-duel:{10**100 + 267}~misere", []),
        (f"divisor-duel:{PROBABLE}", ["divisors"]),
        (f"subtract-a-prime:{PROBABLE}", ["probable-prime"]),
        (f"power-play:{PROBABLE}", ["probable-prime"]),
        (f"subtract-any:{PROBABLE}", []),
    ):
        relies_on = check(json.dumps(made(board))).relies_on
        assert [claim.name for claim in relies_on] == premises, board[:20]


def test_the_work_of_a_check_is_bounded() -> None:
    mersenne, begun = 2**4423 - 1, time.monotonic()
    many = {f"divisor-duel:{n}": {"2": "2"} for n in range(20_001)}
    large = {"divisor-duel:4": {"2": "2"}, f"divisor-duel:{10**9 + 7}": {}}
    for board, proof in (
        (f"power-play:{mersenne**3}", {"kind": "factors", "factors": [mersenne] * 500}),
        (f"power-play:{mersenne**3}", {"kind": "factors", "factors": [1] * 10**5}),
        ("divisor-duel:4", {"kind": "strategy", "lost": many}),
        ("divisor-duel:4", {"kind": "strategy", "lost": large}),
        ("subtract-1-to-1000:7", {"kind": "period", "start": 0, "length": 1, "lost": "0" * 10**6}),
    ):
        refused(made("divisor-duel:7"), board=board, proof=proof)
    assert time.monotonic() - begun < 10


def test_a_misere_end_is_no_loss() -> None:
    data = made("divisor-duel:45~misere")
    data["proof"]["lost"]["divisor-duel:1~misere"] = {}
    refused(data)
    zero = made("digit-subtraction-duel:0~misere")
    refused(zero, board="digit-subtraction-duel:0", misere=False)


def test_a_table_of_a_whole_strategy_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.solver.certificate.ENTRIES", 3)
    for text in ("subtract-a-prime:49", "subtract-a-prime:51~misere"):
        assert made(text)["proof"] == {"kind": "walk", "steps": [], "e": None}
        assert check(json.dumps(made(text))).outcome == "loss"
    for text in ("prime-subtractor:37~misere", "divisor-duel:18+divisor-duel:20~misere"):
        raised(TooLarge, made, text, match="No certificate can be written")


def test_a_wide_board_is_declined_as_soon_as_others(monkeypatch: pytest.MonkeyPatch) -> None:
    boards, play = count(), Board.play
    monkeypatch.setattr(Board, "play", lambda board, move: (next(boards), play(board, move))[1])
    with pytest.raises(TooLarge, match="No certificate can be written"):
        made("+".join(["divisor-duel:60"] * 10))
    assert 1_000 < next(boards) < 100_000, "with four numbers it takes 16,000"


def test_a_game_that_makes_nothing_smaller_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps(made("subtract-a-prime:9"))
    monkeypatch.setattr(Board, "play", lambda board, _: board)
    raised(InvalidCertificate, check, text, match="nothing smaller")
