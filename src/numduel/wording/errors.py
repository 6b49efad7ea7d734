"""What was wrong, in a sentence: from a table, or chosen here where its fields are not enough."""

from difflib import get_close_matches
from string import Formatter
from typing import Any

from numduel import errors
from numduel.arguments import checked
from numduel.games import Fault
from numduel.program import typed
from numduel.wording.problems import PROBLEMS
from numduel.wording.text import brief, counted, joined, quoted

_FAULTS = {
    Fault.NOT_POSITIVE: "{amount} is not a positive number.",
    Fault.NOT_PRIME: "{amount} is not prime.",
    Fault.TOO_LARGE: "{amount} is more than {n}.",
    Fault.STARTING_TOTAL: "{amount} is the starting total, which cannot be the first move.",
    Fault.NOT_PROPER: "{amount} is not greater than 1 and less than {n}.",
    Fault.NOT_A_DIVISOR: "{amount} does not divide {n}.",
    Fault.NOT_EVEN: "{amount} divides {n}, but only even divisors are allowed.",
    Fault.NOT_ODD: "{amount} divides {n}, but only odd divisors are allowed.",
    Fault.NOT_A_FACTOR: "{amount} is not a factor of {n}.",
    Fault.NOT_A_DIGIT: "{amount} is not a digit of {n}.",
    Fault.NOT_LEGAL: "{amount} is not a legal move at {n}.",
}
_SENTENCES = {
    "AmbiguousMove": "{amount:brief} cannot be played on any number.",
    "InvalidCertificate": "The certificate does not prove what it claims: {problem:printable}.",
    "InvalidGame": "The installed game {key:40} cannot be used: {problem:plain}.",
    "ClaimFails": "{claim:plain} could not be shown at {number}. Look at this number: either "
    "it breaks the claim, or it needs a longer search.",
    "FileError": "The {what:plain} {path:80} cannot be used: {problem:plain}.",
    "UnknownPlayer": "There is no player called {text:40}. Choose {known}.",
    "UnknownMatch": "The history has no match {id}. {numduel:plain} history lists them.",
    "TookTooLong": "This took longer than {seconds:g} seconds and was stopped. Try a smaller "
    "number.",
    "TooBusy": "The server is busy right now. Try again in a moment.",
    "Unanswerable": "{message:plain}",
    "UnknownRoom": "There is no room {code:40}. It may have expired, or its host deleted it.",
    "UnknownClass": "There is no class {code:40}. Check the code, or the class is over.",
}
_NEEDS = {
    "host": "Only the host can do this.",
    "seat": "Only the players can do this, and you have no seat in this room.",
    "teacher": "Only the teacher can do this.",
    "first teacher": "Only the teacher who opened the class can do this.",
    "pupil": "Join the class first.",
}
_REFUSALS = {
    "match over": "The match is over.",
    "nothing to undo": "There is nothing to take back yet.",
    "seats taken": "Both seats are taken. You can watch.",
    "not your turn": "It is the other player's turn.",
    "stale": "The match has moved on since you chose. Choose again.",
    "no takeback": "This room was opened without takebacks.",
    "nothing to take back": "You have no move to take back yet.",
    "not asked": "Nobody is asking for a takeback.",
    "own question": "Only the other player can answer this.",
    "answer first": "The other player is asking for a takeback. Answer that first.",
    "match goes on": "The match is not over yet.",
    "seat is free": "The other seat is still free. Send the link to a friend first.",
    "no person": "A room needs at least one seat for a person.",
    "numbers": "A board in a room holds at most {limit} numbers.",
    "over": "Nobody can move on this board. Choose another one.",
    "unknown moves": "The moves on this board are unknown: a number is too large to factor.",
    "minutes": "A clock gives each player from {least} seconds to {hours} hours.",
    "time is up": "Your time ran out before this move, so you lose the match.",
    "paused": "Eyes to the front: your teacher has paused the class.",
    "round over": "This round is over.",
    "round is on": "Round {number} is still being played. Tick the box to start a new one.",
    "no round": "There is no round to do this with. Start one first.",
    "no question": "There is no question to show more of. Ask one first.",
    "class is full": "The class is full: it has room for {limit} pupils.",
    "teacher joins": "You are a teacher of this class. Join from another device.",
    "removed": "Your teacher has removed you from this class.",
    "no cookie": "Your browser did not send its cookie. Allow cookies here, then join again.",
    "no name": "Type your first name.",
    "name is taken": "Somebody is already called {name}. Choose another name, like {like:plain}.",
    "name of a teacher": "Only a teacher can be called that. Choose another name.",
    "teachers": "{limit} devices teach this class already. Dismiss one of them first.",
    "no such name": "Nobody in this class is called {name}.",
    "pupil teaches": "You are a pupil in this class.",
    "nobody waits": "{name} does not wait for anybody.",
    "not alone": "{name} does not play the computer any more.",
    "three at a board": "Board {number} has more than two pupils. Give the others another board.",
    "no own rule": "Type your own rule, like subtract 1 3 4.",
    "two games": "Choose “Your own rule” as the game, or leave this field empty.",
    "class moved on": "The class has moved on since you chose. Choose again.",
    "no pupils": "Nobody has joined the class yet.",
    "no such pupil": "There is no pupil {number} in this class.",
    "paired twice": "Each pupil can be in one pair only.",
    "questions": "A class has at most {limit} questions.",
    "rounds": "A class has at most {limit} rounds. End it, and start another one.",
    "guesses": "A class has at most {limit:,} guesses, and this one has made them all.",
    "pairing": "Pupils can be paired at random, winners with winners, by hand or as before.",
    "voting is over": "The vote is over.",
    "class is on": "This opens when your teacher has shown the map, or ended the class.",
    "puzzles": "A puzzle set has {least} to {most} puzzles.",
    "puzzle sets": "A class has at most {limit} puzzle sets.",
    "no puzzle": "There is no such puzzle now.",
    "no map": "Guesses open when your teacher shows the map.",
    "guess": "Guess a number from 1 to {limit:,}.",
    "invitation": "This link was used already, or is out of date. Ask for a new one.",
    "turns": "A match in a room has at most {limit:,} turns. Resign, and offer a rematch.",
    "matches": "This room has had {limit:,} matches. Open another one.",
}  # what is not allowed just now in a match, a room or a class, by its problem
_BY_PROBLEM = {**PROBLEMS, "NotAllowed": _REFUSALS, "NotSeated": _NEEDS}
_TYPES = {"int": "a whole number", "str": "text", "float": "a number", "bool": "True or False"}


@checked
def problem(error: errors.NumduelError) -> str:
    """The error as one or two plain sentences."""
    named = error.fields.get("problem") or error.fields.get("needs", "")
    kinds = (kind.__name__ for kind in type(error).__mro__)
    for word in (error.words.get(named, ""), *kinds):
        if said := _chosen(word, error):
            return said
        template = _BY_PROBLEM.get(word, {}).get(named) or _SENTENCES.get(word)
        if template is not None:
            fields = {"numduel": typed(), "python": typed(program="python"), **error.fields}
            said = _Sentence().vformat(template, (), fields)
            nearest = error.fields.get("nearest")
            return f"{said} Did you mean {nearest}?" if nearest else said
    return f"{error!r}."


class _Sentence(Formatter):
    """Shows each field as a sentence does; `problems.py` says what may stand after the colon."""

    def format_field(self, value: Any, how: str) -> str:
        match value:
            case int(number) if how == "brief":
                return brief(number)
            case value if how == "plain":
                return str(value)
            case value if how == "printable":
                return _printable(str(value))
            case value if how.isdigit() or isinstance(value, str):
                return quoted(str(value), int(how or 60))
            case errors.NumduelError() as error:
                return problem(error)
            case list(words):
                return joined(words)
            case tuple(parts):
                return joined([quoted(part) for part in parts])
            case value:
                return format(value, how)


def _chosen(word: str, error: errors.NumduelError) -> str | None:
    """The sentence, where it takes more than the fields to make one."""
    match word:
        case "InvalidArgument":
            wanted = joined([_TYPES.get(word, word) for word in error.expected])
            return f"{error.name} must be {wanted}, not {_printable(error.value)}."
        case "InvalidMove" if error.problem == "no such number":
            text, numbers = quoted(error.text), len(error.board.numbers)
            if numbers == 1:
                return f"{text} names another number, but there is only one."
            return f"{text} does not name a number of this board; there are {numbers}."
        case "InvalidMove" if error.fields.get("number", error).problem == "empty":
            return f"{quoted(error.text)} does not say what to play there."
        case "IllegalMove":
            place, amount = error.move
            if not 0 <= place < len(error.board.numbers):
                return f"There is no number {place + 1} on this board."
            value = error.board.numbers[place].value
            return _FAULTS[error.fault].format(amount=brief(amount), n=brief(value))
        case "AmbiguousMove" if error.places:
            written = [f"{place + 1}:{brief(error.amount)}" for place in error.places]
            several = f"{brief(error.amount)} can be played on several numbers"
            return f"{several}: write {joined(written)}."
        case "TooManyDigits":  # very many are not counted: a long line is cut when it is read
            most = 10 * error.limit
            count = f"{error.digits:,}" if error.digits <= most else f"more than {most:,}"
            return f"A number of {count} digits is too large; the limit is {error.limit:,} digits."
        case "TooLargeToSolve":
            kind, largest = " under misère" * error.misere, error.fields.get("largest")
            solvable = "" if largest is None else f" Numbers up to {largest:,} can be solved."
            return (
                f"Too large to solve exactly: {quoted(str(error.board), 60)} has no known rule"
                f"{kind}, and the search would have to look at more than {error.limit:,} moves."
                f"{solvable}"
            )
        case "MissingExtra":
            install = f"{typed(program='python')} -m pip install '.[{error.extra}]'"
            serve = "  make serve\nor install it here:\n" if error.extra == "web" else ""
            run = f"{error.package} is not installed. In numduel's folder, run\n{serve}"
            return f"{run}  {install}\nThen try again."
        case "UnknownGame" if not error.key:
            return f"No game is named. The games are {joined(error.known, 'and')}."
        case "UnknownGame":
            close = get_close_matches(error.key.lower(), error.known, 1)
            hint = f" Did you mean {close[0]}?" if close else ""
            return (
                f"There is no game called {quoted(error.key)}.{hint} "
                f"The games are {joined(error.known, 'and')}; "
                "a rule of your own is written like subtract-1-3-4 or halve-or-subtract-1."
            )
        case "UnknownVariant" if error.name in error.known:
            values = joined(list(error.known[error.name]))
            return f"The variant {error.name} cannot be {quoted(error.value)}; it can be {values}."
        case "UnknownVariant":
            where = f"{error.game.title} has no" if error.game else "No number of the board has a"
            known = [f"{name}={'|'.join(values)}" for name, values in error.known.items()]
            there = f"There is {joined(known, 'and')}." if known else "It has no variants."
            return f"{where} variant {quoted(error.name)}. {there}"
        case "TooManyRequests":
            return f"Too many {error.what} at once. Wait {counted(error.seconds, 'second')}."
    return None


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text[:200])
