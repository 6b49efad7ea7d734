"""The sentences for errors that need only their fields: one for each problem.

Fields stand in braces. What came from outside is quoted, up to 60 characters or as many as
stand after the colon; `plain` leaves it as it is, and `brief` cuts a long number short.
`numduel` and `python` are what to type for them here. A `nearest` text is offered after them.
"""

from typing import Final

from numduel.games.amounts import WORDS
from numduel.wording.text import joined

STORE_PROBLEMS: Final = {
    "foreign": "it is not a numduel history. Nothing in it was changed",
    "damaged": "it is damaged. Nothing in it was changed; keep a copy before you repair it",
    "newer": "a newer numduel made it. Update numduel to read it",
    "read-only": "it is read-only",
    "unopened": "it cannot be opened. Check the folder and its permissions",
    "full": "the disk is full",
    "unwritten": "the disk could not be written",
    "busy": "another program has locked it",
    "gone": "the file was removed or replaced while it was in use. Put it back, or start again",
    "served": "another numduel serve is using it. Stop that one, or name another file",
    "slow": "the database did not answer in time",
    "taken": "the same entry was made elsewhere at that moment",
    "address": "the address cannot be read. Name a file, or postgresql://USER@HOST/DATABASE",
    "unreachable": "the database cannot be reached, or refuses the login",
    "sql": "the database refused the request",
}

_RECORD_PROBLEMS: Final = {
    "not one record": "there should be one record, but there are {count}.",
    "no heading": 'a record begins with "numduel record 1", not with {text}.',
    "format": "this numduel cannot read format {text}; it reads format {format}.",
    "cut short": "the record ends here, before its result.",
    "wrong line": "the line should begin with {expected}, but it is {text}.",
    "other line": "the line should be {expected:200}, but it is {text:200}.",
    "date": "{text} is not a date and time with its offset, like 2026-11-15T09:30:00+00:00.",
    "setup": "{error}",
    "player": "the line should give a name and a kind of player, like Alice, person.",
    "name": "{text} is not one of the names {names}.",
    "turn": "{text} is not a turn, like 1. Alice: 15 -> 45.",
    "pass without penalty": "a turn is passed, but the match has no penalty.",
    "illegal turn": "{text} is not possible: {error}",
    "wrong ending": "the recorded match does not end with {text}.",
    "after the end": "{text} comes after the end of the record.",
}

PROBLEMS: Final[dict[str, dict[str, str]]] = {
    "InvalidNumber": {
        "empty": "Nothing was entered.",
        "negative": "{text:40} is negative; numbers here are positive and whole.",
        "sign": "{text:40} has a sign; write the number alone.",
        "fraction": "{text:40} is not a whole number; write it without a decimal point.",
        "exponent": "{text:40} is in exponent form; write the number out in digits.",
        "separator": "{text:40} has something between its digits; write the digits together.",
        "mixed": "{text:40} is not a whole number.",
        "foreign digits": "{text:40} is not written in the digits 0 to 9.",
        "word": "{text:40} is not a number.",
        "several numbers": "{text:40} names more than one number.",
        "no number": "{text:40} names no number.",
    },
    "InvalidRule": {
        "too long": "The rule is too long; {limit} letters are allowed.",
        "clauses": "The rule has too many parts; {limit} can be joined by -or-.",
        "clause": "{part:40} is not part of a rule. Parts are like subtract-1-3-4, "
        "subtract-1-to-3, subtract-prime, halve or divide-by-3.",
        "word": "{part:40} does not say what to take away. Numbers can follow subtract-, or a "
        f"word: {joined([*WORDS])}.",
        "amount": "In {part:40}, an amount must be from 1 to {limit:,}.",
        "divisor": "In {part:40}, what to divide by must be from 2 to {limit:,}.",
        "range": "In {part:40}, the smaller amount comes first.",
    },
    "InvalidRecord": {name: f"Line {{line}}: {said}" for name, said in _RECORD_PROBLEMS.items()},
    "StoreError": {
        **{
            name: f"The history {{place:100}} cannot be used: {said}."
            for name, said in STORE_PROBLEMS.items()
        },
        "damaged match": "Match {id} is damaged and cannot be read. The other matches can. "
        "{numduel:plain} history delete {id} deletes it.",
        "changed match": "Match {id} was changed in another terminal.",
    },
    "InvalidMove": {
        "not divisible": "{text:40} is not a division that the rule allows here.",
        "not a number": "In {text:40}: {number}",
    },
    "InvalidBoard": {
        "empty": "{text} leaves out a number of the board. A board looks like divisor-duel:60, "
        "or subtract-a-prime:20+divisor-duel:60.",
        "no game": "{part} does not name its game. A board looks like divisor-duel:60.",
        "no number": "{part} does not give its number. A board looks like divisor-duel:60.",
        "not a number": "In the board {text}: {number} A board looks like divisor-duel:60.",
        "too small": "{part} is not a position: the smallest number of this game is {least}.",
        "too many numbers": "A board of {count:,} numbers is too large; the limit is {limit}.",
        "ending": "A board can end in ~misere, but not in {ending}.",
        "variant twice": "The board {text} sets a variant twice: {part}.",
        "variant without value": "In the board {text}, {part} should be a variant and its value, "
        "like divisors=even.",
    },
    "PlayerFailed": {
        "no command": "engine: needs the program to run, like engine:./mybot.",
        "not found": "The program {command} cannot be found, or may not be run.",
        "no model": "{player} should name a model and its address, like "
        "llm:my-model@http://localhost:8000/v1.",
        "address": "{address} is not the address of a model; it should begin with http:// or "
        "https://, and contain no password.",
        "time": "{player} did not answer within {seconds:g} seconds.",
        "ended": "{player} ended instead of answering.",
        "flood": "{player} answered with more than {limit:,} characters.",
        "rubbish": "{player} should answer with = or ? and a blank line, not with {text}.",
        "refused": "{player} refused: {text}.",
        "connection": "{player} cannot be reached: {detail}.",
        "status": "{player} answered with the HTTP status {status}: {text:300}",
        "key": "{player} refused the key (HTTP status {status}): {text:300} Set NUMDUEL_LLM_KEY "
        "to a key for this address.",
        "error": "{player} answered with an error: {text:300}",
        "answer": "{player} answered with something other than a chat completion.",
        "broken": "{player} failed: {detail}.",
        "installed": "The installed player {player} cannot be used: {detail:plain}.",
    },
    "InvalidRange": {
        "order": "[{start}, {stop}) is not a range: it must have {least} <= start <= stop.",
        "limit": "The range ends at {stop}; the kernels reach {limit}.",
        "segment": "A segment needs at least 1 number, not {segment}.",
        "empty": "The range from {start} to {stop} is empty: it must begin at {least} or later, "
        "and end after it begins.",
        "method": "The range ends at {stop}, which is too large for the method; it "
        "reaches {limit}.",
        "block": "A block of this claim has at most {limit:,} numbers, so that it can be checked.",
        "index": "The terms below {start} cannot be counted, so the first index is not known; "
        "the limit is {limit}.",
        "kernel": "There is no block kernel {name:80}. Name one as module:function.",
        "npy": "The term {stop} is too large for npy, whose integers have 64 bits.",
    },
    "RunFailed": {
        "none": "There is no GPU here that CUDA can use.",
        "import": "CuPy cannot be used here: {cause:plain}.",
        "old": "The GPU here ({name:plain}) is too old; it needs compute capability 8.0.",
        "memory": "The GPU has too little free memory: this needs about 1 GB.",
        "failed": "The GPU failed: {cause:plain}. Finished blocks are kept: use --resume.",
        "claim": "{claim:plain} cannot be verified on a GPU. These can: {able:plain}.",
        "contradiction": "The GPU contradicted itself between {start} and {stop}; nothing of that "
        "block was kept. Check the GPU, then continue with --resume.",
        "no answer": "No Dask scheduler answers at {address}. Start one with dask scheduler, and "
        "give the address it prints.",
        "no workers": "The Dask scheduler at {address} has no workers. Start some with dask "
        "worker.",
        "lost": "The Dask cluster at {address} was lost: {cause}. Finished blocks are kept: "
        "continue with --resume.",
        "worker lost": "A worker process died before it finished. Finished blocks are kept: "
        "continue with --resume {path}.",
    },
    "FileError": {
        "damaged": "The checkpoint {path:80} is damaged at line {line}. It was left as it is.",
        "other run": "The checkpoint {path:80} belongs to another run: {found:plain}. It was "
        "left as it is.",
        "in use": "The checkpoint {path:80} is in use by another run.",
        "there already": "The checkpoint {path:80} already exists. Continue from it with "
        "--resume {path:80}, or move it away.",
        "not a term": "{path:80}, line {line}: {text} is not an index and a term.",
        "order": "{path:80}, line {line}: the index should be {expected}, but it is {text}.",
        "empty": "{path:80}, line {line}: there are no terms.",
        "read": "{path:80}, line {line}: the file cannot be read as text.",
        "ending": "A picture file must end in .svg or .png; {path} does not.",
        "no fonts": "The system has no fonts, so a PNG would have no text. "
        "Write an SVG file instead, or install a font.",
        "unwritten": "The file {path:80} cannot be written: {reason:plain}.",
    },
    "ClaimFails": {
        "even loss": "{number} is even and was not shown won. Check it: it may be the sixth even "
        "loss.",
        "proved": "{claim:plain} is false: {number} breaks it. The proof is in {path:80}; "
        "{numduel:plain} check {path:80} verifies it.",
    },
    "TooLarge": {
        "to factor": "{number:brief} is too large to factor: without its small primes it still "
        "has {digits:,} digits, and the limit is {limit}.",
        "to list": "The moves at {number:brief} cannot all be listed.",
        "to prove": "No certificate can be written for {board:60}: no known proof is short "
        "enough to write down.",
    },
    "TooBusy": {
        "classes": "All {limit:,} classes are in use. Try again later.",
        "rooms": "All {limit:,} rooms are in use. Try again later: unused rooms expire.",
    },
    "InvalidSetup": {
        "not a start": "{game.title:plain} cannot start from {number:brief}.",
        "empty name": "The name of player {seat} is empty, or begins or ends with a space.",
        "long name": "{name} is too long for a name; the limit is {limit} characters.",
        "name character": "{name} has a comma or a character that cannot be shown in a name.",
        "misleading name": "{name} could be mistaken for something else; choose another name.",
        "same names": "Both players are called {name}; choose two different names.",
        "two names": "Give two names with a comma between them, like Alice,Bob.",
        "overshoot": "The overshooting rule can be again or loses, not {value}.",
        "no overshoot": "No game on the board {board} has an overshooting rule; Prime Subtractor "
        "has one.",
        "penalty": "The penalty must be a number of bad inputs from 1 to {limit}, not {value}.",
        "no penalty": "No game on the board {board} has a penalty rule; Power Play has one.",
        "illegal": "Illegal moves can be handled by retry, forfeit or raise, not by {value}.",
        "retries": "Illegal moves can be retried 0 or more times, not {value}.",
        "several numbers": "This environment plays one number; {value} has several.",
        "no environment": "What does the model observe? Give the environment it was made for: "
        "regret(model, boards, env=...).",
        "no library": "This needs {name:plain}, which is not installed.",
        "unreached": "No match of the policy's game comes to {board:60}.",
        "encoding": "Actions can be encoded as auto, number or digits, not as {value}.",
        "whole numbers": "A vector environment takes whole numbers as actions: leave encoding out.",
        "seed": "A seed must be 0 or larger, not {value}.",
        "render": "The ways to render a match are {modes}, not {value}.",
        "observation": "An observation can be an array or a dict, not {value}.",
        "starts": "Starts are a number, or a lowest and a highest one, not {value}.",
        "first": "The first player can be agent, opponent or random, not {value}.",
        "too large": "{game} from {start} is too large here; the limit is {limit:,}.",
        "changing game": "The rules of {game} change during play, so no table can hold it.",
        "actions": "There should be one action for each of the {count} boards, not {value}.",
        "how many": "{name:plain} must be from 1 to {limit:,}, not {value}.",
        "masks": "These masks would have {value:,} flags; the limit is {limit:,}. Use legal_moves.",
        "two players": "An arena needs at least two players, all different.",
        "no boards": "An arena needs a board: --board divisor-duel:60, or --draw divisor-duel:20.",
        "player objects": "A plan names its players. Pass objects of your own to run: "
        "run(plan, players={{name: player}}).",
        "not in plan": "{name} is not a player of this plan.",
        "no choose": "{name} is not a player: it has no method choose(board).",
        "own players": "Players of your own play in one process: leave jobs at 1.",
        "baselines": "Baselines need a built-in player to meet, such as --player perfect.",
        "person": "An arena is for programs; a person cannot play in it.",
        "exam of a person": "An exam is for programs; for people there is {numduel:plain} puzzle.",
        "draw": "{text} should name a game and a number of digits, like divisor-duel:20.",
        "board over": "On {board} the first player has no move; choose a board with one.",
        "series": "A series is the best of an odd number of matches up to {limit}, not {value}.",
    },
    "InvalidNotation": {
        "no stroke": "{text} is not the notation of a match. It should be a board, a slash, "
        "and the moves with dots between them, like divisor-duel:60/15.15.5.",
        "setup": "In the notation {text}: {error}",
        "note": "A notation cannot end in {note}. It can end in first=2, overshoot=loses, "
        "penalty=K, resigned=1 or 2, and overshot=MOVE, with commas between them.",
        "turn": "Turn {number} of the notation is {turn}: {error}",
        "pass without penalty": "The notation {text} has a pass, but no penalty=K at its end.",
        "end": "The notation {text} cannot end like that: {error}",
        "wrong ending": "The notation {text} says overshot={note}, but it does not end that way.",
    },
    "NothingToStudy": {
        "no puzzle": "No position of {game} was found that makes a puzzle: one winning move"
        " among at least three.",
        "no daily duel": "There was no daily duel on {day:plain}. The first was on {first:plain}.",
        "no winning move": "{board} makes no puzzle: nobody can win there, or by too many moves.",
        "no position": "There are no more positions like that about {skill:plain}.",
        "no mistake": "Nobody threw a win away in this match, so there is nothing to retry.",
        "map size": "A map goes up to a number from {least} to {limit}, not {value}.",
        "columns": "A map has 1 to {limit} columns, not {value}.",
        "graph size": "A move graph goes up to {limit}; {value} would be too large to read.",
        "one number": "A map shows one number, but the board has {count}.",
        "day": "{text} is not a date; write it like 2026-11-15.",
        "no step": "The tutorial for {game} has steps 1 to {limit}; there is no step {value}.",
        "no lesson": "There is no tutorial for {game} yet. {numduel:plain} rules {game} shows its "
        "rules.",
        "nothing kept": "There are no matches in the history yet.",
        "nothing unfinished": "There is no unfinished match.",
        "over": "Match {id} is over. {numduel:plain} show {id} shows it.",
        "not here": "Match {id} cannot continue: {player} is not available here.",
    },
}
