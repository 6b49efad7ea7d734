"""Heap games from their rule: Nim, Kayles and Dawson's Kayles against published values."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from numduel.errors import InvalidHeap
from numduel.research import heap, heap_file, octal
from numduel.research.periods import octal_period
from numduel.theory.tables import Period, seen_period
from numduel.wording import problem

KAYLES = "0 1 2 3 1 4 3 2 1 4 2 6 4 1 2 7 1 4 3 2 1 4 6 7"  # OEIS A002186
DAWSONS_KAYLES = "0 0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5 2 2 3 3 0 1 1 3 0 2 1 1 0 4 5 2 7 4"  # A002187


def test_nim() -> None:
    nim = heap(lambda n: range(n))
    assert nim.values(50) == list(range(50))
    assert nim.grundy(3, 5, 6) == 0
    assert nim.is_lost(3, 5, 6)
    assert not nim.is_lost(1, 1, 1)
    assert nim.is_lost(1, 1, 1, misere=True)
    assert [nim.genus(n) for n in range(6)] == ["0^120", "1^031", "2^20", "3^31", "4^46", "5^57"]
    assert nim.genus(2, 3) == "1^13"
    assert nim.period(100) is None


def test_kayles() -> None:
    kayles = octal("0.77")
    assert kayles.values(24) == list(map(int, KAYLES.split()))
    assert kayles.period(400) == Period(71, 12, True)
    # Sibert and Conway 1992: the lost single rows of misère Kayles begin so.
    assert list(islice(kayles.losses(misere=True), 4)) == [1, 4, 9, 12]
    assert [kayles.genus(n) for n in (4, 5, 8)] == ["1^031", "4^146", "1^13"]
    # From 71 on, as Guy and Smith print its period of twelve.
    period = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7]
    assert kayles.values(2_000)[71:] == [period[n % 12] for n in range(71, 2_000)]

    def rule(n: int) -> list[tuple[int, ...]]:
        return [(a, n - k - a) for k in (1, 2) for a in range(n - k + 1)]

    assert heap(rule).values(60) == kayles.values(60)


def test_dawsons_kayles() -> None:
    game = octal("0.07")
    assert game.values(35) == list(map(int, DAWSONS_KAYLES.split()))
    assert game.period(400) == Period(53, 34, True)


def test_misere_values_by_definition() -> None:
    """Against plain recursion on the rules of misère play."""
    game = octal("0.77")

    def lost(heaps: tuple[int, ...]) -> bool:
        after = [
            tuple(sorted((*heaps[:i], *heaps[i + 1 :], *option)))
            for i, n in enumerate(heaps)
            for option in game.options(n)
        ]
        return bool(after) and not any(map(lost, after))

    for a in range(6):
        for b in range(a, 5):
            assert game.is_lost(a, b, misere=True) == lost(tuple(n for n in (a, b) if n))


def test_a_period_needs_proof_or_says_that_it_was_seen() -> None:
    subtract = heap(lambda n: [n - k for k in (1, 2) if k <= n])
    assert subtract.period(50) == Period(0, 3, False)
    assert seen_period([1, 2, 3]) is None
    assert octal_period([0, 1] * 3, 2) == Period(0, 2, False), "seen"
    assert octal_period([0, 1] * 10, 2) == Period(0, 2, True), "proved"
    assert octal("0.77").period(150) == Period(71, 12, False), "not far enough for the theorem"
    assert octal("0.77").period(60) is None


def test_a_rule_that_breaks_the_rules() -> None:
    rules: list[tuple[Any, str]] = [
        (lambda n: [n], "not smaller"),
        (lambda n: [n + 1], "not smaller"),
        (lambda n: ["x"], "an option is a smaller number"),
        (lambda n: [True] if n > 1 else [], "an option is a smaller number"),
        (lambda n: [-1], "the smallest heap is 0"),
        (lambda n: [1 // 0], "ZeroDivisionError"),
        (lambda n: 5, "TypeError"),
    ]
    for rule, says in rules:
        with pytest.raises(InvalidHeap) as caught:
            heap(rule).values(5)
        assert says in problem(caught.value)


def test_bad_codes_heaps_and_files(tmp_path: Path) -> None:
    for code in ("", "77", "0.", "0.8", "1.7"):
        with pytest.raises(InvalidHeap):
            octal(code)
    with pytest.raises(InvalidHeap):
        heap(lambda n: [], least=1).grundy(0)
    path = tmp_path / "rule.py"
    for text in ("options = ", "x = 1", "1 // 0"):
        path.write_text(text)
        with pytest.raises(InvalidHeap) as caught:
            heap_file(path)
        assert "options(n)" in problem(caught.value)
    path.write_text("least = 1\ndef options(n): return range(1, n)\n")
    assert heap_file(path).values(5) == [0, 1, 2, 3, 4]


def test_too_many_positions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from numduel.research import genus

    monkeypatch.setattr(genus, "LIMIT", 50)
    with pytest.raises(InvalidHeap) as caught:
        octal("0.77").misere_value(20)
    assert "more than 50 positions" in problem(caught.value)


def test_codes_as_winning_ways_writes_them() -> None:
    """Without the nought, and with a 4 before the point: splitting alone is a move."""
    assert octal(".77").values(200) == octal("0.77").values(200)

    def splits(n: int) -> list[int | tuple[int, int]]:
        taken = [(part, n - 1 - part) for part in range(1, n - 1)] if n > 2 else []
        alone = [(part, n - part) for part in range(1, n)]
        return [*([n - 1] if n else []), *taken, *alone]

    assert octal("4.7").values(60) == heap(splits).values(60)
