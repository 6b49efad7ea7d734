"""A game's rules in plain words, from its docstring and what it says of itself."""

from __future__ import annotations

from inspect import cleandoc

from numduel.games import Game


def summary(game: Game) -> str:
    """The game in one line."""
    return cleandoc(type(game).__doc__ or "").partition("\n")[0]


def paragraphs(game: Game) -> list[str]:
    """The game's rules in paragraphs, the summary left out; an example begins "Example:"."""
    rest = cleandoc(type(game).__doc__ or "").partition("\n\n")[2]
    return [" ".join(part.split()) for part in rest.split("\n\n") if part.strip()]


def rules(game: Game) -> list[str]:
    """The game's rules on one screen, in lines."""
    lines = [game.title, "=" * len(game.title), "", *cleandoc(type(game).__doc__ or "").split("\n")]
    lines += ["", f"Play it:    numduel play {game.key}", f"It starts:  from {game.default_start}"]
    lines[-1] += ", or from another number: --start N"
    for name, values in game.variants.items():
        lines.append(f"Variant:    --set {name}=VALUE with VALUE {', '.join(values)}")
        lines[-1] += f" (usual: {values[0]})"
    if "overshoot" in game.policies:
        lines.append("Option:     --overshoot loses: a prime above the total loses at once")
    if "penalty" in game.policies:
        lines.append("Option:     --penalty K: K bad inputs in a row lose the turn")
    return [*lines, "Option:     --misere: whoever cannot move wins instead"]
