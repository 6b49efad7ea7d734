"""Options for commands that ask language models: how they answer, and what they may use."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import click

from numduel.players import Limits, Sampling

_Command = Callable[..., Any]

_SAMPLING = (
    click.option(
        "--temperature", type=click.FloatRange(0), metavar="T",
        help="A model's temperature (usual: its server's).",
    ),
    click.option(
        "--max-tokens", type=click.IntRange(1), metavar="K",
        help="The most tokens of one answer (usual: its server's).",
    ),
    click.option("--system", metavar="TEXT", help="A system prompt for models (usual: none)."),
)  # fmt: skip
_MATCHES = (
    click.option(
        "--turns", type=click.IntRange(1), default=100, show_default=True, metavar="K",
        help="End a match of a model after K turns; the solver says who was winning.",
    ),
    click.option(
        "--match-requests", type=click.IntRange(1), metavar="K",
        help="End a match once a model has made K requests in it.",
    ),
    click.option(
        "--match-tokens", type=click.IntRange(1), metavar="K",
        help="End a match once a model has used K tokens in it.",
    ),
    click.option(
        "--match-time", type=click.FloatRange(min=0.01), metavar="S",
        help="End a match once a model has thought for S seconds in it.",
    ),
    click.option(
        "--ask-forced", is_flag=True,
        help="Ask a model also where it has only one legal move.",
    ),
)  # fmt: skip


def with_options(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """Gives a command these options, in this order."""
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


sampling_options = with_options(*_SAMPLING)
"""For commands in which models answer."""
model_options = with_options(*_SAMPLING, *_MATCHES)
"""For commands in which models play matches."""


def chosen_sampling(options: dict[str, Any]) -> Sampling:
    """How models are to answer."""
    return Sampling(options["temperature"], options["max_tokens"], options["system"])


def model_limits(options: dict[str, Any]) -> Limits:
    """The limits that were chosen; `--time` and `--tries` are the command's own."""
    return Limits(
        seconds=options["seconds"],
        tries=options["tries"],
        sampling=chosen_sampling(options),
        turns=options["turns"],
        requests=options["match_requests"],
        tokens=options["match_tokens"],
        match_seconds=options["match_time"],
        ask_forced=options["ask_forced"],
    )
