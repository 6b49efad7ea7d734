"""The sentences for errors that need no more than their fields: one a kind, or one a problem.

Fields stand in braces. What came from outside is quoted, up to 60 characters or as many as
stand after the colon; `plain` leaves it as it is, and `brief` cuts a long number short.
`numduel` and `python` are what to type for them here.
"""

from __future__ import annotations

from typing import Final

from numduel import errors

SENTENCES: Final[dict[type[errors.NumduelError], str]] = {
    errors.MatchOver: "The match is over.",
    errors.NothingToUndo: "There is nothing to take back yet.",
    errors.TooLargeToFactor: "{number:brief} is too large to factor: what is left of it after its "
    "small primes has {digits:,} digits, and the limit is {limit}.",
    errors.TooLargeToList: "The moves at {number:brief} cannot all be listed.",
    errors.TooLargeToProve: "No certificate can be written for {board:60}: no proof is known that "
    "is short enough to list.",
    errors.InvalidGame: "The installed game {key:40} cannot be used: {problem:plain}.",
    errors.InvalidStart: "{game.title} cannot start from {number:brief}.",
    errors.UnexpectedLoss: "{number} is even and was not shown won. Check it: it may be the sixth "
    "even loss.",
    errors.ClaimFails: "{claim:plain} is not shown at {number}. Look at this number: it breaks the "
    "claim, or asks for a longer search.",
    errors.UnknownKernel: "There is no block kernel {name:80}. Name one as module:function.",
    errors.CheckpointError: "The checkpoint {path:80} cannot be used: {problem:plain}.",
    errors.DeviceFailed: "The GPU contradicted itself between {start} and {stop}; nothing of that "
    "block was kept. Look after the GPU, then go on with --resume.",
    errors.WorkerLost: "A worker process ended before its work. Finished blocks are kept: go on "
    "with --resume {path}.",
    errors.MissingExtra: "{package:plain} is not installed. In numduel's folder, run\n"
    "  {python:plain} -m pip install '.[{extra:plain}]'\nThen try again.",
    errors.RecordFileError: "The record file {path:80} cannot be used: {problem:plain}.",
    errors.ResultsFileError: "The results file {path:80} cannot be used: {problem:plain}.",
    errors.UnknownMatch: "The history has no match {id}. {numduel:plain} history lists them.",
    errors.TookTooLong: "This took longer than {seconds:g} seconds and was stopped. Try a smaller "
    "number.",
    errors.TooBusy: "Many questions are being answered just now. Try again in a moment.",
    errors.Unanswerable: "{message:plain}",
    errors.UnknownRoom: "There is no room {code:40}. It may have expired, or its host deleted it.",
    errors.SeatsTaken: "Both seats are taken. You can watch.",
    errors.NotYourTurn: "It is the other player's turn.",
    errors.StaleChange: "The match has moved on since you chose. Look again and choose.",
    errors.TooManyRooms: "All {limit:,} rooms are in use. Try again later: rooms that nobody uses "
    "expire.",
}

STORE_PROBLEMS: Final = {
    "foreign": "it holds something other than a history of numduel. Nothing there was changed",
    "damaged": "it is damaged. Nothing there was changed; keep a copy before you repair it",
    "newer": "a newer numduel has made it. Update numduel to read it",
    "read-only": "it may only be read, not written",
    "unopened": "it cannot be opened. Look at the folder and its permissions",
    "full": "the disk is full",
    "unwritten": "the disk did not take what was written",
    "busy": "another program keeps it locked",
    "gone": "the file was removed or replaced while it was in use. Put it back, or start again",
    "served": "another numduel serve uses it. Stop that one, or name another file",
    "slow": "the database did not answer in time",
    "taken": "the same entry was made elsewhere at that moment",
    "address": "the address is not understood. Name a file, or postgresql://USER@HOST/DATABASE",
    "unreachable": "the database cannot be reached, or does not let you in",
    "sql": "the database refused the request",
}

_RECORD_PROBLEMS: Final = {
    "not one record": "there should be one record, and there are {count}.",
    "no heading": 'a record begins with "numduel record 1", not with {text}.',
    "format": "{text} is not a format that this numduel reads; it reads format {format}.",
    "cut short": "the record ends here, before its result.",
    "wrong line": "the line should begin with {expected}, and it is {text}.",
    "date": "{text} is not a date and time with its offset, like 2026-11-15T09:30:00+00:00.",
    "setup": "{error}",
    "penalty": 'the penalty should be "off" or a positive number, and it is {text}.',
    "player": "the line should give a name and what plays, like Alice, person.",
    "name": "{text} is not one of the names {names}.",
    "turn": "{text} is not a turn, like 1. Alice: 15 -> 45.",
    "turn number": "the turn is numbered {text} and should be {expected}.",
    "turn of": "the turn is given to {text} and belongs to {expected}.",
    "pass without penalty": "a turn is passed, but the match has no penalty.",
    "illegal turn": "{text} cannot be: {error}",
    "number after": "the number after the move should be {expected}, and it is {text}.",
    "result": '{text} is not a result: it should be "unfinished" or "NAME wins".',
    "finished": "the match is not unfinished: it should say that {winner} wins.",
    "ending": "{text} is not an ending: no move left, resigned, forfeited, or"
    " overshot with a move.",
    "wrong ending": "{text} is not how the match as recorded ends.",
    "after the end": "{text} stands after the end of the record.",
}

PROBLEMS: Final[dict[type[errors.NumduelError], dict[str, str]]] = {
    errors.InvalidNumber: {
        "empty": "Nothing was entered.",
        "negative": "{text:40} is negative; numbers here are positive and whole.",
        "sign": "{text:40} has a sign; write the number alone.",
        "fraction": "{text:40} is not a whole number, written without a point.",
        "exponent": "{text:40} is in exponent form; write the number out in digits.",
        "separator": "{text:40} has something between its digits; write the digits together.",
        "mixed": "{text:40} is not a whole number.",
        "foreign digits": "{text:40} is not written in the digits 0 to 9.",
        "word": "{text:40} is not a number.",
        "several numbers": "{text:40} names more than one number.",
        "no number": "{text:40} names no number.",
    },
    errors.InvalidRecord: {
        name: f"Line {{line}}: {said}" for name, said in _RECORD_PROBLEMS.items()
    },
    errors.StoreError: {
        **{
            name: f"The history {{place:100}} cannot be used: {said}."
            for name, said in STORE_PROBLEMS.items()
        },
        "damaged match": "Match {id} is damaged and cannot be read. The other matches can. "
        "{numduel:plain} history delete {id} deletes it.",
        "changed match": "Match {id} was changed from another terminal meanwhile. "
        "{numduel:plain} resume {id} takes it up as it stands there.",
    },
    errors.InvalidBoard: {
        "empty": "{text} leaves a number of the board empty. A board looks like divisor-duel:60, "
        "or subtract-a-prime:20+divisor-duel:60.",
        "no game": "{part} does not say its game. A board looks like divisor-duel:60.",
        "no number": "{part} does not say its number. A board looks like divisor-duel:60.",
        "not a number": "In the board {text}: {number} A board looks like divisor-duel:60.",
        "too small": "{part} is not a position: the smallest number of this game is {least}.",
        "too many numbers": "A board of {count:,} numbers is too large; the limit is {limit}.",
        "ending": "A board can end in ~misere, but not in {ending}.",
        "variant twice": "The board {text} sets a variant twice: {part}.",
        "variant without value": "In the board {text}, {part} should be a variant and its value, "
        "like divisors=even.",
    },
    errors.PlayerFailed: {
        "no command": "engine: needs the program to run, like engine:./mybot.",
        "not found": "The program {command} cannot be found, or may not be run.",
        "no model": "{player} should name a model and its address, like "
        "llm:my-model@http://localhost:8000/v1.",
        "address": "{address} is not an address that a model can be asked at; it should begin with "
        "http:// or https://, and hold no password.",
        "time": "{player} did not answer within {seconds:g} seconds.",
        "ended": "{player} ended instead of answering.",
        "flood": "{player} answered with more than {limit:,} characters.",
        "rubbish": "{player} answered with something else than = or ? and a blank line: {text}.",
        "refused": "{player} refused: {text}.",
        "connection": "{player} cannot be reached: {detail}.",
        "status": "{player} answered with the HTTP status {status}.",
        "answer": "{player} answered with something else than a chat completion.",
        "cannot": "{player} cannot play here: {error}",
        "broken": "{player} broke: {detail}.",
        "installed": "The installed player {player} cannot be used: {detail:plain}.",
    },
    errors.InvalidRange: {
        "order": "[{start}, {stop}) is not a range: it must have {least} <= start <= stop.",
        "limit": "The range ends at {stop}; the kernels reach {limit}.",
        "segment": "A segment of {segment} numbers is none; give at least 1.",
        "empty": "The range from {start} to {stop} is none: it must begin at {least} or later, "
        "and end after it begins.",
        "method": "The range ends at {stop}, which is too large for the method; it "
        "reaches {limit}.",
        "index": "The terms below {start} cannot be counted, so that the first index is not known; "
        "the limit is {limit}.",
        "npy": "The term {stop} is too large for npy, whose integers have 64 bits.",
    },
    errors.NoDevice: {
        "none": "There is no GPU here that CUDA can use.",
        "import": "CuPy cannot be used here: {cause:plain}.",
        "old": "The GPU here ({name:plain}) is too old; it takes compute capability 8.0.",
        "memory": "The GPU has too little free memory: this takes about 1 GB.",
        "failed": "The GPU failed: {cause:plain}. Finished blocks are kept: go on with --resume.",
        "claim": "{claim:plain} cannot be verified on a GPU yet; even-losses can.",
    },
    errors.CheckpointError: {
        "damaged": "The checkpoint {path:80} is damaged at line {line}. It was left as it is.",
        "other run": "The checkpoint {path:80} is of another run: {found:plain}. It was "
        "left as it is.",
        "in use": "The checkpoint {path:80} is in use by another run.",
        "there already": "The checkpoint {path:80} is there already. Go on from it with "
        "--resume {path:80}, or move it away.",
    },
    errors.SchedulerError: {
        "no answer": "No Dask scheduler answers at {address}. Start one with dask scheduler, and "
        "give the address that it prints.",
        "no workers": "The Dask scheduler at {address} has no workers. Start some with dask "
        "worker.",
        "lost": "The Dask cluster at {address} was lost: {cause}. Finished blocks are kept: go on "
        "with --resume.",
    },
    errors.InvalidHeap: {
        "not a heap": "The rule gives {option} at {n}; an option is a smaller number, or several "
        "of them in a tuple.",
        "not smaller": "The rule goes from {n} to {option}, which is not smaller.",
        "below": "The rule goes from {n} to {option}; the smallest heap is {least}.",
        "raised": "The rule fails at {n}: {cause}.",
        "no rule": "{path} does not define a function options(n), or cannot be run: {cause}.",
        "too many": "The misère value of {heaps} takes a look at more than {limit:,} positions.",
        "octal": "{text} is not an octal code; one looks like 0.77.",
        "size": "{n} is not a heap of this game; the smallest is {least}.",
    },
    errors.InvalidTerms: {
        "not a term": "{path:80}, line {line}: {text} is not an index and a term.",
        "order": "{path:80}, line {line}: the index should be {expected}, and it is {text}.",
        "empty": "{path:80}, line {line}: there are no terms.",
        "read": "{path:80}, line {line}: the file cannot be read as text.",
    },
    errors.InvalidSetup: {
        "empty name": "The name of player {seat} is empty, or has blanks at its ends.",
        "long name": "{name} is too long for a name; the limit is {limit} characters.",
        "name character": "{name} has a comma or a character that cannot be shown in a name.",
        "misleading name": "{name} would be taken for something else than a name; choose another.",
        "same names": "Both players are called {name}; choose two names.",
        "two names": "Two names are needed, with a comma between, like Alice,Bob.",
        "overshoot": "Overshooting can be answered by again or loses, not by {value}.",
        "no overshoot": "No game of the board {board} has an overshooting rule; Prime Subtractor "
        "has.",
        "penalty": "The penalty must be a number of bad inputs from 1 to {limit}, not {value}.",
        "no penalty": "No game of the board {board} has a rule on penalties; Power Play has.",
        "illegal": "Illegal moves can be met by retry, forfeit or raise, not by {value}.",
        "retries": "Illegal moves can be tried again from 0 times on, not {value}.",
        "several numbers": "This environment plays one number; {value} has several.",
        "encoding": "Actions can be encoded as auto, number or digits, not as {value}.",
        "render": "A match can be rendered as ansi or human, not as {value}.",
        "first": "Who begins can be agent, opponent or random, not {value}.",
        "too large": "{game} from {start} is too large here; the limit is {limit:,}.",
        "changing game": "{game} changes its rules in play, which a table cannot hold.",
        "actions": "There should be one action for each of the {count} boards, not {value}.",
        "boards": "At least one board has to be stepped, not {value}.",
        "two players": "An arena needs at least two players, and each of them once.",
        "no boards": "An arena needs a board: --board divisor-duel:60, or --draw divisor-duel:20.",
        "player objects": "A plan names its players. Pass objects of your own to run: "
        "run(plan, players={{name: player}}).",
        "not in plan": "{name} is not a player of this plan.",
        "no choose": "{name} is not a player: it has no method choose(board).",
        "own players": "Players of your own play in one process: leave jobs at 1.",
        "person": "An arena is for programs; a person cannot play in it.",
        "draw": "{text} should name a game and a number of digits, like divisor-duel:20.",
        "board over": "On {board} the first player has no move; an arena needs one.",
        "series": "A series is the best of an odd number of matches up to {limit}, not {value}.",
    },
    errors.InvalidNotation: {
        "no stroke": "{text} is not the notation of a match, like divisor-duel:60/15.15.5: "
        "a board, a stroke, and the moves with dots between.",
        "setup": "In the notation {text}: {error}",
        "note": "{note} cannot stand at the end of a notation; there can be first=2, "
        "overshoot=loses, penalty=K, resigned=1 or 2, and overshot=MOVE, with commas between.",
        "turn": "Turn {number} of the notation is {turn}: {error}",
        "pass without penalty": "The notation {text} has a pass, but no penalty=K at its end.",
        "end": "The notation {text} cannot end so: {error}",
        "overshot": "The notation {text} says overshot={note}, and that is not how the match ends.",
    },
    errors.NothingToStudy: {
        "no puzzle": "No position of {game} was found that makes a puzzle.",
        "no daily puzzle": "There is no puzzle of the day about {game}: no choice matters there.",
        "no mistake": "No win was thrown away in this match: there is nothing to try again.",
        "too large": "The analysis stops here: {error}",
        "map size": "A map goes up to a number from {least} to {limit}, not {value}.",
        "columns": "A map has 1 to {limit} columns, not {value}.",
        "graph size": "A move graph is for numbers up to {limit}; {value} is too large to be read.",
        "nothing played": "No turn has been played in this match yet.",
        "one number": "A map is drawn for one number, and the board has {count}.",
        "day": "{text} is not a day, like 2026-11-15.",
        "no step": "The tutorial of {game} has the steps 1 to {limit}, and no step {value}.",
        "no lesson": "There is no tutorial for {game} yet. {numduel:plain} rules {game} shows its "
        "rules.",
        "nothing kept": "There is no match in the history yet.",
        "nothing unfinished": "No match is unfinished.",
        "over": "Match {id} is over. {numduel:plain} show {id} shows it.",
        "not here": "Match {id} is played by {player}, which is not here to go on.",
    },
    errors.PictureError: {
        "ending": "A picture file ends in .svg or .png, and {path} does not.",
        "no fonts": "The system has no fonts, so that a PNG would be a picture without text. "
        "Write an SVG file instead, or install a font.",
        "unwritten": "The file {path:80} cannot be written: {reason:plain}.",
    },
    errors.NotAllowed: {
        "no takeback": "This room was opened without takebacks.",
        "nothing to take back": "You have no move to take back yet.",
        "not asked": "Nobody is asking for a takeback.",
        "own question": "The other player has to answer this.",
        "answer first": "The other player asks for a takeback. Answer that first.",
        "match goes on": "The match is not over yet.",
        "seat is free": "The other seat is still free. Send the link to a friend first.",
        "no person": "A room needs a seat for a person.",
        "numbers": "A board in a room holds at most {limit} numbers.",
        "over": "There is no move on this board. Choose one that can be played.",
        "unknown moves": "The moves on this board are not known: a number is too large to factor.",
        "minutes": "A clock gives each player from {least} seconds to {hours} hours.",
        "time is up": "Your time was up before this move, and so you lose the match.",
        "turns": "A match in a room has at most {limit:,} turns. Resign, and offer a rematch.",
    },
}
