"""How much a policy gives away: `numduel.regret` compares it with perfect play, board by board.

A policy is whatever says what it would play on a board:

- a function of the board; a `Move` comes back, or the amount, on a board of one number;
- a Stable-Baselines3 model, or a torch module that gives a score for each action: they see
  what their environment shows. A model knows its own; otherwise it is `env`, any of ours;
- an OpenSpiel policy, on the boards of its game; what it gives away is weighed by probabilities.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from inspect import signature
from math import prod
from typing import Any, NamedTuple

from numduel.arena.intervals import Count, interval, rate_of
from numduel.arguments import checked
from numduel.board import Board, Move
from numduel.errors import InvalidArgument, InvalidSetup
from numduel.solver import solve
from numduel.study.difficulty import Known, remoteness

__all__ = ["Figures", "Regret", "regret", "regret_callback"]

DEEPEST = 2_001  # boards with more positions below them have no depth here
KEPT = 200_000  # depths kept between calls: a policy in training meets the same boards again
_known: Known = {}
Interval = tuple[float, float] | None
_Shares = dict[Move, float]  # how likely each move is


class Figures(NamedTuple):
    """What was given away on some boards; intervals of 95%, as if these were drawn from more."""

    asked: int  # won boards where some move throws the win away
    thrown: float | None  # the share of these that were thrown away; None where nothing was asked
    thrown_interval: Interval
    depth: float | None  # moves by which a win came too late, or a loss too soon, on average
    depth_interval: Interval


class Regret(NamedTuple):
    all: Figures
    by_range: dict[tuple[int, int], Figures]  # by ranges of the boards' largest numbers

    def rows(self) -> Iterator[tuple[str, ...]]:
        yield "numbers", "asked", "thrown away", "depth lost"
        ranges = ((f"{low} to {high}", one) for (low, high), one in self.by_range.items())
        for name, one in (*ranges, ("all", self.all)):
            thrown = _told(one.thrown, one.thrown_interval, "{:.1%}")
            yield name, str(one.asked), thrown, _told(one.depth, one.depth_interval, "{:.2f}")

    def __str__(self) -> str:
        return "\n".join("  ".join(cell.rjust(22) for cell in row) for row in self.rows())

    def _repr_html_(self) -> str:
        rows = ("".join(f"<td>{cell}</td>" for cell in row) for row in self.rows())
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


@checked
def regret(
    policy: Any,
    boards: Iterable[Board],
    ranges: Sequence[tuple[int, int]] | None = None,
    env: Any = None,
) -> Regret:
    """What the policy gives away on these boards, over all and by ranges: usually, by digits.

    Boards that are over are left out. Raises `IllegalMove` for a policy that plays one, and
    `TooLarge` for boards that cannot be solved.
    """
    ask = _asker(policy, env)
    if len(_known) > KEPT:
        _known.clear()
    judged = [_judge(board, ask(board)) for board in boards if not board.is_over]
    if ranges is None:
        digits = sorted({len(str(one.largest)) for one in judged})
        ranges = [(10 ** (count - 1), 10**count - 1) for count in digits]
    inside = {(a, b): [one for one in judged if a <= one.largest <= b] for a, b in ranges}
    return Regret(_figures(judged), {each: _figures(some) for each, some in inside.items()})


@checked
def regret_callback(boards: Iterable[Board], every: int = 1_000, env: Any = None) -> Any:
    """A callback for Stable-Baselines3: logs `regret/thrown` and `regret/depth` at the beginning,
    and each `every` steps from there.
    """
    try:
        from stable_baselines3.common.callbacks import BaseCallback, EveryNTimesteps
    except ImportError as error:
        raise InvalidSetup(problem="no library", name="stable-baselines3") from error
    asked = list(boards)

    class Log(BaseCallback):  # type: ignore[misc]
        def _on_training_start(self) -> None:
            self._on_step()

        def _on_step(self) -> bool:
            found = regret(self.model, asked, env=env).all
            self.logger.record("regret/thrown", found.thrown)
            self.logger.record("regret/depth", found.depth)
            return True

    return EveryNTimesteps(every, Log())


class _Judged(NamedTuple):
    board: Board
    largest: int
    asked: bool
    thrown: float
    kept: float  # how likely the outcome stayed, where depth is known
    depth: float


def _judge(board: Board, shares: _Shares) -> _Judged:
    won = solve(board).outcome == "win"
    asked = won and any(solve(board.play(move)).outcome == "win" for move in board.moves())
    thrown = kept = lost = 0.0
    best = _depth(board)
    for move, share in shares.items():
        after = board.play(move)
        if won and solve(after).outcome == "win":
            thrown += share
        elif best is not None:
            kept += share
            lost += share * abs(1 + (_depth(after) or 0) - best)
    largest = max(number.value for number in board.numbers)
    return _Judged(board, largest, asked, thrown, kept, lost)


def _figures(judged: list[_Judged]) -> Figures:
    asked = [one for one in judged if one.asked]
    thrown = [Count(one.board, one.thrown) for one in asked]
    lost = [Count(one.board, one.depth, one.kept) for one in judged]
    share, depth = (found.value if found else None for found in map(rate_of, (thrown, lost)))
    near = interval(lost, share=False) if depth else None
    return Figures(len(asked), share, interval(thrown), depth, near)


def _told(figure: float | None, around: Interval, form: str) -> str:
    if figure is None:
        return "-"
    return form.format(figure) + (f" ({' to '.join(map(form.format, around))})" if around else "")


def _depth(board: Board) -> int | None:
    """Moves to the end where the winner hurries and the loser delays; None where it is far."""
    if prod(number.value + 1 for number in board.numbers) > DEEPEST:
        return None
    return remoteness(board, _known, DEEPEST**2)


def _reached(policy: Any) -> dict[Board, Any]:
    """A state of an OpenSpiel policy's game for each board that a match comes to."""
    states = [policy.game.new_initial_state()]
    found = {states[0].position.board: states[0]}
    for state in states:  # which grows
        for after in map(state.child, state.legal_actions()):
            if after.position.spelled or after.position.board not in found:
                states.append(after)
                found.setdefault(after.position.board, after)
    return found


def _spelled(policy: Any, reached: dict[Board, Any], board: Board) -> _Shares:
    if board not in reached:
        raise InvalidSetup(problem="unreached", board=board)
    found: _Shares = {}
    waiting: list[tuple[Any, float, tuple[int, ...]]] = [(reached[board], 1.0, ())]
    for state, share, spelled in waiting:  # which grows
        for action, part in policy.action_probabilities(state).items():
            after, actions = state.child(action), (*spelled, action)
            if after.position.spelled:
                waiting.append((after, share * part, actions))
            elif part:
                found[policy.game.duel.move(*actions)] = share * part
    return found


def _asker(policy: Any, env: Any) -> Callable[[Board], _Shares]:
    if hasattr(policy, "action_probabilities"):
        return partial(_spelled, policy, _reached(policy))
    if hasattr(policy, "predict") or hasattr(policy, "state_dict"):
        if env is None and getattr(policy, "get_env", lambda: None)() is not None:
            env = policy.get_env().envs[0]
        if env is None:
            raise InvalidSetup(problem="no environment")
        score = _predicted if hasattr(policy, "predict") else _scored
        answer = env.unwrapped.answer
        return lambda board: {answer(board, lambda *at: score(policy, *at)): 1.0}
    if not callable(policy):
        wanted = ("a function of a board",)
        raise InvalidArgument(name="policy", value=repr(policy), expected=wanted)
    return lambda board: {_whole(policy(board)): 1.0}


def _whole(chosen: Move | int) -> Move:
    return chosen if isinstance(chosen, tuple) else Move(0, chosen)


def _predicted(model: Any, seen: Any, mask: Any) -> int:
    """What a Stable-Baselines3 model plays; one without masks may play what is illegal."""
    masks = {"action_masks": mask} if "action_masks" in signature(model.predict).parameters else {}
    return int(model.predict(seen, deterministic=True, **masks)[0])


def _scored(module: Any, seen: Any, mask: Any) -> int:
    """The legal action with the highest score; where a module gives several things, the first."""
    import torch

    with torch.no_grad():
        given = module(torch.as_tensor(seen)[None])
    scores = (given if isinstance(given, torch.Tensor) else given[0])[0]
    return int(scores.masked_fill(~torch.as_tensor(mask, dtype=torch.bool), -torch.inf).argmax())
