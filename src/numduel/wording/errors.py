"""What was wrong, in a sentence: one function a kind of error."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

from numduel import errors
from numduel.arithmetic import FACTOR_DIGITS
from numduel.games import Fault
from numduel.wording.problems import (
    BOARD_PROBLEMS,
    CHECKPOINT_PROBLEMS,
    HEAP_PROBLEMS,
    PICTURE_PROBLEMS,
    PLAYER_PROBLEMS,
    RANGE_PROBLEMS,
    RECORD_PROBLEMS,
    ROOM_PROBLEMS,
    SCHEDULER_PROBLEMS,
    SETUP_PROBLEMS,
    STORE_PROBLEMS,
    STUDY_PROBLEMS,
    TERMS_PROBLEMS,
    WORD_PROBLEMS,
)
from numduel.wording.text import brief, joined, quoted

_NUMBER_PROBLEMS = {
    "empty": "Nothing was entered.",
    "negative": "{text} is negative; numbers here are positive and whole.",
    "sign": "{text} has a sign; write the number alone.",
    "fraction": "{text} is not a whole number, written without a point.",
    "exponent": "{text} is in exponent form; write the number out in digits.",
    "separator": "{text} has something between its digits; write the digits together.",
    "mixed": "{text} is not a whole number.",
    "foreign digits": "{text} is not written in the digits 0 to 9.",
    "word": "{text} is not a number.",
    "several numbers": "{text} names more than one number.",
    "no number": "{text} names no number.",
}
_FAULTS = {
    Fault.NOT_POSITIVE: "{amount} is not a positive number.",
    Fault.NOT_PRIME: "{amount} is not prime.",
    Fault.TOO_LARGE: "{amount} is more than {n}.",
    Fault.STARTING_TOTAL: "{amount} is the starting total, which the opening leaves out.",
    Fault.NOT_PROPER: "{amount} is not greater than 1 and less than {n}.",
    Fault.NOT_A_DIVISOR: "{amount} does not divide {n}.",
    Fault.NOT_EVEN: "{amount} divides {n}, but only even divisors are allowed.",
    Fault.NOT_ODD: "{amount} divides {n}, but only odd divisors are allowed.",
    Fault.NOT_A_FACTOR: "{amount} is not a factor of {n}.",
    Fault.NOT_A_DIGIT: "{amount} is not a digit of {n}.",
    Fault.NOT_LEGAL: "{amount} is not a legal move at {n}.",
}


def problem(error: errors.NumduelError) -> str:
    """The error as one or two plain sentences."""
    for kind in type(error).__mro__:
        if kind in _SENTENCES:
            return _SENTENCES[kind](error)
    return f"{error}."


def _invalid_number(error: errors.NumduelError) -> str:
    return _NUMBER_PROBLEMS[error.problem].format(text=quoted(error.text))


def _illegal_move(error: errors.NumduelError) -> str:
    place, amount = error.move
    if not 0 <= place < len(error.board.numbers):
        return f"There is no number {place + 1} on this board."
    value = error.board.numbers[place].value
    return _FAULTS[error.fault].format(amount=brief(amount), n=brief(value))


def _ambiguous_move(error: errors.NumduelError) -> str:
    amount = brief(error.amount)
    if not error.places:
        return f"{amount} cannot be played on any number."
    written = [f"{place + 1}:{amount}" for place in error.places]
    return f"{amount} can be played on several numbers: write {joined(written)}."


def _invalid_move(error: errors.NumduelError) -> str:
    count = len(error.board.numbers)
    if error.problem == "not a number":
        if error.number.problem == "empty":
            return f"{quoted(error.text)} does not say what to play there."
        return f"In {quoted(error.text)}: {problem(error.number)}"
    if count == 1:
        return f"{quoted(error.text)} names another number, and there is only one."
    return f"{quoted(error.text)} names no number of this board; there are {count}."


def _invalid_board(error: errors.NumduelError) -> str:
    return _filled(BOARD_PROBLEMS[error.problem], error)


def _invalid_record(error: errors.NumduelError) -> str:
    return f"Line {error.line}: {_filled(RECORD_PROBLEMS[error.problem], error)}"


def _invalid_word(error: errors.NumduelError) -> str:
    return _filled(WORD_PROBLEMS[error.problem], error)


def _store_error(error: errors.NumduelError) -> str:
    problem = STORE_PROBLEMS[error.problem]
    return f"The history {quoted(str(error.place), 100)} cannot be used: {problem}."


def _picture_error(error: errors.NumduelError) -> str:
    if error.problem == "unwritten":
        return f"The file {quoted(error.path, 80)} cannot be written: {error.reason}."
    return _filled(PICTURE_PROBLEMS[error.problem], error)


def _invalid_setup(error: errors.NumduelError) -> str:
    return _filled(SETUP_PROBLEMS[error.problem], error)


def _filled(template: str, error: errors.NumduelError) -> str:
    """The template with the error's fields, whatever came from outside in quotes."""
    return template.format(**{name: _shown(value) for name, value in error.fields.items()})


def _shown(value: object) -> object:
    if isinstance(value, str):
        return quoted(value, 60)
    if isinstance(value, errors.NumduelError):
        return problem(value)
    if isinstance(value, tuple):
        return joined([quoted(part) for part in value])
    return value


def _invalid_start(error: errors.NumduelError) -> str:
    return f"{error.game.title} cannot start from {brief(error.number)}."


def _too_many_digits(error: errors.NumduelError) -> str:
    """Very many are not counted: a long line of them is cut when it is read."""
    most = 10 * error.limit
    count = f"{error.digits:,}" if error.digits <= most else f"more than {most:,}"
    return f"A number of {count} digits is too large; the limit is {error.limit:,} digits."


def _too_large_to_factor(error: errors.NumduelError) -> str:
    return (
        f"{brief(error.number)} is too large to factor: what is left of it after its small "
        f"primes has {error.digits:,} digits, and the limit is {FACTOR_DIGITS}."
    )


def _too_large_to_solve(error: errors.NumduelError) -> str:
    board = quoted(str(error.board), 60)
    kind = " under misère" if error.misere else ""
    return (
        f"Too large to solve exactly: {board} has no known rule{kind}, and the search would have "
        f"to look at more than {error.limit:,} moves."
    )


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text[:200])


def _unknown_game(error: errors.NumduelError) -> str:
    if not error.key:
        return f"No game is named. The games are {joined(error.known, 'and')}."
    close = get_close_matches(error.key.lower(), error.known, 1)
    hint = f" Did you mean {close[0]}?" if close else ""
    return (
        f"There is no game called {quoted(error.key)}.{hint} "
        f"The games are {joined(error.known, 'and')}."
    )


def _unknown_variant(error: errors.NumduelError) -> str:
    known = error.known
    if error.name in known:
        values = joined(list(known[error.name]))
        return f"The variant {error.name} cannot be {quoted(error.value)}; it can be {values}."
    where = f"{error.game.title} has no" if error.game else "No number of the board has a"
    there = joined([f"{name}={'|'.join(values)}" for name, values in known.items()], "and")
    there = there or "no variant at all"
    return f"{where} variant {quoted(error.name)}. There is {there}."


def _unknown_player(error: errors.NumduelError) -> str:
    return f"There is no player called {quoted(error.text)}. Choose {joined(error.known)}."


def _checkpoint(error: errors.NumduelError) -> str:
    path = quoted(str(error.path), 80)
    if error.problem in CHECKPOINT_PROBLEMS:
        return CHECKPOINT_PROBLEMS[error.problem].format(**{**error.fields, "path": path})
    return f"The checkpoint {path} cannot be used: {error.problem}."


def _terms(error: errors.NumduelError) -> str:
    return f"{quoted(str(error.path), 80)}, {_filled(TERMS_PROBLEMS[error.problem], error)}"


_SENTENCES: dict[type[errors.NumduelError], Callable[[errors.NumduelError], str]] = {
    errors.InvalidNumber: _invalid_number,
    errors.InvalidBoard: _invalid_board,
    errors.InvalidMove: _invalid_move,
    errors.InvalidRecord: _invalid_record,
    errors.IllegalMove: _illegal_move,
    errors.AmbiguousMove: _ambiguous_move,
    errors.MatchOver: lambda _: "The match is over.",
    errors.NothingToUndo: lambda _: "There is nothing to take back yet.",
    errors.TooManyDigits: _too_many_digits,
    errors.TooLargeToFactor: _too_large_to_factor,
    errors.TooLargeToList: lambda error: (
        f"The moves at {brief(error.number)} cannot all be listed."
    ),
    errors.TooLargeToSolve: _too_large_to_solve,
    errors.TooLargeToProve: lambda error: (
        f"No certificate can be written for {quoted(str(error.board), 60)}: no proof is known"
        " that is short enough to list."
    ),
    errors.InvalidCertificate: lambda error: (
        f"The certificate does not prove what it claims: {_printable(error.problem)}."
    ),
    errors.UnknownGame: _unknown_game,
    errors.UnknownVariant: _unknown_variant,
    errors.InvalidGame: lambda error: (
        f"The installed game {quoted(error.key)} cannot be used: {error.problem}."
    ),
    errors.InvalidStart: _invalid_start,
    errors.InvalidSetup: _invalid_setup,
    errors.UnknownPlayer: _unknown_player,
    errors.PlayerFailed: lambda error: _filled(PLAYER_PROBLEMS[error.problem], error),
    errors.InvalidRange: lambda error: _filled(RANGE_PROBLEMS[error.problem], error),
    errors.UnexpectedLoss: lambda error: (
        f"{error.number} is even and was not shown won. Check it: it may be the sixth even loss."
    ),
    errors.ClaimFails: lambda error: (
        f"{error.claim} is not shown at {error.number}. Look at this number: it breaks the claim, "
        "or asks for a longer search."
    ),
    errors.UnknownKernel: lambda error: (
        f"There is no block kernel {quoted(error.name, 80)}. Name one as module:function."
    ),
    errors.CheckpointError: _checkpoint,
    errors.SchedulerError: lambda error: _filled(SCHEDULER_PROBLEMS[error.problem], error),
    errors.WorkerLost: lambda error: (
        "A worker process ended before its work. Finished blocks are kept: go on with "
        f"--resume {error.path}."
    ),
    errors.InvalidHeap: lambda error: _filled(HEAP_PROBLEMS[error.problem], error),
    errors.InvalidTerms: _terms,
    errors.MissingExtra: lambda error: (
        f"{error.package} is not installed. In numduel's folder, run"
        f"\n  python -m pip install '.[{error.extra}]'\nThen try again."
    ),
    errors.RecordFileError: lambda error: (
        f"The record file {quoted(str(error.path), 80)} cannot be used: {error.problem}."
    ),
    errors.ResultsFileError: lambda error: (
        f"The results file {quoted(str(error.path), 80)} cannot be used: {error.problem}."
    ),
    errors.InvalidNotation: _invalid_word,
    errors.StoreError: _store_error,
    errors.UnknownMatch: lambda error: (
        f"The history has no match {error.id}. numduel history lists them."
    ),
    errors.NothingToStudy: lambda error: _filled(STUDY_PROBLEMS[error.problem], error),
    errors.PictureError: _picture_error,
    errors.TookTooLong: lambda error: (
        f"This took longer than {error.seconds:g} seconds and was stopped. Try a smaller number."
    ),
    errors.TooBusy: lambda _: "Many questions are being answered just now. Try again in a moment.",
    errors.Unanswerable: lambda error: str(error.message),
    errors.UnknownRoom: lambda error: (
        f"There is no room {quoted(error.code)}. It may have expired, or its host deleted it."
    ),
    errors.SeatsTaken: lambda _: "Both seats are taken. You can watch.",
    errors.NotSeated: lambda error: (
        "Only the host of the room may do this."
        if error.needs == "host"
        else "Only a player of this room may do this, and you have no seat here."
    ),
    errors.NotYourTurn: lambda _: "It is the other player's turn.",
    errors.StaleChange: lambda _: "The match has moved on since you chose. Look again and choose.",
    errors.NotAllowed: lambda error: _filled(ROOM_PROBLEMS[error.problem], error),
    errors.TooManyRooms: lambda error: (
        f"All {error.limit:,} rooms are in use. Try again later: rooms that nobody uses expire."
    ),
    errors.TooManyRequests: lambda error: (
        f"Too many {error.what} at once. Wait {error.seconds} second{'s' * (error.seconds != 1)}."
    ),
}
