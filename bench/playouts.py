"""Random playouts through the board, against OpenSpiel's C++ nim stepped from Python."""

import random
import time
from collections.abc import Iterator

import pyspiel

from bench.measure import Result, interleaved, sized
from numduel import Board

SECONDS = sized(1.0, 0.01)


def nim_rate() -> float:
    """Steps a second of OpenSpiel's nim at its defaults."""
    game, choose = pyspiel.load_game("nim"), random.Random(1).choice
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        for _ in range(100):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(choose(state.legal_actions()))
                steps += 1
    return steps / (time.perf_counter() - start)


def board_rate() -> float:
    """Steps a second of Divisor Duel from 60."""
    first, choose = Board.parse("divisor-duel:60"), random.Random(1).choice
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        for _ in range(100):
            board = first
            while not board.is_over:
                board = board.play(choose(list(board.moves())))
                steps += 1
    return steps / (time.perf_counter() - start)


def run() -> Iterator[Result]:
    """Our steps a second as a part of nim's."""
    nim, ours = interleaved(nim_rate, board_rate)
    print(f"OpenSpiel nim {nim:,.0f} steps/s, Divisor Duel from 60 {ours:,.0f} steps/s")
    yield Result("Divisor Duel playout steps / OpenSpiel nim steps", ours / nim, 0.25, True)
